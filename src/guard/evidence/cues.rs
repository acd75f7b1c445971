//! Words that are evidence for a deed, or against one, read from `src/languages/*/cues.txt`.
//!
//! A gap of a phrase takes up to eight words of the same sentence; a suffix with an accent is held
//! against the word as it was written. All languages are looked for in every message;
//! what is told, or said to be undone, counts only in one that the message may be of.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use super::cue_text::CueText;
use super::denial::{denial, pleads};
pub(super) use super::hit::Hit;
use crate::domain::Lang;
use crate::domain::text::{Kind as TokenKind, Text};
use crate::guard::language::strange_to;
use crate::language::phrases::{PhraseBook, Piece, spelt_out};
use crate::languages::WordFault;

/// A change that words may be evidence for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::guard) enum Deed {
    Add,
    Complete,
    Reopen,
    Update,
    Delete,
    Undo,
}

/// Kinds of cues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::guard) enum Cue {
    /// A command.
    Order(Deed),
    /// Told, and implied by what is told.
    Told(Deed),
    /// Forbids the order behind it.
    Negation,
    /// Says of a deed that it is not done.
    Undone,
    /// Told by somebody else.
    Hearsay,
    /// Thought of, wished for, played with.
    Wish,
    /// Waits for something.
    Condition,
    /// The user's own doing, to come.
    Future,
    /// Opens or ends a question.
    Asks,
    /// Opens an order that has the form of a question.
    Request,
    /// Somebody whose deed is not the user's.
    Person,
    /// The user, as the one who does something.
    Me,
    /// Opens the naming of somebody or something.
    Determiner,
    And,
    Or,
    Contrast,
    So,
    /// Leaves open which of several.
    OneOf,
    /// Stands before that which something is taken from.
    From,
    /// Names a set.
    All,
    It,
    Them,
    /// The deed of the turn before.
    Carry,
    /// Leaves the words of a title to the model.
    Described,
    /// A date or a note is taken away.
    Clearing,
    /// Somebody else's text follows.
    LeadIn,
    High,
    Medium,
    Low,
    /// Takes back what was just said.
    Retract,
    /// Dismisses what was just done or said, without a doubt.
    Dismiss,
    /// Asks that something stay: what was taken away comes back, and what was changed stays so.
    Keep,
    /// Word for a task: a date beside it tells which.
    Item,
    /// Word for what a task has: taking it away takes away no task.
    Part,
    /// Word for a note of a task.
    Note,
    /// A form of "be": a word behind it tells of a state and commands nothing.
    Copula,
    /// Opens a correction of what was just said.
    Correct,
    /// Opens a reason, whose values are no values of a task.
    Reason,
    /// Another than the one on the list.
    Other,
    /// Puts a deed off to some time that nobody names.
    Later,
    /// Counts one day on: "the day after".
    NextDay,
    /// Stands before a verb that the words before it govern.
    Infinitive,
    /// Leaves out the occurrence that is due.
    Skip,
    /// Ends a repetition.
    RepeatEnd,
    /// Leaves an order open, wherever it stands: "delete it, maybe".
    Doubt,
    /// Stands before what is left out.
    Except,
    /// Stops what was just begun, where nothing follows.
    Halt,
    /// Tells the members of a set: those that are done, open or overdue, and all but those spoken of.
    Completed,
    Open,
    Overdue,
    Rest,
    /// Counts from an end of what was shown: "the last two".
    First,
    Last,
    /// Stands before the day that bounds a set.
    After,
    Before,
    /// A word for reminding.
    Remind,
    /// Words for the day, the time and the priority of a task, where these are taken away.
    DateName,
    TimeName,
    LevelName,
    /// Opens a report, and a question that nothing marks as one.
    MayAsk,
    /// Says of a day that it is over.
    Over,
    /// Denies, in a title as well.
    Denial,
    /// A verb that says nothing of its own, in front of a title.
    Light,
    /// Tells that somebody said what stands beside it.
    Says,
    /// Falters.
    Falter,
    /// Stands in front of what a clause says.
    Filler,
    /// Makes of the order behind it what was done.
    Perfect,
    /// An auxiliary or particle behind somebody else who did it: "Piet hat", "Lisa ne".
    Did,
    /// Ends as a deed does, and is none.
    NoDeed,
    /// Ends as an owner does, and is none.
    NoOwner,
    /// Says that a try came to nothing.
    Failed,
    /// Tells of a thing by itself, or of harm to it.
    Happens,
    /// Stands between a deed and the thing that it was for or about.
    About,
    /// A verb that opens a title and waits for a thing to come.
    Awaits,
    /// Tells that a thing has come.
    Arrives,
    /// Stands beside the one who did it, behind a deed: "by", "par".
    By,
    /// Opens what a thing belongs to or is a part of.
    Of,
    /// The same word with the article in it: "du", "vom".
    OfThe,
    /// Counts no more than a part of a thing.
    Some,
    /// Orders that one task becomes several.
    Split,
    /// Denies the verb right beside it, and is another word elsewhere.
    Denies,
    /// Leaves out what stands before it, as words of [`Cue::Except`] do with what is behind them.
    Excepted,
    /// Opens what the deed passes over for something else.
    Instead,
    /// Stands behind what the deed passes over for something else.
    Replaced,
    /// Tells what was or would have been, and is no more.
    Was,
    /// Tells a lack or a fault, as a phrase of [`Cue::Told`] of an addition does as well.
    Lack,
    /// Tells of a deed that did not come about, or only in thought: "nearly", "if I did".
    Unreal,
    /// A possessive of the third person: "his", "dela".
    Theirs,
    /// Somebody whose duties may be the user's: a child, an animal, anybody.
    Cared,
    /// A preposition of place or means.
    Place,
    /// A preposition that tells where or when another thing is.
    Beside,
    /// Tells what was wanted, due or about to be, and may have come to nothing.
    Meant,
    /// Says of what was told that it is not to be, or is not settled.
    Rejects,
    /// Says that a part is left to do.
    Remains,
}

