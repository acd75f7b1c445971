//! Everyday words of many kinds, and what becomes of the call that an honest model makes of them: by
//! table.

use chrono::NaiveDate;

use super::{Scene, task, title};
use crate::domain::{Priority, Tool};
use crate::guard::Verdict;
use crate::intent::Verb;
use crate::tools::{AddProposal, NewValues, Proposal};
use crate::turn::LastVerb;

/// Outcome of a call.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Runs,
    Asks,
    Refused,
}

use Outcome::{Asks, Refused, Runs};

fn outcome(verdict: &Verdict) -> Outcome {
    match verdict {
        Verdict::Allow(_) => Runs,
        Verdict::Confirm(_) => Asks,
        _ => Refused,
    }
}

fn day(number: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 2, number).expect("a day")
}

fn scene(words: &str, titles: &[&str]) -> Scene {
    let tasks = (1..).zip(titles);
    let tasks = tasks.map(|(number, title)| match title.strip_suffix(" (done)") {
        Some(title) => task(number, title, true),
        None => task(number, title, false),
    });
    Scene::new(words, tasks.collect())
}

impl Scene {
    /// Gives the first tasks these days of the month.
    fn give_days(&mut self, days: &[u32]) {
        let mut tasks: Vec<_> = self.tasks.iter().cloned().collect();
        for (task, number) in tasks.iter_mut().zip(days) {
            task.due_date = Some(day(*number));
        }
        self.tasks = tasks.into();
    }
}

fn call(tool: Tool, reference: &str, values: NewValues) -> Proposal {
    Proposal::Change {
        tool,
        reference: reference.to_owned(),
        values,
    }
}

fn completes(reference: &str) -> Proposal {
    call(Tool::CompleteTask, reference, NewValues::default())
}

fn deletes(reference: &str) -> Proposal {
    call(Tool::DeleteTask, reference, NewValues::default())
}

fn moves(reference: &str, number: u32) -> Proposal {
    let values = NewValues {
        due: Some(Some(day(number))),
        ..NewValues::default()
    };
    call(Tool::UpdateTask, reference, values)
}

fn ranks(reference: &str, priority: Priority) -> Proposal {
    let values = NewValues {
        priority: Some(priority),
        ..NewValues::default()
    };
    call(Tool::UpdateTask, reference, values)
}

fn adds(text: &str) -> Proposal {
    Proposal::Add(AddProposal::titled(title(text)))
}

#[test]
fn a_state_that_is_a_result_completes_what_it_is_the_result_of() {
    for (words, named) in [
        ("hall's ours, keys and all", "Rent hall"),
        ("the neighbours all said yes", "Invite neighbours"),
        ("tax office has my form now", "Send form to tax office"),
        ("the cake came out a bit wonky", "Bake cake"),
        ("phone bill is paid, never ticked it off", "Phone bill"),
        (
            "paid the phone bill last week, forgot to tick it",
            "Phone bill",
        ),
        ("the library book has been sent back", "Return library book"),
        (
            "she refunded me so i guess that's the complaint sorted",
            "Write complaint",
        ),
    ] {
        let mut scene = scene(words, &[named, "Water the plants"]);
        assert_eq!(outcome(&scene.judge(completes(named))), Runs, "{words}");
        let other = completes("Water the plants");
        assert_eq!(outcome(&scene.judge(other)), Refused, "{words}");
    }
    for (words, named) in [
        ("i guess the complaint is sorted", "Write complaint"),
        ("the museum was great", "Visit museum"),
        ("are the neighbours coming, said yes?", "Invite neighbours"),
        ("the keys aren't ours", "Rent keys"),
        ("the car has been sent back", "Wash car"),
    ] {
        let verdict = scene(words, &[named]).judge(completes(named));
        assert_ne!(outcome(&verdict), Runs, "{words}");
    }
}

#[test]
fn somebody_is_quoted_with_a_new_day() {
    for (words, expect) in [
        ("Nora can't do the 14th, she said the 21st works", Runs),
        ("about the Nora thing: they said the 21st works", Runs),
        ("would Nora mind if he said the 21st works?", Refused),
    ] {
        let mut scene = scene(words, &["Coffee with Nora"]);
        scene.give_days(&[14]);
        let verdict = scene.judge(moves("Coffee with Nora", 21));
        assert_eq!(outcome(&verdict), expect, "{words}");
    }
}

