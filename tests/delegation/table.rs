//! Every requirement of the delegation design, with the tests that hold it.
//!
//! The numbers are the design's (D-001 to D-241, without those it leaves unused); a holder is
//! the name of a test, or the beginning of one (`a_03` is the third acceptance scenario).

#![cfg(test)]

use std::collections::BTreeMap;
use std::path::Path;

/// Numbers that the design leaves unused.
const UNUSED: [(u16, u16); 3] = [(102, 109), (145, 149), (188, 189)];

/// The last number.
const LAST: u16 = 241;

/// The file that holds the acceptance scenarios.
const SCENARIOS: &str = "tests/delegation.rs";

/// First number, last number, tests.
type Row = (u16, u16, &'static [&'static str]);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    (1, 1, &["a_11"]),
    (2, 3, &["a_01"]),
    (4, 4, &["a_03", "a_27"]),
    (5, 5, &["a_06", "a_27"]),
    (6, 6, &["a_06"]),
    (7, 10, &["a_01"]),
    (11, 12, &["a_01", "a_02"]),
    (13, 13, &["a_01", "a_11"]),
    (14, 14, &["a_01"]),
    (15, 15, &["a_01", "a_02"]),
    (16, 27, &["a_01"]),
    (28, 32, &["a_03"]),
    (33, 33, &["a_03", "a_28"]),
    (34, 38, &["a_03"]),
    (39, 39, &["a_03", "a_04"]),
    (40, 40, &["a_03", "a_05"]),
    (41, 42, &["a_03"]),
    (43, 43, &["a_03", "a_04", "the_queue_keeps_order_and_limits"]),
    (44, 45, &["a_03"]),
    (46, 46, &["a_04"]),
    (47, 47, &["a_05"]),
    (48, 52, &["a_01"]),
    (53, 55, &["a_01", "a_02"]),
    (56, 59, &["a_01"]),
    (60, 68, &["a_24"]),
    (69, 69, &["a_03"]),
    (70, 70, &["a_04"]),
    (71, 71, &["a_27"]),
    (72, 72, &["a_05"]),
    (73, 77, &["a_01"]),
    (78, 78, &["a_03"]),
    (79, 79, &["a_05"]),
    (80, 80, &["a_06"]),
    (81, 81, &["a_24"]),
    (82, 82, &["a_06"]),
    (83, 83, &["a_01"]),
    (84, 84, &["a_04"]),
    (85, 86, &["a_01"]),
    (87, 87, &["a_06"]),
    (88, 88, &["a_25"]),
    (89, 89, &["a_04"]),
    (90, 90, &["a_01", "a_05"]),
    (91, 92, &["a_01", "a_04"]),
    (93, 93, &["migrations_are_counted_and_run_once"]),
    (94, 94, &["a_24"]),
    (95, 95, &["a_30", "calls_are_found_and_counted"]),
    (96, 96, &["a_25"]),
    (97, 98, &["a_01"]),
    (99, 99, &["a_03", "a_04"]),
    (100, 101, &["a_01"]),
    (110, 110, &["a_03", "a_program_works_reads_and_reports"]),
    (111, 111, &["a_23"]),
    (112, 113, &["a_21"]),
    (114, 114, &["a_21", "a_30"]),
    (115, 115, &["a_21"]),
    (116, 116, &["a_20", "a_21"]),
    (117, 119, &["a_21"]),
    (120, 124, &["a_21", "a_22"]),
    (125, 125, &["a_15", "a_21", "a_22"]),
    (126, 127, &["a_21", "a_22"]),
    (128, 128, &["a_21", "a_22", "a_30", "what_was_lost_changes_nothing"]),
    (129, 129, &["a_21", "a_22"]),
    (130, 131, &["a_20", "a_22", "a_server_that_failed_is_used_again_once_it_answers_a_probe"]),
    (132, 132, &["a_22", "what_a_program_asks_leave_for_is_judged_by_the_bounds_of_its_run"]),
    (133, 133, &["a_15", "a_22"]),
    (134, 134, &["a_22", "a_30"]),
    (135, 135, &["a_22"]),
    (136, 136, &["a_19", "a_run_is_stopped", "a_program_that_hangs_is_stopped_with_all_it_began"]),
    (137, 137, &["a_21"]),
    (138, 138, &["a_22"]),
    (139, 139, &["a_20"]),
    (140, 140, &["a_30"]),
    (141, 141, &["a_30", "calls_are_found_and_counted"]),
    (142, 142, &["a_30"]),
    (143, 143, &["a_20", "a_program_works_reads_and_reports"]),
    (144, 144, &["a_03"]),
    (150, 151, &["a_25"]),
    (152, 152, &["a_30"]),
    (153, 153, &["a_25", "a_30"]),
    (154, 154, &["a_25"]),
    (155, 155, &["a_30"]),
    (156, 158, &["a_25"]),
    (159, 160, &["a_22"]),
    (161, 162, &["a_25"]),
    (163, 163, &["a_01"]),
    (164, 173, &["a_25"]),
    (174, 174, &["a_15"]),
    (175, 177, &["a_25"]),
    (178, 178, &["a_22"]),
    (179, 179, &["a_25"]),
    (180, 180, &["a_22"]),
    (181, 181, &["a_25"]),
    (182, 182, &["a_22"]),
    (183, 184, &["a_25"]),
    (185, 185, &["a_25", "a_30"]),
    (186, 186, &["a_22"]),
    (187, 187, &["a_25"]),
    (190, 190, &["a_07", "a_16"]),
    (191, 191, &["a_07"]),
    (192, 192, &["a_24"]),
    (193, 193, &["a_07", "a_16", "a_24"]),
    (194, 194, &["a_task_is_delegated_worked_on_and_reported"]),
    (195, 195, &["a_26", "a_task_is_delegated_worked_on_and_reported"]),
    (196, 196, &["a_16", "a_26", "a_session_is_resumed_in_a_new_round"]),
    (197, 197, &["a_03"]),
    (198, 198, &["another_user_sees_no_run"]),
    (199, 199, &["a_26", "a_task_is_delegated_worked_on_and_reported"]),
    (200, 200, &["of_many_who_ask_each_gets_another_run", "a_run_that_waits_wakes_the_workers_of_every_process"]),
    (201, 201, &["a_16", "a_session_is_resumed_in_a_new_round"]),
    (202, 202, &["a_26", "a_task_is_delegated_worked_on_and_reported"]),
    (203, 203, &["a_task_is_delegated_worked_on_and_reported"]),
    (204, 205, &["a_07"]),
    (206, 206, &["a_07", "a_16", "a_session_is_resumed_in_a_new_round"]),
    (207, 207, &["a_07", "a_session_is_resumed_in_a_new_round"]),
    (208, 208, &["a_07", "a_08"]),
    (209, 210, &["a_07"]),
    (211, 211, &["a_07", "a_09"]),
    (212, 213, &["a_task_is_delegated_worked_on_and_reported"]),
    (214, 214, &["a_26", "runs_are_listed_page_by_page"]),
    (215, 215, &["a_26"]),
    (216, 216, &["a_26", "a_clean_up_leaves_what_is_young_or_proves"]),
    (217, 217, &["a_26", "a_task_is_delegated_worked_on_and_reported"]),
    (218, 218, &["a_26", "runs_are_listed_page_by_page"]),
    (219, 219, &["a_26", "sessions_are_removed_and_proofs_stay"]),
    (220, 223, &["a_24"]),
    (224, 224, &["a_task_is_delegated_worked_on_and_reported"]),
    (225, 225, &["a_07"]),
    (226, 226, &["a_16"]),
    (227, 227, &["a_24"]),
    (228, 228, &["a_07", "a_16"]),
    (229, 229, &["a_task_is_delegated_worked_on_and_reported", "a_07"]),
    (230, 230, &["a_26"]),
    (231, 231, &["a_26", "a_task_is_delegated_worked_on_and_reported"]),
    (232, 232, &["a_26"]),
    (233, 233, &["a_07", "a_08"]),
    (234, 234, &["a_16"]),
    (235, 235, &["a_04"]),
    (236, 236, &["a_07"]),
    (237, 237, &["a_16"]),
    (238, 239, &["a_24"]),
    (240, 240, &["a_23", "a_24"]),
    (241, 241, &["a_06"]),
];