const KINDS: [(&str, Cue); 104] = [
    ("order add", Cue::Order(Deed::Add)),
    ("order complete", Cue::Order(Deed::Complete)),
    ("order reopen", Cue::Order(Deed::Reopen)),
    ("order update", Cue::Order(Deed::Update)),
    ("order delete", Cue::Order(Deed::Delete)),
    ("order undo", Cue::Order(Deed::Undo)),
    ("told add", Cue::Told(Deed::Add)),
    ("told complete", Cue::Told(Deed::Complete)),
    ("told delete", Cue::Told(Deed::Delete)),
    ("told reopen", Cue::Told(Deed::Reopen)),
    ("told update", Cue::Told(Deed::Update)),
    ("told undo", Cue::Told(Deed::Undo)),
    ("negation", Cue::Negation),
    ("undone", Cue::Undone),
    ("hearsay", Cue::Hearsay),
    ("wish", Cue::Wish),
    ("condition", Cue::Condition),
    ("doubt", Cue::Doubt),
    ("future", Cue::Future),
    ("asks", Cue::Asks),
    ("request", Cue::Request),
    ("person", Cue::Person),
    ("me", Cue::Me),
    ("determiner", Cue::Determiner),
    ("and", Cue::And),
    ("or", Cue::Or),
    ("contrast", Cue::Contrast),
    ("so", Cue::So),
    ("one_of", Cue::OneOf),
    ("from", Cue::From),
    ("all", Cue::All),
    ("it", Cue::It),
    ("them", Cue::Them),
    ("carry", Cue::Carry),
    ("described", Cue::Described),
    ("clearing", Cue::Clearing),
    ("lead_in", Cue::LeadIn),
    ("high", Cue::High),
    ("medium", Cue::Medium),
    ("low", Cue::Low),
    ("retract", Cue::Retract),
    ("dismiss", Cue::Dismiss),
    ("keep", Cue::Keep),
    ("item", Cue::Item),
    ("part", Cue::Part),
    ("note", Cue::Note),
    ("copula", Cue::Copula),
    ("correct", Cue::Correct),
    ("reason", Cue::Reason),
    ("other", Cue::Other),
    ("later", Cue::Later),
    ("next_day", Cue::NextDay),
    ("infinitive", Cue::Infinitive),
    ("skip", Cue::Skip),
    ("repeat_end", Cue::RepeatEnd),
    ("except", Cue::Except),
    ("halt", Cue::Halt),
    ("completed", Cue::Completed),
    ("open", Cue::Open),
    ("overdue", Cue::Overdue),
    ("rest", Cue::Rest),
    ("first", Cue::First),
    ("last", Cue::Last),
    ("after", Cue::After),
    ("before", Cue::Before),
    ("remind", Cue::Remind),
    ("date_name", Cue::DateName),
    ("time_name", Cue::TimeName),
    ("level_name", Cue::LevelName),
    ("may_ask", Cue::MayAsk),
    ("over", Cue::Over),
    ("denial", Cue::Denial),
    ("light", Cue::Light),
    ("says", Cue::Says),
    ("falter", Cue::Falter),
    ("filler", Cue::Filler),
    ("perfect", Cue::Perfect),
    ("did", Cue::Did),
    ("no_deed", Cue::NoDeed),
    ("no_owner", Cue::NoOwner),
    ("failed", Cue::Failed),
    ("happens", Cue::Happens),
    ("about", Cue::About),
    ("awaits", Cue::Awaits),
    ("arrives", Cue::Arrives),
    ("of", Cue::Of),
    ("by", Cue::By),
    ("of the", Cue::OfThe),
    ("some", Cue::Some),
    ("split", Cue::Split),
    ("denies", Cue::Denies),
    ("excepted", Cue::Excepted),
    ("instead", Cue::Instead),
    ("replaced", Cue::Replaced),
    ("was", Cue::Was),
    ("lack", Cue::Lack),
    ("unreal", Cue::Unreal),
    ("theirs", Cue::Theirs),
    ("cared", Cue::Cared),
    ("place", Cue::Place),
    ("beside", Cue::Beside),
    ("meant", Cue::Meant),
    ("rejects", Cue::Rejects),
    ("remains", Cue::Remains),
];