#[test]
fn a_name_in_front_is_marked_by_a_pronoun_behind_it() {
    for words in [
        "great and the boiler thing mark that one super important because we freeze",
        "the boiler thing, make it urgent please",
        "boiler belongs at the top, above all",
        "the boiler is right up there with the rent",
    ] {
        let mut scene = scene(words, &["Call plumber about boiler"]);
        let verdict = scene.judge(ranks("Call plumber about boiler", Priority::High));
        assert_eq!(outcome(&verdict), Runs, "{words}");
    }
}

#[test]
fn the_other_one_is_the_twin_of_the_last_one() {
    let titles = ["Ship parcel 11 (done)", "Ship parcel 12", "Buy tape"];
    for (words, named, expect) in [
        ("lose the other one", "Ship parcel 12", Runs),
        (
            "the buyer of the other one cancelled, delete it",
            "Ship parcel 12",
            Runs,
        ),
        ("lose the other one", "Buy tape", Asks),
        ("lose it", "Ship parcel 12", Refused),
    ] {
        let mut scene = scene(words, &titles);
        scene.focus = vec![scene.shown[0]];
        scene.deed = Some(LastVerb::Change(Verb::Complete));
        assert_eq!(
            outcome(&scene.judge(deletes(named))),
            expect,
            "{words} {named}"
        );
    }
}

#[test]
fn a_pronoun_behind_what_is_done_means_what_was_named_beside_it() {
    for (before, words) in [
        (
            "the mail is out, but that chapter worries me",
            "move it to friday",
        ),
        (
            "la mail è fatta, però che ansia il capitolo",
            "spostalo a venerdì",
        ),
        (
            "die Mail ist raus, aber das Kapitel macht mir Sorgen",
            "schieb das auf Freitag",
        ),
    ] {
        let titles = ["Mail (done)", "Thesis chapter capitolo Kapitel", "Buy tape"];
        let mut scene = scene(words, &titles);
        scene.focus = vec![scene.shown[0]];
        scene.before = vec!["Marked Mail as done".to_owned(), before.to_owned()];
        let verdict = scene.judge(moves("Thesis chapter capitolo Kapitel", 13));
        assert_eq!(outcome(&verdict), Runs, "{words}");
        assert_eq!(
            outcome(&scene.judge(moves("Buy tape", 13))),
            Refused,
            "{words}"
        );
    }
}

#[test]
fn one_word_of_each_answers_which_of_several() {
    let titles = ["Email Nora", "Call Nora", "Dinner with Nora"];
    for (words, named, expect) in [
        ("email + call", "Email Nora", Runs),
        ("email + call", "Call Nora", Runs),
        ("email + call", "Dinner with Nora", Refused),
        ("the call", "Call Nora", Runs),
    ] {
        let mut scene = scene(words, &titles);
        scene.deed = Some(LastVerb::Change(Verb::Complete));
        let asked = "Which one: the email, the call or the dinner?";
        scene.before = vec![asked.to_owned(), "done with nora".to_owned()];
        let verdict = scene.judge(completes(named));
        assert_eq!(outcome(&verdict), expect, "{words} {named}");
    }
}

#[test]
fn numbers_and_initials_name_a_task() {
    for (words, named, number) in [
        ("57 weren't in so that's tuesday", "Parcel for no. 57", 10),
        (
            "HV rang and can only do monday the 16th",
            "Health visitor",
            16,
        ),
        ("DL renewal is now due on the 20th", "Driving licence", 20),
    ] {
        let mut scene = scene(words, &[named, "Buy tape"]);
        assert_eq!(outcome(&scene.judge(moves(named, number))), Runs, "{words}");
    }
    for (words, named, number) in [
        ("make that 57 by tuesday", "Parcel for no. 57", 10),
        ("hv is tuesday", "Health visitor", 10),
        ("HELP ME ON TUESDAY HV", "Health visitor", 10),
    ] {
        let mut scene = scene(words, &[named, "Buy tape"]);
        assert_ne!(outcome(&scene.judge(moves(named, number))), Runs, "{words}");
    }
}

