//! A tree's head as a signed note (C2SP tlog-checkpoint, C2SP signed-note, Ed25519).
//!
//! Whoever keeps a checkpoint elsewhere can show later that nothing it covers was changed,
//! removed or put in: the server that made it need not be asked, nor trusted.

use std::fmt;

use signed_note::{Note, Signer, StandardSigner, StandardVerifier, VerifierList};
use tlog_tiles::Checkpoint;

use super::tree::TreeHead;

/// Name that a key has when nobody gives one: the log's identity, a schema-less URL by convention.
pub const ORIGIN: &str = "candor";

/// Signs checkpoints. Its text, `PRIVATE+KEY+<name>+<id>+<base64>`, is a secret.
#[derive(Clone)]
pub struct SigningKey(StandardSigner);

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({}+{:08x})", self.0.name(), self.0.key_id())
    }
}

/// Checks signatures. Its text, `<name>+<id>+<base64>`, may be published.
#[derive(Clone)]
pub struct VerifyingKey(StandardVerifier);

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, id) = (
            signed_note::Verifier::name(&self.0),
            signed_note::Verifier::key_id(&self.0),
        );
        write!(f, "VerifyingKey({name}+{id:08x})")
    }
}

/// Reason why a key or a checkpoint is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// A key is written wrongly.
    #[error("this is no {0} key of C2SP signed notes")]
    Key(&'static str),
    /// A key's name is empty, or has a plus sign or white space in it.
    #[error("a key's name is not empty and has neither white space nor a plus sign")]
    Name,
    /// The note is no checkpoint.
    #[error("this is no checkpoint: origin, size and root, an empty line, signatures")]
    Form,
    /// No signature is by the key.
    #[error("the checkpoint is not signed by this key")]
    Unsigned,
    /// A signature by the key is wrong.
    #[error("the checkpoint's signature is wrong")]
    Signature,
}

impl SigningKey {
    /// A new key, and its public half as text; both are lines to be kept in files.
    ///
    /// # Errors
    /// [`NoteError::Name`].
    pub fn generate(name: &str) -> Result<(String, String), NoteError> {
        if !signed_note::is_key_name_valid(name) {
            return Err(NoteError::Name);
        }
        Ok(signed_note::generate_key(&mut rand_core::OsRng, name))
    }

    /// Reads a key's text.
    ///
    /// # Errors
    /// [`NoteError::Key`]; the text is not repeated.
    pub fn parse(text: &str) -> Result<Self, NoteError> {
        let signer = StandardSigner::new(text.trim());
        signer.map(Self).map_err(|_| NoteError::Key("signing"))
    }

    /// The key's name, which is also the origin of its checkpoints.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// A tree's head as a signed checkpoint.
    ///
    /// # Errors
    /// [`NoteError::Form`] when the library refuses, which it has no reason to.
    pub fn checkpoint(&self, head: &TreeHead) -> Result<String, NoteError> {
        let mut note = unsigned(self.name(), head)?;
        note.add_sigs(&[&self.0]).map_err(|_| NoteError::Form)?;
        String::from_utf8(note.to_bytes()).map_err(|_| NoteError::Form)
    }
}

impl VerifyingKey {
    /// Reads a key's text.
    ///
    /// # Errors
    /// [`NoteError::Key`].
    pub fn parse(text: &str) -> Result<Self, NoteError> {
        let verifier = StandardVerifier::new(text.trim());
        verifier.map(Self).map_err(|_| NoteError::Key("verifying"))
    }

    /// The head that a checkpoint signed by this key states.
    ///
    /// # Errors
    /// [`NoteError`].
    pub fn open(&self, checkpoint: &str) -> Result<TreeHead, NoteError> {
        let (note, stated) = read(checkpoint)?;
        let known = VerifierList::new(vec![Box::new(self.0.clone())]);
        match note.verify(&known) {
            Ok(_) => {}
            Err(signed_note::NoteError::UnverifiedNote) => return Err(NoteError::Unsigned),
            Err(_) => return Err(NoteError::Signature),
        }
        if stated.origin() != signed_note::Verifier::name(&self.0) {
            return Err(NoteError::Unsigned);
        }
        Ok(head(&stated))
    }
}

