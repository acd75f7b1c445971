//! Meanings of messages, as tables. Each row is a message and the short form of its reading.

mod apiece;
mod conversation;
mod effort;
mod english;
mod errands;
mod everyday;
mod habits;
mod languages;
mod mended;
mod phrasing;
mod properties;
mod remarks;
mod slips;
mod times;
mod wholes;
mod wording;

use chrono::NaiveDate;

use super::*;
use crate::resolver::Position;

/// Sunday.
fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 2, 8).unwrap()
}

#[track_caller]
fn check(message: &str, expect: &str) {
    check_in(Lang::En, message, expect);
}

#[track_caller]
fn check_in(hint: Lang, message: &str, expect: &str) {
    let reading = read(message, today(), hint);
    assert_eq!(short(&reading), expect, "{message:?}");
}

/// The clauses of a reading, in few words.
fn short(reading: &Reading) -> String {
    let clauses = reading.clauses.iter().map(|clause| {
        let notes: String = clause
            .notes
            .iter()
            .map(|note| format!(" !{note:?}"))
            .collect();
        act(&clause.act) + &notes
    });
    clauses.collect::<Vec<_>>().join(" ; ")
}

fn act(act: &Act) -> String {
    match act {
        Act::Errand(errand) => format!("errand {errand:?}"),
        Act::Add(added) if added.described => "add described".to_owned(),
        Act::Add(added) if added.split => {
            let parts: Vec<_> = added.parts.iter().map(task).collect();
            format!("add {}", parts.join(" + "))
        }
        Act::Add(added) => format!("add {}", task(&added.whole)),
        Act::List(listing) => list(listing),
        Act::Change(asked) => change(asked),
        Act::Undo => "undo".to_owned(),
        Act::Past(Past::Did {
            verb,
            target: about,
        }) => format!("did {verb:?} {}", target(about)),
        Act::Past(past) => format!("{past:?}"),
        Act::Help(topic) => format!("help {topic:?}"),
        Act::Hint(asked) => format!("hint {}", change(asked)),
        Act::Hypothetical(asked) => format!("if {}", change(asked)),
        Act::Opinion(about) => format!("opinion {}", target(about)),
        Act::Wish(wish) => format!("wish {}", task(wish)),
        Act::Noun(noun) => format!("noun {}", task(noun)),
        Act::Statement(said) => format!("{} is done: {}", target(&said.target), said.done),
        Act::Fragment(part) => fragment(part),
        Act::Forbidden(asked) => format!("not {}", change(asked)),
        Act::Social(kind) => format!("{kind:?}"),
        Act::Yes | Act::No | Act::AlarmQuestion | Act::NoSuchDay(_) | Act::Other => {
            format!("{act:?}")
        }
    }
}

fn task(task: &NewTask) -> String {
    let mut text = format!("[{}]", task.title);
    text.extend(task.due.as_ref().map(due));
    text.extend(task.time.map(time));
    text.extend(task.after.map(|seconds| format!(" in {seconds} s")));
    text.extend(task.repeat.as_ref().map(|rule| format!(" {rule}")));
    text.extend(task.priority.map(|priority| format!(" {priority}")));
    text.extend(task.description.as_ref().map(|note| format!(" ({note})")));
    text
}

fn due(due: &Due) -> String {
    match due {
        Due::On { day, .. } => format!(" on {day}"),
        Due::By { days, .. } => format!(" by {days}"),
        Due::SameWeekday { week, .. } => format!(" in the week of {week}"),
        Due::Skip { .. } => " skipped".to_owned(),
        Due::Clear => " undated".to_owned(),
    }
}

fn time(time: chrono::NaiveTime) -> String {
    format!(" at {}", time.format("%H:%M"))
}

fn list(listing: &Listing) -> String {
    let mut text = match listing.form {
        Form::Lines => "list".to_owned(),
        Form::Count => "count".to_owned(),
        Form::One => "is there".to_owned(),
    };
    text.extend(
        listing
            .completed
            .map(|done| if done { " done" } else { " open" }),
    );
    text.extend(listing.due.as_ref().map(filter));
    text.extend(listing.priority.map(|priority| format!(" {priority}")));
    text.extend(listing.query.as_ref().map(|query| format!(" [{query}]")));
    text
}

fn filter(filter: &DueFilter) -> String {
    match filter {
        DueFilter::Between { from, to, .. } if from == to => format!(" on {from}"),
        DueFilter::Between { from, to, .. } => format!(" from {from} to {to}"),
        DueFilter::Overdue => " overdue".to_owned(),
        DueFilter::Undated => " undated".to_owned(),
    }
}

fn change(change: &Change) -> String {
    let verb = format!("{:?}", change.verb).to_lowercase();
    let parts: Vec<_> = change.targets.parts.iter().map(target).collect();
    let mut text = format!("{verb} {}", parts.join(" + "));
    let values = &change.values;
    text.extend(values.due.as_ref().map(due));
    text.extend(values.time.map(time));
    text.extend(values.hour.map(|hour| format!(" {hour}")));
    text.push_str(if values.ends_repeat { " once" } else { "" });
    text.extend(values.priority.map(|priority| format!(" {priority}")));
    text.extend(
        values
            .title
            .as_ref()
            .map(|title| format!(" to be [{title}]")),
    );
    text.extend(values.description.as_ref().map(|note| format!(" ({note})")));
    text.push_str(if values.described { " described" } else { "" });
    text
}

fn target(target: &Target) -> String {
    match target {
        Target::Named(name) => format!("[{name}]"),
        Target::Position(Position::Nth(place)) => format!("#{place}"),
        Target::Position(Position::FromEnd(place)) => format!("#-{place}"),
        Target::They { count: Some(count) } => format!("those {count}"),
        Target::They { count: None } => "those".to_owned(),
        Target::It => "it".to_owned(),
        Target::Other => "the other".to_owned(),
        Target::Missing => "nothing".to_owned(),
        Target::Set(set) => {
            let mut text = "all".to_owned();
            text.extend(
                set.completed
                    .map(|done| if done { " done" } else { " open" }),
            );
            text.extend(set.due.as_ref().map(filter));
            text.extend(set.query.as_ref().map(|query| format!(" [{query}]")));
            text.extend(set.list.as_ref().map(|list| format!(" of {list:?}")));
            text.extend(
                set.without
                    .iter()
                    .map(|out| format!(" but {}", self::target(out))),
            );
            text
        }
    }
}

fn fragment(fragment: &Fragment) -> String {
    let joined = |targets: &[Target]| targets.iter().map(target).collect::<Vec<_>>().join(" + ");
    match fragment {
        Fragment::Also {
            words,
            due,
            question,
        } => {
            let day = due.as_ref().map(filter).unwrap_or_default();
            format!("also [{words}]{day}{}", if *question { "?" } else { "" })
        }
        Fragment::Pick { targets, only } => {
            format!(
                "pick {}{}",
                if *only { "only " } else { "" },
                joined(targets)
            )
        }
        Fragment::Except(targets) => format!("all but {}", joined(targets)),
        Fragment::Instead(other) => format!("instead {}", target(other)),
        Fragment::Amend {
            due: day,
            time_of_day: time,
            words,
            priority,
            ..
        } => {
            let mut text = "rather".to_owned();
            text.extend(day.as_ref().map(due));
            text.extend(time.map(self::time));
            text.extend(words.as_ref().map(|words| format!(" [{words}]")));
            text.extend(priority.map(|priority| format!(" {priority}")));
            text
        }
        other => format!("{other:?}"),
    }
}
