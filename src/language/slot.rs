//! Slots: the words that a pattern can capture.

/// A place in a pattern that captures words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// Words of what is to be added.
    Content,
    /// The same where it has to look like a thing. Captured as content.
    Stuff,
    /// Words that name tasks.
    Target,
    /// The same at the front of a pattern, where it has to look like a thing:
    /// no question, no pronoun. Captured as a target.
    Thing,
    /// A new title.
    New,
    /// A description.
    Note,
    /// Words that a listing is filtered by.
    Query,
    /// The words of a fragment.
    Words,
    /// The name of a list, before the word "list": "my **shopping** list".
    Name,
    /// Anything, also nothing, of no interest.
    Rest,
    /// Up to three words of no interest, or none.
    Few,
    /// A date that `temporal` read.
    Date,
    /// A time of day that `temporal` read.
    Time,
    /// A word for a priority.
    Level,
    /// An ordinal: "second", "2nd", "2".
    Nth,
    /// A number: "two", "2", "a".
    Count,
    /// A unit of time: "days".
    Unit,
}

impl Slot {
    /// The slot of that name.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "content" => Self::Content,
            "stuff" => Self::Stuff,
            "target" => Self::Target,
            "thing" => Self::Thing,
            "new" => Self::New,
            "note" => Self::Note,
            "query" => Self::Query,
            "words" => Self::Words,
            "name" => Self::Name,
            "*" => Self::Rest,
            "few" => Self::Few,
            "date" => Self::Date,
            "time" => Self::Time,
            "level" => Self::Level,
            "nth" => Self::Nth,
            "count" => Self::Count,
            "unit" => Self::Unit,
            _ => return None,
        })
    }

    /// The fewest and the most words it takes, where it takes any words at all.
    // The limits keep a pattern linear on a long message; only what becomes a title,
    // a note or is thrown away may be long.
    pub(super) fn extent(self) -> Option<(usize, usize)> {
        match self {
            Self::Content | Self::Note | Self::New => Some((1, 4096)),
            Self::Rest => Some((0, 4096)),
            Self::Target => Some((1, 48)),
            Self::Query | Self::Words | Self::Thing | Self::Stuff => Some((1, 16)),
            Self::Name => Some((1, 4)),
            Self::Few => Some((0, 3)),
            Self::Date | Self::Time | Self::Level | Self::Nth | Self::Count | Self::Unit => None,
        }
    }

    /// Tells whether some words can't stand in it, though it takes any others.
    pub(super) const fn is_picky(self) -> bool {
        matches!(self, Self::Name | Self::Thing | Self::Stuff)
    }

    /// The slot under which what it takes is kept.
    pub(super) const fn kept(self) -> Self {
        match self {
            Self::Thing => Self::Target,
            Self::Stuff => Self::Content,
            other => other,
        }
    }
}