/// The head that a checkpoint states, whoever signed it.
///
/// # Errors
/// [`NoteError::Form`].
pub fn stated(checkpoint: &str) -> Result<TreeHead, NoteError> {
    read(checkpoint).map(|(_, stated)| head(&stated))
}

fn read(checkpoint: &str) -> Result<(Note, Checkpoint), NoteError> {
    let note = Note::from_bytes(checkpoint.as_bytes()).map_err(|_| NoteError::Form)?;
    let stated = Checkpoint::from_bytes(note.text()).map_err(|_| NoteError::Form)?;
    Ok((note, stated))
}

fn head(stated: &Checkpoint) -> TreeHead {
    TreeHead {
        size: stated.size(),
        root: stated.hash().0,
    }
}

fn unsigned(origin: &str, head: &TreeHead) -> Result<Note, NoteError> {
    let checkpoint = Checkpoint::new(origin, head.size, tlog_tiles::Hash(head.root), "");
    let text = checkpoint.map_err(|_| NoteError::Form)?.to_bytes();
    Note::new(&text, &[]).map_err(|_| NoteError::Form)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str) -> (SigningKey, VerifyingKey) {
        let (secret, public) = SigningKey::generate(name).unwrap();
        (
            SigningKey::parse(&secret).unwrap(),
            VerifyingKey::parse(&format!("{public}\n")).unwrap(),
        )
    }

    fn some() -> TreeHead {
        TreeHead {
            size: 42,
            root: [3; 32],
        }
    }

    #[test]
    fn a_signed_checkpoint_opens_with_its_key_and_states_its_head() {
        let (signer, verifier) = pair(ORIGIN);
        let note = signer.checkpoint(&some()).unwrap();
        let lines: Vec<&str> = note.lines().collect();
        assert_eq!(&lines[..2], ["candor", "42"]);
        assert!(lines[3].is_empty() && lines[4].starts_with("\u{2014} candor "));
        assert_eq!(verifier.open(&note), Ok(some()));
        assert_eq!(stated(&note), Ok(some()));
        assert_eq!(
            signer
                .checkpoint(&TreeHead::EMPTY)
                .map(|note| stated(&note)),
            Ok(Ok(TreeHead::EMPTY))
        );
    }

    #[test]
    fn another_key_and_a_changed_note_are_refused() {
        let (signer, verifier) = pair(ORIGIN);
        let note = signer.checkpoint(&some()).unwrap();
        assert_eq!(pair(ORIGIN).1.open(&note), Err(NoteError::Unsigned));
        assert_eq!(pair("other").1.open(&note), Err(NoteError::Unsigned));
        let larger = note.replacen("42", "43", 1);
        assert_eq!(verifier.open(&larger), Err(NoteError::Signature));
        assert_eq!(verifier.open("candor\n42\n"), Err(NoteError::Form));
        assert_eq!(verifier.open(""), Err(NoteError::Form));
    }

    #[test]
    fn keys_are_read_strictly_and_never_shown() {
        let (secret, public) = SigningKey::generate("log.example/todo").unwrap();
        assert_eq!(
            SigningKey::parse(&public).err(),
            Some(NoteError::Key("signing"))
        );
        assert_eq!(
            VerifyingKey::parse(&secret).err(),
            Some(NoteError::Key("verifying"))
        );
        // The key is the last of five parts, and may hold the sign that parts them.
        let shown = format!("{:?}", SigningKey::parse(&secret).unwrap());
        let base64 = secret.splitn(5, '+').last().unwrap();
        assert!(base64.len() > 40, "{secret}");
        assert!(shown.starts_with("SigningKey(log.example/todo+") && !shown.contains(base64));
        assert_eq!(SigningKey::generate("a b"), Err(NoteError::Name));
    }
}
