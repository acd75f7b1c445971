//! Cue that was found in a message.

use super::cues::Cue;

/// A cue that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    pub cue: Cue,
    /// Its first token.
    pub at: usize,
    /// Behind its last token.
    pub end: usize,
    /// Words of something else may stand in it.
    pub open: bool,
}

impl Hit {
    /// Tells whether a token is a word of it: of an open phrase its ends are, what stands in its gap
    /// is not.
    pub fn covers(&self, token: usize) -> bool {
        if self.open {
            token == self.at || token + 1 == self.end
        } else {
            self.at <= token && token < self.end
        }
    }

    /// Tells whether it says something by itself: who acts and what an article opens say nothing
    /// more.
    pub fn tells(&self) -> bool {
        !matches!(
            self.cue,
            Cue::Person
                | Cue::Me
                | Cue::Determiner
                | Cue::First
                | Cue::Last
                | Cue::Happens
                | Cue::Failed
        )
    }
}