#[test]
fn a_set_by_a_word_of_one_is_asked_about_for_the_rest() {
    let words = "everything trip related goes to saturday";
    let mut scene = scene(words, &["Pack for trip", "Print boarding pass"]);
    assert_eq!(outcome(&scene.judge(moves("Pack for trip", 14))), Runs);
    assert_eq!(
        outcome(&scene.judge(moves("Print boarding pass", 14))),
        Asks
    );
    assert_eq!(
        outcome(&scene.judge(deletes("Print boarding pass"))),
        Refused
    );
}

#[test]
fn the_same_again_goes_as_far_as_the_one_before() {
    let words = "and the budget one, same treatment";
    for (number, expect) in [(17, Runs), (14, Refused)] {
        let mut scene = scene(words, &["Board deck", "Budget review"]);
        scene.give_days(&[13, 20]);
        scene.focus = vec![scene.shown[0]];
        scene.deed = Some(LastVerb::Change(Verb::Update));
        let reply = "Updated: Board deck (due Fri 2026-02-13)".to_owned();
        scene.before = vec![reply, "pull it in by three days".to_owned()];
        let verdict = scene.judge(moves("Budget review", number));
        assert_eq!(outcome(&verdict), expect, "{number}");
    }
}

#[test]
fn a_verbal_noun_is_a_title_and_another_order_of_words_is_none() {
    for (words, text, expect) in [
        ("put curtain washing on the list", "Wash curtain", Runs),
        ("add dog grooming", "Groom the dog", Runs),
        ("add soup with noodles", "Noodles with soup", Asks),
        (
            "oh yeah get a birthday card for Denise by thursday",
            "Get birthday card for Denise",
            Runs,
        ),
        (
            "cinnamon and sugar. both to the shopping",
            "Buy sugar",
            Runs,
        ),
    ] {
        let verdict = scene(words, &[]).judge(adds(text));
        assert_eq!(outcome(&verdict), expect, "{words}");
    }
}

#[test]
fn what_was_shown_as_a_thing_may_be_opened_by_a_verb() {
    for (text, expect) in [
        ("Build a blanket fort", Runs),
        ("A blanket fort", Runs),
        ("Burn down a blanket fort", Refused),
    ] {
        let mut scene = scene("both sound good, stick them on", &[]);
        let shown = "- A blanket fort\n- A treasure hunt".to_owned();
        scene.before = vec![shown, "any ideas for the kids?".to_owned()];
        assert_eq!(outcome(&scene.judge(adds(text))), expect, "{text}");
    }
}

#[test]
fn a_note_may_take_its_thing_from_the_question_before() {
    for (note, expect) in [("30 sacks", Runs), ("30 horses", Refused)] {
        let mut scene = scene("30 then, write it on", &["Order feed"]);
        scene.focus = vec![scene.shown[0]];
        let reply = "You have 1 task matching \"feed\"".to_owned();
        scene.before = vec![reply, "how many sacks was it?".to_owned()];
        let values = NewValues {
            description: Some(Some(note.to_owned())),
            ..NewValues::default()
        };
        let verdict = scene.judge(call(Tool::UpdateTask, "Order feed", values));
        assert_eq!(outcome(&verdict), expect, "{note}");
    }
}

#[test]
fn words_with_a_hyphen_order_what_they_order_without_it() {
    for words in ["un-tick the subs please", "re-open the subs"] {
        let reopens = NewValues {
            completed: Some(false),
            ..NewValues::default()
        };
        let verdict =
            scene(words, &["Pay subs (done)"]).judge(call(Tool::UpdateTask, "Pay subs", reopens));
        assert_eq!(outcome(&verdict), Runs, "{words}");
    }
    let verdict =
        scene("which makes the subs one redundant", &["Pay subs"]).judge(deletes("Pay subs"));
    assert_eq!(outcome(&verdict), Asks);
}
