//! The runs of `benches/endurance`, for a moment: what they measure is right, and adds up.
//!
//! What a machine under other load measures in a second is no verdict on the server: here the
//! verdict must be what the figures say, and the judges have tests of their own.

#[path = "../../benches/endurance/mod.rs"]
mod runs;

use std::path::Path;

use clap::Parser;
use serde_json::Value;

#[derive(Debug, Parser)]
struct Line {
    #[command(subcommand)]
    run: runs::Run,
}

/// Plays a run, and gives its report, whose word on whether all holds is the verdict.
async fn report(line: &str) -> Value {
    let words = ["endurance"].into_iter().chain(line.split_whitespace());
    let run = Line::parse_from(words).run;
    let measuring = runs::Measuring {
        json: true,
        ..runs::Measuring::default()
    };
    let mut out = Vec::new();
    let server = Path::new(env!("CARGO_BIN_EXE_candor"));
    let sound = runs::run(server, &run, &measuring, &mut out).await.unwrap();
    let report: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(report["sound"], sound, "{report}");
    assert_eq!(report["wrong_replies"], 0, "{report}");
    let receipts = &report["agreement"]["receipts"];
    assert!(receipts.as_u64().unwrap() >= 1, "{report}");
    for fault in ["lost", "untold", "doubled", "uneven"] {
        assert_eq!(report["agreement"][fault], 0, "{report}");
    }
    report
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let run = Line::parse_from(["endurance", "soak", "4"]).run;
    let missing = Path::new("no/such/candor");
    let ran = runs::run(missing, &run, &runs::Measuring::default(), &mut Vec::new()).await;
    let fault = ran.unwrap_err().to_string();
    assert!(fault.contains("--server no/such/candor"), "{fault}");
    assert!(fault.contains("target/release/candor"), "{fault}");
}

#[track_caller]
fn number(of: &Value, name: &str) -> f64 {
    of[name].as_f64().unwrap_or_else(|| panic!("{name}: {of}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_soak_plays_its_turns_and_looks_at_memory_disk_and_log() {
    let report = report("soak 400 --users 9 --clients 3").await;
    assert_eq!(report["turns"], 400);
    let quarters = report["quarters"].as_array().unwrap();
    assert_eq!(quarters.len(), 4);
    let turns: f64 = quarters.iter().map(|it| number(it, "turns")).sum();
    assert!((turns - 400.0).abs() < 0.5, "{report}");
    for quarter in quarters {
        let memory = &quarter["memory_mb"];
        assert!(number(memory, "median") > 1.0, "{report}");
        assert!(number(memory, "median") <= number(memory, "max"));
    }
    let ratio = number(&report["memory"], "ratio");
    let flat = report["sound"].as_bool().unwrap();
    assert_eq!(flat, ratio <= 1.05, "all else holds: {report}");
    assert_eq!(report["chain"]["holds"], true, "{report}");
    assert!(number(&report, "disk_bytes_per_turn") > 1_000.0);
    // A turn and its reply at least.
    assert!((2.0..6.0).contains(&number(&report, "events_per_turn")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_is_there_and_the_rest_is_measured_beside_it() {
    let line = "contention --rate 50 --clients 4 --seconds 1 --warm-up 0 --rounds 1";
    let report = report(line).await;
    let beside = report["beside"].as_array().unwrap();
    let meant = [
        ("slow clients", 64),
        ("idle streams", 1_000),
        ("a model that hangs", 256),
    ];
    assert_eq!(beside.len(), meant.len());
    for (beside, (name, count)) in beside.iter().zip(meant) {
        assert_eq!(beside["disturbance"], name);
        assert_eq!(beside["happened"]["there"], count, "{beside}");
        assert_eq!(beside["happened"]["refused"], 0, "{beside}");
        for part in ["alone", "disturbed"] {
            assert!(number(&beside[part], "turns") > 1.0, "{beside}");
        }
        let within = |name: &str| number(beside, name) <= 2.0;
        let holds = within("whole_ratio") && within("own_ratio");
        assert_eq!(beside["holds"], holds, "{beside}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_who_has_much_is_measured_beside_one_who_has_little() {
    let line = "large-data --tasks 300 --messages 40 --users 20 --events 400 --seconds 1 \
                --warm-up 0 --rounds 1";
    let report = report(line).await;
    // Others' events, and those of three lists: ten, fifty and three hundred tasks.
    assert_eq!(report["events"], 400 + (2 + 20) + (2 + 100) + (3 * 2 + 600));
    let measured = report["measured"].as_array().unwrap();
    assert_eq!(measured.len(), 4);
    for it in measured {
        assert!(number(it, "turns") > 1.0, "{report}");
        assert!(number(it, "model_bytes_per_turn") > 1_000.0);
    }
    let (few, much) = (&measured[0]["own_ms"], &measured[3]["own_ms"]);
    let ratio = number(much, "p50") / number(few, "p50");
    let verdict = &report["verdict"];
    assert!((number(verdict, "own_p50_ratio") - ratio).abs() < 1e-9);
    let ratios = ["own_p50_ratio", "own_p99_ratio", "prompt_ratio"];
    let holds = ratios.iter().all(|name| number(verdict, name) <= 1.5);
    assert_eq!(report["sound"], holds, "{report}");
    assert!(number(&report, "first_turn_ms") > 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn reminders_that_wait_and_that_are_due_are_measured() {
    let report = report("reminders --waiting 600 --due 40 --idle 1 --rate 20").await;
    assert_eq!(report["delivered"], 40, "{report}");
    let late = ["late_p50_ms", "late_p99_ms", "late_max_ms"].map(|name| number(&report, name));
    assert!(late.is_sorted(), "{report}");
    for part in ["alone", "meanwhile"] {
        assert!(number(&report[part], "turns") > 1.0, "{report}");
    }
    let p50 = |part: &str| number(&report[part]["whole_ms"], "p50");
    let ratio = number(&report, "whole_p50_ratio");
    assert!((ratio - p50("meanwhile") / p50("alone")).abs() < 1e-9);
    let idle = report["idle_share"].as_f64();
    let holds = idle.is_none_or(|share| share < 0.01) && late[1] <= 5_000.0 && ratio <= 1.5;
    assert_eq!(report["sound"], holds, "{report}");
}

#[test]
fn command_lines() {
    let check = |line: &str, expect: bool| {
        let parsed = Line::try_parse_from(line.split(' '));
        assert_eq!(parsed.is_ok(), expect, "{line}: {parsed:?}");
    };
    check("endurance soak", true);
    check("endurance soak 0", false);
    check("endurance soak --rounds 2", false);
    check("endurance contention --rate 100 --seconds 5", true);
    check("endurance contention --tasks 1000", false);
    check("endurance large-data --rounds 0", false);
    check("endurance reminders --waiting 100 --due 0", false);
}
