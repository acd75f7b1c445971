//! The crash harnesses' short form: a few kills each, and the bugs that they must catch.
//! `tests/crash/command.rs` kills a thousand times.

#![cfg(test)]

#[path = "crash/mod.rs"]
mod crash;
#[path = "crash/losses.rs"]
mod losses;
#[path = "support/openai.rs"]
mod openai;
#[path = "support/server.rs"]
mod server;
#[path = "support/shim.rs"]
mod shim;

use std::time::Duration;

use crash::finding::Wrong;
use crash::reminders::{self, ReminderPlan};
use crash::site::Victim;
use crash::world::{Plan, Turns, run};

/// Kinds of turns that are played. `Turns::Rounds` joins when a turn that was cut between two
/// rounds is finished under its key.
const TURNS: &[Turns] = &[Turns::Plain, Turns::Rounds];

/// So many kills break nothing.
async fn survives(victim: Victim, kills: u64) {
    for turns in TURNS.iter().copied() {
        let plan = Plan {
            victim,
            turns,
            bug: None,
            kills,
            seed: 1,
        };
        let tally = run(&plan, &|tally| !tally.findings.is_empty()).await;
        let words: String = tally
            .findings
            .iter()
            .map(|(seed, finding)| format!("seed {seed}: {finding}\n"))
            .collect();
        assert!(tally.findings.is_empty(), "{words}{}", tally.summary());
        assert_eq!(tally.kills, kills);
        assert!(tally.acknowledged > kills, "{}", tally.summary());
        let alone = matches!(victim, Victim::Process | Victim::Power);
        assert_eq!(tally.while_starting > 0, alone, "{}", tally.summary());
        eprintln!("{turns:?}: {}", tally.summary());
    }
}

/// A planted bug is found, and as what it is; most often by the first kill.
async fn catches(victim: Victim, bug: &'static str, kind: Wrong) {
    let plan = Plan {
        victim,
        turns: Turns::Plain,
        bug: Some(bug),
        kills: 100,
        seed: 1,
    };
    let tally = run(&plan, &|tally| tally.count(kind) > 0).await;
    assert!(tally.count(kind) > 0, "{bug}: {}", tally.summary());
    eprintln!("caught {bug}: {}", tally.summary());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_loses_and_doubles_nothing() {
    survives(Victim::Process, 6).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_power_loss_loses_and_doubles_nothing() {
    survives(Victim::Power, 6).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_replica_loses_and_doubles_nothing() {
    survives(Victim::Replica, 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_postmaster_loses_and_doubles_nothing() {
    survives(Victim::Postmaster, 2).await;
}

/// Reminders that are set while something dies every second, and come due meanwhile.
const REMINDERS: ReminderPlan = ReminderPlan {
    victim: Victim::Process,
    bug: None,
    reminders: 200,
    seconds: 4,
    answer: Duration::from_millis(100),
    seed: 1,
};

/// All of them are delivered, and not too early.
async fn delivers(victim: Victim) {
    let plan = ReminderPlan {
        victim,
        ..REMINDERS
    };
    let tally = reminders::run(&plan).await;
    assert!(tally.findings.is_empty(), "{tally}: {:?}", tally.findings);
    assert_eq!(tally.set, plan.reminders);
    assert!(tally.kills >= 4, "{tally}");
    eprintln!("{victim:?}: {tally}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_loses_no_reminder() {
    delivers(Victim::Process).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_power_loss_loses_no_reminder() {
    delivers(Victim::Power).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_replica_loses_no_reminder() {
    delivers(Victim::Replica).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_that_is_marked_before_it_is_sent_is_caught() {
    let plan = ReminderPlan {
        bug: Some("marked-first"),
        // More are due than may wait for an answer at once: the others are marked and not sent yet.
        answer: Duration::from_secs(2),
        ..REMINDERS
    };
    let tally = reminders::run(&plan).await;
    let lost = tally.findings.iter();
    let lost = lost.filter(|finding| finding.kind == Wrong::Lost).count();
    assert!(lost > 0, "{tally}");
    eprintln!("caught marked-first: {lost} lost; {tally}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_before_the_commit_is_caught() {
    catches(Victim::Process, "early-answer", Wrong::Lost).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_written_apart_from_its_effect_is_caught() {
    catches(Victim::Process, "key-apart", Wrong::Doubled).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_does_not_wait_for_the_disk_is_caught() {
    catches(Victim::Power, "normal-sync", Wrong::Lost).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_before_the_commit_is_caught_when_postgresql_dies() {
    catches(Victim::Postmaster, "early-answer", Wrong::Lost).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_written_apart_from_its_effect_is_caught_among_replicas() {
    catches(Victim::Replica, "key-apart", Wrong::Doubled).await;
}