/// The phrases of all languages.
pub(super) static PHRASES: LazyLock<PhraseBook<(Cue, Lang)>> = LazyLock::new(|| {
    let mut book = PhraseBook::default();
    for lang in Lang::ALL {
        read(&mut book, lang);
    }
    book
});

fn read(book: &mut PhraseBook<(Cue, Lang)>, lang: Lang) -> Vec<WordFault> {
    lang.files().cues.read(cue_of, |cue, phrase| {
        // What tells a lack tells of something to add.
        let adds = (cue == Cue::Lack).then_some(Cue::Told(Deed::Add));
        for phrase in spelt_out(phrase) {
            // "isnt", "theres no": as it is typed. A word alone may be another one without the sign.
            let joins = phrase.contains("n't") || phrase.contains(' ');
            let spelt = joins && !phrase.contains(['*', '-']) && !phrase.starts_with('\'');
            let typed = spelt.then(|| phrase.replace('\'', ""));
            let typed = typed.filter(|typed| typed != phrase);
            let typed: Option<&'static str> = typed.map(|typed| &*typed.leak());
            for cue in [Some(cue), adds].into_iter().flatten() {
                for phrase in [Some(phrase), typed].into_iter().flatten() {
                    book.put((cue, lang), phrase);
                }
            }
        }
        Ok(())
    })
}

fn cue_of(name: &str) -> Option<Cue> {
    let found = KINDS.iter().find(|(known, _)| *known == name);
    found.map(|(_, cue)| *cue)
}

impl Cue {
    /// Tells whether it counts only in a language that the words may be of. What forbids an order
    /// counts in any.
    const fn needs_its_language(self) -> bool {
        let told = matches!(self, Self::Undone | Self::Future | Self::Told(_));
        told || matches!(
            self,
            Self::Or
                | Self::Determiner
                | Self::Denies
                | Self::Was
                | Self::Meant
                | Self::Rejects
                | Self::Remains
                | Self::Unreal
        )
    }

