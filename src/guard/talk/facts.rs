//! Facts: a sentence that says of one task what its row says as well.

use std::ops::Range;

use chrono::{Datelike, Months, NaiveDate};

use super::answer::{has, is_sentence, named as tokens_named, stem};
use super::message::{Message, Opening, language};
use super::words::{FoundWords, Kind};
use super::{Talk, judge_in};
use crate::domain::text::Text;
use crate::domain::{Lang, Priority, Task, TaskId};
use crate::guard::evidence::message::offered_verb;
use crate::intent::Verb;
use crate::resolver::TaskList;
use crate::temporal;

/// A word of which nothing is asserted stands where a fact stood.
const NEUTRAL: &str = "fine";

/// A question that leaves the rest of a sentence to advice.
const ADVICE: &str = "what do you think?";

/// The tasks that a sentence speaks of, where every fact it states stands in their rows and nothing
/// else is asserted; none of a sentence that is not proven.
pub fn proven(
    sentence: &str,
    message: &str,
    tasks: &TaskList,
    (today, lang): (NaiveDate, Lang),
) -> Vec<TaskId> {
    let text = Text::new(message);
    let message = Message::new(&text);
    let closed = message.opening() == Opening::Other;
    if closed && !message.asks_for_talk() && !message.asks_about_tasks() {
        return Vec::new();
    }
    let asked = named(&text, tasks);
    let asked = <[&Task; 1]>::try_from(asked).ok().map(|[one]| one);
    let stated = |sentence| {
        let text = Text::new(sentence);
        let mut about = named(&text, tasks);
        if about.is_empty() && Message::new(&text).points() {
            about.extend(asked);
        }
        stated(&text, about, (today, lang))
    };
    let whole = stated(sentence);
    let found = whole.or_else(|| {
        let commas = sentence
            .match_indices(", ")
            .map(|(at, mark)| (at, at + mark.len()));
        let parts =
            commas.filter_map(|(end, start)| Some((sentence.get(..end)?, sentence.get(start..)?)));
        parts.into_iter().find_map(|(first, rest)| {
            let told = |fact, beside| {
                let named = stated(fact)?;
                follows(beside, &named, tasks, (today, lang)).then_some(named)
            };
            told(first, rest).or_else(|| told(rest, first))
        })
    });
    let found = found.or_else(|| in_parts(sentence, tasks, (today, lang)));
    let found = found.unwrap_or_default();
    found.iter().map(|task| task.id).collect()
}

/// "Start with the quiz, it is on the 10th and the essay on the 12th": the parts of a sentence, each of
/// which states facts that stand in the rows of its own tasks, or of the one named before it, or
/// asserts nothing.
fn in_parts<'t>(
    sentence: &str,
    tasks: &'t TaskList,
    day: (NaiveDate, Lang),
) -> Option<Vec<&'t Task>> {
    let text = Text::new(sentence);
    let language = language(&text, 0..text.tokens.len())?;
    let found = FoundWords::new(&text, language);
    let cuts = |at: &usize| text.word(*at) == "," || *at > 0 && found.is(Kind::Joint, *at);
    let mut starts: Vec<usize> = (0..text.tokens.len()).filter(cuts).collect();
    starts.push(text.tokens.len());
    let all = named(&text, tasks);
    let (mut start, mut about, mut proven) = (0, Vec::new(), Vec::new());
    for end in starts.into_iter().filter(|end| *end > 0) {
        let part = text.slice(start..end).trim_matches([',', ' ']);
        start = end;
        let text = Text::new(part);
        let here = named(&text, tasks);
        if !here.is_empty() {
            about = here;
        }
        match stated(&text, about.clone(), day) {
            Some(found) => proven.extend(found),
            None if part.is_empty() || follows(part, &all, tasks, day) => {}
            None => return None,
        }
    }
    (!proven.is_empty()).then_some(proven)
}

