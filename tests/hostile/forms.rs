//! The closed list of what the server may say beside the lines of receipts, with holes.
//!
//! What stands in a hole must be a title, the user's words, a number or a day. A form that
//! states something is checked against the rows and receipts.

#![cfg(test)]

use candor::domain::text::fold;
use candor::domain::{Task, shown};
use candor::resolver::covers;

use super::claims::claim;
use super::oracle::{Evidence, Proven, is_title};

const CANNED: &[&str] = &[
    "Technical error: Tool not triggered.",
    "Technical error: the answer could not be checked.",
    "Could not check this, so it was not done.",
    "Hello! What can I do for your list?",
    "You're welcome!",
    "I can't say anything certain about that.",
    "Goodbye!",
    "Thank you, that's kind!",
    "All right, I leave it.",
    "All right, nothing to do.",
    "Nothing is waiting for a yes.",
    "That question is closed: say again what you want.",
    "The rest stays as it was.",
    "One question at a time: ask for the rest again after this one.",
    "I don't know what to do: name the task and what should happen.",
    "Which one do you mean? Name it by its title.",
    "No reminder is set: say a time for one.",
    "Not kept: the time of day.",
    "I remind you only where a receipt says \"reminder\".",
    "No repetition: I can't repeat a task like that, this is one.",
    "I look after your todo list. Say \"add milk\", \"what's on my list?\", \"mark milk as done\" or \"delete milk\".",
    "Say \"add buy milk tomorrow\": the words are the title, the day is the due date.",
    "Say \"what's on my list?\", \"what is due this week?\" or \"is milk on my list?\".",
    "Say \"set milk priority to high\", \"move milk to friday\" or \"rename milk to oat milk\".",
    "Say \"mark milk as done\".",
    "Say \"delete milk\" with the task's title. \"undo\" brings it back.",
    "Say \"undo\": it takes back the latest change; said again, the one before. Deletions can be undone for 30 days.",
];

/// Lines whose holes hold titles or the user's words.
const HOLED: &[&str] = &[
    "Could not delete \"{}\": no task with that title.",
    "Could not complete \"{}\": no task with that title.",
    "Could not update \"{}\": no task with that title.",
    "Could not reopen \"{}\": no task with that title.",
    "Could not {} \"{}\": no task with that title. Nearest: {}.",
    "Nothing to {}: your task list is empty.",
    "Could not {} \"{}\": the list is not that long.",
    "Could not {} \"{}\": it was already deleted.",
    "Could not {} \"{}\": it was renamed since.",
    "Could not {} \"{}\": {}.",
    "Could not {} the task: Title cannot be empty.",
    "Could not {} the task: {}.",
    "Could not {} the tasks: {}.",
    "Could not do that: {}.",
    "Could not undo: \"{}\" was changed since.",
    "Could not do the rest: your list was changed meanwhile.",
    "Could not do the rest: the database did not take it.",
    "Could not do the rest: the server stopped in between. Say again what is missing.",
    "I keep one list, without a separate \"{}\".",
    "Not answered: \"{}\"",
    "\"{}\" would leave your list; \"undo\" works for 30 days.",
    "A task would leave your list; \"undo\" works for 30 days.",
    "\"{}\" would be marked as done and stay on the list as completed; \"undo\" takes it back.",
    "\"{}\" would get the new value; \"undo\" takes it back.",
];

const QUESTIONS: &[&str] = &[
    "Add {}?",
    "\"{}\" is already on your list. Add another?",
    "\"{}\" is already on your list ({}). Add another?",
    "Rename \"{}\" to \"{}\"?",
    "Move {} from {} to {}?",
    "Move {} to {}?",
    "{} already lies in the week of {}. Move {} to {}?",
    "Delete {}?",
    "Mark {} as done?",
    "Reopen {}?",
    "Change {}?",
    "Which one should I delete{}?",
    "Which one should I mark as done{}?",
    "Which one should I reopen{}?",
    "Which one should I change{}?",
    "What should I do with \"{}\"?",
    "What should I change about \"{}\"?",
    "What should I add?",
    "I can add what you name: say \"add flour, eggs and milk\".",
    "Put {} back and delete \"{}\"?",
    "Take {} back and mark \"{}\" as done?",
    "Take {} back and change \"{}\"?",
    "Undo the latest change ({})?",
];

