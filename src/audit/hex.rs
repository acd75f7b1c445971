//! Bytes as lower-case hexadecimal, the one form in which the log writes hashes.

const DIGITS: [char; 16] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
];

/// The digits of some bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or('0');
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

/// The bytes of 64 lower-case digits.
pub(crate) fn unhex(text: &str) -> Option<[u8; 32]> {
    let nibble = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let bytes: Option<Vec<u8>> = pairs
        .iter()
        .map(|[high, low]| Some(nibble(*high)? << 4 | nibble(*low)?))
        .collect();
    bytes?.try_into().ok()
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