/// The task that a sentence offers to mark as done, where it is still to be done and nothing else is
/// said: "Shall I mark Call mom as done?".
pub fn offers_open(sentence: &str, tasks: &TaskList) -> Option<TaskId> {
    let open = tasks.iter().filter(|task| !task.status.is_completed());
    let named = open.filter(|task| sentence.contains(task.title.as_str()));
    let task = named.max_by_key(|task| task.title.as_str().len())?;
    if is_sentence(task.title.as_str()) {
        return None;
    }
    let quoted = format!("\"{}\"", task.title.as_str());
    let pointed = sentence
        .replace(&quoted, "it")
        .replace(task.title.as_str(), "it");
    // What the task is called offers nothing: "Do you want Read book back?"
    if offered_verb(&pointed) != Some(Verb::Complete) {
        return None;
    }
    let titles: Vec<&str> = tasks.iter().map(|task| task.title.as_str()).collect();
    let talk = Talk {
        message: ADVICE,
        titles: &titles,
        said: "",
    };
    let judgement = judge_in(&pointed, talk);
    (judgement.passes() && judgement.is_question()).then_some(task.id)
}

/// Tells whether what stands beside a fact asserts nothing: no other task, and nothing of these.
fn follows(beside: &str, named: &[&Task], tasks: &TaskList, day: (NaiveDate, Lang)) -> bool {
    if takes_over(beside, tasks, day) {
        return false;
    }
    let titles: Vec<&str> = tasks.iter().map(|task| task.title.as_str()).collect();
    let named: Vec<&str> = named.iter().map(|task| task.title.as_str()).collect();
    let message = format!("{ADVICE} {}", named.join(" "));
    let talk = Talk {
        message: &message,
        titles: &titles,
        said: "",
    };
    judge_in(beside, talk).passes()
}

/// Tells whether a part of a sentence says of a task or a day what stands beside it: "as is mom",
/// "tomorrow", and neither "start with the quiz" nor "so do it tomorrow".
fn takes_over(part: &str, tasks: &TaskList, (today, lang): (NaiveDate, Lang)) -> bool {
    let text = Text::new(part);
    let language = language(&text, 0..text.tokens.len()).unwrap_or(lang);
    let found = FoundWords::new(&text, language);
    let any = |kinds: &[Kind]| (0..text.tokens.len()).any(|at| found.is_any(kinds, at));
    let scan = temporal::scan(&text, today, lang);
    let dated = !scan.dates.is_empty() || !scan.times.is_empty();
    let titled = !self::named(&text, tasks).is_empty();
    let bids = any(&[
        Kind::Verb,
        Kind::Modal,
        Kind::MeOk,
        Kind::BidsLast,
        Kind::Would,
    ]);
    let be = |at: usize| found.is(Kind::Be, at) && !found.is_any(&[Kind::Modal, Kind::MeOk], at);
    !bids && (dated || titled) || titled && (0..text.tokens.len()).any(be)
}

