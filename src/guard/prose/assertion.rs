//! Naming what a stopped sentence seems to assert, for the log and the audit.
//!
//! Decides nothing: the sentence is stopped already.

use super::lexicon::{
    ABSENT, BE, DO, DONE, EFFECT, HAVE, ING, MODAL, NEG, NUM, PAST, SELF, SELFC, SETLIKE, TASK,
};
use super::token::Word;
use super::verdict::Assertion;

/// The likeliest assertion of a sentence that no form was found for.
pub(super) fn of(words: &[Word]) -> Assertion {
    let all = words.iter().fold(0, |all, word| all | word.classes);
    let any = |classes: u64| all & classes != 0;
    let both = |one: u64, other: u64| any(one) && any(other);
    if both(NEG, SELF | SELFC | MODAL) && any(EFFECT | SETLIKE | MODAL) {
        Assertion::Failure
    } else if both(NUM, TASK) {
        Assertion::Count
    } else if any(ABSENT) || both(NEG, TASK) {
        Assertion::Absence
    } else if any(SELFC | MODAL) && !any(PAST | DONE | ING) {
        Assertion::Promise
    } else if any(PAST | DONE | ING) && !any(DO & !PAST) {
        Assertion::Effect
    } else if any(TASK) || both(BE | HAVE, EFFECT) {
        Assertion::State
    } else {
        Assertion::Unknown
    }
}
