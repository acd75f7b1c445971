//! Stored turns of every version, and what tampering with one does to its account.

use serde_json::{Value, json};

use super::{Account, Recomputed, SentenceKind, Worth, account};
use crate::audit::{AuditRow, ChainFault, ChainHead, PlacedEvent, canonical, erase, link};

/// Exports, as the program of that version wrote them.
const V2: &str = include_str!("../../../tests/turns/v2.jsonl");
const V3: &str = include_str!("../../../tests/turns/v3.jsonl");
const V5: &str = include_str!("../../../tests/turns/v5.jsonl");
const V6: &str = include_str!("../../../tests/turns/v6.jsonl");
const V7: &str = include_str!("../../../tests/turns/v7.jsonl");
const V8: &str = include_str!("../../../tests/turns/v8.jsonl");
const V9: &str = include_str!("../../../tests/turns/v9.jsonl");
const V10: &str = include_str!("../../../tests/turns/v10.jsonl");

/// The turns of an export.
fn turns(export: &str) -> Vec<Vec<AuditRow>> {
    let rows: Vec<AuditRow> = export
        .lines()
        .map(|line| PlacedEvent::parse(line.as_bytes()).unwrap().event)
        .collect();
    let turns = rows.chunk_by(|a, b| a.turn_id == b.turn_id);
    turns.map(<[AuditRow]>::to_vec).collect()
}

/// Returns what a turn's reply is worth, as (proven, unproven, chat).
fn counts(account: &Account) -> (usize, usize, usize) {
    (account.proven, account.unproven, account.chat)
}

/// The turn in which this was said by the user.
fn turn(message: &str) -> Vec<AuditRow> {
    let mut turns = turns(V3).into_iter();
    let said = |turn: &Vec<AuditRow>| account(turn).unwrap().message.as_deref() == Some(message);
    turns.find(said).unwrap()
}

/// Changes a payload, and all hashes after it, as one could who owns the database.
fn forged(mut turn: Vec<AuditRow>, kind: &str, change: impl Fn(&mut Value)) -> Vec<AuditRow> {
    let mut before: Option<ChainHead> = None;
    for row in &mut turn {
        if row.kind.as_str() == kind {
            let mut payload: Value = serde_json::from_str(&row.payload).unwrap();
            change(&mut payload);
            row.payload = canonical(&payload);
        }
        if let Some(before) = before {
            row.prev_hash = before.hash;
        }
        row.hash = link(row).unwrap();
        before = Some(row.head());
    }
    turn
}

fn saying(message: &str, words: &str) -> Account {
    let turn = forged(turn(message), "reply", |reply| {
        reply["message"] = json!(words);
    });
    let account = account(&turn).unwrap();
    assert_eq!(account.chain.broken, None);
    account
}

#[test]
fn replies_with_times_and_of_other_languages_are_computed_again_word_for_word() {
    for (export, count) in [(V5, 18), (V6, 27), (V7, 27), (V8, 34), (V9, 35), (V10, 35)] {
        let turns = turns(export);
        assert_eq!(turns.len(), count);
        for turn in &turns {
            let account = account(turn).unwrap();
            let said = account.said.clone().unwrap();
            assert!(
                matches!(&account.recomputed, Recomputed::Whole { message, equal: true } if *message == said),
                "{said}: {:?}",
                account.recomputed
            );
            assert!(account.holds(), "{said}");
        }
    }
}

#[test]
fn every_stored_reply_of_this_version_is_computed_again_word_for_word() {
    let expect = [
        (1, 0, 0), // Added: …
        (2, 0, 0), // two of them
        (4, 0, 0), // a listing
        (1, 0, 0), // Marked … as done
        (1, 0, 0), // … was already done.
        (1, 0, 0), // Could not delete …
        (1, 0, 0), // Deleted: …
        (1, 0, 0), // Undone: …
        (1, 0, 0), // No. … is still on your list.
        (0, 0, 4), // Delete 3 tasks? and their titles
        (0, 0, 1), // Nothing was deleted.
        (1, 0, 1), // Added: … No alarm: …
        (0, 0, 1), // Hello!
    ];
    let turns = turns(V3);
    assert_eq!(turns.len(), expect.len());
    for (turn, expect) in turns.iter().zip(expect) {
        let account = account(turn).unwrap();
        let said = account.said.clone().unwrap();
        assert_eq!(counts(&account), expect, "{said}");
        assert!(
            matches!(&account.recomputed, Recomputed::Whole { message, equal: true } if *message == said)
        );
        assert!(account.holds());
        for sentence in &account.sentences {
            let from_receipt = sentence.kind == SentenceKind::Receipt;
            assert_eq!(from_receipt, !sentence.receipts.is_empty());
            assert_eq!(
                sentence.verdict == Worth::Proven,
                !sentence.events.is_empty()
            );
        }
    }
}