/// Returns what is wrong with a table: numbers without a row or with two, and tests that are not
/// there.
fn complaints(table: &[Row], tests: &[String]) -> Vec<String> {
    let mut held: BTreeMap<u16, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (first, last, holders) in table {
        for number in *first..=*last {
            *held.entry(number).or_default() += 1;
        }
        if holders.is_empty() {
            found.push(format!("D-{first:03} is held by nothing"));
        }
        for holder in *holders {
            let is_there = |test: &String| match holder.strip_prefix("a_") {
                Some(digits) if digits.len() == 2 => test.starts_with(&format!("{holder}_")),
                _ => test == holder,
            };
            if !tests.iter().any(is_there) {
                found.push(format!(
                    "D-{first:03} names {holder}, and there is no such test"
                ));
            }
        }
    }
    for number in 1..=LAST {
        let unused = UNUSED
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&number));
        match held.get(&number).copied().unwrap_or_default() {
            0 if !unused => found.push(format!("D-{number:03} has no row")),
            1 if !unused => {}
            0 => {}
            rows => found.push(format!("D-{number:03} has {rows} rows, or is unused")),
        }
    }
    found
}

/// The names of all functions in the tests and in the sources.
fn tests() -> Vec<String> {
    let mut names = Vec::new();
    for folder in ["tests", "src"] {
        gather(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut names,
        );
    }
    names
}

fn gather(folder: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, names);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for line in text.lines() {
                let Some((_, rest)) = line.split_once("fn ") else {
                    continue;
                };
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                names.push(rest[..end.unwrap_or(rest.len())].to_owned());
            }
        }
    }
}

#[test]
fn every_requirement_has_its_test() {
    let mut tests = tests();
    if !Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(SCENARIOS)
        .exists()
    {
        // Only numbers and the store's own tests can be looked at where there are no scenarios.
        tests.extend((1..=30).map(|number| format!("a_{number:02}_is_to_come")));
    }
    let found = complaints(TABLE, &tests);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_missing_number_and_a_missing_test_are_found() {
    let tests = tests();
    let without: Vec<Row> = TABLE.iter().copied().filter(|row| row.0 != 93).collect();
    let found = complaints(&without, &tests);
    assert!(found.contains(&"D-093 has no row".to_owned()), "{found:?}");
    let mut misnamed = TABLE.to_vec();
    misnamed.push((LAST, LAST, &["no_test"]));
    let found = complaints(&misnamed, &tests);
    assert!(
        found.contains(&"D-241 names no_test, and there is no such test".to_owned()),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|line| line.starts_with("D-241 has 2 rows"))
    );
}
