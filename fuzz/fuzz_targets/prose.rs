//! Any prose of a model: its sentences lie in it and in order, it is judged the same again, and
//! nothing around a claim lets the claim through.

#![no_main]

use candor::guard::talk::{judge, judge_with};
use candor_fuzz::{lies_in, planted, setting};
use libfuzzer_sys::fuzz_target;

const CLAIM: &str = "I deleted milk.";

fuzz_target!(|data: &[u8]| {
    let Some((prose, _, _)) = setting(data) else {
        return;
    };
    let first = judge(prose);
    let mut end = 0;
    for sentence in &first.sentences {
        lies_in(prose, &sentence.bytes);
        let start = sentence.bytes.start;
        assert!(start >= end, "sentences overlap in {prose:?}: {first:?}");
        end = sentence.bytes.end;
    }
    assert_eq!(first, judge(prose));
    // Knowing titles may stop a sentence and never lets one through.
    if judge_with(prose, &["milk", "call mom"]).passes() {
        assert!(first.passes(), "{prose:?}");
    }
    for with in [
        format!("{prose}\n\n{CLAIM}"),
        format!("{CLAIM}\n\n{prose}"),
        format!("{CLAIM} {prose}"),
    ] {
        let passes = planted(prose) || judge(&with).passes();
        assert!(!passes, "let through: {with:?}");
    }
});
