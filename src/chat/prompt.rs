//! Prompt of a model: rules, the pinned day (FR-006, FR-007), the tasks without any UUID (FR-008,
//! FR-009), the tail of the conversation.
//!
//! The fixed rules come first, so that a provider's prompt cache can keep them; day and tasks
//! follow. Bounded however many tasks there are: the ones the words are about, those last
//! shown, the oldest, and how many more.

use std::collections::HashSet;

use chrono::{Datelike, Days, NaiveDate};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::audit::hex;
use crate::domain::{Lang, Moment, Task, TaskId, day_and_time, shown};
use crate::llm::PromptMessage;
use crate::locales::repeat_phrase;
use crate::resolver::{TaskList, Words, title_words};
use crate::store::{MessageRole, StoredMessage};
use crate::temporal::DueRule;

/// Told to the audit log with every turn; raise it when a prompt file or this one changes.
pub const PROMPT_VERSION: &str = "5";

/// At most so many task lines.
const TASKS_MAX: usize = 40;
/// At most so many earlier messages.
const MESSAGES_MAX: usize = 8;
/// At most so many characters of an earlier message or of a title.
const TEXT_MAX: usize = 1_200;

const SYSTEM: &str = include_str!("../../prompts/system.md");
const CONTEXT: &str = include_str!("../../prompts/context.md");
const RULE_YEAR: &str = include_str!("../../prompts/rule_year.md");
const RULE_ROLLING: &str = include_str!("../../prompts/rule_rolling.md");

/// Input that a prompt is built from.
#[derive(Debug)]
pub struct PromptInput<'a> {
    /// The day.
    pub moment: Moment,
    /// Days that may be due dates.
    pub due_rule: DueRule,
    /// The language of the reply.
    pub lang: Lang,
    /// All tasks, oldest first.
    pub tasks: &'a TaskList,
    /// The listing last shown: its numbers are the user's numbers.
    pub shown: &'a [TaskId],
    /// Earlier messages, oldest first.
    pub history: &'a [StoredMessage],
    /// Words that the user says now.
    pub message: &'a str,
}

/// The messages for a model, and what of the first changes from turn to turn.
pub fn build(input: &PromptInput<'_>) -> (Vec<PromptMessage>, PromptContext) {
    let mut context = PromptContext::of(input);
    let mut first = SYSTEM.to_owned();
    context.write(&mut first, CONTEXT);
    context.sha256 = sha256(first.strip_prefix(SYSTEM).unwrap_or_default());
    let mut prompt = Vec::with_capacity(MESSAGES_MAX + 2);
    prompt.push(PromptMessage::System(first));
    let skip = input.history.len().saturating_sub(MESSAGES_MAX);
    for message in input.history.iter().skip(skip) {
        let content = cut(&crate::domain::masked(&message.content));
        prompt.push(match message.role {
            MessageRole::User => PromptMessage::User(content),
            MessageRole::Assistant => PromptMessage::Assistant {
                content: Some(content),
                calls: Vec::new(),
            },
        });
    }
    prompt.push(PromptMessage::User(
        crate::domain::masked(input.message).into_owned(),
    ));
    (prompt, context)
}

/// Part of a prompt that changes from turn to turn: the values that are put into `context.md`. The
/// log keeps the values and the text's hash, and the text is made of them again. As JSON it is the
/// member `prompt` of a turn's event; day, zone and language stand beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromptContext {
    #[serde(skip)]
    today: NaiveDate,
    #[serde(skip)]
    zone: Tz,
    #[serde(skip)]
    lang: Lang,
    due_rule: DueRule,
    /// The text's hash.
    sha256: String,
    tasks: String,
    total: u64,
}

impl PromptContext {
    fn of(input: &PromptInput<'_>) -> Self {
        Self {
            today: input.moment.today,
            zone: input.moment.zone,
            due_rule: input.due_rule,
            lang: input.lang,
            total: input.tasks.len() as u64,
            tasks: task_lines(input),
            sha256: String::new(),
        }
    }

