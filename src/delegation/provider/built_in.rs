//! The built-in worker: deterministic, without a key and without a server.
//!
//! It answers as a model would and passes the same gates: it lists the workspace, reads what
//! bears on its task, and reports what it found with the receipts it rests on. It knows nothing
//! else, and says so: without files its one source is the task itself, and where that holds
//! nothing but the wish, it rejects the task instead of making something up.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::domain::Lang;
use crate::domain::text::fold;
use crate::llm::{AnswerFuture, LanguageModel, ModelAnswer, ModelRequest, PromptMessage, RawCall};
use crate::locales::localized;

/// Number of files that it reads.
const FILES: usize = 6;
/// Number of lines that it quotes of each.
const LINES: usize = 3;
/// Greatest length of a quoted line, in characters.
const LINE: usize = 160;
/// Words at which a task ends and the rules about it begin.
const RULES: [&str; 5] = [
    "\n\nIMPORTANT: Your response should match",
    "\n\nYou have a workspace of files",
    "\n\nQuoted context of the conversation",
    "\n\nGive a summary of one or two sentences",
    "\n\nWhen you are done call report_result",
];
/// Words that say nothing of what is looked for.
const EMPTY: [&str; 40] = [
    "about",
    "after",
    "also",
    "each",
    "file",
    "files",
    "find",
    "from",
    "give",
    "have",
    "into",
    "list",
    "make",
    "name",
    "only",
    "please",
    "report",
    "that",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "what",
    "when",
    "where",
    "which",
    "will",
    "with",
    "work",
    "workspace",
    "research",
    "summary",
    "compare",
    "result",
    "your",
    "you",
    "the",
    "and",
];

/// The worker of one provider.
#[derive(Debug)]
pub struct BuiltIn {
    name: String,
}

impl BuiltIn {
    /// The worker of the provider called `id`.
    pub fn new(id: &str) -> Self {
        Self {
            name: format!("{id} (built-in)"),
        }
    }
}

impl LanguageModel for BuiltIn {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask<'a>(&'a self, request: &'a ModelRequest) -> AnswerFuture<'a> {
        let has = |name: &str| request.tools.iter().any(|tool| tool.name == name);
        let round = WorkRound::of(&request.prompt, request.reading.lang);
        let calls = next(&round, has("list_files") && has("read_file"));
        Box::pin(async move {
            Ok(ModelAnswer {
                text: None,
                calls,
                model: self.name.clone(),
                finish: "tool_calls".to_owned(),
                usage: None,
            })
        })
    }
}

/// Course of the work since the agent was given this task.
#[derive(Debug, Default)]
struct WorkRound<'a> {
    task: &'a str,
    /// The language that it reports in.
    speech: Lang,
    /// Text of the task beyond what is wanted: its other lines.
    material: Vec<&'a str>,
    /// Calls and what they gave, in order.
    done: Vec<(&'a RawCall, Value)>,
}

impl<'a> WorkRound<'a> {
    fn of(prompt: &'a [PromptMessage], speech: Lang) -> Self {
        let begins = |line: &PromptMessage| matches!(line, PromptMessage::User(text) if text.contains("report_result exactly once"));
        let start = prompt.iter().rposition(begins).unwrap_or_default();
        let mut round = Self {
            speech,
            ..Self::default()
        };
        let mut calls: Vec<&RawCall> = Vec::new();
        for (at, line) in prompt.iter().enumerate().skip(start) {
            match line {
                PromptMessage::User(text) if at == start => round.task = text,
                PromptMessage::Assistant { calls: made, .. } => calls = made.iter().collect(),
                PromptMessage::Tool { call_id, content } => {
                    let call = calls.iter().find(|call| call.id == *call_id);
                    let result = serde_json::from_str(content).unwrap_or_default();
                    round.done.extend(call.map(|call| (*call, result)));
                }
                PromptMessage::User(_) | PromptMessage::System(_) => {}
            }
        }
        // What was asked, without the rules that follow it.
        let rules = RULES.iter().filter_map(|rule| round.task.find(rule)).min();
        let said = round.task.get(..rules.unwrap_or(round.task.len()));
        let said = said.unwrap_or_default();
        let lines = said.lines().map(str::trim);
        round.material = lines.filter(|line| !line.is_empty()).skip(1).collect();
        round.task = said.split("\n\n").next().unwrap_or_default();
        round
    }

    fn made(&self, name: &str) -> impl Iterator<Item = &(&'a RawCall, Value)> {
        self.done.iter().filter(move |(call, _)| call.name == name)
    }
}

fn next(round: &WorkRound<'_>, files: bool) -> Vec<RawCall> {
    if !files && !round.material.is_empty() {
        return vec![from_the_task(round)];
    }
    if !files {
        return vec![rejected(round.task, round.speech)];
    }
    let Some((_, listing)) = round.made("list_files").last() else {
        return vec![call(1, "list_files", &json!({"path": null}))];
    };
    if round.made("read_file").next().is_none() {
        let chosen = chosen(listing, round.task);
        if !chosen.is_empty() {
            let count = entries(listing).count();
            let note = localized!(
                round.speech,
                "worker-reading",
                read = chosen.len(),
                total = count
            );
            let mut calls = vec![call(1, "add_note", &json!({ "note": note }))];
            let reads = chosen.iter().enumerate();
            calls.extend(
                reads.map(|(at, path)| call(at + 2, "read_file", &json!({ "path": path }))),
            );
            return calls;
        }
    }
    vec![report(round, listing)]
}

