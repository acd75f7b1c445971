//! The conversation: one line in, one reply out, until the input ends.

use std::io::Write;

use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, Lines};

use super::agents::{Agents, LOOK};
use super::show::{self, Colour};
use super::talk::{Fault, Talk};
use crate::chat::wire::{AnswerChoice, ChatRequest};
use crate::domain::{ConversationId, IdSource, QuestionId};

/// What people are told first, and by `/help`.
const HELP: &str = "Say what you want: \"add milk\", \"what's on my list?\", \"delete milk\".\n\
                    /tasks shows the list, /undo takes back the last change, /quit ends.";

/// How the conversation goes on.
#[derive(Debug, Clone)]
pub struct Manner {
    /// Colours and a prompt: a person types.
    pub person: bool,
    /// Colours in what is printed.
    pub colour: Colour,
    /// Replies as JSON, one per line, exactly as the API gives them.
    pub json: bool,
    /// IANA zone of "today"; none leaves it to the server.
    pub timezone: Option<String>,
    /// Goes on with this conversation.
    pub conversation: Option<ConversationId>,
    /// Where idempotency keys come from.
    pub ids: IdSource,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Lines that got no reply.
    pub faults: usize,
}

/// Talks until the input ends or `/quit`.
///
/// # Errors
/// When the input can't be read or the output can't be written.
pub async fn converse(
    talk: &Talk,
    manner: Manner,
    input: impl AsyncBufRead + Unpin,
    out: &mut impl Write,
) -> std::io::Result<Ended> {
    let mut lines = input.lines();
    let mut session = Session {
        conversation: manner.conversation,
        manner,
        question: None,
        faults: 0,
        agents: Agents::default(),
    };
    if !session.manner.json {
        session.look(talk, out).await?;
    }
    if session.manner.person && !session.manner.json {
        writeln!(out, "{HELP}")?;
    }
    loop {
        if session.manner.person {
            write!(out, "> ")?;
            out.flush()?;
        }
        let Some(line) = session.next(talk, &mut lines, out).await? else {
            break;
        };
        match line.trim() {
            "" => {}
            "/quit" | "/exit" => break,
            "/help" => writeln!(out, "{HELP}")?,
            "/tasks" => session.tasks(talk, out).await?,
            "/undo" => session.turn(talk, "undo", out).await?,
            command if command.starts_with('/') => {
                let words =
                    format!("There is no {command}. Commands: /tasks, /undo, /help, /quit.");
                show::fault(out, session.manner.colour, &words)?;
            }
            message => session.turn(talk, message, out).await?,
        }
        out.flush()?;
    }
    if session.manner.person {
        writeln!(out)?;
    }
    Ok(Ended {
        faults: session.faults,
    })
}

struct Session {
    manner: Manner,
    conversation: Option<ConversationId>,
    /// The pending question's id and its options' ids.
    question: Option<(QuestionId, Vec<String>)>,
    faults: usize,
    agents: Agents,
}

impl Session {
    /// The next line; agents that are at work are shown meanwhile.
    async fn next(
        &mut self,
        talk: &Talk,
        lines: &mut Lines<impl AsyncBufRead + Unpin>,
        out: &mut impl Write,
    ) -> std::io::Result<Option<String>> {
        while self.manner.person && !self.manner.json && self.agents.at_work() {
            tokio::select! {
                line = lines.next_line() => return line,
                () = tokio::time::sleep(LOOK) => self.look(talk, out).await?,
            }
        }
        lines.next_line().await
    }

    async fn look(&mut self, talk: &Talk, out: &mut impl Write) -> std::io::Result<()> {
        self.agents.look(talk, self.manner.colour, out).await?;
        out.flush()
    }