#[test]
fn receipts_of_an_older_version_stay_proven() {
    let turns = turns(V2);
    let lines: Vec<Account> = turns.iter().map(|turn| account(turn).unwrap()).collect();
    let proven: Vec<_> = lines.iter().map(counts).collect();
    // That version did not keep what else a reply was composed from.
    assert_eq!(
        proven,
        [(1, 0, 0), (2, 0, 0), (4, 0, 0), (1, 0, 0), (0, 1, 0)]
    );
    for account in &lines {
        assert_eq!(account.versions["renderer"], "2");
        assert_eq!(account.recomputed, Recomputed::Receipts);
        assert!(account.unsaid.is_empty());
    }
    let forged = forged(turns[0].clone(), "reply", |reply| {
        reply["message"] = json!("Deleted: Read book");
    });
    let forged = account(&forged).unwrap();
    assert_eq!(counts(&forged), (0, 1, 0));
    assert_eq!(forged.unsaid, ["Added: Read book (priority high)"]);
}

#[test]
fn a_reply_of_an_unknown_version_is_not_computed_again() {
    let turn = forged(turn("delete milk"), "turn", |turn| {
        turn["versions"]["renderer"] = json!("99");
    });
    let account = account(&turn).unwrap();
    assert_eq!(counts(&account), (0, 1, 0));
    let Recomputed::Not { why } = &account.recomputed else {
        panic!("{:?}", account.recomputed)
    };
    assert!(why.contains("\"99\""), "{why}");
    assert!(!account.holds());
}

#[test]
fn what_the_receipts_do_not_say_is_not_proven() {
    let told = saying("delete milk", "Deleted: Read book");
    assert_eq!(counts(&told), (0, 1, 0));
    assert_eq!(told.unsaid, ["Deleted: buy milk"]);
    assert!(matches!(
        told.recomputed,
        Recomputed::Whole { equal: false, .. }
    ));

    let more = saying("delete milk", "Deleted: buy milk\nDeleted: Read book");
    assert_eq!(counts(&more), (1, 1, 0));
    assert!(more.unsaid.is_empty() && !more.holds());

    let less = saying("add buy milk tomorrow and call mom", "Added: call mom");
    assert_eq!(counts(&less), (1, 0, 0));
    assert_eq!(less.unsaid, ["Added: buy milk (due Mon 2026-02-09)"]);
    assert!(!less.holds());

    // A failure is proven by the call that failed.
    let failed = saying(
        "delete milk",
        "Could not delete \"buy milk\": it was already deleted.",
    );
    assert_eq!(counts(&failed), (0, 1, 0));
}

#[test]
fn a_lie_that_passes_for_mere_words_is_not_proven() {
    let lie = "I have deleted Read book for you.";
    let turn = forged(turn("hello"), "reply", |reply| {
        reply["message"] = json!(lie);
        reply["composed"]["remarks"] = json!([lie]);
    });
    let account = account(&turn).unwrap();
    assert!(matches!(
        account.recomputed,
        Recomputed::Whole { equal: true, .. }
    ));
    assert_eq!(counts(&account), (0, 1, 0));
}

#[test]
fn a_failure_that_no_call_came_to_is_not_proven() {
    let turn = forged(turn("delete Fly to Mars"), "tool_call", |call| {
        call["outcome"] = json!("committed");
    });
    assert_eq!(counts(&account(&turn).unwrap()), (0, 1, 0));
}

#[test]
fn a_call_of_the_servers_own_needs_its_event_as_any_other_does() {
    let own = |outcome: &str| {
        let turn = forged(turn("delete Fly to Mars"), "tool_call", |call| {
            call["outcome"] = json!(outcome);
        });
        let turn = forged(turn, "reply", |reply| {
            reply["composed"]["calls"][0]["call_id"] = Value::Null;
        });
        counts(&account(&turn).unwrap())
    };
    assert_eq!(own("failed"), (1, 0, 0));
    assert_eq!(own("committed"), (0, 1, 0));
}

