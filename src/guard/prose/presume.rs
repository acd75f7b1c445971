//! What a recognised form still may not take for granted: an effect, or its impossibility.
//!
//! "Isn't the list shorter already?" tells in the shape of a question; "I can't delete
//! tasks" denies what the product does. Both are read from the words of one clause.

use std::ops::Range;
use std::sync::LazyLock;

use super::lexicon::{
    ABROAD, ABSENT, ANY, ASKING, BE, CAP, CHECK, COMPARE, CONJ, DEFINITE, DEICTIC, DET, DO, DONE,
    EFFECT, FAR, GOOD, HAVE, HELP, HOW, LIST, MODAL, NEG, NOW, NUM, OR, OURS, OWN, PAST, POSS,
    PREP, PRON, SELF, SELFC, SENSE, SETLIKE, TASK, VERY, WH, YOU,
};
use super::token::{Span, Word};
use super::words::id_of;

/// What a question that expects a yes must leave alone.
const DATA: u64 =
    TASK | EFFECT | SETLIKE | DEICTIC | DEFINITE | DONE | PAST | NUM | ABSENT | COMPARE | SELF;

/// Words that rules hang on by themselves.
static FEEL: LazyLock<u16> = LazyLock::new(|| id_of("feel"));
static REMAINING: LazyLock<u16> = LazyLock::new(|| id_of("remaining"));
static ONLY: LazyLock<u16> = LazyLock::new(|| id_of("only"));
static DIDNT: LazyLock<u16> = LazyLock::new(|| id_of("didn't"));
static GET: LazyLock<u16> = LazyLock::new(|| id_of("get"));
static WHY: LazyLock<u16> = LazyLock::new(|| id_of("why"));
static OPEN: LazyLock<u16> = LazyLock::new(|| id_of("open"));
static THERE: LazyLock<u16> = LazyLock::new(|| id_of("there"));

/// What a user does to a list and to little else.
static DEEDS: LazyLock<Vec<u16>> = LazyLock::new(|| {
    const WORDS: [&str; 11] = [
        "add",
        "delete",
        "remove",
        "complete",
        "rename",
        "reopen",
        "reschedule",
        "postpone",
        "undo",
        "tick",
        "erase",
    ];
    WORDS.into_iter().map(id_of).collect()
});

/// How many verbs a statement of what alone can be done has to name: fewer deny the rest.
const VERBS: usize = 3;

/// How far the subject of a question reaches, in words.
const SUBJECT: usize = 4;

/// Whether a question expects a yes to something that only an effect could have made true.
pub(super) fn in_question(clause: &[Word], opens_sentence: bool) -> bool {
    let Some((head, rest)) = clause.split_first() else {
        return false;
    };
    if relieved(rest) || counted_out(rest) {
        return true;
    }
    if deed_taken_for_done(clause) || state_taken_for_so(clause) {
        return true;
    }
    if head.classes & WH != 0 {
        // "Why isn't it on your list?", "Why didn't I delete it?"; a riddle passes.
        let any = |classes: u64| rest.iter().any(|word| word.classes & classes != 0);
        return rest.first().is_some_and(|head| {
            let told = PAST | if head.id == *DIDNT { EFFECT } else { 0 };
            head.classes & NEG != 0 && (any(TASK) || any(SELF) && any(told))
        });
    }
    if head.classes & (BE | DO | HAVE | MODAL) == 0 || head.classes & PRON != 0 {
        return false;
    }
    let not = |word: &Word| word.classes & NEG != 0 && !word.quoted;
    if not(head) || rest.iter().take(SUBJECT).any(not) && head.classes & MODAL == 0 {
        return !harmless(head, rest, opens_sentence);
    }
    own_deed(head, rest) || witnessed(head, rest) || improved(rest)
}