    /// Tells whether it is asked for by itself, by [`begins`], and is no word of anything else.
    const fn is_apart(self) -> bool {
        matches!(
            self,
            Self::Remind
                | Self::DateName
                | Self::TimeName
                | Self::LevelName
                | Self::MayAsk
                | Self::Over
                | Self::Denial
                | Self::Light
                | Self::Says
                | Self::Falter
                | Self::Filler
                | Self::Perfect
                | Self::Did
                | Self::NoDeed
                | Self::NoOwner
                | Self::About
                | Self::Awaits
                | Self::Arrives
                | Self::By
                | Self::Of
                | Self::OfThe
                | Self::Some
                | Self::Denies
                | Self::Lack
                | Self::Theirs
                | Self::Cared
                | Self::Place
                | Self::Beside
        )
    }
}

/// Tells whether a phrase of a cue begins at a token, whatever else stands there.
pub(super) fn begins(cue: Cue, text: &Text<'_>, at: usize) -> bool {
    end_of(cue, text, at).is_some()
}

/// The end of the longest phrase of a cue that begins at a token.
pub(super) fn end_of(cue: Cue, text: &Text<'_>, at: usize) -> Option<usize> {
    let phrases = PHRASES.of(text.spelt(at));
    let text = CueText { text, titles: &[] };
    let phrases = phrases.filter(|phrase| phrase.class.0 == cue);
    let ends = phrases.filter_map(|phrase| phrase.end(&text, at));
    ends.map(|(end, _)| end).max()
}

