//! A question of an agent to the user: the run waits, and goes on with the answer.
//!
//! The time it waits is nobody's budget. It keeps its lease meanwhile, so a request to stop is
//! heard, and a process that dies leaves it interrupted like any run.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::timeout;

use super::run_context::{RunContext, internal};
use crate::domain::{ErrorType, ToolError, masked};
use crate::store::{AgentQuestion, LeasedWrite};

/// Longest time that an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(60 * 60);
/// Interval at which it is looked for without being told to.
const LOOK: Duration = Duration::from_millis(500);

/// Waits for the answer to the question of the call that is under way: `{answer}`.
///
/// # Errors
/// `timeout` when nobody answers, `interrupted` when the run is over.
pub(super) async fn put(hands: &RunContext<'_>) -> Result<Value, ToolError> {
    let began = Instant::now();
    let answered = wait(hands).await;
    hands.tally.counted().waited += began.elapsed();
    answered
}

async fn wait(hands: &RunContext<'_>) -> Result<Value, ToolError> {
    let (store, ids) = (&hands.services.store, &hands.services.ids);
    let over = || ToolError::new(ErrorType::Interrupted, "The run is over");
    let now = || hands.services.now().instant;
    let mut watch = store.watch(&hands.lease.run.user_id);
    let asked = store.ask_user(hands.lease, now(), ids).await;
    if let LeasedWrite::Lost = asked.map_err(|error| internal(&error))? {
        return Err(over());
    }
    let until = Instant::now() + PATIENCE;
    loop {
        match store.asked(hands.lease).await {
            Ok(AgentQuestion::Open) => {}
            Ok(AgentQuestion::Over) => return Err(over()),
            Ok(AgentQuestion::Answered(answer)) => {
                return Ok(json!({"answer": masked(&answer), "from": "the user"}));
            }
            // The database comes back, or the lease runs out.
            Err(error) => tracing::debug!(%error, "an answer could not be looked for"),
        }
        if Instant::now() >= until {
            let given_up = store.ask_no_more(hands.lease, now(), ids).await;
            if let LeasedWrite::Yes(()) = given_up.map_err(|error| internal(&error))? {
                let text = "The user has not answered: go on without, or report";
                return Err(ToolError::new(ErrorType::Timeout, text));
            }
            continue;
        }
        let _ = timeout(LOOK, watch.changed()).await;
    }
}
