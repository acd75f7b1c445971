//! Marks: letters, signs and addresses that are no plain prose.

use crate::domain::text::Text;

/// Signs that say of something that it was done, or rings.
const SIGNS: [char; 34] = [
    '✅', '✔', '☑', '☒', '✓', '🗑', '↩', '🗓', '📅', '📧', '📨', '✉', '⏰', '🔔', '📝', '📌', '❌',
    '✗', '✘', '➕', '➖', '👍', '🆗', '💾', '📥', '📤', '🔕', '⏳', '🚮', '📋', '👌', '🔒', '🏁',
    '🫡',
];

/// Marks that a client of markdown or HTML would load, link or strike through.
const LOADS: [&str; 10] = [
    "[x]", "[X]", "~~", "](", "][", "://", "www.", "![", "</", "&#",
];

/// Ends of addresses that are spelt out.
const SPELT: [&str; 6] = ["com", "org", "net", "io", "example", "info"];

/// Tells whether a sentence holds what may never pass: a mark that loads something, letters in
/// disguise, or an address that the user did not write.
pub(super) fn are_suspicious(raw: &str, said: &str) -> bool {
    let html = raw.as_bytes().windows(2).any(|pair| {
        matches!(pair, [b'<', next] if next.is_ascii_alphabetic() || matches!(next, b'!' | b'/'))
    });
    html || LOADS.iter().any(|mark| raw.contains(mark))
        || raw.chars().any(|c| SIGNS.contains(&c))
        || raw.contains(['{', '}', '\\'])
        || has_identifier(raw)
        || is_disguised(raw)
        || has_address(raw, said)
}

/// "delete_task": a name that only programs have, as a call or its result would be written.
fn has_identifier(raw: &str) -> bool {
    let letter = |b: &u8| b.is_ascii_alphabetic();
    raw.as_bytes()
        .windows(3)
        .any(|bytes| matches!(bytes, [a, b'_', c] if letter(a) && letter(c)))
}

/// Tells whether a text is nothing but faces and hearts, which say of nothing that it was done.
pub(super) fn is_face(raw: &str) -> bool {
    let face = |c: char| {
        matches!(c, '\u{1f600}'..='\u{1f640}' | '\u{1f642}'..='\u{1f644}' | '\u{1f970}'..='\u{1f97a}')
            || matches!(
                c,
                '\u{1f917}' | '\u{1f923}' | '❤' | '\u{1f493}'..='\u{1f49f}' | '\u{1f9e1}'
            )
    };
    let plain = |c: char| face(c) || c.is_whitespace() || c == '\u{fe0f}';
    raw.chars().any(face) && raw.chars().all(plain)
}

/// Tells whether letters of other scripts, of full width or spaced out stand among Latin ones.
fn is_disguised(raw: &str) -> bool {
    let latin = |c: char| {
        c.is_ascii_alphabetic() || matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
    };
    let letters = raw.chars().filter(|c| c.is_alphabetic());
    let strange = letters.clone().any(|c| !latin(c));
    // "d o n e": single letters in a row.
    let mut run = 0;
    let spaced = raw.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let single = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        run = if single { run + 1 } else { 0 };
        run > 3
    });
    let dashed = raw.split_whitespace().any(|word| {
        let parts: Vec<&str> = word.split(['-', '.', '_', '*']).collect();
        parts.len() > 3
            && parts
                .iter()
                .filter(|part| part.chars().count() == 1)
                .count()
                > 3
    });
    strange
        || spaced
        || dashed
        || raw
            .chars()
            .any(|c| matches!(c, 'ħ' | 'ŋ' | 'þ' | 'ĸ' | 'ı'))
}

/// Tells whether an address stands in the text: of a site, a mailbox or a telephone.
fn has_address(raw: &str, said: &str) -> bool {
    let known = |part: &str| said.to_lowercase().contains(&part.to_lowercase());
    let plain = raw.replace(['。', '．', '｡', '․'], ".");
    let words =
        plain.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '"' | '“' | '”'));
    let sites = words
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .any(|word| (is_site(word) || word.contains('@')) && !known(word));
    let text = Text::new(raw);
    let spelt = (1..text.tokens.len()).any(|at| {
        text.word(at) == "dot"
            && SPELT.contains(&text.word(at + 1))
            && !known(text.slice(at - 1..at + 2))
    });
    sites || spelt || has_telephone(&plain, said)
}

/// "evil.example": letters on both sides of a point, which no new sentence begins behind.
fn is_site(word: &str) -> bool {
    let word = word.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let Some((front, end)) = word.rsplit_once('.') else {
        return false;
    };
    let letters = end.len() > 1 && end.chars().all(|c| c.is_ascii_alphabetic());
    let lower =
        end.chars().all(|c| c.is_ascii_lowercase()) || end.chars().all(|c| c.is_ascii_uppercase());
    let named = front.chars().filter(|c| c.is_alphanumeric()).count() > 1;
    let ip = word.split('.').count() == 4 && word.split('.').all(|part| part.parse::<u8>().is_ok());
    ip || letters && lower && named
}

/// Seven digits or more with nothing but marks of a number between them.
fn has_telephone(raw: &str, said: &str) -> bool {
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let own = digits(said);
    let inner = |c: char| !(c.is_ascii_digit() || matches!(c, ' ' | '-' | '/' | '(' | ')' | '+'));
    raw.split(inner).any(|run| {
        let number = digits(run);
        // A day has eight digits and is written apart.
        let day = run.trim().len() == 10 && run.matches('-').count() == 2;
        number.len() > 6 && !day && !own.contains(&number)
    })
}
