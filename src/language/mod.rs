//! Reading of words by patterns, whatever they are about: a lexicon, one notation and one matcher.
//!
//! A file of words is read once: its words are numbered (`lexicon`), its patterns turned into trees
//! (`notation`, `pattern`). A message is numbered words (`words`), to which patterns are fitted
//! (`matcher`), in the order of their file (`rules`); what they capture stands in slots (`slot`). Words that are looked for wherever they stand are phrases
//! (`phrases`). Knows no tasks; of languages only what ties words to each other, such as "it's" and "etc.".

pub(crate) mod lexicon;
pub(crate) mod matcher;
pub(crate) mod notation;
pub(crate) mod pattern;
pub(crate) mod phrases;
mod places;
pub(crate) mod rules;
pub(crate) mod slot;
#[cfg(test)]
mod tests;
pub(crate) mod words;
