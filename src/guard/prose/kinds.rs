//! Finer kinds of words, for what a harmless form may not presuppose. Data only.
//!
//! The classes of the lexicon tell what a word does in a pattern; these tell what it
//! says about a list. They are looked up only once a form was found for a sentence.

use std::sync::LazyLock;

use super::words::VOCABULARY;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $words:literal,)+) => {
        kinds!(@bits 0; $($(#[$doc])* $name,)+);
        /// The words of each kind.
        const KINDS: &[(u64, &str)] = &[$(($name, $words)),+];
    };
    (@bits $n:expr; $(#[$doc:meta])* $name:ident, $($rest:tt)*) => {
        $(#[$doc])* pub(super) const $name: u64 = 1 << ($n);
        kinds!(@bits $n + 1; $($rest)*);
    };
    (@bits $n:expr;) => {};
}

kinds! {
    /// Judging something that is there.
    TASTE: "like love enjoy think feel likes loves enjoys thinks feels liked loved enjoyed \
        see find admire prefer miss proud",
    /// Praise and fitness.
    FITTING: "okay ok fine work works fit fits suit suits help helps good right better alright",
    /// What tasks and lists are made of.
    FACET: "title titles name names date dates order progress result results version layout \
        priority description change changes update updates arrangement wording",
    /// Different from before.
    FRESH: "new updated fresh revised changed renamed latest shorter shortened tidy clean \
        cleaner empty empties neat improved current final",
    /// Those that somebody has told apart from the ones that are done.
    NEXT: "next last other others remaining rest final leftover",
    /// These need no noun: "the rest".
    ALONE: "rest others",
    /// Stands for a task.
    ONE: "one ones",
    /// How a task stands.
    FLAGGED: "due overdue duplicate duplicates pending unfinished late",
    /// How something looks.
    LOOK: "look looks looking",
    /// What a deed leaves behind.
    OUTCOME: "result results outcome outcomes difference changes",
    /// How long a list is.
    SIZE: "short long empty full clean tidy crowded packed small big huge tiny light bare",
    /// "so", "this": to such a degree.
    SO: "so this that such too",
    /// What is felt once something is off a list.
    FREED: "lighter freer relieved unburdened rid",
    /// "free": of the user's time.
    FREE: "free spare",
    /// "less", "fewer".
    LESS: "less fewer",
    /// "do".
    DOING: "do",
    /// "back".
    BACK: "back",
    /// Bringing back what was removed.
    RESTORE: "restore recover undelete revive",
    /// Deeds on tasks as subjects.
    GERUND: "deleting removing adding finishing completing renaming crossing marking clearing \
        emptying erasing ticking checking moving rescheduling postponing wiping dropping",
    /// Deeds that take a task off the list.
    DROP: "delete remove clear erase finish complete cross gone trash tick deleting removing \
        clearing erasing completing crossing ticking deleted removed cleared erased discard wipe",
    /// In addition to what was done.
    MORE: "else more other others further another additional",
    /// "all", "both": each of them.
    ALL: "all both each",
    /// How much there is to do.
    LOAD: "busy quiet free light full packed hectic empty tough hard stressful rough clear calm",
    /// Speed.
    BRISK: "quick fast swift speedy painless instant",
    /// "right": the one that was meant.
    RIGHT: "right correct wrong",
    /// Asking which is meant.
    MEANS: "mean meant meaning which refer talking",
    /// "without".
    WITHOUT: "without",
    /// Unchanged up to now.
    STILL: "still already yet",
    /// "after".
    AFTERWARD: "after",
    /// Time in general.
    TIME: "time times",
    /// At the end of a rhetorical question.
    ANYWAY: "anyway anyways anymore",
    /// Leaving.
    GO: "go",
    /// Leave-taking.
    FAREWELL: "goodbye farewell bye adieu",
    /// Feeling the loss.
    MISS: "miss regret",
    /// Words that point.
    POINTS: "the your this these those ur",
    /// Fetching something.
    FETCH: "get bring put give want like have need restore take",
    /// "many", "few".
    MANY: "many few",
    /// What an end feels like.
    FEELS: "feel feels felt feeling proud",
    /// What was there before a change.
    FORMER: "old previous former original earlier deleted removed",
    /// "before".
    BEFORE: "before",
    /// What is left over.
    REMAIN: "remain remains",
    /// Going out of sight.
    VANISH: "disappear vanish stick",
    /// "through".
    THROUGH: "through",
    /// "only".
    ONLY: "only",
    /// What a deed is the ground of.
    GROUND: "for after on celebrate celebrating regret enjoy",
    /// Looking at something.
    WITNESS: "see notice check spot",
    /// "off".
    OFF: "off",
    /// Begins what is said to stand so beside the main clause: "with milk out of the way".
    BESIDE: "with having once after",
    /// Where something is that was dealt with, or put somewhere.
    ASIDE: "out off over behind away safely settled sorted secured stored tucked place gone \
        through recorded history",
    /// What time, length and number are measured in, one of them and several.
    UNIT: "second seconds minute minutes hour hours day days week weeks fortnight fortnights \
        month months quarter quarters season seasons year years decade decades century centuries \
        millennium millennia dozen score gross millimetre millimetres millimeter millimeters \
        centimetre centimetres centimeter centimeters metre metres meter meters kilometre \
        kilometres kilometer kilometers inch inches foot feet yard yards mile miles gram grams \
        kilogram kilograms tonne tonnes litre litres liter liters baker's byte bytes bit bits",
    /// Says that two measures are the same.
    MEASURES: "is are has have equals makes lasts contains",
    /// "there".
    THERE: "there",
    /// Leisure that is announced.
    REST: "relax rest breathe sleep celebrate go",
}

static TABLE: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut table = vec![0; VOCABULARY.len()];
    for (kind, words) in KINDS {
        for word in words.split_whitespace() {
            if let Some(kinds) = table.get_mut(usize::from(super::words::id_of(word))) {
                *kinds |= kind;
            }
        }
    }
    // The id of all unknown words has no kind.
    if let Some(strange) = table.first_mut() {
        *strange = 0;
    }
    table
});

/// The kinds of the word with this id.
pub(super) fn kinds(id: u16) -> u64 {
    TABLE.get(usize::from(id)).copied().unwrap_or_default()
}

/// Every word that has a kind: the vocabulary must know it.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    KINDS.iter().flat_map(|(_, words)| words.split_whitespace())
}
