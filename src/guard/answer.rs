//! Answers of a message to a pending question: yes, no, an option, an amendment, or nothing.

mod amended;
mod plain;

pub use amended::amend;
pub(super) use amended::keep_shown;

use chrono::{Datelike, NaiveDate};

use plain::{goes_on, plainly};

use amended::{adds_it, amendable, amended, offers_to_add, values_of};

use super::evidence::message::{hedges, leaves_open, speaks_of_reminders};
use super::licence::{Situation, among, cuts_a_title, members};
use crate::domain::text::{Text, fold};
use crate::domain::{Lang, Task};
use crate::intent::{Act, Change, Clause, Due, Fragment, Reading, Set, Target, Values, Verb};
use crate::resolver::{Among, Position, Reference, Words, is_soft, opens, title_words};
use crate::temporal;
use crate::tools::Plan;
use crate::turn::{ChoiceItem, ChoiceMode, QuestionAnswer, ServerQuestion, is_conditional};

/// An answer, with what it changes about the plans.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// Choice that was made.
    pub answered: QuestionAnswer,
    /// Values for what was chosen, in place of those that were shown: "yeah, friday would be good",
    /// "at 5pm".
    pub amended: Values,
}

impl Reply {
    fn plain(answered: QuestionAnswer) -> Self {
        Self {
            answered,
            amended: Values::default(),
        }
    }
}

/// The clauses that answer `asked` and those that ask for something new: "yes please do that, and
/// also add bread", "yes, and the tea too". `None` unless a consent is followed by more: "yes, i need it" says
/// why it is none.
pub fn part_answer(
    asked: &ServerQuestion,
    reading: &Reading,
    message: &str,
    situation: &Situation<'_>,
) -> Option<(Reading, Reading)> {
    let new = |clause: &Clause| {
        let also = matches!(
            clause.act,
            Act::Fragment(Fragment::Also {
                question: false,
                ..
            })
        );
        also || is_command(asked, &clause.act, situation)
    };
    let at = reading.clauses.iter().position(new)?;
    let (answer, rest) = reading.clauses.split_at_checked(at)?;
    let consents = answer.iter().any(|clause| is_yes(&clause.act)) && goes_on(asked, rest, message);
    let part = |clauses: &[Clause]| Reading {
        lang: reading.lang,
        clauses: clauses.to_vec(),
    };
    (consents && asked.mode != ChoiceMode::Open).then(|| (part(answer), part(rest)))
}

