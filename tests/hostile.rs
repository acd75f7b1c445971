//! A model that lies in every way we could think of, against the whole chat service: not one
//! false sentence, false receipt or unasked change gets through, and the honest turns beside
//! them are all served.
//!
//! The rows are data, the judge is an oracle of its own; it is shown below that it can fail.

#![cfg(test)]

#[path = "support/openai.rs"]
mod openai;
#[path = "support/server.rs"]
mod server;
#[path = "hostile/mod.rs"]
mod suite;

use std::sync::Arc;
use std::time::Instant;

use suite::rows;
use suite::stage::Stage;
use suite::verdict::Tally;
use tokio::task::JoinSet;

/// Rows that are played at once.
const ABREAST: usize = 32;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_false_and_nothing_unasked_gets_through() {
    let began = Instant::now();
    let stage = Arc::new(Stage::new().await);
    let mut tally = Tally::default();
    let mut waiting = rows::all().into_iter().enumerate();
    let mut running = JoinSet::new();
    loop {
        while running.len() < ABREAST
            && let Some((number, row)) = waiting.next()
        {
            let stage = Arc::clone(&stage);
            running.spawn(async move {
                let played = stage.play(&row, number).await;
                (number, row, played)
            });
        }
        let Some(done) = running.join_next().await else {
            break;
        };
        let (_, row, played) = done.unwrap();
        tally.judge(&row, &played);
    }
    tally.report.sort();
    eprintln!("{} in {:.1?}", tally.summary(), began.elapsed());
    assert!(
        tally.report.is_empty(),
        "{}\n{}",
        tally.report.concat(),
        tally.summary()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_through_the_front_door() {
    let wrong = suite::over_http::play().await;
    assert!(wrong.is_empty(), "{}", wrong.concat());
}
