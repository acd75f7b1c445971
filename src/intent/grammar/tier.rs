//! Patterns that a search asks for, told by their heads.

use super::head::{Flags, Head, HeadKind};

/// Patterns that a search asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tier {
    /// All.
    All,
    /// Patterns that are no last resort.
    Firm,
    /// Of these, those that no title looks like.
    Strong,
    /// The last resorts.
    Late,
    /// Patterns for "the first two".
    Firsts,
    /// Patterns that say something by themselves.
    Alone,
    /// Patterns that may name a title.
    Titled,
    /// Patterns that a thought behind them can take back: see [`HeadKind::orders`].
    Orders,
    /// Patterns that may say why something is done: see [`Head::remarks`].
    Remarks,
}

impl Tier {
    /// Tells whether it asks for patterns under `head`.
    pub(crate) fn admits(self, head: Head) -> bool {
        match self {
            Self::All => true,
            Self::Firm => !head.flags.has(Flags::LATE),
            Self::Strong => !head.flags.has(Flags::LATE | Flags::WEAK),
            Self::Late => head.flags.has(Flags::LATE),
            Self::Firsts => head.kind == HeadKind::First,
            Self::Alone => head.kind.stands_alone(),
            Self::Titled => head.kind.names_title(),
            Self::Orders => head.kind.orders(),
            Self::Remarks => head.remarks(),
        }
    }
}