/// Reads `message` as an answer to `asked`; `None` when it is about something else. `situation`
/// tells what a command of its own would mean.
pub fn read_answer(
    asked: &ServerQuestion,
    reading: &Reading,
    message: &str,
    situation: &Situation<'_>,
) -> Option<Reply> {
    if asked.mode == ChoiceMode::Open {
        return None;
    }
    // "remove call mom: I have called her" chooses no "call mom", and "move Pay bills. to monday", where
    // a title ends so, says no day for what was offered.
    let other = |task: &Task| match asked.items.as_slice() {
        [one] => one.task != Some(task.id),
        _ => true,
    };
    let acts: Vec<&Act> = reading.clauses.iter().map(|clause| &clause.act).collect();
    match plainly(asked, message, situation) {
        Some(true) if every(asked) != QuestionAnswer::Unclear => {
            return Some(Reply::plain(every(asked)));
        }
        Some(false) => return Some(Reply::plain(QuestionAnswer::Declined)),
        _ => {}
    }
    // "if julie calls, delete it" waits, and so says no yes. A command of its own drops the question; so
    // does a question about something else.
    if cuts_a_title(reading, message, situation.tasks, other)
        || is_conditional(reading, message)
        || is_of_a_reminder(asked, message, situation)
        || says(&acts, |act| is_command(asked, act, situation))
    {
        return None;
    }
    if let Some(item) = due_alone(asked, &acts, (message, reading.lang), situation.today) {
        return Some(Reply::plain(run(asked, vec![item])));
    }
    let asks = message.contains(['?', '؟', '？']);
    let no = |act: &Act| matches!(act, Act::No) || forbids_all(asked, act);
    let yes = |act: &Act| is_yes(act) || adds_it(asked, act);
    // Says this and nothing besides, but for a pleasantry.
    let only = |is: &dyn Fn(&Act) -> bool| {
        let mut acts = acts.iter();
        !asks && acts.all(|act| is(act) || matches!(act, Act::Social(_)))
    };
    let amended = amended(asked, &acts);
    let amends = amended != Values::default();
    // A day says nothing about a deletion.
    if amends && (asks || !amendable(asked, &amended)) {
        return None;
    }
    let declined = || Some(Reply::plain(QuestionAnswer::Declined));
    // "the first?" asks which that is, and "milk or tea" leaves it open.
    let open = asks || leaves_open(message);
    if let Some(answered) = chosen(asked, &acts, situation).filter(|_| !open) {
        // "no, just the one": a no goes before a choice that leaves nothing out.
        return match says(&acts, no) && is_every(asked, &answered) {
            true => declined(),
            false => Some(Reply { answered, amended }),
        };
    }
    if amends && asked.mode == ChoiceMode::All {
        let answered = every(asked);
        return Some(Reply { answered, amended });
    }
    if says(&acts, no) {
        // "no, the tea": what it says besides is for a model to understand.
        return declined().filter(|_| only(&no));
    }
    if says(&acts, yes) {
        // "yes, but not now" is no yes; "yes, the neighbour is happy" is for a model to understand.
        let answered = match only(&yes) {
            true => every(asked),
            false => QuestionAnswer::Unclear,
        };
        let known = only(&yes) || asks || hedges(message);
        return Some(Reply::plain(answered)).filter(|_| known);
    }
    let reference = |act: &&Act| {
        matches!(
            act,
            Act::Noun(_)
                | Act::Fragment(Fragment::Also {
                    question: false,
                    ..
                })
        )
    };
    // The title of one as it stands chooses it, whatever else it may be read as.
    let titled = indices(asked, |title| fold(title) == fold(message));
    if let ([one], ChoiceMode::OneOf) = (titled.as_slice(), asked.mode) {
        return Some(Reply::plain(run(asked, vec![*one])));
    }
    // Only a message that is nothing but a reference chooses: "Call mom must stay" does not.
    if acts.is_empty()
        || !acts.iter().all(reference)
        || open
        || quotes_no_word(message)
        || is_anothers(asked, message, situation)
    {
        return None;
    }
    named(asked, message).map(Reply::plain)
}

/// Tells whether it speaks of reminders where a task has one: "remove the reminder for the van" chooses no
/// *Wash the van* to be deleted.
fn is_of_a_reminder(asked: &ServerQuestion, message: &str, situation: &Situation<'_>) -> bool {
    let tasks = asked.items.iter().filter_map(|item| item.task);
    let mut tasks = tasks.filter_map(|id| situation.task(id));
    asked_verb(asked) == Some(Verb::Delete)
        && tasks.any(|task| task.reminders.waiting().is_some())
        && speaks_of_reminders(message)
}

/// Tells whether some words are the title of another task than those that were asked about, which
/// they may name too: "call mom" chooses no "call mom, then dad" where there is a task of that
/// title, done or not. A word alone is the title of what can be meant: done milk is not completed.
fn is_anothers(asked: &ServerQuestion, words: &str, situation: &Situation<'_>) -> bool {
    let key = fold(words);
    let among = match (words.split_whitespace().nth(1), asked_verb(asked)) {
        (None, Some(verb)) => among(verb),
        _ => Among::All,
    };
    let beyond = |task: &Task| asked.items.iter().all(|item| item.task != Some(task.id));
    asked.items.iter().all(|item| fold(&item.title) != key)
        && (situation.tasks.titled(&key, among).into_iter()).any(beyond)
}

/// Tells whether it quotes what no reader can read: "reopen "🗑"" names that task, and is not
/// "reopen".
fn quotes_no_word(message: &str) -> bool {
    let quoted = message.split(['"', '“', '”']).skip(1).step_by(2);
    let mut quoted = quoted.filter(|quoted| !quoted.trim().is_empty());
    quoted.any(|quoted| !quoted.chars().any(char::is_alphanumeric))
}

fn says(acts: &[&Act], is: impl Fn(&Act) -> bool) -> bool {
    acts.iter().any(|act| is(act))
}

/// Tells whether an act consents.
pub const fn is_yes(act: &Act) -> bool {
    matches!(act, Act::Yes | Act::Fragment(Fragment::DoIt))
}

/// Tells whether an act forbids what was asked about and names no task: "don't delete anything".
fn forbids_all(asked: &ServerQuestion, act: &Act) -> bool {
    let Act::Forbidden(change) = act else {
        return false;
    };
    let whole = |target: &Target| match target {
        Target::Set(set) => *set == Set::default(),
        target => matches!(target, Target::Missing | Target::It | Target::They { .. }),
    };
    asked_verb(asked) == Some(change.verb) && change.targets.parts.iter().all(whole)
}

