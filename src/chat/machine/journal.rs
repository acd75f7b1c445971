//! The journal of a turn that has changed something and has no reply yet: what is needed to tell
//! what it did, should its process die.
//!
//! Nothing runs from it. It holds the model's answers too, each before a tool of it runs, so
//! that the log says what a cut turn was about to do; but what was not done is left to the user,
//! who may want something else by now.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::TurnMachine;
use super::effects::Effect;
use crate::domain::{ErrorType, Lang, Moment, ToolError};
use crate::guard::tells_of_cut_turn;
use crate::intent::Reading;
use crate::locales::localized;
use crate::store::{OpenJournal as Row, OpenWrite, QuestionWrite, Receipt, StoreError};
use crate::turn::{CallResult, LedgerEntry, LeftOut};

/// Record that is kept of a turn, as JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::chat) struct TurnJournal {
    /// Words of the user, as they will stand in the conversation.
    pub said: String,
    /// The language of the reply.
    pub lang: Lang,
    /// The day it was for the user.
    pub today: NaiveDate,
    /// Their zone.
    pub zone: String,
    /// Account of the turn for the log: message, prompt, answers of the model.
    pub event: Value,
    /// The rest, in the form of the release that wrote it: one that can't be read is left out.
    #[serde(default)]
    pub state: Value,
}

/// Part that only the release that wrote it is sure to read.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct JournalState {
    reading: Reading,
    words: String,
    entries: Vec<LedgerEntry>,
    dropped: Vec<String>,
    #[serde(default)]
    left_out: Vec<LeftOut>,
    question_closed: bool,
    model: Option<String>,
    model_calls: u32,
    /// The language of the words.
    #[serde(default)]
    words_lang: Option<Lang>,
}

impl TurnJournal {
    /// Reads one. What can't be read tells nothing but that there was a turn: its receipts are
    /// told all the same.
    pub(in crate::chat) fn read(text: &str, now: Moment) -> Self {
        serde_json::from_str(text).unwrap_or_else(|error| {
            tracing::error!(%error, "the journal of a turn can't be read");
            Self {
                said: "…".to_owned(),
                lang: Lang::default(),
                today: now.today,
                zone: now.zone.name().to_owned(),
                event: serde_json::json!({ "source": "chat", "journal": text }),
                state: Value::Null,
            }
        })
    }
}

impl TurnMachine<'_> {
    /// The row of this turn, as its next commit is to leave it.
    pub(super) fn open_row(&self) -> OpenWrite {
        let row = Row {
            owner: self.rules.owner.clone(),
            key: self.input.keyed.as_ref().map(|(key, _)| key.clone()),
            text: self.journal(),
        };
        if self.row.open {
            OpenWrite::Keep(row)
        } else {
            OpenWrite::Begin(row)
        }
    }

    /// Tells how far the turn came.
    pub(super) fn journal(&self) -> String {
        let state = JournalState {
            reading: self.intent.completed.reading.clone(),
            words: self.intent.completed.words.clone(),
            entries: self.work.ledger.entries().to_vec(),
            dropped: self.work.ledger.dropped.clone(),
            left_out: self.work.ledger.left_out.clone(),
            question_closed: self.conversation.question != QuestionWrite::Keep,
            model: self.talk.model.clone(),
            model_calls: self.talk.calls,
            words_lang: Some(self.conversation.frame.lang.unwrap_or_default()),
        };
        let journal = TurnJournal {
            said: self.said(),
            lang: self.intent.speech,
            today: self.input.moment.today,
            zone: self.input.moment.zone.name().to_owned(),
            event: self.turn_event().payload,
            state: serde_json::to_value(state).unwrap_or_default(),
        };
        serde_json::to_string(&journal).unwrap_or_default()
    }

    /// From the second round on the model's answer is kept before any tool of it runs. False:
    /// somebody has ended the turn.
    pub(super) async fn journal_answer(&self) -> Result<bool, StoreError> {
        if !self.row.open {
            return Ok(true);
        }
        let (turn, journal) = (self.work.turn, self.journal());
        self.effect(|answer| Effect::KeepJournal(turn, journal, answer))
            .await
    }

    /// Takes up a turn that was cut off where its receipts say that it stood.
    pub(in crate::chat) fn resume(
        &mut self,
        journal: TurnJournal,
        receipts: Vec<Receipt>,
        (beats, told): (i64, bool),
    ) {
        self.row.taken = Some(beats);
        self.row.untold = !told;
        self.row.journaled = Some(journal.event);
        self.row.open = true;
        self.row.claimed = self.input.keyed.is_some();
        let count = receipts.len();
        let told = |receipt: &Receipt| tells_of_cut_turn(receipt.facts().reading.as_ref());
        if receipts.iter().any(told) {
            self.conversation.frame.cut = None;
        }
        self.work.ledger.seal(receipts);
        let mut entries = Vec::new();
        if let Ok(state) = serde_json::from_value::<JournalState>(journal.state) {
            self.intent.completed.reading = state.reading;
            self.intent.completed.words = state.words;
            self.work.ledger.dropped = state.dropped;
            self.work.ledger.left_out = state.left_out;
            if state.question_closed {
                self.conversation.question = QuestionWrite::Close;
            }
            self.talk.model = state.model;
            self.talk.calls = state.model_calls;
            let lang = state.words_lang.unwrap_or(journal.lang);
            self.conversation.frame.lang = Some(lang).filter(|lang| *lang != Lang::En);
            entries = state.entries;
        }
        // The receipts are what is true; a journal that does not fit them is not believed.
        entries.retain(|entry| match &entry.result {
            CallResult::Done(range) => range.end <= count,
            _ => true,
        });
        for proof in 0..count {
            let told = |entry: &LedgerEntry| matches!(&entry.result, CallResult::Done(range) if range.contains(&proof));
            if !entries.iter().any(told) {
                entries.push(LedgerEntry::own("turn", CallResult::Done(proof..proof + 1)));
            }
        }
        for entry in entries {
            self.work.ledger.push(entry);
        }
        self.work.logged = self.work.ledger.entries().len();
        let text = localized!(self.intent.speech, "cut-off");
        let error = ToolError::new(ErrorType::Interrupted, text);
        self.work
            .ledger
            .push(LedgerEntry::own("turn", CallResult::Failed(error)));
    }
}
