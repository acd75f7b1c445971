//! The key that signs checkpoints: made by `candor audit keygen`, read by whoever signs.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::audit::{SigningKey, VerifyingKey};

/// Path at which the key is looked for when nobody says.
pub(in crate::app) const KEY_FILE: &str = "candor-audit.key";

/// Makes a key in a new file that only its owner can read, and prints its public half.
pub(super) fn generate(name: &str, path: &Path, out: &mut impl Write) -> Result<()> {
    let (secret, public) = SigningKey::generate(name)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path);
    let mut file = match file {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!(
            "{} is there already: a key is never overwritten, since what it signed could not be \
             told from forgeries any more; name another file with --out",
            path.display()
        ),
        other => other.with_context(|| format!("{} can't be written", path.display()))?,
    };
    writeln!(file, "{secret}")?;
    file.sync_all()?;
    writeln!(out, "{public}")?;
    Ok(())
}

/// The signing key in a file. The default file may be missing; one that was named may not.
pub(in crate::app) fn signing(path: Option<&Path>) -> Result<Option<SigningKey>> {
    let file = path.unwrap_or(Path::new(KEY_FILE));
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if path.is_none() && error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(error).with_context(|| format!("{} can't be read", file.display()));
        }
    };
    let key = SigningKey::parse(&text);
    key.map(Some).with_context(|| format!("{}", file.display()))
}

/// A verifying key, as text or as a file that holds it.
pub(super) fn verifying(text: &str) -> Result<VerifyingKey> {
    if let Ok(key) = VerifyingKey::parse(text) {
        return Ok(key);
    }
    let file = std::fs::read_to_string(text);
    let file = file.with_context(|| {
        format!("--key {text} is neither a verifying key (<name>+<id>+<base64>) nor a file")
    })?;
    VerifyingKey::parse(&file).with_context(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_read_back() {
        let folder = std::env::temp_dir().join(format!("candor-key-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let path = folder.join("some.key");
        let mut public = Vec::new();
        generate("candor", &path, &mut public).unwrap();
        let again = generate("candor", &path, &mut Vec::new()).unwrap_err();
        assert!(again.to_string().contains("never overwritten"));
        #[cfg(unix)]
        {
            let mode = std::fs::metadata(&path).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::mode(&mode.permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
        let signer = signing(Some(&path)).unwrap().unwrap();
        let head = crate::audit::TreeHead::EMPTY;
        let note = signer.checkpoint(&head).unwrap();
        let public = String::from_utf8(public).unwrap();
        assert_eq!(verifying(&public).unwrap().open(&note), Ok(head));
        let file = folder.join("some.pub");
        std::fs::write(&file, public).unwrap();
        assert!(verifying(file.to_str().unwrap()).is_ok());
        assert!(verifying("nonsense").is_err());
        assert!(signing(Some(&folder.join("missing"))).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
