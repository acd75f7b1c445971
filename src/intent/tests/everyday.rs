//! Everyday sentences: acknowledgements, remarks that call for a change, questions about one task.

use super::{check, read, today};
use crate::domain::Lang;
use crate::intent::{Act, expected_tools};

#[track_caller]
fn all(rows: &[(&str, &str)]) {
    for (message, expect) in rows {
        check(message, expect);
    }
}

#[test]
fn an_acknowledgement_is_no_completion() {
    all(&[
        ("got it", "Heard"),
        ("got it, and also add call mom", "add [call mom]"),
        ("gotcha, add eggs", "add [eggs]"),
        ("got it thanks!", "Thanks"),
        ("ok got it", "Heard"),
        ("got the eggs", "[eggs] is done: true"),
        ("got it done", "it is done: true"),
    ]);
}

#[test]
fn two_values_in_one_change() {
    all(&[
        (
            "change the essay to high priority and due tomorrow",
            "update [essay] on 2026-02-09 high",
        ),
        (
            "set essay to low and due friday",
            "update [essay] on 2026-02-13 low",
        ),
        (
            "move essay to friday and make it urgent",
            "update [essay] on 2026-02-13 high",
        ),
        ("priority of eggs low", "update [eggs] low"),
        ("priority for eggs: low", "update [eggs] low"),
        ("deadline for essay: friday", "update [essay] on 2026-02-13"),
        (
            "call it yoga instead of pilates",
            "update [pilates] to be [yoga]",
        ),
    ]);
}

#[test]
fn what_calls_for_a_change_is_a_hint() {
    all(&[
        ("yoga is cancelled", "hint delete [yoga]"),
        ("the meeting fell through", "hint delete [meeting]"),
        ("no need for eggs anymore", "hint delete [eggs]"),
        ("i won't be going to yoga", "hint delete [yoga]"),
        ("im skipping yoga today", "hint delete [yoga]"),
        ("the essay is really urgent", "hint update [essay] high"),
        ("the essay isnt urgent", "hint update [essay] low"),
        ("no rush on the essay", "hint update [essay] low"),
        (
            "the essay can wait until friday",
            "hint update [essay] on 2026-02-13",
        ),
        (
            "give me until friday for the essay",
            "hint update [essay] on 2026-02-13",
        ),
        (
            "swap yoga for pilates",
            "hint update [yoga] to be [pilates]",
        ),
        (
            "replace yoga with pilates",
            "hint update [yoga] to be [pilates]",
        ),
        ("essay has no deadline", "hint update [essay] undated"),
    ]);
    // Nothing is called for: the server asks of its own accord.
    let reading = read("yoga is cancelled", today(), Lang::En);
    assert!(expected_tools(&reading).is_empty());
}

#[test]
fn a_note_can_be_taken_away() {
    all(&[
        ("remove the note from yoga", "update [yoga] ()"),
        ("delete the description of essay", "update [essay] ()"),
    ]);
}

#[test]
fn one_task_is_asked_about() {
    all(&[
        ("tell me about the essay", "list [essay]"),
        ("what are the notes on yoga", "list [yoga]"),
        ("whats the deadline for the essay", "list [essay]"),
        ("when do i have to pay rent", "list [rent]"),
        ("is the essay high priority", "list [essay]"),
        ("when is the essay due now?", "list [essay]"),
        ("did i pay the rent", "did Some(Change(Complete)) [rent]"),
        (
            "have we called the plumber yet?",
            "did Some(Change(Complete)) [plumber]",
        ),
        ("what about the essay", "list [essay]"),
        ("am i free tomorrow", "list on 2026-02-09"),
        ("what did i finish today?", "list done"),
    ]);
    // A model that knows more may answer these without the list.
    let reading = read("tell me about the moon", today(), Lang::En);
    assert!(matches!(&reading.clauses[0].act, Act::List(list) if list.unasked));
    assert!(expected_tools(&reading).is_empty());
}

#[test]
fn what_is_done_and_what_is_not() {
    all(&[
        ("took care of the plumber", "[plumber] is done: true"),
        ("rent paid, finally", "[rent] is done: true"),
        ("eggs arent done", "[eggs] is done: false"),
        ("i havent paid the rent yet", "[rent] is done: false"),
        ("i didn't buy eggs", "[eggs] is done: false"),
        (
            "still haven't called the plumber",
            "[plumber] is done: false",
        ),
        ("the first one is done", "#1 is done: true"),
    ]);
}

#[test]
fn once_more() {
    all(&[
        ("add another milk", "add [milk]"),
        ("add milk again", "add [milk]"),
        ("add call mom again", "add [call mom again]"),
    ]);
}

#[test]
fn apostrophes_may_be_missing() {
    all(&[
        ("whats on my plate today", "list on 2026-02-08"),
        ("whats due tomorrow", "list on 2026-02-09"),
        ("ive finished the essay", "complete [essay]"),
        ("im done with the essay", "complete [essay]"),
        ("dont delete the essay", "not delete [essay]"),
        ("id like to add eggs", "add [eggs]"),
    ]);
}

