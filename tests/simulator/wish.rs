//! Words of a user, and what they mean: a sentence is made from a template whose meaning is known,
//! so nobody has to read it again.

#![cfg(test)]

use candor::domain::text::fold;
use candor::domain::{Priority, Task, TaskId};
use chrono::NaiveDate;

use super::dice::Dice;
use super::titles;

/// Change that may be made to a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    Delete,
    Complete,
    Reopen,
    Prioritise(Priority),
    Move(NaiveDate),
    Rename(String),
    /// A reminder is set, in place of the one that waits.
    Remind(Delay),
    /// The reminder that waits is taken back.
    CancelReminder,
}

/// Words for a while, and its minutes.
pub type Delay = (&'static str, i64);

/// Meaning of a message: what it asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Means {
    /// Small talk, with what a well-behaved model answers.
    Talk(&'static str),
    /// A question, a negation, help: nothing may change.
    Nothing,
    /// A task is to be added.
    Add {
        title: String,
        due: Option<NaiveDate>,
        priority: Priority,
        remind: Option<Delay>,
    },
    /// Deeds, each with the title that was said.
    Change(Vec<(Deed, String)>),
    /// Many tasks at once, by what they have in common: asked about first.
    Set,
    /// The list, or a number.
    List,
    /// The latest change is to be taken back.
    Undo,
    /// An answer to the question that was asked last.
    Answer(Choice),
}

/// How a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    Yes,
    No,
    /// The option of this number, from 1.
    Number(usize),
}

/// A sentence and its meaning.
#[derive(Debug, Clone)]
pub struct Wish {
    pub message: String,
    pub means: Means,
    /// In everyday words, about everyday titles: a well-behaved model must be served.
    pub plain: bool,
}

/// The tasks that a deed on a title can mean: those of that title to the letter, or else those that
/// differ in case and signs, or else those that hold it.
pub fn meant<'a>(deed: &Deed, title: &str, rows: &'a [Task]) -> Vec<&'a Task> {
    let said = fold(title);
    let whole = rows.iter().any(|task| fold(task.title.as_str()) == said);
    let fits = |task: &&Task| match deed {
        Deed::Complete => !task.status.is_completed(),
        Deed::Reopen => task.status.is_completed(),
        _ => true,
    };
    let exact = |task: &&Task| task.title.as_str() == title;
    let lettered = rows.iter().any(|task| exact(&task) && fits(&task));
    let same = |task: &&Task| {
        let own = fold(task.title.as_str());
        let like = own == said || !whole && own.contains(&said);
        exact(task) || !lettered && like
    };
    let all: Vec<&Task> = rows.iter().filter(same).collect();
    let some: Vec<&Task> = all.iter().copied().filter(fits).collect();
    if some.is_empty() { all } else { some }
}

/// The one task that is meant, if it is one.
pub fn one(deed: &Deed, title: &str, rows: &[Task]) -> Option<TaskId> {
    match meant(deed, title, rows).as_slice() {
        [task] => Some(task.id),
        _ => None,
    }
}

const DELETE: &[&str] = &[
    "delete {t}",
    "please delete {t}",
    "remove {t} from my list",
    "delete \"{t}\"",
    "can you delete {t}?",
    "delete the task \"{t}\"",
    "remove {t}, please",
    "get rid of {t}",
    "lösche {t}",
    "borra {t}",
    "supprime {t}",
    "elimina {t}",
    "apaga {t}",
    "{t} delete kar do",
];

const COMPLETE: &[&str] = &[
    "mark {t} as done",
    "complete {t}",
    "check off {t}",
    "mark \"{t}\" as completed",
    "tick off {t}",
    "please mark {t} as done",
    "{t} is done",
    "{t} ist erledigt",
    "marca {t} como hecha",
    "marque {t} comme terminée",
    "{t} complete kar do",
];

const REOPEN: &[&str] = &["reopen {t}", "mark {t} as pending", "reopen \"{t}\""];

const PRIORITISE: &[&str] = &[
    "set {t} priority to {p}",
    "change the priority of \"{t}\" to {p}",
    "set the priority of {t} to {p}",
];

const MOVE: &[&str] = &[
    "move {t} to {d}",
    "set the due date of \"{t}\" to {d}",
    "change the due date of {t} to {d}",
];

const RENAME: &[&str] = &["rename \"{t}\" to \"{n}\"", "rename {t} to {n}"];

const ADD: &[&str] = &[
    "add {t}",
    "add a task to {t}",
    "please add {t} to my list",
    "add \"{t}\"",
    "create a task: {t}",
    "füge {t} hinzu",
    "añade {t}",
    "ajoute {t}",
    "aggiungi {t}",
    "adiciona {t}",
];

const REMIND: &[&str] = &[
    "remind me about {t} {w}",
    "remind me of \"{t}\" {w}",
    "set a reminder for {t} {w}",
];

const CANCEL_REMINDER: &[&str] = &[
    "cancel the reminder for {t}",
    "remove the reminder for \"{t}\"",
];