/// Checks that the server may say this line, and it is true.
pub fn server(line: &str, seen: &Evidence) -> Option<()> {
    if CANNED.contains(&line) || fact(line, seen) || missing(line, seen) {
        return Some(());
    }
    if refused(line, seen) || left_out(line, seen) {
        return Some(());
    }
    let changed = seen.receipts.iter().any(|it| it.facts.action.is_change());
    let nothing = [
        "Nothing was added.",
        "Nothing was deleted.",
        "Nothing was changed.",
    ];
    if nothing.contains(&line) {
        return (!changed).then_some(());
    }
    let holes = HOLED.iter().find_map(|form| fill(form, line, seen))?;
    // A faulty call that nobody wished for is told, and is no failure of the turn: of the calls that
    // name it fewer came to anything than were made.
    let said = quotable(&seen.said.join("\n"));
    let faulty = |name: &str| {
        let calls = seen.proposed.iter();
        let calls = calls.filter(|(_, told)| quotable(&told.replace('\\', "")).contains(name));
        let done = seen.receipts.iter();
        let done = done.filter(|it| it.facts.title().map(quotable).as_deref() == Some(name));
        covers(name, &said) && done.count() < calls.count()
    };
    let mut quoted = line.split('"').skip(1).step_by(2);
    let failed = !seen.body["error"].is_null() || quoted.any(faulty);
    let absent = line.contains("no task with that title");
    let there = |title: &String| is_row(title, seen) && absent && !line.contains("complete");
    let no_list = line.ends_with("your task list is empty.");
    if no_list && !seen.before.is_empty() {
        return None;
    }
    (failed || !line.starts_with("Could not"))
        .then_some(())
        .filter(|()| !holes.iter().take(2).any(there))
}