/// Tells whether an answer to a question that a yes would answer chooses all of it.
fn is_every(asked: &ServerQuestion, answered: &QuestionAnswer) -> bool {
    let whole = asked.mode == ChoiceMode::All || asked.items.len() == 1;
    match answered {
        QuestionAnswer::Run { items, .. } => whole && items.len() == asked.items.len(),
        _ => false,
    }
}

/// Tells whether an answer counts instead of naming: "just one", "not the one". "Only the first"
/// names.
fn counts_one(asked: &ServerQuestion, act: &Act) -> bool {
    let one = |target: &Target| match target {
        Target::Named(words) => {
            let number = Reference::parse(words) == Reference::Position(Position::Nth(1));
            number && !words.contains(|c: char| c.is_ascii_digit())
        }
        // "just the one", of an offer to add
        Target::It => offers_to_add(asked),
        _ => false,
    };
    match act {
        Act::Fragment(Fragment::Pick { targets, only }) => *only && targets.iter().all(one),
        Act::Fragment(Fragment::Except(targets)) => targets.iter().all(one),
        _ => false,
    }
}

fn every(asked: &ServerQuestion) -> QuestionAnswer {
    if asked.mode == ChoiceMode::All || asked.items.len() == 1 {
        QuestionAnswer::Run {
            items: (0..asked.items.len()).collect(),
            rest: false,
        }
    } else {
        QuestionAnswer::Unclear
    }
}

/// Returns what is picked, minus what is left out, over the whole message.
fn chosen(
    asked: &ServerQuestion,
    acts: &[&Act],
    situation: &Situation<'_>,
) -> Option<QuestionAnswer> {
    if says(acts, |act| counts_one(asked, act)) {
        return Some(if says(acts, |act| matches!(act, Act::No)) {
            QuestionAnswer::Declined
        } else {
            QuestionAnswer::Unclear
        });
    }
    let mut picked: Option<Vec<usize>> = None;
    let mut without: Vec<usize> = Vec::new();
    for act in acts {
        let (targets, stay) = match act {
            Act::Fragment(Fragment::Pick { targets, .. }) => (targets, false),
            Act::Fragment(Fragment::Except(targets) | Fragment::Keep { targets, .. }) => {
                (targets, true)
            }
            // "yes, but don't delete the bread"
            Act::Forbidden(change) if !forbids_all(asked, act) => (&change.targets.parts, true),
            // "delete the red one" answers "which one should I delete?" as well as "the red one".
            Act::Change(change) if asked_verb(asked) == Some(change.verb) => {
                (&change.targets.parts, false)
            }
            _ => continue,
        };
        for target in targets {
            let found = pick(asked, target, situation)?;
            match stay {
                true => without.extend(found),
                false => picked.get_or_insert_default().extend(found),
            }
        }
    }
    if picked.is_none() && without.is_empty() {
        return None;
    }
    // "yes, but not the milk", "all but the milk" say what is to happen; "not the milk" does not.
    let sure = says(acts, is_yes) || picked.is_some();
    let mut items = picked.unwrap_or_else(|| (0..asked.items.len()).collect());
    items.retain(|index| !without.contains(index));
    // Leaving one out of a choice of one is no choice of the others.
    if asked.mode == ChoiceMode::OneOf && !without.is_empty() && items.len() != 1 {
        return Some(QuestionAnswer::Unclear);
    }
    if !without.is_empty() && !sure && asked_verb(asked) == Some(Verb::Delete) && !items.is_empty()
    {
        return Some(QuestionAnswer::Narrow(items));
    }
    Some(run(asked, items))
}

