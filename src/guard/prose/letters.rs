//! Letters: how they are folded, and which signs are friendly.

use std::sync::LazyLock;

use unicode_normalization::char::decompose_compatible;

use super::words::{Key, WIDTH};

/// What Latin letters with marks fold to, where that is one letter; 0 elsewhere.
static FOLDED: LazyLock<Vec<u8>> = LazyLock::new(|| (0..0x1f00).map(folded).collect());

fn folded(code: u32) -> u8 {
    let mut letters = Vec::new();
    if let Some(c) = char::from_u32(code).filter(|c| is_latin(*c)) {
        decompose_compatible(c, |part| {
            if part.is_ascii_alphanumeric() {
                letters.push(part.to_ascii_lowercase() as u8);
            }
        });
    }
    match letters.as_slice() {
        [letter] => *letter,
        _ => 0,
    }
}

/// A word's letters as they are folded.
#[derive(Default)]
pub(super) struct Folder {
    bytes: [u8; WIDTH],
    /// How many letters there were.
    pub(super) length: usize,
    /// A hash of what no longer fits.
    rest: u64,
}

impl Folder {
    /// Takes one folded letter.
    pub(super) fn push(&mut self, byte: u8) {
        match self.bytes.get_mut(self.length) {
            Some(place) => *place = byte,
            None => {
                self.rest = (self.rest.rotate_left(5) ^ u64::from(byte))
                    .wrapping_mul(0x517c_c1b7_2722_0a95);
            }
        }
        self.length += 1;
    }

    /// Folds a character beyond ASCII to Latin letters; false when it is none.
    pub(super) fn fold(&mut self, c: char) -> bool {
        let length = self.length;
        match c {
            'ß' | 'ẞ' => self.extend("ss"),
            'æ' | 'Æ' => self.extend("ae"),
            'œ' | 'Œ' => self.extend("oe"),
            'ø' | 'Ø' => self.extend("o"),
            'ł' | 'Ł' => self.extend("l"),
            'đ' | 'Đ' => self.extend("d"),
            'ı' => self.extend("i"),
            _ => match FOLDED.get(c as usize) {
                Some(letter) if *letter != 0 => self.push(*letter),
                _ if is_latin(c) => decompose_compatible(c, |part| {
                    if part.is_ascii_alphanumeric() {
                        self.push(part.to_ascii_lowercase() as u8);
                    }
                }),
                _ => {}
            },
        }
        self.length > length
    }

    fn extend(&mut self, letters: &str) {
        letters.bytes().for_each(|byte| self.push(byte));
    }

    /// The key of the first letters: of all, where the word is short enough to be known.
    pub(super) fn key(&self) -> Key {
        Key::new(self.bytes)
    }

    /// A hash of the letters that are not in the key.
    pub(super) fn rest(&self) -> u64 {
        self.rest
    }

    /// Whether all letters are in the key: else no list knows the word.
    pub(super) fn is_short(&self) -> bool {
        self.length <= WIDTH
    }

    /// The letters, as far as they fit.
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or(&self.bytes)
    }
}

/// The next bytes of a text, eight looked at in one step.
#[derive(Clone, Copy)]
pub(super) struct Letters {
    low: u64,
    high: u64,
    /// The highest bit of every byte of `low` that is no letter and no digit of ASCII.
    ends: u64,
}

impl Letters {
    /// The beginning of `text`; what is missing is no letter.
    #[inline]
    pub(super) fn of(text: &[u8]) -> Self {
        let chunk = text.first_chunk::<WIDTH>().copied().unwrap_or_else(|| {
            let mut chunk = [0; WIDTH];
            chunk
                .iter_mut()
                .zip(text)
                .for_each(|(to, from)| *to = *from);
            chunk
        });
        let bytes = u128::from_le_bytes(chunk);
        let (low, high) = (bytes as u64, (bytes >> 64) as u64);
        Self {
            low,
            high,
            ends: ends(low),
        }
    }

    /// Where the letters and digits that go on at `at` end.
    #[inline]
    pub(super) fn run(self, at: usize) -> usize {
        const HALF: usize = WIDTH / 2;
        if at < HALF {
            let left = self.ends >> (8 * at);
            if left != 0 {
                return at + left.trailing_zeros() as usize / 8;
            }
        }
        if at >= WIDTH {
            return WIDTH;
        }
        let at = at.max(HALF);
        let left = ends(self.high) >> (8 * (at - HALF));
        (at + left.trailing_zeros() as usize / 8).min(WIDTH)
    }

    /// The first `length` of them, below [`WIDTH`], in lower case.
    #[inline]
    pub(super) fn folded(self, length: usize) -> Folder {
        let mask = |length: usize| match 1_u64.checked_shl(8 * length as u32) {
            Some(bit) => bit - 1,
            None => u64::MAX,
        };
        let low = (self.low | LOWER) & mask(length);
        let high = (self.high | LOWER) & mask(length.saturating_sub(WIDTH / 2));
        Folder {
            bytes: (u128::from(low) | u128::from(high) << 64).to_le_bytes(),
            length,
            rest: 0,
        }
    }
}

/// The highest bit of every byte that is no letter and no digit of ASCII.
#[inline]
const fn ends(bytes: u64) -> u64 {
    let low = bytes & !HIGH;
    let lower = low | LOWER;
    // A sum reaches the highest bit where the byte is not below its bound.
    let alpha = (lower + every(0x80 - b'a')) & !(lower + every(0x80 - (b'z' + 1)));
    let digit = (low + every(0x80 - b'0')) & !(low + every(0x80 - (b'9' + 1)));
    !((alpha | digit) & !bytes) & HIGH
}

/// The highest bit of every byte.
const HIGH: u64 = every(0x80);

/// Lower case is one bit, and digits and apostrophes have it too.
const LOWER: u64 = every(0x20);

const fn every(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; WIDTH / 2])
}

/// Hexadecimal digits only: a block of a UUID.
pub(super) fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Latin letters that fold to ASCII. The full-width forms are a disguise: not among them.
pub(super) fn is_latin(c: char) -> bool {
    !matches!(c, '×' | '÷')
        && matches!(c, '\u{c0}'..='\u{17f}' | '\u{1cd}'..='\u{21b}' | '\u{1e00}'..='\u{1eff}'
        | '\u{fb00}'..='\u{fb06}')
}

/// Faces, hearts, waves and weather. A check mark, a bin, a bell or a thumb says something.
pub(super) fn is_friendly(c: char) -> bool {
    matches!(c, '\u{1f600}'..='\u{1f64f}' | '\u{1f910}'..='\u{1f917}' | '\u{1f920}'..='\u{1f92f}'
        | '\u{1f970}'..='\u{1f97a}' | '\u{1f493}'..='\u{1f49f}' | '\u{1f90d}'..='\u{1f90e}'
        | '\u{1f31e}'..='\u{1f320}' | '\u{1f337}'..='\u{1f33c}'
        | '👋' | '❤' | '♥' | '⭐' | '✨' | '☀' | '🌈' | '🎈' | '🎂' | '🎄' | '☕' | '🍀' | '💪' | '☺')
}

/// What follows a colon in ":)" and ":-D".
pub(super) fn is_face(next: u8, after: u8) -> bool {
    let mouth = |byte| matches!(byte, b')' | b'D' | b'P' | b'p');
    (mouth(next) && !after.is_ascii_alphanumeric()) || (next == b'-' && mouth(after))
}
