//! Bytes of a file as text: its byte-order mark, its given encoding, UTF-8, or a safe guess.
//!
//! Windows-1252, and Latin-1 within it, is the one encoding that is guessed: it is what Outlook and
//! Excel write in western Europe. Any other is named in the error, for the caller to confirm.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::Unreadable;

/// A file as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// Its text, without a byte-order mark.
    pub text: String,
    /// The encoding that was guessed, such as `windows-1252`; none when it was told.
    pub guessed: Option<&'static str>,
}

impl From<String> for Decoded {
    fn from(text: String) -> Self {
        let guessed = None;
        Self { text, guessed }
    }
}

/// Decodes a file; `label` names its encoding by a name of the WHATWG, such as `latin1`.
///
/// # Errors
/// [`Unreadable`] with the encoding that it seems to have, and what would do.
pub fn decode(bytes: &[u8], label: Option<&str>) -> Result<Decoded, Unreadable> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return with(encoding, bytes.get(length..).unwrap_or_default());
    }
    if let Some(label) = label {
        let encoding = Encoding::for_label(label.as_bytes());
        let unknown = || {
            Unreadable(format!(
                "no encoding is called \"{}\": windows-1252, utf-16le and shift_jis are such names",
                super::entry::cut(label)
            ))
        };
        return with(encoding.ok_or_else(unknown)?, bytes);
    }
    if bytes.starts_with(b"PK\x03\x04") {
        let fault = "it is a ZIP archive (an .xlsx is one too): unpack it, and give the file in it, \
                     such as data.json or Tasks.json";
        return Err(Unreadable(fault.to_owned()));
    }
    if bytes.contains(&0) {
        let fault = "it seems to be UTF-16 without a byte-order mark: name the encoding \
                     (utf-16le or utf-16be), or save it as UTF-8";
        return Err(Unreadable(fault.to_owned()));
    }
    let Err(error) = std::str::from_utf8(bytes) else {
        return with(UTF_8, bytes);
    };
    let place = error.valid_up_to();
    if bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii()) {
        return Err(Unreadable(format!(
            "it is broken UTF-8: see byte {place}; save it anew, or name its encoding"
        )));
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if guess == WINDOWS_1252 && !is_western(bytes) {
        return Err(Unreadable(format!(
            "it is not UTF-8 (see byte {place}), and too short to tell its encoding: name that, \
             or save it as UTF-8"
        )));
    }
    if guess != WINDOWS_1252 {
        return Err(Unreadable(format!(
            "it is not UTF-8 (see byte {place}) and seems to be {}: name its encoding, or save it \
             as UTF-8",
            guess.name()
        )));
    }
    let guessed = Some(guess.name());
    with(guess, bytes).map(|decoded| Decoded { guessed, ..decoded })
}

/// Tells whether it may be a language of western Europe in Windows-1252: three letters with accents
/// in a row stand in none, and in every word of an alphabet of its own.
fn is_western(bytes: &[u8]) -> bool {
    let letter = |byte: &u8| *byte >= 0xc0;
    !bytes.windows(3).any(|three| three.iter().all(letter))
}

/// Tells whether it is one of the control characters after ASCII's.
fn is_c1(c: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&c)
}

fn with(encoding: &'static Encoding, bytes: &[u8]) -> Result<Decoded, Unreadable> {
    let name = encoding.name();
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    // Windows-1252 leaves five bytes without a meaning, which decode to control characters.
    let text = text.filter(|text| encoding != WINDOWS_1252 || !text.contains(is_c1));
    let Some(text) = text else {
        return Err(Unreadable(format!(
            "it is not {name} text: save it as UTF-8, or name its encoding"
        )));
    };
    Ok(Decoded::from(text.into_owned()))
}