fn call(number: usize, name: &str, arguments: &Value) -> RawCall {
    RawCall {
        id: format!("call_{number}"),
        name: name.to_owned(),
        arguments: arguments.to_string(),
    }
}

/// Reports what there is to say where the task itself is the only source: its own lines, those
/// first that bear on what is wanted.
fn from_the_task(round: &WorkRound<'_>) -> RawCall {
    let wish = round.task.lines().next().unwrap_or_default();
    let wanted = words(wish);
    let bears = |line: &&&str| words(line).iter().any(|word| wanted.contains(word));
    let on_it: Vec<_> = round.material.iter().filter(bears).collect();
    let beside: Vec<_> = round.material.iter().filter(|line| !bears(line)).collect();
    let count = round.material.len();
    let head = localized!(
        round.speech,
        "worker-from-task",
        name = short(wish, 200),
        count = count,
        found = on_it.len()
    );
    let lines = on_it.into_iter().chain(beside).take(FILES * LINES);
    let lines = lines.map(|line| format!("- \"{}\"", short(line, LINE)));
    reported("completed", &head, lines, &[])
}

fn rejected(task: &str, speech: Lang) -> RawCall {
    let result = localized!(speech, "worker-rejects", name = short(task, 400));
    let arguments = json!({
        "outcome": "rejected", "result": result, "result_json": null,
        "summary": localized!(speech, "worker-no-sources"), "evidence": [],
    });
    call(1, "report_result", &arguments)
}

/// The report of a summary and the lines below it.
fn reported(
    outcome: &str,
    summary: &str,
    lines: impl Iterator<Item = String>,
    evidence: &[String],
) -> RawCall {
    let result: Vec<String> = std::iter::once(summary.to_owned()).chain(lines).collect();
    let arguments = json!({
        "outcome": outcome, "result": result.join("\n"), "result_json": null, "summary": summary,
        "evidence": evidence,
    });
    call(1, "report_result", &arguments)
}

fn entries(listing: &Value) -> impl Iterator<Item = &str> {
    let files = listing.pointer("/data/files").and_then(Value::as_array);
    let paths = files.into_iter().flatten();
    paths.filter_map(|file| file.get("path").and_then(Value::as_str))
}

/// The files to read: those whose names bear on the task, then plain texts, in order.
fn chosen(listing: &Value, task: &str) -> Vec<String> {
    let wanted = words(task);
    let mut ranked: Vec<(usize, &str)> = entries(listing)
        .filter_map(|path| {
            let plain = [
                ".md", ".txt", ".csv", ".json", ".toml", ".yaml", ".yml", ".html",
            ];
            let text = plain.iter().any(|end| path.to_lowercase().ends_with(end));
            let bears = words(path).iter().any(|word| wanted.contains(word));
            match (bears, text) {
                (true, _) => Some((0, path)),
                (false, true) => Some((1 + path.matches('/').count(), path)),
                (false, false) => None,
            }
        })
        .collect();
    ranked.sort();
    ranked
        .iter()
        .take(FILES)
        .map(|(_, path)| (*path).to_owned())
        .collect()
}

/// The words of a text that say something, folded, without a plural's s.
fn words(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.chars().count() > 3 && !EMPTY.contains(word));
    words
        .map(|word| word.strip_suffix('s').unwrap_or(word).to_owned())
        .collect()
}

fn report(round: &WorkRound<'_>, listing: &Value) -> RawCall {
    let (wanted, speech) = (words(round.task), round.speech);
    let (mut lines, mut evidence, mut found) = (Vec::new(), Vec::new(), 0);
    let text = |result: &'_ Value, name: &str| {
        let text = result.pointer(&format!("/data/{name}"));
        text.and_then(Value::as_str).map(str::to_owned)
    };
    evidence.extend(text(listing, "receipt"));
    let mut read = 0;
    for (_, result) in round.made("read_file") {
        let Some(content) = text(result, "content") else {
            continue;
        };
        let path = text(result, "path").unwrap_or_default();
        evidence.extend(text(result, "receipt"));
        read += 1;
        let bears = |line: &&str| words(line).iter().any(|word| wanted.contains(word));
        let quoted: Vec<_> = content.lines().filter(bears).take(LINES).collect();
        found += usize::from(!quoted.is_empty());
        let first = content.lines().map(str::trim).find(|line| !line.is_empty());
        lines.push(match quoted.is_empty() {
            true => {
                let empty = || localized!(speech, "worker-empty");
                let line = first.map_or_else(empty, |first| short(first, LINE));
                localized!(speech, "worker-nothing-in", path = path, line = line)
            }
            false => {
                let quoted: Vec<_> = quoted
                    .iter()
                    .map(|line| format!("\"{}\"", short(line.trim(), LINE)))
                    .collect();
                format!("- {path}: {}", quoted.join(" / "))
            }
        });
    }
    let total = entries(listing).count();
    let name = short(round.task, 200);
    let head = match total {
        0 => localized!(speech, "worker-no-files", name = name),
        _ => localized!(
            speech,
            "worker-found",
            name = name,
            read = read,
            total = total,
            found = found
        ),
    };
    let outcome = if total == 0 { "rejected" } else { "completed" };
    reported(outcome, &head, lines.into_iter(), &evidence)
}

