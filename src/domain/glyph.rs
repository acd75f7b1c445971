//! Meaning of one character to a reader, looked up instead of worked out.
//!
//! A page of 256 characters is worked out when one of them is first met, from the same
//! rules for every script; after that a character costs one look-up, in any script.

use std::sync::OnceLock;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Kind of a character, and what it folds to: flags over 21 bits.
///
/// The 21 bits are the character it folds to; or nothing; or, with [`Self::LONG`], where
/// the page keeps what it folds to: 13 bits of place, 8 of length in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph(u32);

const BITS: u32 = 21;
const LENGTH_BITS: u32 = 8;

impl Glyph {
    /// Ends a line.
    pub(super) const BREAK: Self = Self(1 << BITS);
    /// White space or a control character.
    pub(super) const BLANK: Self = Self(1 << (BITS + 1));
    /// Draws nothing.
    pub(super) const INVISIBLE: Self = Self(1 << (BITS + 2));
    /// Makes words.
    pub(super) const WORD: Self = Self(1 << (BITS + 3));
    /// Ties the halves of a word.
    pub(super) const APOSTROPHE: Self = Self(1 << (BITS + 4));
    /// Folds to itself.
    pub(super) const SAME: Self = Self(1 << (BITS + 5));
    /// Folds to several characters.
    const LONG: Self = Self(1 << (BITS + 6));

    /// Tells whether any of these flags is set.
    pub(super) const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 != 0
    }

    /// Any of both.
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn when(self, flags: Self, so: bool) -> Self {
        if so { self.or(flags) } else { self }
    }

    const fn value(self) -> u32 {
        self.0 & ((1 << BITS) - 1)
    }

    /// Appends what `written`, the character it stands for, folds to.
    pub(super) fn fold(self, written: &str, out: &mut String) {
        if self.has(Self::SAME) {
            out.push_str(written);
        } else if !self.has(Self::LONG) {
            out.extend(char::from_u32(self.value()).filter(|c| *c != '\0'));
        } else if let Some(c) = written.chars().next() {
            let place = (self.value() >> LENGTH_BITS) as usize;
            let length = (self.value() & ((1 << LENGTH_BITS) - 1)) as usize;
            match page(c).long.get(place..place + length) {
                Some(folded) => out.push_str(folded),
                None => fold_char(c, out),
            }
        }
    }

    const fn ascii(byte: u8) -> Self {
        let control = byte.is_ascii_control();
        let lower = byte.to_ascii_lowercase();
        Self(lower as u32)
            .when(Self::BREAK, byte == b'\n')
            .when(Self::BLANK, control || byte == b' ')
            .when(Self::WORD, byte.is_ascii_alphanumeric() || byte == b'_')
            .when(Self::APOSTROPHE, byte == b'\'')
            .when(Self::SAME, lower == byte)
    }
}

const ASCII: [Glyph; 128] = {
    let mut all = [Glyph(0); 128];
    let mut rest: &mut [Glyph] = &mut all;
    let mut byte = 0;
    while let Some((first, others)) = rest.split_first_mut() {
        *first = Glyph::ascii(byte);
        byte += 1;
        rest = others;
    }
    all
};

/// The character of `raw` at byte `at`, and where it ends.
#[inline]
pub(super) fn glyph(raw: &str, at: usize) -> Option<(Glyph, usize)> {
    let byte = *raw.as_bytes().get(at)?;
    if let Some(glyph) = ASCII.get(usize::from(byte)) {
        return Some((*glyph, at + 1));
    }
    let c = raw.get(at..)?.chars().next()?;
    let glyph = page(c).glyphs.get(c as usize % PAGE)?;
    Some((*glyph, at + c.len_utf8()))
}

/// Tells whether a byte is a character of words by itself: a letter or a digit of ASCII.
#[inline]
pub(super) fn is_plain(byte: u8) -> bool {
    let glyph = ASCII.get(usize::from(byte));
    glyph.is_some_and(|glyph| glyph.has(Glyph::WORD))
}

/// Tells whether a character of words stands at byte `at`.
pub(super) fn is_word_at(raw: &str, at: usize) -> bool {
    glyph(raw, at).is_some_and(|(glyph, _)| glyph.has(Glyph::WORD))
}

/// Format characters that draw nothing: soft hyphen, zero width, bidi controls, tags.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

const PAGE: usize = 256;
const PAGES: usize = 0x11_0000 / PAGE;