const DELAYS: &[Delay] = &[
    ("in 20 minutes", 20),
    ("in an hour", 60),
    ("in 2 hours", 120),
    ("in 90 minutes", 90),
];

const LIST: &[&str] = &[
    "what's on my list?",
    "show my tasks",
    "list my tasks",
    "how many tasks do I have?",
    "show me my pending tasks",
    "zeig mir meine Aufgaben",
    "muestra mi lista",
    "montre-moi mes tâches",
    "mostra la mia lista",
    "meri list dikhao",
];

const SETS: &[&str] = &[
    "delete all completed tasks",
    "delete everything",
    "mark everything as done",
    "delete all my tasks",
    "lösche alles",
    "borra todo",
];

const UNDO: &[&str] = &["undo", "undo that", "please undo"];

/// How the forms of other languages begin, or end.
const FOREIGN: &[(&str, &[&str])] = &[
    ("de", &["lösche", "füge", "zeig", "bitte", "ist erledigt"]),
    ("es", &["borra ", "añade", "marca ", "muestra"]),
    ("fr", &["supprime", "ajoute", "marque", "montre"]),
    ("it", &["elimina", "aggiungi", "mostra", "non "]),
    ("pt", &["apaga", "adiciona"]),
    ("ur", &["kar do", "dikhao"]),
];

/// Tells whether the words are of one language, or of one and English: people say "borra Call
/// grandma", and "delete Brot kaufen", but not "lösche acheter du fromage".
fn everyday(form: &str, title: &str) -> bool {
    let mut foreign = FOREIGN.iter();
    let own = foreign.find(|(_, marks)| marks.iter().any(|mark| form.contains(mark)));
    let title = titles::language(title);
    own.is_none_or(|(form, _)| title.is_none_or(|title| title == *form))
}

/// Nothing may change, whatever a model does.
const NOTHING: &[&str] = &[
    "how do I delete a task?",
    "what happens if I delete {t}?",
    "don't delete {t}",
    "should I delete {t}?",
    "did you delete {t}?",
    "what did you just do?",
    "did that work?",
    "what can you do?",
    "please don't touch {t}",
    "bitte {t} nicht löschen",
    "non cancellare {t}",
    "why would anybody delete {t}?",
    "I was thinking about {t}",
    "is {t} on my list?",
];

/// Said, and answered by a model that behaves.
const TALK: &[(&str, &str)] = &[
    ("hi", "Hi there! How can I help you today?"),
    ("hello!", "Hello! What can I do for you?"),
    ("thanks!", "You're welcome!"),
    (
        "thank you so much",
        "You're very welcome! Have a lovely day!",
    ),
    ("bye", "Goodbye! Have a nice day!"),
    ("what's the capital of France?", "Paris."),
    (
        "what is the capital of Japan?",
        "The capital of Japan is Tokyo.",
    ),
    ("what's 2 + 2?", "2 + 2 = 4."),
    ("who wrote Hamlet?", "William Shakespeare wrote Hamlet."),
    ("how are you?", "I'm fine, thank you! How are you?"),
];

const DAYS: &[(&str, (i32, u32, u32))] = &[
    ("tomorrow", (2026, 2, 9)),
    ("friday", (2026, 2, 13)),
    ("next monday", (2026, 2, 9)),
    ("2026-03-05", (2026, 3, 5)),
    ("March 5", (2026, 3, 5)),
];

/// A sentence about this list. `options` is how many the standing question offers, if one does.
pub fn wish(dice: &mut Dice, rows: &[Task], options: Option<usize>) -> Wish {
    if let Some(count) = options
        && dice.percent(60)
    {
        return answer(dice, count);
    }
    match dice.below(100) {
        0..20 => change(dice, rows, DELETE, &Deed::Delete),
        20..32 => change(dice, rows, COMPLETE, &Deed::Complete),
        32..36 => change(dice, rows, REOPEN, &Deed::Reopen),
        36..44 => update(dice, rows),
        44..57 => add(dice),
        57..60 => remind(dice, rows),
        60..61 => change(dice, rows, CANCEL_REMINDER, &Deed::CancelReminder),
        61 => remind_to(dice),
        62..69 => said(dice.pick(LIST), Means::List),
        69..73 => said(dice.pick(UNDO), Means::Undo),
        73..77 => said(dice.pick(SETS), Means::Set),
        77..82 => two(dice, rows),
        82..91 => {
            let title = title(dice, rows);
            let message = dice.pick(NOTHING).replace("{t}", &title);
            said(&message, Means::Nothing)
        }
        91..92 => said("yes", Means::Answer(Choice::Yes)),
        _ => {
            let (message, prose) = dice.pick(TALK);
            said(message, Means::Talk(prose))
        }
    }
}

fn said(message: &str, means: Means) -> Wish {
    Wish {
        message: message.to_owned(),
        plain: !matches!(means, Means::Nothing | Means::Set | Means::Answer(_)),
        means,
    }
}

