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
    let mut session = Session::new(talk, manner, out);
    if !session.manner.json {
        session.look().await?;
    }
    if session.manner.person && !session.manner.json {
        writeln!(session.out, "{HELP}")?;
    }
    loop {
        if session.manner.person && matches!(input, Input::Piped(_)) {
            write!(session.out, "> ")?;
            session.out.flush()?;
        }
        let Some(line) = session.next(&mut input).await? else {
            break;
        };
        let line = line.trim();
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "" => {}
            "/quit" | "/exit" => break,
            "/help" => writeln!(session.out, "{HELP}")?,
            "/tasks" => session.tasks().await?,
            "/undo" => session.turn("undo").await?,
            "/again" => session.again().await?,
            "/audit" => session.audit().await?,
            "/receipt" => session.receipt(rest.trim()).await?,
            "/lang" => session.lang(rest.trim())?,
            "/new" => session.begin_anew()?,
            command if command.starts_with('/') => {
                let words = format!(
                    "There is no {command}. Commands: /tasks, /undo, /receipt, /audit, /again, /lang, \
                     /new, /help, /quit."
                );
                show::fault(session.out, session.manner.colour, &words)?;
            }
            _ => session.turn(line).await?,
        }
        session.out.flush()?;
    }
    if session.manner.person {
        writeln!(session.out)?;
    }
    Ok(session.faults)
}

struct Session<'t, W> {
    talk: &'t Talk,
    out: &'t mut W,
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

impl<'t, W: Write> Session<'t, W> {
    fn new(talk: &'t Talk, manner: Manner, out: &'t mut W) -> Self {
        Self {
            talk,
            out,
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
        input: &mut Input<impl AsyncBufRead + Unpin>,
    ) -> std::io::Result<Option<String>> {
        while self.manner.person && !self.manner.json && self.agents.at_work() {
            tokio::select! {
                line = input.next() => return line,
                () = tokio::time::sleep(LOOK) => {}
            }
            // Beside a line that is being typed there is a way of its own.
            let mut news = Vec::new();
            self.agents
                .look(self.talk, self.manner.colour, &mut news)
                .await?;
            let above = match input {
                Input::Typed(typed) => typed.aside(&String::from_utf8_lossy(&news)),
                Input::Piped(_) => false,
            };
            if !above {
                self.out.write_all(&news)?;
                self.out.flush()?;
            }
        }
        input.next().await
    }

    async fn look(&mut self) -> std::io::Result<()> {
        self.agents
            .look(self.talk, self.manner.colour, self.out)
            .await?;
        self.out.flush()
    }

    /// Waits for the answer of a turn, and shows what agents do meanwhile.
    async fn answer(&mut self, asked: &Asked) -> std::io::Result<Result<String, TalkFault>> {
        let talk = self.talk;
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
                    person::spun(self.out)?;
                }
                self.look().await?;
            }
            if turns {
                person::spin(self.out, began.elapsed())?;
            }
        };
        if turns {
            person::spun(self.out)?;
        }
        self.look().await?;
        Ok(said)
    }

    async fn turn(&mut self, message: &str) -> std::io::Result<()> {
        let asked = Asked {
            request: self.request(message),
            key: self.manner.ids.next().to_string(),
            answered: false,
        };
        self.ask(asked).await
    }

    /// The same once more. What got no answer is asked under its own key, so that it runs once.
    async fn again(&mut self) -> std::io::Result<()> {
        let Some(mut asked) = self.last.clone() else {
            return show::fault(self.out, self.manner.colour, "Nothing was asked yet.");
        };
        if asked.answered {
            asked.key = self.manner.ids.next().to_string();
            asked.request.conversation_id = self.conversation;
        }
        asked.answered = false;
        self.ask(asked).await
    }

    async fn ask(&mut self, asked: Asked) -> std::io::Result<()> {
        let answer = self.answer(&asked).await?;
        let lost = |fault: &TalkFault| fault.body.get("code") == Some(&"unreachable".into());
        let answered = !matches!(&answer, Err(fault) if lost(fault));
        self.last = Some(Asked { answered, ..asked });
        match answer {
            Ok(text) => {
                let reply: Value = serde_json::from_str(&text).unwrap_or_default();
                self.remember(&reply);
                if self.manner.json {
                    writeln!(self.out, "{text}")
                } else if self.manner.person {
                    person::reply(self.out, self.manner.colour, &reply, &mut self.chips)
                } else {
                    show::reply(self.out, self.manner.colour, &reply)
                }
            }
            Err(fault) => {
                // A message that nobody could answer was kept: the next one goes on from it.
                self.remember(&fault.body);
                self.fault(&fault)?;
                if !answered && self.manner.person {
                    writeln!(
                        self.out,
                        "/again asks once more; it runs once, however often."
                    )?;
                }
                Ok(())
            }
        }
    }

    /// Shows how the last reply came about.
    async fn audit(&mut self) -> std::io::Result<()> {
        let Some(turn) = self.turn else {
            return show::fault(self.out, self.manner.colour, "Nothing was answered yet.");
        };
        match self.talk.account(turn).await {
            Ok(account) if self.manner.json => writeln!(self.out, "{account}"),
            Ok(account) => person::account(self.out, self.manner.colour, &account),
            Err(fault) => self.fault(&fault),
        }
    }

    /// A receipt by its number, the last one if none is given.
    async fn receipt(&mut self, number: &str) -> std::io::Result<()> {
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
            return show::fault(self.out, self.manner.colour, &words);
        };
        match self.talk.proof(id).await {
            Ok(proof) if self.manner.json => writeln!(self.out, "{proof}"),
            Ok(proof) => person::receipt(self.out, self.manner.colour, &chip, &proof),
            Err(fault) => self.fault(&fault),
        }
    }

    fn lang(&mut self, word: &str) -> std::io::Result<()> {
        match word {
            "auto" => self.lang = None,
            word => match Lang::known(word) {
                Some(lang) => self.lang = Some(lang),
                None => {
                    let fault = format!("/lang takes one of {}.", Lang::CHOICES);
                    return show::fault(self.out, self.manner.colour, &fault);
                }
            },
        }
        writeln!(
            self.out,
            "{}",
            localized!(self.lang.unwrap_or_default(), "all-right")
        )
    }

    fn begin_anew(&mut self) -> std::io::Result<()> {
        (self.conversation, self.question) = (None, None);
        writeln!(self.out, "A new conversation.")
    }

    async fn tasks(&mut self) -> std::io::Result<()> {
        match self.talk.tasks().await {
            Ok(tasks) if self.manner.json => writeln!(self.out, "{}", Value::Array(tasks)),
            Ok(tasks) => show::tasks(self.out, self.manner.colour, &tasks),
            Err(fault) => self.fault(&fault),
        }
    }

    fn fault(&mut self, fault: &TalkFault) -> std::io::Result<()> {
        self.faults += 1;
        if self.manner.json {
            writeln!(self.out, "{}", fault.body)
        } else {
            show::fault(self.out, self.manner.colour, &fault.detail)
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

    fn manner() -> Manner {
        Manner {
            person: false,
            colour: Colour::Off,
            json: false,
            timezone: None,
            conversation: None,
            ids: IdSource::random(),
        }
    }

    #[test]
    fn an_option_typed_out_is_its_button() {
        let user = crate::domain::UserId::parse("me").unwrap();
        let server = crate::terminal::Remote::new("http://127.0.0.1:9", &user, None).unwrap();
        let (talk, mut out) = (Talk::There(Box::new(server)), Vec::new());
        let mut session = Session::new(&talk, manner(), &mut out);
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
