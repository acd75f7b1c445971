//! Bytes as lower-case hexadecimal, the one form in which the log writes hashes.

/// The digits of some bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    ::hex::encode(bytes)
}

/// The bytes of 64 lower-case digits.
pub(crate) fn unhex(text: &str) -> Option<[u8; 32]> {
    let lower = !text.bytes().any(|digit| digit.is_ascii_uppercase());
    let mut bytes = [0; 32];
    (lower && ::hex::decode_to_slice(text, &mut bytes).is_ok()).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_has_one_spelling() {
        let bytes: [u8; 32] = std::array::from_fn(|index| (index * 9) as u8);
        assert_eq!(unhex(&hex(&bytes)), Some(bytes));
        for wrong in ["", "0", &hex(&bytes).to_uppercase(), &"g".repeat(64)] {
            assert_eq!(unhex(wrong), None);
        }
    }
}
