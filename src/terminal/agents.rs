//! Agents at work, as a terminal shows them: what their runs did since one looked last.
//!
//! Reads the log and nothing else. What an agent says stands in quotes: it is its word, and no
//! sentence of the program's.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

use serde_json::Value;

use super::show::{self, Colour};
use super::talk::Talk;

/// Time between two looks while a run is worked on.
pub(super) const LOOK: Duration = Duration::from_millis(400);
/// Length of what is shown of a note, in characters.
const SHOWN: usize = 200;

/// State of the agents: what was seen of the log, and who is at work.
#[derive(Debug, Default)]
pub(super) struct Agents {
    /// Up to where; nothing before the first look.
    seen: Option<i64>,
    /// True where there are any: where there are none, nothing is looked for.
    any: Option<bool>,
    live: BTreeSet<String>,
}

impl Agents {
    /// Tells whether somebody is at work, as far as one knows.
    pub(super) fn at_work(&self) -> bool {
        !self.live.is_empty()
    }

    /// Looks for what happened, and prints it unless it is history. A log that can't be read now
    /// is read the next time.
    pub(super) async fn look(
        &mut self,
        talk: &Talk,
        colour: Colour,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.any.is_none() {
            self.any = talk.delegates().await.ok();
        }
        if self.any == Some(false) {
            return Ok(());
        }
        let history = self.seen.is_none();
        while let Ok(events) = talk.happened(self.seen.unwrap_or_default()).await {
            if events.is_empty() {
                self.seen.get_or_insert(0);
                return Ok(());
            }
            for event in &events {
                self.seen = event.get("seq").and_then(Value::as_i64).max(self.seen);
                let line = self.line(event.get("payload").unwrap_or(&Value::Null));
                if let Some(line) = line.filter(|_| !history) {
                    show::aside(out, colour, &line)?;
                }
            }
        }
        Ok(())
    }

    fn line(&mut self, payload: &Value) -> Option<String> {
        let text = |name: &str| payload.get(name).and_then(Value::as_str);
        let run = text("run")?;
        match text("type")? {
            "run_state" => {
                let to = text("to")?;
                if matches!(to, "pending" | "running" | "input_required") {
                    self.live.insert(run.to_owned());
                } else {
                    self.live.remove(run);
                }
                let agent = text("agent_id").unwrap_or_default();
                Some(match text("reason") {
                    Some(reason) => format!("{run} ({agent}) is {to}: {}", short(reason)),
                    None => format!("{run} ({agent}) is {to}"),
                })
            }
            "run_note" => Some(format!("{run} notes: \"{}\"", short(text("text")?))),
            "tool_call" => {
                let name = text("name").filter(|name| *name != "add_note")?;
                Some(format!("{run} calls {}", short(name)))
            }
            "cancel_requested" => Some(format!("{run} was asked to stop")),
            _ => None,
        }
    }
}

fn short(text: &str) -> String {
    let line = crate::domain::shown(text);
    if line.chars().nth(SHOWN).is_none() {
        return line;
    }
    let kept: String = line.chars().take(SHOWN).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_happened_is_told_in_a_line_and_words_of_agents_in_quotes() {
        let mut agents = Agents::default();
        let mut line = |payload: Value| agents.line(&payload);
        let state = |to: &str| json!({"type": "run_state", "run": "run-7", "agent_id": "agent-abc123", "to": to, "reason": null});
        assert_eq!(
            line(state("running")).unwrap(),
            "run-7 (agent-abc123) is running"
        );
        let note = json!({"type": "run_note", "run": "run-7", "text": "Reading\n\"all\""});
        assert_eq!(line(note).unwrap(), "run-7 notes: \"Reading \"all\"\"");
        let call = |name: &str| json!({"type": "tool_call", "run": "run-7", "name": name});
        assert_eq!(line(call("read_file")).unwrap(), "run-7 calls read_file");
        assert_eq!(line(call("add_note")), None);
        assert!(agents.at_work());
        assert!(agents.line(&state("completed")).is_some() && !agents.at_work());
    }
}