/// Every cue of a text, in order; of one kind the longest at each place, and none that lies within
/// a longer one. Each title that stands there as it is written (tokens of `titles`) is, as a
/// quotation is, one word of what an open phrase leaves room for.
pub(super) fn find(text: &Text<'_>, titles: &[Range<usize>]) -> Vec<Hit> {
    let cues = CueText { text, titles };
    let mut hits: Vec<Hit> = Vec::new();
    let strange = OnceCell::new();
    let mut introduced = 0;
    for at in 0..text.tokens.len() {
        // "forgot to say": the words of what introduces a clause say nothing else.
        let filler = end_of(Cue::Filler, text, at).filter(|end| *end > at + 1);
        introduced = introduced.max(filler.unwrap_or_default());
        let quoted = text.tokens.get(at).is_some_and(|token| token.quoted);
        if quoted || at < introduced {
            continue;
        }
        let first = hits.len();
        for phrase in PHRASES.of(text.spelt(at)) {
            let (cue, lang) = phrase.class;
            // "è" is no "e".
            let letter = matches!(phrase.pieces.as_slice(), [Piece::Word(word)] if word.len() == 1);
            let other = || !text.slice(at..at + 1).eq_ignore_ascii_case(text.spelt(at));
            if cue.is_apart() || letter && other() {
                continue;
            }
            let Some((end, open)) = phrase.end(&cues, at) else {
                continue;
            };
            // "ieri sera", "hab mal gegossen": words that deny in another language deny nothing here.
            if cue.needs_its_language()
                && strange.get_or_init(|| strange_to(text, titles)).has(lang)
            {
                continue;
            }
            let hit = Hit { cue, at, end, open };
            let same = hits
                .iter_mut()
                .skip(first)
                .find(|other| other.cue == hit.cue);
            match same {
                Some(other) if other.end < hit.end => *other = hit,
                Some(_) => {}
                None => hits.push(hit),
            }
        }
    }
    // A command, a request, a report or a negation takes its words from what they say alone;
    // what a thing is called is said beside all of these.
    let takes = |cue: Cue| {
        matches!(
            cue,
            Cue::Order(_)
                | Cue::Told(_)
                | Cue::Request
                | Cue::Negation
                | Cue::Retract
                | Cue::Wish
                | Cue::Condition
                | Cue::Clearing
                | Cue::RepeatEnd
                | Cue::High
                | Cue::Medium
                | Cue::Low
                | Cue::From
                | Cue::Reason
                | Cue::So
        )
    };
    let stays = |cue: Cue| {
        matches!(
            cue,
            Cue::It
                | Cue::Them
                | Cue::All
                | Cue::Item
                | Cue::Part
                | Cue::Note
                | Cue::Completed
                | Cue::Open
                | Cue::Overdue
                | Cue::Rest
                | Cue::Correct
                | Cue::Later
                | Cue::NextDay
                | Cue::Skip
                | Cue::Unreal
                | Cue::Meant
        )
    };
    let level = |cue: Cue| matches!(cue, Cue::High | Cue::Medium | Cue::Low);
    // "can't do thursday, sunday instead": no command begins within what denies.
    let denied = |hit: &Hit, other: &Hit| {
        let begins = other.at < hit.at && hit.at < other.end;
        hit.open && matches!(hit.cue, Cue::Order(_)) && other.cue == Cue::Negation && begins
    };
    let hides = |hit: Cue, other: Cue| match other {
        _ if stays(hit) => false,
        // "is urgent" tells of a change, and of which level.
        Cue::Told(_) | Cue::Order(_) if level(hit) => false,
        // "wenn ich": a condition stays one within what says that nothing is done.
        Cue::Undone if hit == Cue::Condition => false,
        Cue::Future | Cue::Undone | Cue::Hearsay | Cue::Asks => !matches!(hit, Cue::Told(_)),
        other => takes(other),
    };
    // "drop it off" is another deed than "drop it".
    let deed = |hit: &Hit| matches!(hit.cue, Cue::Order(_) | Cue::Told(_));
    let longer = |hit: &Hit, other: &Hit| {
        let same = deed(hit) && deed(other) && hit.at == other.at;
        !other.open || same && !hit.open
    };
    // "supprime pas": a command that is denied from its verb on stays one, which is forbidden.
    let forbids = |hit: &Hit, other: &Hit| {
        let ordered = matches!(hit.cue, Cue::Order(_)) && hit.at == other.at;
        ordered && other.cue == Cue::Negation
    };
    let within = |hit: &Hit, other: &Hit| {
        longer(hit, other)
            && !forbids(hit, other)
            && (hit.cue == other.cue || hides(hit.cue, other.cue))
            && other.at <= hit.at
            && hit.end <= other.end
            && other.end - other.at > hit.end - hit.at
    };
    let tells = |hit: &Hit| {
        let mut copulas = hits.iter().filter(|other| other.cue == Cue::Copula);
        // "that I have set for Monday" tells, and commands nothing.
        let before = hit.at.wrapping_sub(1);
        if matches!(hit.cue, Cue::Order(_)) && begins(Cue::Perfect, text, before) {
            return true;
        }
        // "the museum's close to us"
        let is = text.word(before).ends_with("'s") && !begins(Cue::NoOwner, text, before);
        if hit.cue == Cue::Order(Deed::Complete) && is {
            return true;
        }
        let reach = match hit.cue {
            Cue::Order(Deed::Complete) => 1,
            // "it is in fact cancelling the card": what a thing is.
            Cue::Order(Deed::Delete) => 2,
            _ => return false,
        };
        // "it is approved so remove it": what a joint opens is said of nothing.
        let joint = |at: usize| {
            let joints = [Cue::And, Cue::Or, Cue::So, Cue::Contrast];
            let mut hits = hits.iter();
            hits.any(|hit| hit.at == at && joints.contains(&hit.cue))
        };
        let joined = |copula: &Hit| {
            let mut between = copula.end..hit.at;
            between.all(|at| {
                let word = text.tokens.get(at);
                word.is_some_and(|word| word.kind == TokenKind::Word) && !joint(at)
            })
        };
        copulas.any(|copula| copula.end <= hit.at && hit.at <= copula.end + reach && joined(copula))
    };
    let mut kept: Vec<Hit> = hits
        .iter()
        .filter(|hit| {
            let mut others = hits.iter();
            !tells(hit)
                && !pleads(text, &hits, hit)
                && !others.any(|other| within(hit, other) || denied(hit, other))
        })
        .cloned()
        .collect();
    let strange = |lang| strange.get_or_init(|| strange_to(text, titles)).has(lang);
    let denials = kept
        .iter()
        .filter_map(|hit| denial(text, &kept, hit, strange));
    let denials: Vec<Hit> = denials.collect();
    kept.extend(denials);
    kept
}

#[cfg(test)]
mod tests;