fn short(text: &str, max: usize) -> String {
    let line = crate::domain::shown(text);
    if line.chars().nth(max).is_none() {
        return line;
    }
    let kept: String = line.chars().take(max).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "Compare the hotels by price.\n\nWhen you are done call report_result exactly once. Text alone does not count.";

    fn prompt(results: &[(&[RawCall], &[Value])]) -> Vec<PromptMessage> {
        let mut prompt = vec![
            PromptMessage::System("…".to_owned()),
            PromptMessage::User(TASK.to_owned()),
        ];
        for (calls, given) in results {
            prompt.push(PromptMessage::Assistant {
                content: None,
                calls: calls.to_vec(),
            });
            for (call, value) in calls.iter().zip(*given) {
                prompt.push(PromptMessage::Tool {
                    call_id: call.id.clone(),
                    content: value.to_string(),
                });
            }
        }
        prompt
    }

    fn arguments(call: &RawCall) -> Value {
        serde_json::from_str(&call.arguments).unwrap()
    }

    #[test]
    fn without_files_it_rejects_and_says_what_it_was_asked() {
        let prompt = prompt(&[]);
        let calls = next(&WorkRound::of(&prompt, Lang::En), false);
        let report = arguments(&calls[0]);
        assert_eq!(
            (calls[0].name.as_str(), &report["outcome"]),
            ("report_result", &json!("rejected"))
        );
        let text = report["result"].as_str().unwrap();
        assert!(
            text.contains("Compare the hotels by price.") && text.contains("no sources"),
            "{text}"
        );
    }

    #[test]
    fn without_files_the_task_itself_is_a_source() {
        let task = "Which hotels have a garden?\n\nHotel Adler: 90 EUR, garden\nTrain: 8:15\n\nWhen \
                    you are done call report_result exactly once. Text alone does not count.";
        let prompt = [PromptMessage::User(task.to_owned())];
        let report = arguments(&next(&WorkRound::of(&prompt, Lang::En), false)[0]);
        assert_eq!(
            (&report["outcome"], &report["evidence"]),
            (&json!("completed"), &json!([]))
        );
        let expect = "I was asked: \"Which hotels have a garden?\". I have no files; the task itself \
                      holds 2 lines, 1 of them on it. Nothing else was looked up.\n- \"Hotel Adler: 90 \
                      EUR, garden\"\n- \"Train: 8:15\"";
        assert_eq!(report["result"], expect);
    }

    #[test]
    fn it_lists_reads_and_reports_with_its_receipts() {
        let start = prompt(&[]);
        let list = next(&WorkRound::of(&start, Lang::En), true);
        assert_eq!(list[0].name, "list_files");
        let listing = json!({"ok": true, "data": {"receipt": "r1", "files": [
            {"path": "notes/hotels.md", "size": 9}, {"path": "main.rs", "size": 1}, {"path": "todo.txt", "size": 4},
        ]}});
        let listed = [listing];
        let begun = prompt(&[(&list, &listed)]);
        let reads = next(&WorkRound::of(&begun, Lang::En), true);
        let names: Vec<_> = reads.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["add_note", "read_file", "read_file"]);
        assert_eq!(arguments(&reads[1])["path"], "notes/hotels.md");
        let given = [
            json!({"ok": true, "data": {"receipt": "r2"}}),
            json!({"ok": true, "data": {"receipt": "r3", "path": "notes/hotels.md", "content": "Hotel Adler: 90\nsea"}}),
            json!({"ok": true, "data": {"receipt": "r4", "path": "todo.txt", "content": "milk"}}),
        ];
        let done = prompt(&[(&list, &listed), (&reads, &given)]);
        let report = next(&WorkRound::of(&done, Lang::En), true);
        let report = arguments(&report[0]);
        assert_eq!(report["outcome"], "completed");
        assert_eq!(report["evidence"], json!(["r1", "r3", "r4"]));
        let text = report["result"].as_str().unwrap();
        assert!(
            text.contains("2 of 3 files") && text.contains("\"Hotel Adler: 90\""),
            "{text}"
        );
        assert!(text.contains("todo.txt: nothing on it"), "{text}");
        let report = next(&WorkRound::of(&done, Lang::De), true);
        let report = arguments(&report[0]);
        let expect = "Zu \"Compare the hotels by price.\" wurden 2 von 3 Dateien gelesen; in einer davon steht etwas dazu.";
        assert_eq!(report["summary"], expect);
    }
}
