//! Questions about a message by itself, whatever a model proposes.

use super::clauses::{Clause, Standing};
use super::cues::{Cue, Deed, Hit, begins, find};
use super::target::best;
use super::{Carried, Evidence, deed_of};
use std::ops::Range;

use chrono::NaiveDate;

use crate::domain::text::Text;
use crate::domain::{Lang, TaskId};
use crate::guard::talk::is_function_word;
use crate::intent::{AnswerPlaces, Verb};
use crate::resolver::Among;
use crate::turn::{LastVerb, ValueKind};

/// The evidence of words that no conversation stands before.
fn alone<'t>(
    text: &'t Text<'t>,
    situation: &crate::guard::Situation<'t>,
    lang: Lang,
) -> Evidence<'t> {
    let carried = Carried::default();
    Evidence::of(text, situation.tasks, carried, situation.today, lang)
}

/// Tells whether words open with a command that nothing speaks against; of one verb, where one is
/// given.
pub fn orders_plainly(
    words: &str,
    situation: &crate::guard::Situation<'_>,
    lang: Lang,
    verb: Option<Verb>,
) -> bool {
    let text = Text::new(words);
    let evidence = alone(&text, situation, lang);
    let closes = |clause: &Clause, hit: &Hit| {
        let mut behind = clause.tokens.clone().filter(|at| *at >= hit.end);
        lang.habits().ends_in_verb && behind.all(|at| is_function_word(text.word(at)))
    };
    let plain = |clause: &Clause| {
        let mut hits = clause.hits.iter();
        hits.any(|hit| match hit.cue {
            Cue::Order(deed) => {
                verb.is_none_or(|verb| deed_of(verb) == deed)
                    && (hit.at <= clause.opens_at() || closes(clause, hit))
                    && clause.order(hit, deed) == Standing::Free
            }
            _ => false,
        })
    };
    evidence.clauses.iter().any(plain)
}

/// Places of the words that say again what was asked, one of `verbs` or additions, where `adds`; of those that
/// point; of those that leave things as they are; and of those that make a yes none.
pub fn said_again(text: &Text<'_>, verbs: &[Verb], adds: bool) -> AnswerPlaces {
    use Cue::{All, Condition, Contrast, Copula, Did, Dismiss, Doubt, Halt, It, Me, Them};
    use Cue::{Negation, Order, Perfect, Retract, Told};
    let asked =
        |deed: Deed| adds && deed == Deed::Add || verbs.iter().any(|verb| deed_of(*verb) == deed);
    let hits = find(text, &[]);
    let places = |is: &dyn Fn(Cue) -> bool| -> Vec<Range<usize>> {
        let hits = hits.iter().filter(|hit| !hit.open && is(hit.cue));
        hits.map(|hit| hit.at..hit.end).collect()
    };
    let points = |cue: Cue| matches!(cue, It | Them | All);
    AnswerPlaces {
        again: places(&|cue| matches!(cue, Order(deed) if asked(deed))),
        points: places(&|cue| {
            points(cue)
                || matches!(cue, Copula | Did | Perfect | Me)
                || matches!(cue, Told(deed) if asked(deed))
        }),
        kept: places(&|cue| {
            points(cue)
                || matches!(
                    cue,
                    Dismiss | Retract | Order(Deed::Undo) | Told(Deed::Undo)
                )
        }),
        against: places(&|cue| {
            matches!(
                cue,
                Negation | Contrast | Condition | Retract | Halt | Doubt | Told(Deed::Undo)
            )
        }),
    }
}

/// Tells whether words leave it open which of several they mean: "milk or tea", "one of milk and tea".
pub fn leaves_open(words: &str) -> bool {
    let hits = find(&Text::new(words), &[]);
    let some = |of: &Hit| {
        let mut before = hits.iter().filter(|hit| hit.end == of.at);
        before.any(|hit| matches!(hit.cue, Cue::Item | Cue::Some))
    };
    hits.iter()
        .any(|hit| hit.cue == Cue::Or || hit.cue == Cue::Of && some(hit))
}

/// Tells whether words are joined to those before them: by "and", or by a new sentence.
pub fn joins(before: &str, words: &str) -> bool {
    let [before, words] = [before, words].map(Text::new);
    let opens = |hit: &Hit| hit.cue == Cue::And && hit.at == 0;
    let closes = |hit: &Hit| hit.cue == Cue::And && hit.end == before.tokens.len();
    find(&words, &[]).iter().any(opens)
        || find(&before, &[]).iter().any(closes)
        || before.raw.trim_end().ends_with(['.', '!', '\n'])
}

