//! Line numbers of places in a text.

/// End of each line of a text, in bytes.
#[derive(Debug)]
pub(super) struct LineIndex<'a> {
    text: &'a str,
    breaks: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at).collect();
        Self { text, breaks }
    }

    /// The line of a byte, counted from 1.
    pub(super) fn at(&self, byte: usize) -> usize {
        self.breaks.partition_point(|at| *at < byte) + 1
    }

    /// The line of a part, which must be a slice of the text.
    pub(super) fn of(&self, part: &str) -> usize {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        self.at(start)
    }
}