/// "Don't you think so?", "Isn't that nice?", and the tag of a sentence: ", isn't it?"
fn harmless(head: &Word, rest: &[Word], opens_sentence: bool) -> bool {
    let Some((subject, rest)) = rest.split_first() else {
        return false;
    };
    if subject.classes & SELF != 0 {
        return false;
    }
    if rest.is_empty() {
        return !opens_sentence;
    }
    if rest.iter().any(|word| word.classes & DATA != 0) {
        return false;
    }
    let praised = || {
        let said = rest
            .iter()
            .find(|word| word.classes & (VERY | DET | NEG) == 0);
        head.classes & BE != 0
            && head.classes & PAST == 0
            && subject.classes & PRON != 0
            && said.is_some_and(|word| word.classes & GOOD != 0)
    };
    subject.classes & YOU != 0 || praised()
}

/// "Which of the remaining two": somebody has counted.
fn counted_out(rest: &[Word]) -> bool {
    rest.windows(2).any(|pair| {
        matches!(pair, [the, word] if the.classes & (DEFINITE | POSS) != 0 && word.id == *REMAINING)
    })
}

/// "How does it feel to be done with it?": an effect is felt.
fn relieved(rest: &[Word]) -> bool {
    let feel = rest.iter().position(|word| word.id == *FEEL);
    let felt = feel.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
    felt.iter().any(|word| {
        !word.quoted
            && word.classes & (DONE | PAST | ABSENT) != 0
            && word.classes & (BE | HAVE | DO) == 0
    })
}

/// "Did I already delete it?": only the speaker could know. "Did I get that right?" asks.
fn own_deed(head: &Word, rest: &[Word]) -> bool {
    let checks =
        rest.len() <= SUBJECT + 1 && rest.last().is_some_and(|word| word.classes & CHECK != 0);
    !checks
        && head.classes & (HAVE | PAST) != 0
        && rest.first().is_some_and(|word| word.classes & SELF != 0)
        && rest
            .iter()
            .any(|word| word.classes & (EFFECT | SETLIKE) != 0 && word.classes & HELP == 0)
}

/// "Which one did I add?", "When did you delete it?": somebody did. "How did I do?" asks.
fn deed_taken_for_done(clause: &[Word]) -> bool {
    let asks = clause
        .iter()
        .take(SUBJECT)
        .any(|word| word.classes & WH != 0 && !word.quoted);
    let by = |subject: &Word, deed: &Word| {
        if subject.classes & SELF != 0 {
            deed.classes & (EFFECT | SETLIKE) != 0 && deed.classes & (DO | HELP) == 0
        } else {
            subject.classes & YOU != 0 && DEEDS.contains(&deed.id)
        }
    };
    let done = |words: &[Word]| {
        let [did, subject, rest @ ..] = words else {
            return false;
        };
        let deed = rest
            .iter()
            .find(|word| word.classes & (VERY | NOW | DEICTIC) == 0);
        did.classes & DO != 0
            && did.classes & PAST != 0
            && deed.is_some_and(|deed| !deed.quoted && deed.id != *GET && by(subject, deed))
    };
    asks && (0..clause.len()).any(|at| clause.get(at..).is_some_and(done))
}

/// "Why is milk still open?", "Why is it still there?": it is.
fn state_taken_for_so(clause: &[Word]) -> bool {
    let [why, is, rest @ ..] = clause else {
        return false;
    };
    let still = rest
        .iter()
        .position(|word| word.classes & DEICTIC != 0 && !word.quoted);
    let left = still.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
    let stands = |word: &Word| word.classes & (PREP | DEICTIC) != 0 || word.id == *THERE;
    why.id == *WHY
        && is.classes & BE != 0
        && (rest
            .iter()
            .skip(1)
            .any(|word| word.id == *OPEN && !word.quoted)
            || matches!(left, [state] if stands(state)))
}

/// "Did you notice it disappear?": the user is made a witness.
fn witnessed(head: &Word, rest: &[Word]) -> bool {
    head.classes & (HAVE | PAST) != 0
        && rest.windows(3).any(|three| {
            matches!(three, [sees, it, _] if sees.classes & SENSE != 0
                && it.classes & (PRON | OURS) != 0)
        })
}