fn answer(dice: &mut Dice, options: usize) -> Wish {
    let (message, choice) = match dice.below(5) {
        0 | 1 => ("yes".to_owned(), Choice::Yes),
        2 => ("no".to_owned(), Choice::No),
        _ if options > 0 => {
            let number = dice.below(options) + 1;
            (number.to_string(), Choice::Number(number))
        }
        _ => ("yes please".to_owned(), Choice::Yes),
    };
    Wish {
        message,
        means: Means::Answer(choice),
        plain: false,
    }
}

/// A title of the list, mostly.
fn title(dice: &mut Dice, rows: &[Task]) -> String {
    if rows.is_empty() || dice.percent(8) {
        return dice.pick(titles::ABSENT).to_owned();
    }
    dice.pick(rows).title.as_str().to_owned()
}

fn change(dice: &mut Dice, rows: &[Task], forms: &[&str], deed: &Deed) -> Wish {
    let title = title(dice, rows);
    let form = dice.pick(forms);
    Wish {
        message: form.replace("{t}", &title),
        plain: !titles::is_sly(&title)
            && everyday(form, &title)
            && one(deed, &title, rows).is_some(),
        means: Means::Change(vec![(deed.clone(), title)]),
    }
}

fn update(dice: &mut Dice, rows: &[Task]) -> Wish {
    match dice.below(3) {
        0 => {
            let (word, priority) = dice.pick(&[
                ("high", Priority::High),
                ("low", Priority::Low),
                ("medium", Priority::Medium),
            ]);
            let mut wish = change(dice, rows, PRIORITISE, &Deed::Prioritise(priority));
            wish.message = wish.message.replace("{p}", word);
            wish
        }
        1 => {
            let (words, (year, month, day)) = dice.pick(DAYS);
            let day = NaiveDate::from_ymd_opt(year, month, day).unwrap();
            let mut wish = change(dice, rows, MOVE, &Deed::Move(day));
            wish.message = wish.message.replace("{d}", words);
            wish
        }
        _ => {
            let new = titles::plain(dice);
            // "rename Mark it as done to …" can be read twice: a sly title stands in quotes.
            let mut wish = change(dice, rows, RENAME, &Deed::Rename(new.clone()));
            if let Means::Change(deeds) = &wish.means
                && let [(_, title)] = deeds.as_slice()
                && titles::is_sly(title)
            {
                wish.message = format!("rename \"{title}\" to \"{{n}}\"");
            }
            wish.message = wish.message.replace("{n}", &new);
            wish
        }
    }
}

fn add(dice: &mut Dice) -> Wish {
    let title = titles::plain(dice);
    let form = dice.pick(ADD);
    let mut message = form.replace("{t}", &title);
    let mut due = None;
    let mut priority = Priority::Medium;
    // Days and priorities are said in English, after an English form that ends in the title.
    if form.is_ascii()
        && form.starts_with("add")
        && !form.contains("adiciona")
        && form.ends_with("{t}")
    {
        if dice.percent(30) {
            let (words, (year, month, day)) = dice.pick(DAYS);
            due = NaiveDate::from_ymd_opt(year, month, day);
            message = format!("{message} by {words}");
        }
        if dice.percent(20) {
            priority = Priority::High;
            message.push_str(", high priority");
        }
    }
    Wish {
        plain: everyday(form, &title),
        message,
        means: Means::Add {
            title,
            due,
            priority,
            remind: None,
        },
    }
}

/// A reminder of a task that is there.
fn remind(dice: &mut Dice, rows: &[Task]) -> Wish {
    let delay = dice.pick(DELAYS);
    let mut wish = change(dice, rows, REMIND, &Deed::Remind(delay));
    wish.message = wish.message.replace("{w}", delay.0);
    wish
}

/// A task with a reminder.
fn remind_to(dice: &mut Dice) -> Wish {
    let title = titles::plain(dice);
    let delay = dice.pick(DELAYS);
    let message = match dice.below(2) {
        0 => format!("remind me {} to {title}", delay.0),
        _ => format!("remind me to {title} {}", delay.0),
    };
    Wish {
        plain: titles::language(&title).is_none(),
        message,
        means: Means::Add {
            title,
            due: None,
            priority: Priority::Medium,
            remind: Some(delay),
        },
    }
}

fn two(dice: &mut Dice, rows: &[Task]) -> Wish {
    let (first, second) = (title(dice, rows), title(dice, rows));
    let (message, deeds) = match dice.below(3) {
        0 => (
            format!("delete \"{first}\" and \"{second}\""),
            vec![(Deed::Delete, first), (Deed::Delete, second)],
        ),
        1 => (
            format!("delete \"{first}\" and mark \"{second}\" as done"),
            vec![(Deed::Delete, first), (Deed::Complete, second)],
        ),
        _ => (
            format!("mark \"{first}\" as done and set \"{second}\" priority to high"),
            vec![
                (Deed::Complete, first),
                (Deed::Prioritise(Priority::High), second),
            ],
        ),
    };
    Wish {
        message,
        plain: false,
        means: Means::Change(deeds),
    }
}
