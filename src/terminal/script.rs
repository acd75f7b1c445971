//! The conversation: one line in, one reply out, until the input ends.

use std::io::Write;
use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncBufRead;
use tokio::time::Instant;

use super::agents::{Agents, LOOK};
use super::person::{self, Chip};
use super::show::{self, Colour};
use super::talk::{Talk, TalkFault};
use super::typed::Input;
use crate::chat::wire::{AnswerChoice, ChatRequest};
use crate::domain::{ConversationId, IdSource, Lang, QuestionId, TurnId};
use crate::locales::localized;

/// Help that people see first, and by `/help`.
const HELP: &str = "Say what you want: \"add milk\", \"what's on my list?\", \"delete milk\".\n\
                    /tasks shows the list, /undo takes back the last change, /receipt 1 shows receipt 1 and its proof,\n\
                    /audit how the last reply came about, /again asks once more, /lang de speaks German (/lang names\n\
                    the others), /new begins anew, /quit ends.";

/// Time between two turns of the line that says somebody is at work.
const SPIN: Duration = Duration::from_millis(120);

/// Settings of the conversation.
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
    /// Source of idempotency keys.
    pub ids: IdSource,
}

/// Talks until the input ends or `/quit`, and returns the number of lines that got no reply.
///
/// # Errors
/// When the input can't be read or the output can't be written.
pub async fn converse(
    talk: &Talk,
    manner: Manner,
    mut input: Input<impl AsyncBufRead + Unpin>,
    out: &mut impl Write,
) -> std::io::Result<usize> {
    let mut session = Session::new(manner);
    if !session.manner.json {
        session.look(talk, out).await?;
    }
    if session.manner.person && !session.manner.json {
        writeln!(out, "{HELP}")?;
    }
    loop {
        if session.manner.person && matches!(input, Input::Piped(_)) {
            write!(out, "> ")?;
            out.flush()?;
        }
        let Some(line) = session.next(talk, &mut input, out).await? else {
            break;
        };
        let line = line.trim();
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "" => {}
            "/quit" | "/exit" => break,
            "/help" => writeln!(out, "{HELP}")?,
            "/tasks" => session.tasks(talk, out).await?,
            "/undo" => session.turn(talk, "undo", out).await?,
            "/again" => session.again(talk, out).await?,
            "/audit" => session.audit(talk, out).await?,
            "/receipt" => session.receipt(talk, rest.trim(), out).await?,
            "/lang" => session.lang(rest.trim(), out)?,
            "/new" => session.begin_anew(out)?,
            command if command.starts_with('/') => {
                let words = format!(
                    "There is no {command}. Commands: /tasks, /undo, /receipt, /audit, /again, /lang, \
                     /new, /help, /quit."
                );
                show::fault(out, session.manner.colour, &words)?;
            }
            _ => session.turn(talk, line, out).await?,
        }
        out.flush()?;
    }
    if session.manner.person {
        writeln!(out)?;
    }
    Ok(session.faults)
}

struct Session {
    manner: Manner,
    conversation: Option<ConversationId>,
    /// The pending question's id and its options' ids.
    question: Option<(QuestionId, Vec<String>)>,
    faults: usize,
    agents: Agents,
    /// The language that replies are asked for in.
    lang: Option<Lang>,
    /// The last request and its key, and whether an answer came.
    last: Option<Asked>,
    /// The last turn that was answered.
    turn: Option<TurnId>,
    /// Receipts that were shown; the first is number 1.
    chips: Vec<Chip>,
}

/// A request, to be asked again.
#[derive(Debug, Clone)]
struct Asked {
    request: ChatRequest,
    key: String,
    answered: bool,
}

impl Session {
    fn new(manner: Manner) -> Self {
        Self {
            conversation: manner.conversation,
            manner,
            question: None,
            faults: 0,
            agents: Agents::default(),
            lang: None,
            last: None,
            turn: None,
            chips: Vec::new(),
        }
    }

    /// The next line; agents that are at work are shown meanwhile.
    async fn next(
        &mut self,
        talk: &Talk,
        input: &mut Input<impl AsyncBufRead + Unpin>,
        out: &mut impl Write,
    ) -> std::io::Result<Option<String>> {
        while self.manner.person && !self.manner.json && self.agents.at_work() {
            tokio::select! {
                line = input.next() => return line,
                () = tokio::time::sleep(LOOK) => {}
            }
            // Beside a line that is being typed there is a way of its own.
            let mut news = Vec::new();
            self.agents
                .look(talk, self.manner.colour, &mut news)
                .await?;
            let above = match input {
                Input::Typed(typed) => typed.aside(&String::from_utf8_lossy(&news)),
                Input::Piped(_) => false,
            };
            if !above {
                out.write_all(&news)?;
                out.flush()?;
            }
        }
        input.next().await
    }

    async fn look(&mut self, talk: &Talk, out: &mut impl Write) -> std::io::Result<()> {
        self.agents.look(talk, self.manner.colour, out).await?;
        out.flush()
    }

    /// Waits for the answer of a turn, and shows what agents do meanwhile.
    async fn answer(
        &mut self,
        talk: &Talk,
        asked: &Asked,
        out: &mut impl Write,
    ) -> std::io::Result<Result<String, TalkFault>> {
        let saying = talk.say(asked.request.clone(), &asked.key);
        tokio::pin!(saying);
        if self.manner.json {
            return Ok(saying.await);
        }
        let began = Instant::now();
        let turns = self.manner.person && self.manner.colour == Colour::On;
        let mut looked = began;
        let said = loop {
            let pause = if turns { SPIN } else { LOOK };
            tokio::select! {
                said = &mut saying => break said,
                () = tokio::time::sleep(pause) => {}
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                if turns {
                    person::spun(out)?;
                }
                self.look(talk, out).await?;
            }
            if turns {
                person::spin(out, began.elapsed())?;
            }
        };
        if turns {
            person::spun(out)?;
        }
        self.look(talk, out).await?;
        Ok(said)
    }