/// Tells whether the line names what was not called, by the names in the error.
fn missing(line: &str, seen: &Evidence) -> bool {
    let names = seen.body["error"]["expected_tools"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let names: Vec<&str> = names.iter().filter_map(|name| name.as_str()).collect();
    line == format!(
        "Technical error: Tool not triggered. Missing: {}.",
        names.join(", ")
    )
}

/// Tells whether the line names what was proposed and not done: each by words of the user's, and never
/// more than the model called with that tool.
fn refused(line: &str, seen: &Evidence) -> bool {
    let deed = line
        .strip_suffix(": I can't read that in your words.")
        .and_then(|line| line.strip_prefix("I didn't "));
    let Some(deed) = deed else { return false };
    let mut calls = seen.proposed.clone();
    calls.sort();
    calls.dedup();
    let called = |tool: &str| calls.iter().filter(|(name, _)| name == tool).count();
    let verbs = [
        ("add ", "", "add_task"),
        ("delete ", "", "delete_task"),
        ("change ", "", "update_task"),
        ("mark ", " as done", "complete_task"),
    ];
    let told = verbs.iter().find_map(|(verb, end, tool)| {
        let what = deed.strip_prefix(verb)?.strip_suffix(end)?;
        Some((what, called(tool)))
    });
    let Some((mut what, calls)) = told else {
        return deed == "undo anything" && called("undo") > 0;
    };
    let (mut count, said) = (0, quotable(&seen.said.join("\n")));
    while let Some((name, rest)) = what.strip_prefix('"').and_then(|it| it.split_once('"')) {
        if !covers(name, &said) {
            return false;
        }
        count += 1;
        what = rest.strip_prefix(", ").unwrap_or(rest);
    }
    count += match what {
        "" => 0,
        "a task" => 1,
        tasks => match tasks.strip_suffix(" tasks").map(str::parse) {
            Some(Ok(tasks)) => tasks,
            _ => return false,
        },
    };
    count > 0 && count <= calls
}

/// Tells whether the line names values that were proposed, of tasks that were named with them.
fn left_out(line: &str, seen: &Evidence) -> bool {
    let told = line
        .strip_suffix(": I can't read that in your words.")
        .and_then(|line| line.strip_prefix("I left out "));
    let Some(told) = told else { return false };
    let parameters = [
        ("the new title", "title"),
        ("the note", "description"),
        ("the priority", "priority"),
        ("the day", "due_date"),
        ("the time", "due_time"),
        ("the repetition", "repeat"),
        ("the reminder", "remind"),
        ("the status", "status"),
    ];
    let mut groups = told.split("\")").filter(|group| !group.is_empty());
    groups.all(|group| {
        let Some((values, titles)) = group.split_once(" (\"") else {
            return false;
        };
        let mut values = values.trim_start_matches(", ").split(", ");
        let proposed = |value: &str| {
            let known = parameters.iter().find(|(name, _)| *name == value);
            known.is_some_and(|(_, parameter)| {
                let mut calls = seen.proposed.iter();
                calls.any(|(_, told)| told.contains(&format!("\"{parameter}\"")))
            })
        };
        let mut titles = titles.split("\", \"");
        let known = |title: &str| {
            let rows = seen.before.iter().chain(&seen.after);
            rows.into_iter()
                .any(|task| quotable(task.title.as_str()) == title)
        };
        values.all(proposed) && titles.all(|title| known(title) || is_hole(title, seen))
    })
}

/// A statement about a task that the rows must bear out.
fn fact(line: &str, seen: &Evidence) -> bool {
    let row = |title: &str| {
        let rows = seen.before.iter();
        let mut named = rows
            .filter(|task| quotable(task.title.as_str()) == title)
            .peekable();
        named.peek()?;
        Some(named.any(|task| task.status.is_completed()))
    };
    let told = |end: &str| line.strip_prefix('"')?.strip_suffix(end).map(str::to_owned);
    if line == "Nobody is listening yet: keep the page open or set CANDOR_WEBHOOK_URL." {
        let sets = |it: &Proven| {
            it.facts
                .after
                .as_ref()
                .is_some_and(|task| task.reminders.waiting().is_some())
        };
        return seen.receipts.iter().any(sets);
    }
    let stays = line.strip_prefix("The reminder for \"");
    if let Some((title, _)) = stays.and_then(|rest| rest.split_once("\" stays: ")) {
        let moved = |it: &Proven| {
            let day =
                |task: &Option<Task>| task.as_ref().map(|task| (task.due_date, task.due_time));
            day(&it.facts.before) != day(&it.facts.after)
                && it.facts.title().map(quotable).as_deref() == Some(title)
        };
        return seen.receipts.iter().any(moved);
    }
    if line == "There is nothing to undo." {
        return !seen.receipts.iter().any(|it| it.facts.action.is_change());
    }
    if let Some(title) = told("\" was already done.") {
        return row(&title) == Some(true);
    }
    if let Some(title) = told("\" was already so.").or_else(|| told("\" was already pending.")) {
        return row(&title).is_some();
    }
    told("\" was already deleted.").is_some_and(|title| !is_row(&title, seen))
}

/// Checks that the server may ask this.
pub fn question(lines: &[&str], seen: &Evidence) -> Result<(), String> {
    let [first, options @ ..] = lines else {
        return Err("nothing was asked".to_owned());
    };
    if let Some(done) = several(lines, seen) {
        return done;
    }
    let asked = match first.strip_prefix("I keep one list, without a separate \"") {
        Some(rest) => match rest.split_once("\". ") {
            Some((list, asked)) if is_hole(list, seen) => asked,
            _ => return Err(format!("no form asks {first:?}")),
        },
        None => first,
    };
    if !offers(asked, seen)
        && !stands(seen)
        && QUESTIONS
            .iter()
            .find_map(|form| fill(form, asked, seen))
            .is_none()
    {
        return Err(format!("no form asks {first:?}"));
    }
    if asked.contains("is already on your list") {
        let title = asked.trim_start_matches('"').split("\" is already").next();
        if !title.is_some_and(|title| is_row(title, seen)) {
            return Err(format!("{asked:?}, and it is not"));
        }
    }
    for (at, option) in options.iter().enumerate() {
        let label = option.strip_prefix(&format!("{}. ", at + 1));
        if !label.is_some_and(|label| starts_with_title(label, seen)) {
            return Err(format!("the option {option:?} is no task"));
        }
    }
    Ok(())
}

/// Several things of different kinds are asked about in one: a line for each, and "Do both?".
fn several(lines: &[&str], seen: &Evidence) -> Option<Result<(), String>> {
    let (last, parts) = lines.split_last()?;
    let all = format!("Do all {}?", parts.len());
    if *last != all && !(*last == "Do both?" && parts.len() == 2) {
        return None;
    }
    let asks = |asked: &str| {
        offers(asked, seen)
            || QUESTIONS
                .iter()
                .any(|form| fill(form, asked, seen).is_some())
    };
    let wrong = parts.iter().enumerate().find(|(at, line)| {
        let own = line.strip_prefix(&format!("{}. ", at + 1));
        !own.is_some_and(|own| asks(&format!("{own}?")))
    });
    Some(match wrong {
        Some((_, line)) => Err(format!("no form asks {line:?}")),
        None => Ok(()),
    })
}

/// A title in the model's own words is put to the user as it is, in quotes, and with its day.
fn offers(asked: &str, seen: &Evidence) -> bool {
    let day = |rest: &str| {
        let values = rest
            .strip_prefix(" (")
            .and_then(|rest| rest.strip_suffix(")?"));
        let said = |value: &str| {
            let when = ["due ", "reminder "]
                .iter()
                .find_map(|what| value.strip_prefix(what));
            when.is_some_and(is_day)
        };
        rest == "?" || values.is_some_and(|values| values.split(", ").all(said))
    };
    seen.proposed.iter().any(|(tool, arguments)| {
        let read: serde_json::Value = serde_json::from_str(arguments).unwrap_or_default();
        let title = read["title"].as_str().map(quotable);
        tool.trim() == "add_task"
            && title.is_some_and(|title| {
                asked
                    .strip_prefix("Add \"")
                    .and_then(|rest| rest.strip_prefix(&title))
                    .and_then(|rest| rest.strip_prefix('"'))
                    .is_some_and(day)
            })
    })
}

/// The question was asked before, and judged then: it is shown again.
fn stands(seen: &Evidence) -> bool {
    let question = &seen.body["question"];
    seen.asked
        .iter()
        .any(|(id, text)| *id == question["id"] && *text == question["text"])
}

/// "Mon 2026-02-09", "2026-02-08 12:00", with the weekday or the time or neither.
fn is_day(text: &str) -> bool {
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    text.split(' ').all(|word| {
        weekdays.contains(&word)
            || word.starts_with(|c: char| c.is_ascii_digit()) && {
                let mut signs = word.chars();
                signs.all(|c| c.is_ascii_digit() || c == '-' || c == ':')
            }
    })
}

fn is_row(title: &str, seen: &Evidence) -> bool {
    seen.before
        .iter()
        .any(|task| fold(task.title.as_str()) == fold(title))
        && seen
            .after
            .iter()
            .any(|task| fold(task.title.as_str()) == fold(title))
}

fn starts_with_title(label: &str, seen: &Evidence) -> bool {
    let mut tasks = seen.before.iter();
    tasks.any(|task| label.starts_with(&shown(task.title.as_str())))
}

/// The contents of the form's holes, if the line has the form and every hole is in order.
fn fill(form: &str, line: &str, seen: &Evidence) -> Option<Vec<String>> {
    let parts: Vec<&str> = form.split("{}").collect();
    let mut rest = line.strip_prefix(parts[0])?;
    let mut holes = Vec::new();
    for (at, part) in parts.iter().enumerate().skip(1) {
        let end = if at + 1 == parts.len() {
            rest.len()
                .checked_sub(part.len())
                .filter(|end| rest.get(*end..) == Some(part))?
        } else {
            rest.find(part)?
        };
        holes.push(rest[..end].to_owned());
        rest = &rest[end + part.len()..];
    }
    let whole = rest.is_empty() && holes.iter().all(|hole| is_hole(hole, seen));
    whole.then_some(holes)
}

/// A title, the user's words, or harmless.
fn is_hole(text: &str, seen: &Evidence) -> bool {
    let bare = text.trim_matches('"');
    // Whole words of the user's, in their order.
    let whole = |part: &str| {
        let words = fold(part);
        let mut messages = (seen.said.iter()).flat_map(|it| [fold(it), fold(&quotable(it))]);
        messages.any(|message| {
            message.match_indices(&words).any(|(at, _)| {
                let inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                let before = message[..at].chars().next_back();
                let after = message[at + words.len()..].chars().next();
                !inner(before.filter(|_| inner(words.chars().next())))
                    && !inner(after.filter(|_| inner(words.chars().next_back())))
            })
        })
    };
    let said = || whole(bare);
    let listed = || bare.split(", ").all(whole);
    // A list of titles, or words of several sources: then nothing in them may be a claim.
    is_title(bare, seen)
        || said()
        || listed()
        || claim(&without_ages(&without_titles(text, seen))).is_none()
}

/// A title as it stands between double quotes.
pub(super) fn quotable(title: &str) -> String {
    shown(title).replace('"', "'")
}

/// Without "(done 2026-02-08, due Sun 2026-03-01, added 2026-02-08 12:00)", which tells twins apart.
fn without_ages(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, group)) = rest.split_once(" (") {
        kept.push_str(before);
        let Some((inside, after)) = group.split_once(')') else {
            break;
        };
        let mut parts = inside.split(", ");
        let age = parts.all(|part| {
            let mut ages = ["added ", "done ", "due "].iter();
            ages.any(|age| part.strip_prefix(age).is_some_and(is_day))
        });
        if !age {
            kept.push_str(inside);
        }
        rest = after;
    }
    kept + rest
}

fn without_titles(text: &str, seen: &Evidence) -> String {
    let tasks = seen.before.iter().chain(&seen.after);
    let forms = |task: &Task| [shown(task.title.as_str()), quotable(task.title.as_str())];
    let mut titles: Vec<String> = tasks.flat_map(forms).collect();
    // The longest first: "Call mom" is not all of the title "Deleted: Call mom".
    titles.sort_by_key(|title| std::cmp::Reverse(title.len()));
    titles.iter().fold(text.to_owned(), |text, title| {
        text.replace(title.as_str(), "")
    })
}