/// The characters from one multiple of 256 to the next.
#[derive(Debug)]
struct Page {
    glyphs: [Glyph; PAGE],
    /// Foldings of those characters that fold to several.
    long: String,
}

#[inline]
fn page(c: char) -> &'static Page {
    static ALL: [OnceLock<Box<Page>>; PAGES] = [const { OnceLock::new() }; PAGES];
    static NONE: Page = Page {
        glyphs: [Glyph(0); PAGE],
        long: String::new(),
    };
    let number = c as usize / PAGE;
    ALL.get(number).map_or(&NONE, |page| {
        page.get_or_init(|| Box::new(Page::new(number)))
    })
}

impl Page {
    fn new(number: usize) -> Self {
        let mut long = String::new();
        let glyphs = std::array::from_fn(|place| {
            u32::try_from(number * PAGE + place)
                .ok()
                .and_then(char::from_u32)
                .map_or(Glyph(0), |c| work_out(c, &mut long))
        });
        Self { glyphs, long }
    }
}

fn work_out(c: char, long: &mut String) -> Glyph {
    let mut folded = String::new();
    fold_char(c, &mut folded);
    let mut all = folded.chars();
    let glyph = match (all.next(), all.next()) {
        (None, _) => Glyph(0),
        (Some(only), None) => Glyph(only as u32).when(Glyph::SAME, only == c),
        (Some(_), Some(_)) => {
            let place = long.len();
            long.push_str(&folded);
            let packed = u32::try_from(place << LENGTH_BITS | folded.len());
            packed.map_or(Glyph(0), Glyph).or(Glyph::LONG)
        }
    };
    glyph
        .when(Glyph::BREAK, matches!(c, '\n' | '\u{2028}' | '\u{2029}'))
        .when(Glyph::BLANK, c.is_whitespace() || c.is_control())
        .when(Glyph::INVISIBLE, is_invisible(c))
        .when(Glyph::WORD, is_word(c))
        .when(Glyph::APOSTROPHE, matches!(c, '\'' | '’' | 'ʼ' | '＇'))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c) || c == '_'
}

fn fold_char(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    decompose_compatible(c, |d| {
        if is_combining_mark(d) || is_invisible(d) {
            return;
        }
        match d {
            'ß' | 'ẞ' => out.push_str("ss"),
            'æ' | 'Æ' => out.push_str("ae"),
            'œ' | 'Œ' => out.push_str("oe"),
            'ø' | 'Ø' => out.push('o'),
            'ł' | 'Ł' => out.push('l'),
            'đ' | 'Đ' => out.push('d'),
            'ı' => out.push('i'),
            'ς' => out.push('σ'),
            // One letter of Arabic, drawn out or in another form.
            'ـ' => {}
            'ٱ' => out.push('ا'),
            'ى' | 'ی' => out.push('ي'),
            'ک' => out.push('ك'),
            _ if digit(d).is_some() => out.extend(digit(d)),
            _ => out.extend(d.to_lowercase().filter(|l| !is_combining_mark(*l))),
        }
    });
}

/// The digit of ASCII that a decimal digit of another script says.
fn digit(c: char) -> Option<char> {
    // The noughts; the others follow each in order.
    const NOUGHTS: [char; 20] = [
        '٠', '۰', '߀', '०', '০', '੦', '૦', '୦', '௦', '౦', '೦', '൦', '෦', '๐', '໐', '༠', '၀', '႐',
        '០', '᠐',
    ];
    let values = NOUGHTS
        .iter()
        .map(|nought| u32::from(c).wrapping_sub(u32::from(*nought)));
    let value = values.into_iter().find(|value| *value < 10)?;
    char::from_digit(value, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character there is: the look-up says what the rules say.
    #[test]
    fn the_pages_say_what_the_rules_say() {
        for c in '\0'..=char::MAX {
            let raw = c.to_string();
            let (glyph, end) = glyph(&raw, 0).unwrap();
            let (mut looked_up, mut worked_out) = (String::new(), String::new());
            glyph.fold(&raw, &mut looked_up);
            fold_char(c, &mut worked_out);
            assert_eq!(looked_up, worked_out, "{c:?}");
            assert_eq!(end, raw.len());
            assert_eq!(glyph.has(Glyph::WORD), is_word(c), "{c:?}");
            let blank = c.is_whitespace() || c.is_control();
            assert_eq!(glyph.has(Glyph::BLANK), blank, "{c:?}");
            assert_eq!(glyph.has(Glyph::INVISIBLE), is_invisible(c), "{c:?}");
        }
    }
}