/// Tells whether words tell of something and order nothing: "i need it", "the van is at 5". Where they are
/// joined, "and the saw too", what may be a report is none.
pub fn only_tells(words: &str, joined: bool) -> bool {
    let hits = find(&Text::new(words), &[]);
    // "the" is a form of "be" in Urdu.
    let article = |hit: &Hit| {
        let mut same = hits.iter().filter(|other| other.at == hit.at);
        same.any(|other| other.cue == Cue::Determiner)
    };
    let tells = |hit: &Hit| match hit.cue {
        Cue::Told(_) => !joined,
        Cue::Me | Cue::Future => true,
        Cue::Copula => !article(hit),
        _ => false,
    };
    hits.iter().any(tells) && !hits.iter().any(|hit| matches!(hit.cue, Cue::Order(_)))
}

/// Tells whether words that open with a yes say nothing that makes it none of a deed: no veto, no other deed
/// than `asked` (none: an addition), no need of what is to go, and of a deletion nothing about the speaker or beyond a word of address.
pub fn agrees_to(words: &str, asked: Option<Verb>) -> bool {
    let text = Text::new(words);
    let hits = find(&text, &[]);
    let deed = asked.map_or(Deed::Add, deed_of);
    let speaks_against = |hit: &Hit| {
        use Cue::{Asks, Condition, Contrast, Doubt, Except, Future, Halt, Hearsay, Instead, Me};
        use Cue::{Negation, Or, Order, Retract, Told, Undone, Wish};
        match hit.cue {
            Negation | Contrast | Condition | Doubt | Except | Future | Halt | Hearsay | Asks => {
                true
            }
            Instead | Or | Retract | Undone | Wish => true,
            Order(other) | Told(other) => other != deed,
            Me => deed == Deed::Delete,
            _ => false,
        }
    };
    let unknown = |at: &usize| {
        text.is_word(*at)
            && !hits.iter().any(|hit| hit.covers(*at))
            && !is_function_word(text.word(*at))
    };
    let most = if deed == Deed::Delete { 2 } else { usize::MAX };
    !words.contains(['?', '؟', '？', '"', '“', '”'])
        && !hits.iter().any(speaks_against)
        && (0..text.tokens.len()).filter(unknown).count() <= most
}

/// Tells whether a question asks for what is to stay, or is not done: its answer names none to act on.
pub fn asks_for_the_rest(question: &str) -> bool {
    let hits = find(&Text::new(question), &[]);
    let mut hits = hits.iter().filter(|hit| !hit.open);
    hits.any(|hit| match hit.cue {
        Cue::Negation | Cue::Except => true,
        Cue::Order(deed) | Cue::Told(deed) => deed == Deed::Reopen,
        _ => false,
    })
}

/// Tells whether words ask a question and request nothing by it.
pub fn only_asks(words: &str, situation: &crate::guard::Situation<'_>, lang: Lang) -> bool {
    let text = Text::new(words);
    let evidence = alone(&text, situation, lang);
    let mut clauses = evidence.clauses.iter();
    clauses.all(Clause::is_question)
}

/// Tells whether words order something of what they order to add: "add milk and mark it as done".
pub fn orders_of_the_new(words: &str, situation: &crate::guard::Situation<'_>, lang: Lang) -> bool {
    let text = Text::new(words);
    let evidence = alone(&text, situation, lang);
    let adds = |clause: &Clause| clause.has(Cue::Order(Deed::Add));
    let orders = |clause: &Clause| {
        let mut hits = clause.hits.iter();
        hits.any(|hit| match hit.cue {
            Cue::Order(deed) => deed != Deed::Add && clause.order(hit, deed) == Standing::Free,
            _ => false,
        })
    };
    let mut clauses = evidence.clauses.iter();
    clauses.any(adds)
        && clauses.any(|clause| !adds(clause) && clause.has(Cue::It) && orders(clause))
}

/// Tells whether words order or tell a change that nothing speaks against.
pub fn speaks_of_a_change(
    words: &str,
    situation: &crate::guard::Situation<'_>,
    lang: Lang,
) -> bool {
    let text = Text::new(words);
    let evidence = alone(&text, situation, lang);
    let deeds = [Deed::Update, Deed::Complete, Deed::Reopen, Deed::Delete];
    deeds
        .iter()
        .any(|deed| evidence.speaks_for(*deed, usize::MAX))
}