/// "Is your list shorter now?": it has to have changed.
fn improved(rest: &[Word]) -> bool {
    let listed = rest
        .iter()
        .take(SUBJECT)
        .position(|word| word.classes & OWN != 0 && word.classes & LIST != 0 && !word.quoted);
    let theirs = rest
        .first()
        .is_some_and(|word| word.classes & (DEFINITE | POSS | OURS) != 0);
    theirs
        && listed.is_some_and(|at| {
            rest.iter()
                .skip(at)
                .any(|word| word.classes & (COMPARE | NOW) != 0)
        })
}

/// Whether a clause that only its question mark makes harmless carries the question itself.
///
/// "All set — anything else?" asks in its second half alone: what comes before is told,
/// unless it opens like a question or is one of several things to choose from.
pub(super) fn carries_question(words: &[Word], range: &Range<usize>, span: &Span) -> bool {
    let end = span.words.end;
    let (Some(clause), Some(later)) = (words.get(range.clone()), words.get(range.end..end)) else {
        return false;
    };
    let asks = clause
        .first()
        .is_some_and(|word| word.classes & (WH | ASKING) != 0);
    let finished = |word: &Word| word.classes & (DONE | SETLIKE | PAST) != 0;
    if later.is_empty() || matches!(later, [name] if name.classes & CAP != 0) {
        // "All set and anything else?" has both halves in one clause.
        let joint = |word: &Word| word.classes & (CONJ | ANY | WH) != 0 && word.classes & OR == 0;
        let told = clause
            .iter()
            .position(joint)
            .and_then(|joint| clause.get(..joint));
        return asks || !told.is_some_and(|told| told.iter().any(finished));
    }
    let chooses = || {
        clause
            .iter()
            .chain(later)
            .any(|word| word.classes & OR != 0)
    };
    asks || (chooses() && !clause.iter().any(finished))
}

/// "I can't delete tasks", "I don't have access to your list": false of a task assistant,
/// unless the verb is one for what it really lacks ("share", "email").
pub(super) fn denies_itself(clause: &[Word]) -> bool {
    let Some(not) = clause
        .iter()
        .take(SUBJECT + 1)
        .position(|word| word.classes & NEG != 0 && !word.quoted)
    else {
        return false;
    };
    // "to-do" is read as two words.
    let to_do = clause.windows(3).any(|three| {
        matches!(three, [a, to, act] if a.classes & DET != 0 && to.classes & PREP != 0
            && act.classes & DO != 0)
    });
    let mut verb = None;
    for word in clause.iter().skip(not + 1).filter(|word| !word.quoted) {
        let acts = word.classes & (EFFECT | ABROAD | HELP | FAR) != 0;
        // "list" is a verb where none stands before it: "I can't list movies".
        if acts && (verb.is_none() || word.classes & OWN == 0) {
            verb = Some(word.classes & FAR != 0);
        } else if word.classes & OWN != 0 && verb != Some(true) {
            return true;
        }
    }
    to_do && verb != Some(true)
}

/// "I can only add tasks": denies that they can be changed or deleted.
pub(super) fn denies_the_rest(clause: &[Word]) -> bool {
    let count = |classes: u64| {
        clause
            .iter()
            .skip(2)
            .filter(|word| word.classes & classes != 0)
            .count()
    };
    clause.iter().take(SUBJECT).any(|word| word.id == *ONLY)
        && count(EFFECT & !OWN) < VERBS
        && count(EFFECT) > 0
        && count(HELP) == 0
        && count(OWN) > 0
}

/// "I don't know how to delete tasks": the same, said as a question to oneself.
pub(super) fn claims_ignorance(clause: &[Word]) -> bool {
    clause
        .windows(2)
        .any(|pair| matches!(pair, [how, to] if how.classes & HOW != 0 && to.classes & PREP != 0))
        && clause
            .first()
            .is_some_and(|word| word.classes & (SELF | SELFC) != 0)
        && denies_itself(clause)
}