    /// Returns the text that the model is told.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, CONTEXT);
        text
    }

    /// Writes what the model is told: a template with its values put in, in one go.
    fn write(&self, text: &mut String, template: &str) {
        let mut rest = template;
        while let Some((before, (name, after))) = rest
            .split_once("{{")
            .and_then(|(before, after)| Some((before, after.split_once("}}")?)))
        {
            text.push_str(before);
            self.write_value(text, name);
            rest = after;
        }
        text.push_str(rest);
    }

    fn write_value(&self, text: &mut String, name: &str) {
        let today = self.today;
        let value = match name {
            "RULE" => {
                let rule = match self.due_rule {
                    DueRule::Year => RULE_YEAR,
                    DueRule::Rolling => RULE_ROLLING,
                };
                return self.write(text, rule.trim_end());
            }
            "TASKS" => return text.push_str(&self.tasks),
            "ZONE" => return text.push_str(self.zone.name()),
            "LANGUAGE" => return text.push_str(self.lang.name()),
            "TODAY" => spelled(today),
            "ISO" => today.to_string(),
            "TOMORROW" => tomorrow(today).to_string(),
            "YEAR" => today.year().to_string(),
            "LAST_YEAR" => (today.year() - 1).to_string(),
            "LAST" => self.due_rule.last(today).to_string(),
            "TOTAL" => self.total.to_string(),
            unknown => format!("{{{{{unknown}}}}}"),
        };
        text.push_str(&value);
    }

    /// From the payload of a turn's event.
    fn read(turn: &Value) -> Option<Self> {
        let (prompt, text) = (turn.get("prompt")?, |name| turn.get(name)?.as_str());
        Some(Self {
            today: text("today")?.parse().ok()?,
            zone: text("timezone")?.parse().ok()?,
            due_rule: DueRule::deserialize(prompt.get("due_rule")?).ok()?,
            lang: Lang::from_hint(text("language")?),
            total: prompt.get("total")?.as_u64()?,
            tasks: prompt.get("tasks")?.as_str()?.to_owned(),
            sha256: prompt.get("sha256")?.as_str()?.to_owned(),
        })
    }
}

/// Returns what a model was told first in a turn, made again from the payload of the turn's event.
/// None where no model was asked, where the words were erased, and where the prompt was another
/// one: the text does not have the hash that was logged.
pub fn told(turn: &Value) -> Option<String> {
    let context = PromptContext::read(turn)?;
    let text = context.text();
    (sha256(&text) == context.sha256).then(|| format!("{SYSTEM}{text}"))
}

fn sha256(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// `SUNDAY, FEBRUARY 8, 2026`
fn spelled(day: NaiveDate) -> String {
    day.format("%A, %B %-d, %Y").to_string().to_uppercase()
}

fn tomorrow(today: NaiveDate) -> NaiveDate {
    today.checked_add_days(Days::new(1)).unwrap_or(today)
}

fn task_lines(input: &PromptInput<'_>) -> String {
    if input.tasks.is_empty() {
        return "(no tasks)".to_owned();
    }
    let chosen = if input.tasks.len() > TASKS_MAX {
        chosen(input)
    } else {
        input.tasks.iter().collect()
    };
    let hidden = input.tasks.len() - chosen.len();
    let mut numbered = numbered(input, &chosen);
    // Those without a number stay in order of age.
    numbered.sort_by_key(|(number, _)| number.unwrap_or(usize::MAX));
    let mut lines: Vec<String> = numbered
        .into_iter()
        .map(|(number, task)| task_line(number, task))
        .collect();
    if hidden > 0 {
        lines.push(format!("… and {hidden} more tasks that are not shown here"));
    }
    lines.join("\n")
}

/// The tasks that are shown of more than can be: those that the words name, then those last shown,
/// then the oldest. In order of age.
fn chosen<'a>(input: &PromptInput<'a>) -> Vec<&'a Task> {
    let said = Words::of(input.message);
    let named = |task: &&Task| {
        let words = title_words(task.title.as_str());
        words.iter().any(|word| said.contains(word))
    };
    let shown = input.shown.iter().filter_map(|id| input.tasks.get(*id));
    let (first, then): (Vec<&Task>, Vec<&Task>) = shown.partition(named);
    let touched = input.tasks.touched_by(input.message, TASKS_MAX);
    let oldest = input.tasks.iter().take(2 * TASKS_MAX);
    let mut seen = HashSet::new();
    let all = first.into_iter().chain(touched).chain(then).chain(oldest);
    let mut chosen: Vec<&Task> = all
        .filter(|task| seen.insert(task.id))
        .take(TASKS_MAX)
        .collect();
    chosen.sort_by_key(|task| (task.created_at, task.id));
    chosen
}

/// The tasks with the numbers they were last shown under; before any listing, counted from 1.
fn numbered<'a>(input: &PromptInput<'a>, tasks: &[&'a Task]) -> Vec<(Option<usize>, &'a Task)> {
    let all = tasks.len() == input.tasks.len();
    let tasks = tasks.iter().enumerate().map(|(at, task)| {
        let place = match (input.shown.is_empty(), all) {
            (true, true) => Some(at),
            (true, false) => input.tasks.place(task.id),
            (false, _) => input.shown.iter().position(|shown| *shown == task.id),
        };
        (place.map(|place| place + 1), *task)
    });
    tasks.collect()
}