/// Tells whether words are about reminders.
pub(in crate::guard) fn speaks_of_reminders(words: &str) -> bool {
    let text = Text::new(words);
    (0..text.tokens.len()).any(|at| begins(Cue::Remind, &text, at))
}

/// Tells whether words may take the latest change back: "put it back where it was".
pub fn may_take_back(words: &str) -> bool {
    let takes_back = |hit: &Hit| {
        matches!(
            hit.cue,
            Cue::Order(Deed::Undo | Deed::Reopen) | Cue::Told(Deed::Undo) | Cue::Dismiss
        )
    };
    find(&Text::new(words), &[]).iter().any(takes_back)
}

/// Tells whether these words stand behind a comma and tell of something: "push the call to thursday, hr is
/// shut", "drop the permits, facilities handles those". They name no second task.
pub fn tells_beside(
    part: &str,
    words: &str,
    situation: &crate::guard::Situation<'_>,
    lang: Lang,
) -> bool {
    let text = Text::new(words);
    let evidence = alone(&text, situation, lang);
    let tells = [Cue::Copula, Cue::It, Cue::Them, Cue::Me];
    let beside = |clause: &Clause| {
        let said = text.slice(clause.tokens.clone());
        let told = tells.iter().any(|cue| clause.has(*cue));
        clause.is_behind_comma() && !clause.orders() && told && said.contains(part)
    };
    evidence.clauses.iter().any(beside)
}

/// Tells whether words are a level of priority or a state and nothing else: "high priority", "done ones".
pub fn says_only_values(words: &str) -> bool {
    let text = Text::new(words);
    let hits = find(&text, &[]);
    let value = |hit: &&Hit| {
        use Cue::{Completed, High, Low, Medium, Open};
        matches!(hit.cue, High | Medium | Low | Completed | Open)
    };
    let said = |at: usize| {
        let mut hits = hits.iter().filter(|hit| hit.covers(at));
        hits.any(|hit| value(&hit) || matches!(hit.cue, Cue::Part | Cue::Item))
    };
    hits.iter().any(|hit| value(&hit)) && (0..text.tokens.len()).all(said)
}

impl Evidence<'_> {
    /// Tells whether words are those of a title and of values and nothing else: "hostel form urgent",
    /// "both bills high priority".
    pub fn says_values_of(&self, words: &str, title: &str) -> bool {
        use Cue::{All, DateName, High, Item, LevelName, Low, Medium, Part, TimeName};
        const VALUES: [Cue; 9] = [
            High, Medium, Low, DateName, TimeName, LevelName, All, Item, Part,
        ];
        let text = Text::new(words);
        let own = crate::resolver::Words::of(title);
        let scan = crate::temporal::scan(&text, self.today, self.lang);
        let days = scan.dates.into_iter().map(|day| day.tokens);
        let times = scan.times.into_iter().map(|(tokens, _)| tokens);
        let mut told: Vec<Range<usize>> = days.chain(times).collect();
        let hits = find(&text, &[]).into_iter();
        let hits = hits.filter(|hit| VALUES.contains(&hit.cue));
        told.extend(hits.map(|hit| hit.at..hit.end));
        let named = |at: &usize| own.contains(text.word(*at));
        let said = |at: usize| {
            let word = text.word(at);
            let small = crate::resolver::is_soft(word) || is_function_word(word);
            let day = word.parse::<u8>().is_ok();
            named(&at) || small || day || told.iter().any(|range| range.contains(&at))
        };
        let mut words = (0..text.tokens.len()).filter(|at| text.is_word(*at));
        !told.is_empty() && words.clone().any(|at| named(&at)) && words.all(said)
    }
}

/// Finds the change that an offer of a model's own is about, where it removes or completes; the words are
/// the model's, so only the user's yes to the server's own question can come of it.
///
/// ```
/// use candor::{guard::offered_verb, intent::Verb};
/// assert_eq!(offered_verb("Shall I delete it?"), Some(Verb::Delete));
/// assert_eq!(offered_verb("Soll ich es als erledigt markieren?"), Some(Verb::Complete));
/// assert_eq!(offered_verb("Shall I sing?"), None);
/// ```
pub fn offered_verb(offer: &str) -> Option<Verb> {
    let hits = find(&Text::new(offer), &[]);
    let orders = |verb: &Verb| {
        let deed = deed_of(*verb);
        let of = |cue| cue == Cue::Order(deed) || cue == Cue::Told(deed);
        hits.iter().any(|hit| of(hit.cue))
    };
    [Verb::Delete, Verb::Complete].into_iter().find(orders)
}

