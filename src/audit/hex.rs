//! Bytes as lower-case hexadecimal, the one form in which the log writes hashes.

/// The digits of some bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| match nibble {
        0..=9 => b'0' + nibble,
        _ => b'a' + nibble - 10,
    };
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    // Digits are ASCII.
    String::from_utf8(digits.map(digit).collect()).unwrap_or_default()
}

/// The bytes of 64 lower-case digits.
pub(crate) fn unhex(text: &str) -> Option<[u8; 32]> {
    let nibble = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() || pairs.len() != 32 {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = nibble(*high)? << 4 | nibble(*low)?;
    }
    Some(bytes)
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
