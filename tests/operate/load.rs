//! `candor bench`, for a moment: what it measures is right, and adds up.

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