/// `1. [Read book] (Status: pending, Priority: medium)`
fn task_line(number: Option<usize>, task: &Task) -> String {
    let number = number.map_or_else(|| "-".to_owned(), |n| format!("{n}."));
    // Brackets are the quotation marks of this list: a title can't close them.
    let title = cut(&shown(task.title.as_str()))
        .replace('[', "(")
        .replace(']', ")");
    let due = task
        .due_date
        .map(|day| format!(", Due: {}", day_and_time(day, task.shown_time())));
    let repeat = task.repeat.as_ref();
    let repeat = repeat.map(|rule| repeat_phrase(rule, Lang::En));
    let repeat = repeat.map(|rule| format!(", Repeat: {rule}"));
    format!(
        "{number} [{title}] (Status: {}, Priority: {}{}{})",
        task.status.as_str(),
        task.priority,
        due.unwrap_or_default(),
        repeat.unwrap_or_default()
    )
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};
    use serde_json::json;

    use super::*;
    use crate::domain::{Clock, Title, UserId};
    use crate::resolver::READ;

    fn list(tasks: u16) -> TaskList {
        let task = |n: u16| {
            Task::new(
                TaskId::new(uuid::Uuid::from_u128(n.into())),
                UserId::parse("me").unwrap(),
                Title::parse(&format!("Water plant {n}")).unwrap(),
                DateTime::UNIX_EPOCH + TimeDelta::seconds(n.into()),
            )
        };
        (1..=tasks).map(task).collect()
    }

    fn lines(tasks: &TaskList, shown: &[TaskId], message: &str) -> String {
        task_lines(&PromptInput {
            moment: Clock::system(NaiveDate::from_ymd_opt(2026, 2, 8)).now(chrono_tz::UTC),
            due_rule: DueRule::Year,
            lang: Lang::En,
            tasks,
            shown,
            history: &[],
            message,
        })
    }

    #[test]
    fn what_a_model_was_told_is_made_again_from_what_the_log_keeps() {
        for (lang, due_rule) in [(Lang::En, DueRule::Year), (Lang::Ur, DueRule::Rolling)] {
            let tasks = list(2);
            let input = PromptInput {
                moment: Clock::system(NaiveDate::from_ymd_opt(2026, 2, 8))
                    .now(chrono_tz::Asia::Karachi),
                due_rule,
                lang,
                tasks: &tasks,
                shown: &[],
                history: &[],
                message: "hello",
            };
            let (prompt, context) = build(&input);
            let [PromptMessage::System(first), _] = prompt.as_slice() else {
                panic!("{prompt:?}");
            };
            let mut turn = json!({
                "prompt": context,
                "today": "2026-02-08",
                "timezone": "Asia/Karachi",
                "language": lang.code(),
            });
            assert_eq!(told(&turn).as_ref(), Some(first));
            // Of what was logged nothing can be changed unseen.
            turn["today"] = json!("2026-02-09");
            assert_eq!(told(&turn), None);
        }
        assert_eq!(
            told(&json!({ "prompt": null, "today": "2026-02-08" })),
            None
        );
    }

    #[test]
    fn no_place_of_the_template_is_left_open() {
        for due_rule in [DueRule::Year, DueRule::Rolling] {
            let tasks = list(1);
            let input = PromptInput {
                moment: Clock::system(NaiveDate::from_ymd_opt(2026, 2, 8)).now(chrono_tz::UTC),
                due_rule,
                lang: Lang::En,
                tasks: &tasks,
                shown: &[],
                history: &[],
                message: "hello",
            };
            let (prompt, mut context) = build(&input);
            let [PromptMessage::System(first), _] = prompt.as_slice() else {
                panic!("{prompt:?}");
            };
            assert!(!first.contains("{{") && !first.contains("}}"), "{first}");
            // What a title says is no place.
            context.tasks = "{{ZONE}} {{".to_owned();
            let mut text = String::new();
            context.write(&mut text, "{{TOTAL}} {{TASKS}} {{NOWHERE}} {{");
            assert_eq!(text, "1 {{ZONE}} {{ {{NOWHERE}} {{");
        }
    }

    #[test]
    fn of_a_long_list_the_task_that_is_named_is_shown_under_its_number() {
        let tasks = list(3_000);
        let text = lines(&tasks, &[], "delete water plant 2345");
        let all: Vec<&str> = text.lines().collect();
        assert_eq!(all.len(), TASKS_MAX + 1);
        assert!(all[0].starts_with("1. [Water plant 1] "), "{text}");
        assert!(all[39].starts_with("2345. [Water plant 2345] "), "{text}");
        assert_eq!(all[40], "… and 2960 more tasks that are not shown here");

        let last = TaskId::new(uuid::Uuid::from_u128(2_999));
        let text = lines(&tasks, &[last], "delete the first one");
        assert!(text.starts_with("1. [Water plant 2999] "), "{text}");
    }

    #[test]
    fn a_prompt_reads_as_much_of_a_long_list_as_of_a_short_one() {
        let read = |tasks| {
            let tasks = list(tasks);
            lines(&tasks, &[], "warm up");
            READ.set(0);
            lines(&tasks, &[], "delete water plant 17");
            READ.take()
        };
        let (short, long) = (read(100), read(6_000));
        assert!(2 * long <= 3 * short, "{short} and {long} tasks read");
    }
}