#[test]
fn a_line_without_a_receipt_needs_the_outcome_that_it_tells() {
    // The version that did not keep what a reply was composed from; its call came to nothing.
    let told = |line: &str, outcome: &str, error: Option<&str>, code: Option<&str>, kind: &str| {
        let turn = turns(V2).pop().unwrap();
        let turn = forged(turn, "tool_call", |call| {
            call["outcome"] = json!(outcome);
            call["reason"] = json!({ "error": error });
        });
        let turn = forged(turn, "reply", |reply| {
            reply["message"] = json!(line);
            reply["error"] = json!(code);
            reply["kind"] = json!(kind);
        });
        let account = account(&turn).unwrap();
        assert_eq!(account.chain.broken, None);
        counts(&account)
    };
    let (proven, unproven, chat) = ((1, 0, 0), (0, 1, 0), (0, 0, 1));
    let cause = "Could not delete \"milk\": no task with that title.";
    let lie = "Deleted: Read book";
    let missing = "Technical error: Tool not triggered.";
    let code = Some("tool_not_triggered");
    for (line, outcome, error, code, kind, worth) in [
        (cause, "failed", Some(cause), None, "failure", proven),
        (cause, "committed", Some(cause), None, "failure", unproven),
        (
            cause,
            "failed",
            Some("another cause"),
            None,
            "failure",
            unproven,
        ),
        (lie, "failed", Some(cause), None, "failure", unproven),
        (missing, "asked", None, code, "failure", proven),
        (missing, "asked", None, None, "failure", unproven),
        (
            missing,
            "asked",
            None,
            Some("not_found"),
            "failure",
            unproven,
        ),
        (lie, "asked", None, code, "failure", unproven),
        (
            "I deleted milk, all right?",
            "asked",
            None,
            None,
            "question",
            chat,
        ),
        (
            "I deleted milk, all right?",
            "asked",
            None,
            None,
            "chat",
            unproven,
        ),
        (lie, "asked", None, None, "question", unproven),
        ("Hello!", "asked", None, None, "chat", chat),
    ] {
        assert_eq!(
            told(line, outcome, error, code, kind),
            worth,
            "{line:?} of a call that {outcome}, {code:?}, {kind}"
        );
    }
}

#[test]
fn an_event_that_does_not_follow_the_one_before_it_is_named() {
    let mut cut = turn("delete milk");
    let other = turns(V3)[0][0].hash.clone();
    let last = cut.last_mut().unwrap();
    last.prev_hash = other;
    last.hash = link(last).unwrap();
    let seq = last.seq;
    let broken = account(&cut).unwrap().chain.broken.unwrap();
    assert_eq!((broken.seq, broken.fault), (seq, ChainFault::PrevHash));
    // Between two commits of a turn another turn may stand: then it is not this turn's to say.
    let last = cut.last_mut().unwrap();
    last.seq += 1;
    last.hash = link(last).unwrap();
    assert_eq!(account(&cut).unwrap().chain.broken, None);
}

#[test]
fn a_changed_event_is_named_and_an_erased_turn_says_so() {
    let mut changed = turn("delete milk");
    changed[2].payload = changed[2].payload.replace("buy milk", "buy silk");
    let account_of = account(&changed).unwrap();
    assert_eq!(
        account_of.chain.broken.as_ref().unwrap().seq,
        changed[2].seq
    );
    assert!(!account_of.holds());

    let mut bare = turn("delete milk");
    for row in &mut bare {
        row.payload = erase(&row.payload).unwrap_or_else(|| row.payload.clone());
    }
    let bare = account(&bare).unwrap();
    assert!(bare.erased && bare.said.is_none() && bare.message.is_none());
    assert!(bare.chain.broken.is_none() && bare.sentences.is_empty());
    assert!(matches!(bare.recomputed, Recomputed::Not { .. }));
}

#[test]
fn events_of_several_turns_make_no_account() {
    let turns = turns(V3);
    assert!(account(&[]).is_none());
    assert!(account(&turns[..2].concat()).is_none());
}

#[test]
fn no_remark_of_the_server_passes_for_a_lie() {
    for remark in [
        "I don't know what to do: name the task and what should happen.",
        "Which one do you mean? Name it by its title.",
        "Nothing is waiting for a yes.",
        "That question is closed: say again what you want.",
        "All right, nothing to do.",
        "One question at a time: ask for the rest again after this one.",
        "The rest stays as it was.",
        "Nothing was deleted.",
        "Nothing was added.",
        "Nothing was changed.",
        "Kuch delete nahi hua.",
    ] {
        let turn = forged(turn("hello"), "reply", |reply| {
            reply["message"] = json!(remark);
            reply["composed"]["remarks"] = json!([remark]);
        });
        assert_eq!(counts(&account(&turn).unwrap()), (0, 0, 1), "{remark}");
    }
}