/// Finds what the words speak of: the tasks that they name, and the deed.
pub fn spoken_of(
    words: &str,
    situation: &crate::guard::Situation<'_>,
    lang: Lang,
) -> (Vec<TaskId>, Option<LastVerb>) {
    let text = Text::new(words);
    let evidence = alone(&text, situation, lang);
    let fits = best(&evidence.mentions, Among::All);
    let mut named: Vec<TaskId> = fits.iter().map(|mention| mention.task).collect();
    named.dedup();
    let hits = evidence
        .clauses
        .iter()
        .filter(|c| !c.is_foreign())
        .flat_map(|clause| &clause.hits);
    let order = hits.clone().find_map(|hit| match hit.cue {
        Cue::Order(deed) => Some(deed),
        _ => None,
    });
    let told = hits.clone().find_map(|hit| match hit.cue {
        Cue::Told(deed) => Some(deed),
        _ => None,
    });
    let verb = |deed: Deed| match deed {
        Deed::Add => Some(LastVerb::Add),
        Deed::Complete => Some(LastVerb::Change(Verb::Complete)),
        Deed::Reopen => Some(LastVerb::Change(Verb::Reopen)),
        Deed::Update => Some(LastVerb::Change(Verb::Update)),
        Deed::Delete => Some(LastVerb::Change(Verb::Delete)),
        Deed::Undo => None,
    };
    (named, order.or(told).and_then(verb))
}

/// Tells whether words deny, restrict or put off something: "but not this week".
///
/// ```
/// use candor::guard::hedges;
/// assert!(hedges("yes, but not this week"));
/// assert!(!hedges("yes, and the bread too"));
/// ```
pub fn hedges(words: &str) -> bool {
    let against = [Cue::Negation, Cue::Contrast, Cue::Condition, Cue::Retract];
    let hits = find(&Text::new(words), &[]);
    hits.iter().any(|hit| against.contains(&hit.cue))
}

/// Tells whether words may speak of a value of this kind: what a model made up of nothing is left out
/// without a word.
///
/// ```
/// use candor::{domain::Lang, guard::may_tell, turn::ValueKind};
/// let today = chrono::NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
/// assert!(may_tell(ValueKind::Time, "add dinner, 4ish", today, Lang::En));
/// assert!(!may_tell(ValueKind::Day, "add dinner", today, Lang::En));
/// ```
pub fn may_tell(value: ValueKind, words: &str, today: NaiveDate, lang: Lang) -> bool {
    let text = Text::new(words);
    let hits = find(&text, &[]);
    let has = |cues: &[Cue]| hits.iter().any(|hit| cues.contains(&hit.cue));
    let scan = crate::temporal::scan(&text, today, lang);
    let digits = words.contains(|c: char| c.is_ascii_digit());
    let timed = digits
        || crate::temporal::tells_number(&text, lang)
        || !scan.times.is_empty()
        || !scan.unkept.is_empty();
    // "tue/thu" beside a title is read as no day, and may be one.
    let day = |at: usize| crate::temporal::read(text.word(at), today, lang).is_some();
    let dated = || !scan.repeats.is_empty() || (0..text.tokens.len()).any(day);
    let counts = || {
        !crate::temporal::lengths_told(&text).is_empty()
            || !crate::temporal::days_pointed_at(&text, lang).is_empty()
    };
    let reminds = |at: usize| begins(Cue::Remind, &text, at);
    match value {
        ValueKind::Day => timed || !scan.dates.is_empty() || dated() || counts(),
        ValueKind::Repetition => timed || !scan.dates.is_empty() || dated(),
        ValueKind::Time => timed,
        ValueKind::Reminder => timed || (0..text.tokens.len()).any(reminds),
        ValueKind::Note => has(&[Cue::Note, Cue::Part]),
        ValueKind::Priority => has(&[Cue::High, Cue::Medium, Cue::Low]),
        ValueKind::Title | ValueKind::Status => has(&[Cue::Order(Deed::Update)]),
    }
}