    /// What a turn is answered with; what agents do meanwhile is shown.
    async fn answer(
        &mut self,
        talk: &Talk,
        message: &str,
        out: &mut impl Write,
    ) -> std::io::Result<Result<String, Fault>> {
        let key = self.manner.ids.next().to_string();
        let saying = talk.say(self.request(message), &key);
        tokio::pin!(saying);
        if self.manner.json {
            return Ok(saying.await);
        }
        let said = loop {
            tokio::select! {
                said = &mut saying => break said,
                () = tokio::time::sleep(LOOK) => self.look(talk, out).await?,
            }
        };
        self.look(talk, out).await?;
        Ok(said)
    }

    async fn turn(
        &mut self,
        talk: &Talk,
        message: &str,
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        match self.answer(talk, message, out).await? {
            Ok(text) => {
                let reply: Value = serde_json::from_str(&text).unwrap_or_default();
                self.remember(&reply);
                if self.manner.json {
                    writeln!(out, "{text}")
                } else {
                    show::reply(out, self.manner.colour, &reply)
                }
            }
            Err(fault) => {
                // A message that nobody could answer was kept: the next one goes on from it.
                self.remember(&fault.body);
                self.fault(&fault, out)
            }
        }
    }

    async fn tasks(&mut self, talk: &Talk, out: &mut impl Write) -> std::io::Result<()> {
        match talk.tasks().await {
            Ok(tasks) if self.manner.json => writeln!(out, "{}", Value::Array(tasks)),
            Ok(tasks) => show::tasks(out, self.manner.colour, &tasks),
            Err(fault) => self.fault(&fault, out),
        }
    }

    fn fault(&mut self, fault: &Fault, out: &mut impl Write) -> std::io::Result<()> {
        self.faults += 1;
        if self.manner.json {
            writeln!(out, "{}", fault.body)
        } else {
            show::fault(out, self.manner.colour, &fault.detail)
        }
    }

    /// A line that is exactly an option's id is that option's button.
    fn request(&self, message: &str) -> ChatRequest {
        let answer = self.question.as_ref().and_then(|(id, options)| {
            let value = options
                .iter()
                .find(|option| option.eq_ignore_ascii_case(message))?;
            Some(AnswerChoice {
                id: *id,
                value: value.clone(),
            })
        });
        ChatRequest {
            message: answer.is_none().then(|| message.to_owned()),
            conversation_id: self.conversation,
            answer,
            timezone: self.manner.timezone.clone(),
            ..ChatRequest::default()
        }
    }

    fn remember(&mut self, reply: &Value) {
        let id = |pointer: &str| reply.pointer(pointer).and_then(Value::as_str);
        if let Some(conversation) = id("/conversation_id").and_then(|text| text.parse().ok()) {
            self.conversation = Some(conversation);
        }
        self.question = id("/question/id")
            .and_then(|text| text.parse().ok())
            .map(|id| {
                let options = reply.pointer("/question/options").and_then(Value::as_array);
                let ids = options
                    .into_iter()
                    .flatten()
                    .filter_map(|o| o.get("id")?.as_str());
                (id, ids.map(str::to_owned).collect())
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn session() -> Session {
        Session {
            manner: Manner {
                person: false,
                colour: Colour::Off,
                json: false,
                timezone: None,
                conversation: None,
                ids: IdSource::random(),
            },
            conversation: None,
            question: None,
            faults: 0,
            agents: Agents::default(),
        }
    }

    #[test]
    fn an_option_typed_out_is_its_button() {
        let mut session = session();
        let id = uuid::Uuid::nil();
        session.remember(&json!({
            "conversation_id": id,
            "question": {"id": id, "options": [{"id": "1", "label": "a"}, {"id": "no", "label": "No"}]},
        }));
        assert!(session.conversation.is_some());
        let pressed = session.request("No");
        assert_eq!(
            pressed.answer.map(|answer| answer.value).as_deref(),
            Some("no")
        );
        assert_eq!(pressed.message, None);
        let said = session.request("no, the other one");
        assert_eq!(
            (said.answer, said.message.as_deref()),
            (None, Some("no, the other one"))
        );
        session.remember(&json!({"conversation_id": id, "question": null}));
        assert!(session.request("1").answer.is_none());
    }
}
