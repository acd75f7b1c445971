//! Answer to one request: its turn, run anew when another hand was faster.

use tracing::Instrument;

use super::effects::{Effect, Effects};
use super::{AttemptFault, TurnMachine, TurnTiming};
use crate::chat::input::TurnInput;
use crate::chat::progress::ProgressEvent;
use crate::chat::service::TurnRules;
use crate::chat::{ChatAnswer, ChatError};
use crate::domain::TurnId;
use crate::guard::CheckedReply;
use crate::store::UserSnapshot;
use crate::telemetry;
use crate::telemetry::trace::{SpanKind, TraceSpan, names};

/// Name of this program among agents.
const AGENT: &str = "candor";
/// Number of tries of a turn, which is run anew when another hand was faster.
const TRIES: usize = 8;

/// Answers a request.
pub(in crate::chat) async fn answer(
    rules: &TurnRules,
    input: &TurnInput,
    effects: Effects,
) -> Result<ChatAnswer, ChatError> {
    let mut tries = 0;
    while tries < TRIES {
        let snapshot = snapshot(input, &effects, tries).await?;
        if let Some(replayed) = replayed(&snapshot, input)? {
            return Ok(replayed);
        }
        if let Some(open) = snapshot.open {
            let open = Box::new(open);
            effects
                .ask(|answer| Effect::AttendTurn(open, answer))
                .await?;
            continue;
        }
        tries += 1;
        if snapshot.conversation.is_none() && !input.fresh && !input.begins {
            return Err(ChatError::UnknownConversation);
        }
        let turn = TurnId::new(rules.ids.next());
        let span = tracing::info_span!(
            "turn",
            user = %input.user,
            conversation = %input.conversation,
            turn = %turn,
            model = tracing::field::Empty,
            tools = tracing::field::Empty,
            kind = tracing::field::Empty,
            outcome = tracing::field::Empty,
        );
        let seen = agent_span(input, turn);
        let attempt = async {
            let mut machine = TurnMachine::new(rules, input, snapshot, turn, effects.clone())?;
            machine.work.unit = machine.work.unit.opening();
            machine.watch.progress.tell(|| ProgressEvent::Began {
                turn,
                conversation: input.conversation,
            });
            machine.run().await
        };
        let ended = seen.run(attempt.instrument(span)).await;
        if let Err(AttemptFault::Failed(error)) = &ended {
            seen.fail(error.word());
        }
        seen.end();
        match ended {
            Ok(answered) => return Ok(answered),
            Err(AttemptFault::Failed(error)) => return Err(error),
            Err(AttemptFault::TakenOver) if input.keyed.is_none() => return Err(taken_over()),
            // Decided anew; or the answer stands under the key.
            Err(AttemptFault::Overtaken | AttemptFault::TakenOver) => {}
        }
    }
    Err(ChatError::Conflict(
        "your list kept being changed meanwhile: nothing was changed by this message, try again"
            .to_owned(),
    ))
}

/// Recalls what this process remembers, where nothing speaks against it, or reads. A turn that
/// memory misled wrote nothing, and its next try reads; so does one whose key may have an answer,
/// and one that answers a question, which might be refused because of what memory lacks.
async fn snapshot(
    input: &TurnInput,
    effects: &Effects,
    tries: usize,
) -> Result<UserSnapshot, ChatError> {
    let conversation = (!input.fresh).then_some(input.conversation);
    if tries == 0 && input.keyed.is_none() && input.answer.is_none() {
        let recall = |answer| Effect::RecallSnapshot(conversation, answer);
        if let Some(recalled) = effects.ask(recall).await {
            return Ok(recalled);
        }
    }
    let key = input.keyed.as_ref().map(|(key, _)| key.clone());
    let load = |answer| Effect::LoadSnapshot(conversation, key, answer);
    Ok(effects.ask(load).await?)
}

/// The span of one turn.
fn agent_span(input: &TurnInput, turn: TurnId) -> TraceSpan {
    let span = TraceSpan::begin(SpanKind::Internal, || {
        format!("{} {AGENT}", names::INVOKE_AGENT)
    });
    if span.is_seen() {
        span.set(names::OPERATION, names::INVOKE_AGENT);
        span.set(names::AGENT_NAME, AGENT);
        span.set(names::CONVERSATION, input.conversation.to_string());
        span.set(names::TURN_ID, turn.to_string());
    }
    span
}

fn replayed(snapshot: &UserSnapshot, input: &TurnInput) -> Result<Option<ChatAnswer>, ChatError> {
    let (Some(stored), Some((_, fingerprint))) = (&snapshot.keyed, &input.keyed) else {
        return Ok(None);
    };
    if stored.fingerprint != *fingerprint {
        return Err(ChatError::KeyReused);
    }
    if stored.is_claim() {
        // The turn that holds it is looked at; one that left no trace was begun by an earlier
        // release.
        let key = snapshot.open.as_ref().and_then(|open| open.key.as_ref());
        return match key {
            Some(key) if *key == stored.key => Ok(None),
            _ => Err(ChatError::Running),
        };
    }
    let reply = CheckedReply::replay(stored.clone());
    if let Some(meters) = telemetry::meters() {
        meters.replay();
    }
    Ok(Some(ChatAnswer::new(
        &reply,
        TurnTiming::since(input.started),
    )))
}

/// Said to a client whose turn another process ended, since this one had fallen silent.
fn taken_over() -> ChatError {
    ChatError::Conflict(
        "this message took too long and was ended: what it did is told in its conversation"
            .to_owned(),
    )
}
