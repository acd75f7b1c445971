//! The simulator's short form: a few thousand hostile turns of fixed seeds, and the bugs that it
//! must catch. `tests/simulator/command.rs` plays a million.

#![cfg(test)]

#[path = "simulator/closed.rs"]
mod closed;
#[path = "simulator/gates.rs"]
mod gates;
#[path = "simulator/mod.rs"]
mod simulator;

use candor::reminders::PlantedInScheduler;
use gates::{AnyReceipt, AnyTarget, OffAfterATool, SilentOnCutTurns};
use simulator::run::{Until, run};
use simulator::world::{Plan, Wrong};

#[test]
fn nothing_false_unasked_or_lost_in_the_first_worlds() {
    let tally = run(
        1,
        Until {
            seed: 300,
            turns: u64::MAX,
        },
        2,
        &Plan::SOUND,
        &|_| true,
    );
    let words: String = tally
        .findings
        .iter()
        .map(|(seed, words)| format!("--- seed {seed}\n{words}"))
        .collect();
    assert!(!tally.is_broken(), "{words}\n{}", tally.summary());
    assert!(tally.honest > 300, "{}", tally.summary());
}

#[test]
fn a_seed_replays_to_the_letter() {
    let story = |seed| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        let played = runtime.unwrap().block_on(async {
            let store = simulator::world::database().await;
            simulator::world::play(&store, seed, &Plan::SOUND, true).await
        });
        played.story
    };
    assert_eq!(story(7), story(7));
    assert_ne!(story(7), story(8));
}

/// A planted bug is found within the short form, and as what it is.
#[track_caller]
fn catches(plan: &Plan, kind: Wrong) {
    let tally = run(
        1,
        Until {
            seed: 300,
            turns: u64::MAX,
        },
        2,
        plan,
        &|tally| tally.count(kind) == 0,
    );
    assert!(
        tally.count(kind) > 0,
        "it was not noticed: {}",
        tally.summary()
    );
    let named = format!("{kind:?} in turn");
    let mut findings = tally.findings.iter();
    let (seed, words) = findings
        .find(|(_, words)| words.contains(&named))
        .expect("the world in words");
    eprintln!("caught: seed {seed}\n{words}");
}

#[test]
fn a_guard_that_is_off_once_a_tool_ran_is_caught() {
    let gates = || Box::new(OffAfterATool::default()) as _;
    catches(
        &Plan {
            gates,
            ..Plan::SOUND
        },
        Wrong::Ghost,
    );
}

#[test]
fn a_receipt_of_an_earlier_turn_taken_as_proof_is_caught() {
    let gates = || Box::new(AnyReceipt::default()) as _;
    catches(
        &Plan {
            gates,
            ..Plan::SOUND
        },
        Wrong::Ghost,
    );
}

#[test]
fn a_target_that_is_not_checked_is_caught() {
    let gates = || Box::new(AnyTarget) as _;
    catches(
        &Plan {
            gates,
            ..Plan::SOUND
        },
        Wrong::Unlicensed,
    );
}

#[test]
fn a_cut_turn_that_is_never_told_is_caught() {
    let gates = || Box::new(SilentOnCutTurns) as _;
    catches(
        &Plan {
            gates,
            ..Plan::SOUND
        },
        Wrong::Lost,
    );
}

#[test]
fn a_reply_before_the_commit_is_caught() {
    let plan = Plan {
        acked_only: true,
        ..Plan::SOUND
    };
    catches(&plan, Wrong::Ghost);
}

#[test]
fn a_reminder_that_is_marked_before_it_is_sent_is_caught() {
    let plan = Plan {
        scheduler: Some(PlantedInScheduler::MarkedFirst),
        ..Plan::SOUND
    };
    catches(&plan, Wrong::Lost);
}
