//! `candor bench`, for a moment: what it measures is right, and adds up.
//!
//! What a machine under other load measures in a second is no verdict on the server: here the
//! exit status must be what the figures say, and the judges have tests of their own.

use serde_json::Value;

use crate::support::server::run;

#[test]
fn the_load_command_measures_a_server_whose_rows_and_replies_agree() {
    let arguments = [
        "bench",
        "--clients",
        "1,3",
        "--seconds",
        "1",
        "--warm-up",
        "0",
        "--json",
    ];
    let ran = run(None, &[], &arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let floors = report["floors"].as_array().unwrap();
    assert_eq!(floors.len(), 2);
    for (floor, clients) in floors.iter().zip([1, 3]) {
        assert_eq!(floor["clients"], clients);
        for of in ["echo", "commit"] {
            let (rate, took) = (&floor[of]["per_second"], &floor[of]["ms"]);
            assert!(rate.as_f64().unwrap() > 0.0, "{floor}");
            let (p50, p999) = (
                took["p50"].as_f64().unwrap(),
                took["p999"].as_f64().unwrap(),
            );
            assert!(0.0 < p50 && p50 <= p999, "{floor}");
        }
    }
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    for (run, clients) in runs.iter().zip([1, 3]) {
        assert_eq!(run["clients"], clients);
        let number = |name: &str| run[name].as_f64().unwrap();
        assert!(number("turns") >= 1.0, "{run}");
        assert!(number("turns_per_second") > 0.0);
        assert_eq!(run["wrong_replies"], 0);
        assert!(run["agreement"]["receipts"].as_u64().unwrap() >= 1, "{run}");
        for fault in ["lost", "untold", "doubled", "uneven"] {
            assert_eq!(run["agreement"][fault], 0, "{run}");
        }
        let (whole, own) = (&run["whole_ms"], &run["own_ms"]);
        assert!(own["p50"].as_f64() <= whole["p50"].as_f64(), "{run}");
        assert!(whole["p50"].as_f64() <= whole["p999"].as_f64(), "{run}");
        // A plain command is one commit, and the model is asked once or, where it errs, twice.
        assert!((0.9..1.1).contains(&number("commits_per_turn")), "{run}");
        assert!(
            (1.0..2.0).contains(&number("model_calls_per_turn")),
            "{run}"
        );
        assert!(number("model_bytes_per_turn") > 1000.0);
        assert!(number("server_memory_mb") > 1.0);
        // Some receipts and events, and not the whole empty file.
        let disk = number("disk_bytes_per_turn");
        assert!((1_000.0..100_000.0).contains(&disk), "{run}");
    }
}

/// Runs it, and gives its report, whose word on whether all holds is the exit status.
fn report(arguments: &[&str]) -> Value {
    let arguments = [&["bench"], arguments, &["--json"]].concat();
    let ran = run(None, &[], &arguments);
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let sound = report["sound"].as_bool().unwrap();
    assert_eq!(ran.code, Some(i32::from(!sound)), "{report}");
    assert_eq!(report["wrong_replies"], 0, "{report}");
    let receipts = &report["agreement"]["receipts"];
    assert!(receipts.as_u64().unwrap() >= 1, "{report}");
    for fault in ["lost", "untold", "doubled", "uneven"] {
        assert_eq!(report["agreement"][fault], 0, "{report}");
    }
    report
}

#[track_caller]
fn number(of: &Value, name: &str) -> f64 {
    of[name].as_f64().unwrap_or_else(|| panic!("{name}: {of}"))
}

#[test]
fn a_soak_plays_its_turns_and_looks_at_memory_disk_and_log() {
    let report = report(&["--soak", "400", "--users", "9", "--clients", "3"]);
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

#[test]
fn a_crowd_is_there_and_the_rest_is_measured_beside_it() {
    let line = "--crowd --rate 50 --clients 4 --seconds 1 --warm-up 0 --rounds 1";
    let report = report(&line.split(' ').collect::<Vec<_>>());
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

#[test]
fn a_user_who_has_much_is_measured_beside_one_who_has_little() {
    let line = "--grown --tasks 300 --messages 40 --users 20 --events 400 --seconds 1 --warm-up 0 \
                --rounds 1";
    let report = report(
        &line
            .split(' ')
            .filter(|it| !it.is_empty())
            .collect::<Vec<_>>(),
    );
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