#[test]
fn said_in_passing() {
    all(&[
        (
            "oh and dont forget the laundry on friday",
            "wish [the laundry] on 2026-02-13",
        ),
        (
            "yoga is due on friday not thursday",
            "update [yoga] on 2026-02-13",
        ),
        ("turn yoga into pilates", "update [yoga] to be [pilates]"),
        (
            "can you change write essay to finish essay",
            "update [write essay] to be [finish essay]",
        ),
        (
            "note for yoga: bring a mat",
            "hint update [yoga] (bring a mat)",
        ),
        ("i think i can drop yoga", "hint delete [yoga]"),
        ("do the essay first", "hint update [essay] high"),
        ("the rent's been paid", "[rent] is done: true"),
        ("show me only what's not done", "list open"),
        ("show everything thats due tomorrow", "list on 2026-02-09"),
        ("do i have a yoga appointment", "list [yoga]"),
        ("i don't have to go to the gym anymore", "delete [gym]"),
    ]);
}

#[test]
fn a_day_may_come_first() {
    all(&[
        (
            "tomorrow remind me to phone Ann",
            "add [phone Ann] on 2026-02-09 !Alarm",
        ),
        (
            "on friday, please remind me to post the letter",
            "add [post the letter] on 2026-02-13 !Alarm",
        ),
        ("tomorrow add eggs", "add [eggs] on 2026-02-09"),
        ("on friday add yoga to my list", "add [yoga] on 2026-02-13"),
    ]);
}

#[test]
fn what_was_to_be_added_is_what_is_wished() {
    all(&[
        ("I forgot to add eggs", "wish [eggs]"),
        ("oh no, we forgot to put eggs on my list", "add [eggs]"),
        ("I keep forgetting to add lightbulbs", "wish [lightbulbs]"),
        ("I forgot to buy eggs", "wish [buy eggs]"),
        ("jot down eggs for me", "add [eggs]"),
        ("write down phone Ann for me", "add [phone Ann]"),
    ]);
}

#[test]
fn a_change_of_mind_names_what_it_is_about() {
    all(&[
        (
            "I changed my mind about the yoga, remove it",
            "delete [yoga]",
        ),
        ("I've changed my mind on yoga so drop it", "delete [yoga]"),
        ("I changed my mind, remove the yoga", "No ; delete [yoga]"),
    ]);
}

#[test]
fn what_was_finished_is_named_by_day_or_place() {
    for (message, expect) in [
        (
            "all of today's stuff is done",
            "all on 2026-02-08 is done: true",
        ),
        ("the last one's finished", "#-1 is done: true"),
        ("the first one's done", "#1 is done: true"),
        ("completed the essay yesterday", "complete [essay]"),
        (
            "mark milk as done because I bought it yesterday",
            "complete [milk]",
        ),
        ("fyi: milk is done", "[milk] is done: true"),
    ] {
        check(message, expect);
    }
}

#[test]
fn short_and_unusual_commands_are_commands() {
    for (message, expect) in [
        ("rm milk", "delete [milk]"),
        ("del milk", "delete [milk]"),
        ("milk: delete", "delete [milk]"),
        (
            "delete essay, thesis and report because I'm done",
            "delete [essay] + [thesis] + [report]",
        ),
        ("bung milk on the list", "add [milk]"),
        (
            "add dentist and note bring the insurance card",
            "add [dentist] (bring the insurance card)",
        ),
        (
            "add call mom first thing tomorrow",
            "add [call mom] on 2026-02-09",
        ),
        (
            "add call mom tomorrow first thing",
            "add [call mom] on 2026-02-09",
        ),
        (
            "two things: add milk and delete eggs",
            "add [milk] ; delete [eggs]",
        ),
        (
            "move the dentist from monday to friday",
            "update [dentist] on 2026-02-13",
        ),
        (
            "move letter from Anna to friday",
            "update [letter from Anna] on 2026-02-13",
        ),
        ("dentist is now friday", "update [dentist] on 2026-02-13"),
        ("what else is there", "list"),
        ("what's friday like", "list on 2026-02-13"),
        ("kannst du bitte milk löschen", "delete [milk]"),
        ("elimina milk perché l'ho comprato", "delete [milk]"),
        ("ruko, milk delete kar do", "delete [milk]"),
    ] {
        check(message, expect);
    }
}

#[test]
fn a_sigh_or_a_reason_behind_an_order_is_no_order() {
    for (message, expect) in [
        ("delete milk, phew", "delete [milk]"),
        ("complete essay, finally", "complete [essay]"),
        ("mark milk as done, yay", "complete [milk]"),
        ("finish essay, I handed it in", "complete [essay]"),
        ("delete rent, my landlord said so", "delete [rent]"),
        ("delete rent, mom did it", "delete [rent]"),
        (
            "push dentist to friday, I'm busy",
            "update [dentist] on 2026-02-13",
        ),
        (
            "set rent to high priority, it's urgent",
            "update [rent] high",
        ),
        ("make rent high, it's due soon", "update [rent] high"),
        // What is wanted besides is.
        (
            "delete milk, finally, and add bread",
            "delete [milk] ; add [bread]",
        ),
        // And so is what belongs to a title.
        ("add email Sam, he is new", "add [email Sam, he is new]"),
        (
            "mark both milk and eggs as done",
            "complete [milk] + [eggs]",
        ),
        (
            "add both sides of the story",
            "add [both sides of the story]",
        ),
    ] {
        check(message, expect);
    }
}