/// The one item of several that is due on the day which a message says and nothing else: "the one on
/// thursday", "celle du 12".
fn due_alone(
    asked: &ServerQuestion,
    acts: &[&Act],
    (message, lang): (&str, Lang),
    today: NaiveDate,
) -> Option<usize> {
    if asked.items.len() < 2 || message.contains(['?', '؟', '？']) {
        return None;
    }
    let text = Text::new(message);
    let dates = temporal::scan(&text, today, lang).dates;
    let dated = |at: &usize| dates.iter().any(|found| found.tokens.contains(at));
    let points =
        |word: &str| is_soft(word) || opens(word) || Reference::parse(word) == Reference::It;
    let beside = (0..text.tokens.len()).filter(|at| text.is_word(*at) && !dated(at));
    let (pointers, others): (Vec<usize>, Vec<usize>) =
        beside.partition(|at| points(text.word(*at)));
    // "to thursday", of what is to be moved, may be its new day.
    let bare = asked.mode == ChoiceMode::OneOf && asked_verb(asked) != Some(Verb::Update);
    let pointed = bare
        || says(
            acts,
            |act| matches!(act, Act::Noun(task) if task.due.is_some()),
        );
    let due = |is: &dyn Fn(NaiveDate) -> bool| -> Option<usize> {
        let mut due = (asked.items.iter().enumerate()).filter(|(_, item)| item.due.is_some_and(is));
        let (index, _) = due.next()?;
        due.next().is_none().then_some(index)
    };
    match (dates.as_slice(), others.as_slice()) {
        ([found], []) if pointed => due(&|day| day == found.day),
        // A number beyond those of the options.
        ([], [at]) if bare && !pointers.is_empty() => {
            let number: u32 = text.word(*at).parse().ok()?;
            let beyond = usize::try_from(number).is_ok_and(|number| number > asked.items.len());
            beyond.then(|| due(&|day| day.day() == number))?
        }
        _ => None,
    }
}

fn run(asked: &ServerQuestion, mut items: Vec<usize>) -> QuestionAnswer {
    items.sort_unstable();
    items.dedup();
    if items.is_empty() {
        return QuestionAnswer::Declined;
    }
    QuestionAnswer::Run {
        rest: asked.mode == ChoiceMode::All && items.len() < asked.items.len(),
        items,
    }
}

/// The items that a target names; `None` when it names none of them.
fn pick(asked: &ServerQuestion, target: &Target, situation: &Situation<'_>) -> Option<Vec<usize>> {
    let count = asked.items.len();
    match target {
        // Of one there is no first and no last: a place is one of the list.
        Target::Position(position) if count > 1 => at(*position, count).map(|index| vec![index]),
        Target::They { count: None } => Some((0..count).collect()),
        Target::It if count == 1 => Some(vec![0]),
        Target::They { count: Some(n) } if usize::try_from(*n) == Ok(count) => {
            Some((0..count).collect())
        }
        Target::Set(set) if set.list.is_none() => {
            let mut picked: Vec<usize> = (0..count).collect();
            let whole = Set {
                without: set.without.clone(),
                ..Set::default()
            };
            // "only the completed ones"
            if *set != whole {
                let verb = asked_verb(asked)?;
                let members = members(set, verb, situation);
                let of = |item: &ChoiceItem| Some(members.contains(&item.task?));
                let of: Vec<bool> = asked.items.iter().map(of).collect::<Option<_>>()?;
                picked.retain(|index| of.get(*index) == Some(&true));
            }
            for left_out in &set.without {
                let left_out = pick(asked, left_out, situation)?;
                picked.retain(|index| !left_out.contains(index));
            }
            Some(picked)
        }
        Target::Named(words) => match named(asked, words)? {
            QuestionAnswer::Run { items, .. } => Some(items),
            _ => None,
        },
        _ => None,
    }
}

fn at(position: Position, count: usize) -> Option<usize> {
    match position {
        Position::Nth(n) => {
            let index = usize::try_from(n).ok()?.checked_sub(1)?;
            (index < count).then_some(index)
        }
        Position::FromEnd(n) => count.checked_sub(usize::try_from(n).ok()?),
    }
}

/// The items that some words name: every word stands in one title, or the words name several
/// titles whole ("milk, eggs and bread").
fn named(asked: &ServerQuestion, words: &str) -> Option<QuestionAnswer> {
    let key = fold(words);
    if let [one] = indices(asked, |title| fold(title) == key).as_slice() {
        return Some(run(asked, vec![*one]));
    }
    // Every word of theirs: "Call grandma" is another task than "Visit grandma".
    let mut theirs = title_words(words);
    // "o vermelho", "quello rosso"
    if theirs.len() > 1 && theirs.first().is_some_and(|word| opens(word)) {
        theirs.remove(0);
    }
    // "the", "%"
    if theirs.is_empty() {
        return None;
    }
    let within = indices(asked, |title| {
        let own = Words::of(title);
        theirs.iter().all(|word| own.contains(word))
    });
    match within.as_slice() {
        [one] => return Some(run(asked, vec![*one])),
        [] => {}
        _ => return Some(QuestionAnswer::Unclear),
    }
    let said = Words::of(words);
    let whole = indices(asked, |title| said.contains_all(title));
    // Words beyond the titles say something that was not read: "Call mom is important".
    let titles: Vec<Words> = whole
        .iter()
        .filter_map(|index| asked.items.get(*index))
        .map(|item| Words::of(&item.title))
        .collect();
    let beyond = title_words(words)
        .iter()
        .any(|word| word != "and" && !titles.iter().any(|title| title.contains(word)));
    if beyond {
        return None;
    }
    let key = |index: &usize| asked.items.get(*index).map(|item| fold(&item.title));
    let twins = whole
        .iter()
        .any(|a| whole.iter().any(|b| a < b && key(a) == key(b)));
    match (whole.is_empty(), twins) {
        (true, _) => None,
        (_, true) => Some(QuestionAnswer::Unclear),
        _ => Some(run(asked, whole)),
    }
}