    async fn turn(
        &mut self,
        talk: &Talk,
        message: &str,
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        let asked = Asked {
            request: self.request(message),
            key: self.manner.ids.next().to_string(),
            answered: false,
        };
        self.ask(talk, asked, out).await
    }

    /// The same once more. What got no answer is asked under its own key, so that it runs once.
    async fn again(&mut self, talk: &Talk, out: &mut impl Write) -> std::io::Result<()> {
        let Some(mut asked) = self.last.clone() else {
            return show::fault(out, self.manner.colour, "Nothing was asked yet.");
        };
        if asked.answered {
            asked.key = self.manner.ids.next().to_string();
            asked.request.conversation_id = self.conversation;
        }
        asked.answered = false;
        self.ask(talk, asked, out).await
    }

    async fn ask(
        &mut self,
        talk: &Talk,
        asked: Asked,
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        let answer = self.answer(talk, &asked, out).await?;
        let lost = |fault: &TalkFault| fault.body.get("code") == Some(&"unreachable".into());
        let answered = !matches!(&answer, Err(fault) if lost(fault));
        self.last = Some(Asked { answered, ..asked });
        match answer {
            Ok(text) => {
                let reply: Value = serde_json::from_str(&text).unwrap_or_default();
                self.remember(&reply);
                if self.manner.json {
                    writeln!(out, "{text}")
                } else if self.manner.person {
                    person::reply(out, self.manner.colour, &reply, &mut self.chips)
                } else {
                    show::reply(out, self.manner.colour, &reply)
                }
            }
            Err(fault) => {
                // A message that nobody could answer was kept: the next one goes on from it.
                self.remember(&fault.body);
                self.fault(&fault, out)?;
                if !answered && self.manner.person {
                    writeln!(out, "/again asks once more; it runs once, however often.")?;
                }
                Ok(())
            }
        }
    }

    /// Shows how the last reply came about.
    async fn audit(&mut self, talk: &Talk, out: &mut impl Write) -> std::io::Result<()> {
        let Some(turn) = self.turn else {
            return show::fault(out, self.manner.colour, "Nothing was answered yet.");
        };
        match talk.account(turn).await {
            Ok(account) if self.manner.json => writeln!(out, "{account}"),
            Ok(account) => person::account(out, self.manner.colour, &account),
            Err(fault) => self.fault(&fault, out),
        }
    }

    /// A receipt by its number, the last one if none is given.
    async fn receipt(
        &mut self,
        talk: &Talk,
        number: &str,
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        let at = match number {
            "" => self.chips.len().checked_sub(1),
            number => number.parse::<usize>().ok().and_then(|n| n.checked_sub(1)),
        };
        let chip = at.and_then(|at| self.chips.get(at)).cloned();
        let id = chip.as_ref().and_then(|chip| chip.id.parse().ok());
        let (Some(chip), Some(id)) = (chip, id) else {
            let words = match self.chips.len() {
                0 => "No receipt was shown yet.".to_owned(),
                count => format!("Receipts 1 to {count} were shown."),
            };
            return show::fault(out, self.manner.colour, &words);
        };
        match talk.proof(id).await {
            Ok(proof) if self.manner.json => writeln!(out, "{proof}"),
            Ok(proof) => person::receipt(out, self.manner.colour, &chip, &proof),
            Err(fault) => self.fault(&fault, out),
        }
    }

    fn lang(&mut self, word: &str, out: &mut impl Write) -> std::io::Result<()> {
        match word {
            "auto" => self.lang = None,
            word => match Lang::known(word) {
                Some(lang) => self.lang = Some(lang),
                None => {
                    let fault = format!("/lang takes one of {}.", Lang::CHOICES);
                    return show::fault(out, self.manner.colour, &fault);
                }
            },
        }
        writeln!(
            out,
            "{}",
            localized!(self.lang.unwrap_or_default(), "all-right")
        )
    }

    fn begin_anew(&mut self, out: &mut impl Write) -> std::io::Result<()> {
        (self.conversation, self.question) = (None, None);
        writeln!(out, "A new conversation.")
    }

    async fn tasks(&mut self, talk: &Talk, out: &mut impl Write) -> std::io::Result<()> {
        match talk.tasks().await {
            Ok(tasks) if self.manner.json => writeln!(out, "{}", Value::Array(tasks)),
            Ok(tasks) => show::tasks(out, self.manner.colour, &tasks),
            Err(fault) => self.fault(&fault, out),
        }
    }

    fn fault(&mut self, fault: &TalkFault, out: &mut impl Write) -> std::io::Result<()> {
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
            language_hint: self.lang.map(|lang| lang.code().to_owned()),
            timezone: self.manner.timezone.clone(),
        }
    }

    fn remember(&mut self, reply: &Value) {
        let id = |pointer: &str| reply.pointer(pointer).and_then(Value::as_str);
        if let Some(conversation) = id("/conversation_id").and_then(|text| text.parse().ok()) {
            self.conversation = Some(conversation);
        }
        if let Some(turn) = id("/turn_id").and_then(|text| text.parse().ok()) {
            self.turn = Some(turn);
        }
        if !self.manner.person {
            self.chips.extend(Chip::of_reply(reply));
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
        Session::new(Manner {
            person: false,
            colour: Colour::Off,
            json: false,
            timezone: None,
            conversation: None,
            ids: IdSource::random(),
        })
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