/// Gives tasks back of which a text states facts that all stand in the rows of each, and nothing else.
fn stated<'t>(
    text: &Text<'_>,
    tasks: Vec<&'t Task>,
    (today, lang): (NaiveDate, Lang),
) -> Option<Vec<&'t Task>> {
    let language = language(text, 0..text.tokens.len())?;
    let found = FoundWords::new(text, language);
    let mut facts: Vec<Range<usize>> = Vec::new();
    let scan = temporal::scan(text, today, lang);
    for (tokens, hour) in scan.times {
        let due = |task: &&Task| task.due_time.is_some_and(|due| hour.may_mean(due.time()));
        if !tasks.iter().all(due) {
            return None;
        }
        facts.push(tokens);
    }
    for date in scan.dates {
        let due = |task: &&Task| {
            let due = task.due_date?;
            (date.span.0..=date.span.1).contains(&due).then_some(due)
        };
        if !tasks.iter().all(|task| due(task).is_some()) {
            return None;
        }
        facts.push(date.tokens);
    }
    for at in 0..text.tokens.len() {
        if let Some(day) = found.day_of_month(text, at) {
            // The nearest such day is meant, before or behind today.
            let month = Months::new(1);
            let near = |due: NaiveDate| {
                due.checked_sub_months(month)
                    .is_none_or(|last| last < today)
                    && due
                        .checked_add_months(month)
                        .is_none_or(|next| next > today)
            };
            let due =
                |task: &&Task| (task.due_date).is_some_and(|due| due.day() == day && near(due));
            if !tasks.iter().all(due) {
                return None;
            }
            facts.push(at..at + 2);
        }
        for (kind, holds) in FACTS {
            let within = facts.iter().any(|fact| fact.contains(&at));
            let Some(end) = found.end(kind, at).filter(|_| !within) else {
                continue;
            };
            if !tasks.iter().all(|task| holds(task, today)) {
                return None;
            }
            facts.push(at..end);
        }
    }
    let titles: Vec<&str> = tasks.iter().map(|task| task.title.as_str()).collect();
    let titled = tokens_named(text, &titles);
    let told = |at: &usize| !facts.iter().any(|fact| fact.contains(at));
    let more = |at: usize| {
        let word = text.word(at);
        let in_title = has(&titled, at) && !found.is(Kind::List, at + 1);
        let number =
            found.is(Kind::Number, at) && !in_title && !(tasks.len() == 2 && word == "both");
        let counts = word.starts_with(|c: char| c.is_ascii_digit()) && !in_title || number;
        let lasts = matches!(word, "since" | "still" | "just" | "yet" | "now" | "already");
        let changed =
            found.is(Kind::Already, at) && !lasts || matches!(word, "was" | "were" | "had");
        let denied = word.ends_with("n't") || found.is(Kind::Denies, at);
        counts || changed || denied || found.is(Kind::Again, at)
    };
    if tasks.is_empty() || facts.is_empty() || (0..text.tokens.len()).filter(told).any(more) {
        return None;
    }
    let rest = without(text, &facts);
    let talk = Talk {
        message: ADVICE,
        ..Talk::default()
    };
    judge_in(&rest, talk).passes().then_some(tasks)
}

type Holds = fn(&Task, NaiveDate) -> bool;

const FACTS: [(Kind, Holds); 7] = [
    (Kind::FactDue, |task, _| task.due_date.is_some()),
    (Kind::FactOverdue, |task, today| {
        !task.status.is_completed() && task.due_date.is_some_and(|due| due < today)
    }),
    (Kind::FactUndated, |task, _| task.due_date.is_none()),
    (Kind::FactHigh, |task, _| task.priority == Priority::High),
    (Kind::FactLow, |task, _| task.priority == Priority::Low),
    (Kind::FactOpen, |task, _| !task.status.is_completed()),
    (Kind::FactListed, |_, _| true),
];

/// The tasks whose title, or a word that no other title has, stands in a text.
fn named<'t>(text: &Text<'_>, tasks: &'t TaskList) -> Vec<&'t Task> {
    let words: Vec<String> = (0..text.tokens.len())
        .map(|at| stem(text.word(at)))
        .collect();
    let spoken = |task: &&Task| {
        let title = Text::new(task.title.as_str());
        let own = (0..title.tokens.len()).map(|at| stem(title.word(at)));
        let mut own = own.filter(|word| word.chars().count() > 3);
        own.any(|word| words.contains(&word) && alone(&word, tasks))
    };
    tasks.iter().filter(spoken).collect()
}

/// Tells whether one title alone has a word.
fn alone(word: &str, tasks: &TaskList) -> bool {
    let has = |task: &&Task| {
        let title = Text::new(task.title.as_str());
        (0..title.tokens.len()).any(|at| stem(title.word(at)) == word)
    };
    tasks.iter().filter(has).count() == 1
}

/// The text with a neutral word in place of each fact.
fn without(text: &Text<'_>, facts: &[Range<usize>]) -> String {
    let mut rest = String::new();
    let mut masked = false;
    for (at, token) in text.tokens.iter().enumerate() {
        let covered = facts.iter().any(|fact| fact.contains(&at));
        if token.spaced && !(covered && masked) {
            rest.push(' ');
        }
        match (covered, masked) {
            (true, true) => {}
            (true, false) => rest.push_str(NEUTRAL),
            (false, _) => rest.push_str(text.slice(at..at + 1)),
        }
        masked = covered;
    }
    rest
}