fn indices(asked: &ServerQuestion, fits: impl Fn(&str) -> bool) -> Vec<usize> {
    let items = asked.items.iter().enumerate();
    items
        .filter(|(_, item)| !item.title.is_empty() && fits(&item.title))
        .map(|(index, _)| index)
        .collect()
}

fn asked_verb(asked: &ServerQuestion) -> Option<Verb> {
    asked
        .items
        .iter()
        .flat_map(|item| &item.plans)
        .find_map(|plan| match plan {
            Plan::Change(plan) => Some(plan.verb),
            _ => None,
        })
}

/// Tells whether all that these values would change is what the question would change.
fn is_asked(asked: &ServerQuestion, values: &Values) -> bool {
    let mut plans = asked.items.iter().flat_map(|item| &item.plans);
    plans.all(|plan| match plan {
        Plan::Change(plan) => {
            let due = match &values.due {
                None => true,
                Some(Due::On { day, .. }) => plan.values.due_date == Some(Some(*day)),
                Some(_) => false,
            };
            let priority = values.priority.is_none() || values.priority == plan.values.priority;
            due && priority
                && values.title.is_none()
                && values.description.is_none()
                && !values.described
        }
        _ => true,
    })
}

/// Tells whether a command names a task beyond what was asked about: one of the title that it says,
/// or of the title that it would choose. "Delete milk" chooses no milk of the options when there is
/// a milk that is not among them.
fn names_beyond(
    asked: &ServerQuestion,
    change: &Change,
    target: &Target,
    situation: &Situation<'_>,
) -> bool {
    let (Target::Named(words), Some(picked)) = (target, pick(asked, target, situation)) else {
        return false;
    };
    if is_anothers(asked, words, situation) {
        return true;
    }
    let picked = picked.iter().filter_map(|at| asked.items.get(*at));
    let mut keys: Vec<String> = picked.map(|item| fold(&item.title)).collect();
    keys.push(fold(words));
    let among = among(change.verb);
    keys.iter().any(|key| {
        let mut same = situation.tasks.titled(key, among).into_iter();
        same.any(|task| asked.items.iter().all(|item| item.task != Some(task.id)))
    })
}

fn is_command(asked: &ServerQuestion, act: &Act, situation: &Situation<'_>) -> bool {
    if adds_it(asked, act) || values_of(asked, act).is_some() || forbids_all(asked, act) {
        return false;
    }
    if let Act::Change(change) | Act::Forbidden(change) = act {
        let targets = &change.targets.parts;
        // "delete everything" is a new wish, whatever is asked about: it shows what it means.
        let own = |target: &Target| {
            matches!(target, Target::Set(_)) || pick(asked, target, situation).is_none()
        };
        // So is one that says itself what is to become of the task: "move it to friday" is no yes
        // to "low priority?".
        let wished = matches!(act, Act::Change(_));
        let valued = wished && !is_asked(asked, &change.values);
        // The words mean what they mean without the question, too: then it is asked which.
        let beyond = |target: &Target| wished && names_beyond(asked, change, target, situation);
        return valued
            || asked_verb(asked) != Some(change.verb)
            || targets.iter().any(own)
            || targets.iter().any(beyond);
    }
    matches!(
        act,
        Act::Add(_)
            | Act::List(_)
            | Act::Undo
            | Act::Past(_)
            | Act::Help(_)
            | Act::Hypothetical(_)
            | Act::Opinion(_)
            | Act::Wish(_)
            | Act::Fragment(Fragment::Again | Fragment::Instead(_))
    )
}
