//! Meaning of one character to a reader: what it is between words or inside one, and what it folds
//! to, by the same rules for every script.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Tells whether a character ends a line.
pub(super) const fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\u{2028}' | '\u{2029}')
}

/// Tells whether a character is white space or a control character.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Format characters that draw nothing: soft hyphen, zero width, bidi controls, tags.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

/// Tells whether a character makes words.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_combining_mark(c)
}

/// Tells whether a character ties the halves of a word.
pub(super) const fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '＇')
}

/// Appends what a character folds to.
pub(super) fn fold_char(c: char, out: &mut String) {
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
