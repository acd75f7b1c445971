//! The words for places in a list and for what was just spoken of.
//!
//! Folded, as `domain::text` folds. A word that means something else in another language
//! ("due", "do", "das") counts only beside a marker such as "number" or "task".

use super::vocabulary::vocabulary;

/// Role of a word in a phrase that names a place. Of several roles of a word the last counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Says nothing: "i want", "choose", "on my list".
    Filler,
    /// "the": before a bare number it counts ("the two"), it doesn't point.
    Article,
    /// "number", "task", "no.".
    Marker,
    /// "from the end", "hinten".
    End,
    /// "one": a place of its own, or a prop behind another.
    One,
    /// "next (to last)".
    Next,
    /// "(last) but (one)".
    But,
    /// "(the one) before (the last)".
    Before,
    /// "last".
    Last,
    /// "penultimate": counted from the end.
    FromEnd(u32),
    /// A number only behind a marker.
    Marked(u32),
    /// "two", "2".
    Cardinal(u32),
    /// "second", "2nd".
    Ordinal(u32),
}

/// Thing that a pronoun points at. Of several for a word the last counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pointer {
    /// A prop: "one", "task", "please".
    Prop,
    /// "it", "that".
    It,
    /// "them", "both".
    They,
    /// "the other".
    Other,
}

/// The place a folded word names.
pub(crate) fn place(word: &str) -> Option<Place> {
    vocabulary()
        .places
        .get(word)
        .copied()
        .or_else(|| digits(word))
}

/// Finds what a folded word points at.
pub(crate) fn pointer(word: &str) -> Option<Pointer> {
    vocabulary().pointers.get(word).copied()
}

/// "2", "2nd", "2e", "1er".
fn digits(word: &str) -> Option<Place> {
    let end = word
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(word.len());
    let (number, suffix) = word.split_at_checked(end)?;
    let number = number.parse().ok()?;
    match suffix {
        "" => Some(Place::Cardinal(number)),
        "st" | "nd" | "rd" | "th" | "er" | "re" | "ere" | "e" | "eme" | "ieme" | "te" | "ter"
        | "tes" | "ten" | "ro" | "do" | "da" | "ra" | "wa" | "wan" => Some(Place::Ordinal(number)),
        _ => None,
    }
}
