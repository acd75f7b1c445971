//! View of a running server for the operator: keeps its figures, and sends its traces.

use std::time::Duration;

use anyhow::Result;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::config::ConfigError;
use crate::store::Store;
use crate::telemetry::trace::{self, SpanCollection, TraceSettings};
use crate::telemetry::{self, Meters};

/// Interval at which the database is looked at, and measurements are put into their buckets.
const EVERY: Duration = Duration::from_secs(5);

/// Longest time the database may take to say what waits in it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Longest time the last spans may take to leave.
const FLUSH: Duration = Duration::from_secs(2);

/// Begins to send traces where the configuration says so.
pub(super) async fn traces(settings: Option<&TraceSettings>) -> Result<Option<SpanCollection>> {
    let Some(settings) = settings.cloned() else {
        return Ok(None);
    };
    // Its client has a thread of its own, which it waits for.
    let started = tokio::task::spawn_blocking(|| trace::start(settings)).await?;
    let collecting = started.map_err(|fault| {
        let accepted = "an address such as http://localhost:4318";
        ConfigError::new("OTEL_EXPORTER_OTLP_ENDPOINT", fault, accepted)
    })?;
    Ok(Some(collecting))
}

/// Sends the traces that are left.
pub(super) async fn send_last(collecting: Option<SpanCollection>) {
    if let Some(collecting) = collecting {
        // It may only have been cut short, which it says itself.
        let _ = tokio::task::spawn_blocking(|| collecting.end(FLUSH)).await;
    }
}

/// Begins to count, and to look after what is counted until it is aborted.
pub(super) fn figures(store: Store) -> Result<JoinHandle<()>> {
    let meters = telemetry::start(store.kind())?;
    Ok(tokio::spawn(async move {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            look(&store, meters).await;
        }
    }))
}

async fn look(store: &Store, meters: &Meters) {
    let ready = timeout(PATIENCE, store.health()).await;
    let ready = ready.is_ok_and(|health| health.is_ok_and(|health| health.is_ready()));
    meters.ready(ready);
    if ready && let Ok(Ok(waiting)) = timeout(PATIENCE, store.waiting()).await {
        meters.waiting(&waiting);
    }
}
