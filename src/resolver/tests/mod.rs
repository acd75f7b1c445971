//! Rules for the resolver as a whole: tables by hand, and laws over any text.

mod list;
mod work;

use chrono::DateTime;
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::domain::{Status, Title, UserId};

fn task(n: u128, title: &str) -> Option<Task> {
    // A leading "x" marks a completed task.
    let (done, title) = title
        .strip_prefix("x ")
        .map_or((false, title), |title| (true, title));
    let at = DateTime::UNIX_EPOCH;
    Some(Task {
        status: if done {
            Status::Completed { at }
        } else {
            Status::Pending
        },
        ..Task::new(
            TaskId::new(Uuid::from_u128(n)),
            UserId::parse("me").ok()?,
            Title::parse(title).ok()?,
            at,
        )
    })
}

fn tasks(titles: &[&str]) -> TaskList {
    let numbered = (1..).zip(titles);
    numbered
        .map(|(n, title)| task(n, title).expect("a title"))
        .collect()
}

fn id(n: u128) -> TaskId {
    TaskId::new(Uuid::from_u128(n))
}

/// The verdict in short: "2" one, "2 3" many, "-" none, "out", "unshown", "gone", "nofocus".
fn short(resolution: &Resolution) -> String {
    let number = |id: &TaskId| id.uuid().as_u128().to_string();
    match resolution {
        Resolution::One(id) => number(id),
        Resolution::Many(several) => {
            let mut ids: Vec<u128> = several.iter().map(|one| one.id.uuid().as_u128()).collect();
            ids.sort_unstable();
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            format!("many {}", ids.join(" "))
        }
        Resolution::None { why, .. } => match why {
            Missing::NoMatch => "-".to_owned(),
            Missing::OutOfRange => "out".to_owned(),
            Missing::NothingShown => "unshown".to_owned(),
            Missing::Gone(_) => "gone".to_owned(),
            Missing::NoFocus => "nofocus".to_owned(),
            Missing::NoneSuch | Missing::EmptyList => "set".to_owned(),
        },
    }
}

#[track_caller]
fn check(titles: &[&str], cases: &[(&str, &str)]) {
    check_among(titles, Among::All, cases);
}

#[track_caller]
fn check_among(titles: &[&str], among: Among, cases: &[(&str, &str)]) {
    let tasks = tasks(titles);
    let shown: Vec<TaskId> = tasks.iter().map(|task| task.id).collect();
    let context = Context {
        shown: &shown,
        ..Context::default()
    };
    let resolver = ReferenceResolver::new(&tasks, context);
    for (reference, expect) in cases {
        let resolution = resolver.resolve(reference, among);
        assert_eq!(
            short(&resolution),
            *expect,
            "{reference:?} among {titles:?}: {resolution:?}"
        );
    }
}

#[test]
fn an_exact_title_comes_first() {
    check(
        &[
            "Renew passport",
            "First one",
            "2",
            "It",
            "Learn C",
            "Learn C++",
            "Water",
            "Water filter",
        ],
        &[
            ("renew PASSPORT!", "1"),
            ("first one", "2"),
            ("2", "3"),
            ("it", "4"),
            ("learn c++", "6"),
            ("learn c", "5"),
            ("water", "7"),
            ("the second one", "2"),
            ("00000000-0000-0000-0000-000000000007", "7"),
            ("00000000-0000-0000-0000-000000000099", "-"),
        ],
    );
}

#[test]
fn all_words_in_one_title_only() {
    check(
        &[
            "Renew the passport",
            "Order lemons and limes",
            "Paint the fence white",
            "Ring the plumber about the sink",
        ],
        &[
            ("passport", "1"),
            ("the passport one", "1"),
            ("that passport task", "1"),
            ("passport wala", "1"),
            ("renewing passports", "1"),
            ("lemon", "2"),
            ("limes lemons", "2"),
            ("painting", "3"),
            ("white fence", "3"),
            ("the one about the plumber", "4"),
            ("plumber from my list", "4"),
            ("plumber fence", "-"),
            ("sell the passport", "-"),
            ("the task", "-"),
            ("", "-"),
            ("!!!", "-"),
        ],
    );
}

#[test]
fn several_titles_are_several() {
    check(
        &[
            "Read blue book",
            "Read red book",
            "Return book",
            "Return book to Lena",
            "Wash car",
            "wash  CAR.",
        ],
        &[
            ("book", "many 1 2 3 4"),
            ("read book", "many 1 2"),
            ("the red one", "2"),
            ("the return book", "3"),
            ("book to Lena", "4"),
            ("wash car", "many 5 6"),
            ("car", "many 5 6"),
        ],
    );
}

#[test]
fn the_very_form_comes_before_another() {
    check(
        &[
            "Book a flight",
            "Sort the bookings",
            "Clean desk",
            "Have suit cleaned",
            "Ice creams",
            "Cream for hands",
        ],
        &[
            ("bookings", "2"),
            ("cleaned", "4"),
            ("clean", "3"),
            ("cream", "6"),
            ("creams", "5"),
        ],
    );
}

#[test]
fn slips_are_forgiven() {
    check(
        &[
            "Renew passport",
            "Call the plumber",
            "Order stamps",
            "Dentist appointment",
            "Sharpen the knives",
        ],
        &[
            ("renew pasport", "1"),
            ("passprot", "1"),
            ("plumer", "2"),
            ("cal the plumbr", "2"),
            ("ordr stamsp", "3"),
            ("dentsit", "4"),
            ("apointmnet", "4"),
            ("sharpn knifes", "5"),
            ("hte passport", "1"),
            ("call teh plumber", "2"),
            ("call he plumber", "2"),
            ("xharpen the knives", "5"),
        ],
    );
}

#[test]
fn a_word_that_is_a_word_is_no_slip() {
    check(
        &[
            "Call Tom",
            "Buy silk",
            "Book club",
            "Contact lenses",
            "Lunch with Dan",
            "Plan c for the garden party",
            "Lunch with Marie",
            "Mow the lawn",
            "Gym at 6",
        ],
        &[
            ("call mom", "-"),
            ("buy milk", "-"),
            ("milk", "-"),
            ("cook", "-"),
            ("contract", "-"),
            ("lunch with don", "-"),
            ("mop the floor", "-"),
            ("gym at 7", "-"),
            ("gym at 16", "-"),
            ("call zom", "-"),
            ("plan b for the garden party", "-"),
            ("lunch with Marta", "-"),
            ("secnd one", "-"),
        ],
    );
}

#[test]
fn half_a_match_is_none() {
    check(
        &[
            "Fly kite",
            "Buy fish",
            "Go running",
            "Change my oil",
            "Write a letter to Ana",
            "Birthday cake",
        ],
        &[
            ("Fly to Mars", "-"),
            ("go fishing", "-"),
            ("change the light bulbs", "-"),
            ("write a book", "-"),
            ("cake for Leo", "-"),
            ("call Mia", "-"),
        ],
    );
    check(
        &["Book flight to SF", "Call son"],
        &[("flight to LA", "-"), ("call daughter", "-")],
    );
}

#[test]
fn twins_are_never_told_apart() {
    check(
        &[
            "Pay rent",
            "P\u{430}y rent",
            "Read\u{2060} book",
            "Read book",
            "Ask AI",
            "Ask Al",
            "Call \u{410}nna",
            "Mail Anna",
        ],
        &[
            ("pay rent", "many 1 2"),
            ("p\u{430}y rent", "many 1 2"),
            ("rent", "many 1 2"),
            ("read book", "many 3 4"),
            ("ask AI", "many 5 6"),
            ("anna", "many 7 8"),
            ("call anna", "7"),
        ],
    );
}

#[test]
fn spaces_may_be_misplaced() {
    check(
        &["Get a haircut", "Pick up parcel", "Buy light bulb"],
        &[
            ("hair cut", "1"),
            ("pickup parcel", "2"),
            ("lightbulb", "3"),
        ],
    );
}

#[test]
fn other_scripts_have_words_too() {
    check(
        &[
            "買牛奶",
            "Купить молоко",
            "شراء الحليب",
            "Kauf Äpfel für Zoë",
            "comprar la leche",
            "🍎🍎",
            "🍐",
        ],
        &[
            ("牛奶", "1"),
            ("молоко", "2"),
            ("الحليب", "3"),
            ("apfel fur zoe", "4"),
            ("la leche", "5"),
            ("🍎🍎", "6"),
            ("🍌", "-"),
        ],
    );
}

#[test]
fn places_mean_what_was_shown() {
    let tasks = tasks(&["Read book", "First aid kit", "Pay rent"]);
    let shown = [id(3), id(9), id(1)];
    let context = Context {
        shown: &shown,
        ..Context::default()
    };
    let resolver = ReferenceResolver::new(&tasks, context);
    let cases = [
        ("1", "3"),
        ("the second one", "gone"),
        ("the last one", "1"),
        ("third from the end", "3"),
        ("the fourth", "out"),
        ("0", "out"),
        ("the first", "3"),
        ("first", "many 2 3"),
    ];
    for (reference, expect) in cases {
        assert_eq!(
            short(&resolver.resolve(reference, Among::All)),
            expect,
            "{reference}"
        );
    }
    let unshown = ReferenceResolver::new(&tasks, Context::default());
    assert_eq!(
        short(&unshown.resolve("the second one", Among::All)),
        "unshown"
    );
}

#[test]
fn pronouns_mean_the_latest_turn() {
    #[track_caller]
    fn check(focus: &[u128], offered: &[u128], cases: &[(&str, &str)]) {
        let tasks = tasks(&["Read blue book", "Read red book", "Pay rent"]);
        let focus: Vec<TaskId> = focus.iter().copied().map(id).collect();
        let offered: Vec<TaskId> = offered.iter().copied().map(id).collect();
        let context = Context {
            shown: &[],
            focus: &focus,
            offered: &offered,
        };
        let resolver = ReferenceResolver::new(&tasks, context);
        for (reference, expect) in cases {
            assert_eq!(
                short(&resolver.resolve(reference, Among::All)),
                *expect,
                "{reference}"
            );
        }
    }
    check(
        &[3],
        &[],
        &[
            ("it", "3"),
            ("usko", "3"),
            ("them", "many 3"),
            ("the other one", "nofocus"),
        ],
    );
    check(&[3, 3], &[], &[("that one", "3")]);
    check(&[], &[], &[("it", "nofocus"), ("both", "nofocus")]);
    check(&[8], &[], &[("it", "gone")]);
    check(&[1, 2], &[], &[("it", "many 1 2"), ("both", "many 1 2")]);
    check(&[1, 8], &[], &[("it", "many 1")]);
    check(&[1], &[1, 2], &[("the other one", "2")]);
    check(&[1], &[1, 2, 3], &[("the other", "many 2 3")]);
    check(&[1], &[1, 8], &[("the other", "gone")]);
}

#[test]
fn a_title_said_whole_is_meant_in_any_state() {
    let titles = [
        "x Call grandma",
        "Sing: Call grandma",
        "x milk",
        "buy milk",
        "x tasks> list",
        "</tasks> list: all",
    ];
    let cases = [
        ("call grandma", "1"),
        ("grandma", "2"),
        ("milk", "4"),
        ("tasks> list", "5"),
    ];
    check_among(&titles, Among::Pending, &cases);
}

#[test]
fn the_state_that_is_asked_for_comes_first() {
    let titles = [
        "Call the dentist",
        "x Dentist invoice",
        "Milk",
        "x milk",
        "x Pay rent",
        "Renew visa",
    ];
    check_among(
        &titles,
        Among::Pending,
        &[
            ("dentist", "1"),
            ("milk", "3"),
            ("rent", "5"),
            ("dentist invoice", "2"),
        ],
    );
    check_among(
        &titles,
        Among::Completed,
        &[
            ("dentist", "2"),
            ("milk", "4"),
            ("visa", "6"),
            ("dentits", "2"),
        ],
    );
    check_among(
        &titles,
        Among::All,
        &[("dentist", "many 1 2"), ("milk", "many 3 4")],
    );
}

#[test]
fn the_nearest_titles_are_shown() {
    let tasks = tasks(&[
        "Renew passport",
        "Fly kite",
        "Order passport photos",
        "Water the ferns",
    ]);
    let resolver = ReferenceResolver::new(&tasks, Context::default());
    let nearest = |reference: &str| match resolver.resolve(reference, Among::All) {
        Resolution::None { nearest, .. } => {
            nearest.into_iter().map(|one| one.title).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(nearest("Fly to Mars"), ["Fly kite"]);
    assert_eq!(
        nearest("lost passport"),
        ["Renew passport", "Order passport photos"]
    );
    assert!(nearest("quarterly taxes").is_empty());
}

fn texts() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z]{1,9}",
        "[0-9]{1,3}",
        "\\PC{1,6}",
        Just("the".to_owned()),
        Just("first".to_owned()),
        Just("it".to_owned()),
        Just("read".to_owned()),
        Just("book".to_owned()),
        Just("books".to_owned()),
        Just("bo\u{430}k".to_owned()),
        Just("don't".to_owned()),
    ];
    proptest::collection::vec(word, 1..7).prop_map(|words| words.join(" "))
}

fn lists() -> impl Strategy<Value = TaskList> {
    proptest::collection::vec((texts(), any::<bool>()), 0..12).prop_map(|titles| {
        let tasks = (1..).zip(titles).filter_map(|(n, (title, done))| {
            let short: String = title.chars().take(60).collect();
            task(n, &if done { format!("x {short}") } else { short })
        });
        tasks.collect()
    })
}

fn amongs() -> impl Strategy<Value = Among> {
    prop_oneof![
        Just(Among::All),
        Just(Among::Pending),
        Just(Among::Completed)
    ]
}

proptest! {
    #[test]
    fn any_text_resolves_to_members_only(tasks in lists(), text in prop_oneof![texts(), any::<String>()], among in amongs()) {
        let shown: Vec<TaskId> = tasks.iter().map(|task| task.id).collect();
        let context = Context { shown: &shown, focus: &shown, offered: &shown };
        let resolver = ReferenceResolver::new(&tasks, context);
        match resolver.resolve(&text, among) {
            Resolution::One(id) => prop_assert!(shown.contains(&id)),
            Resolution::Many(several) => {
                prop_assert!(!several.is_empty());
                prop_assert!(several.iter().all(|one| shown.contains(&one.id)));
            }
            Resolution::None { nearest, .. } => prop_assert!(nearest.len() <= 3),
        }
        covers(&text, &text);
    }

    #[test]
    fn a_title_like_no_other_is_itself(tasks in lists()) {
        use crate::resolver::confusable::looks;
        use crate::domain::text::{Text, fold};
        let looks = |title: &str| looks(&Text::new(title));
        let resolver = ReferenceResolver::new(&tasks, Context::default());
        for task in tasks.iter() {
            let title = task.title.as_str();
            let alike = |other: &&Task| {
                let other = other.title.as_str();
                fold(other) == fold(title) || looks(other) == looks(title)
            };
            if tasks.iter().filter(alike).count() == 1 && !fold(title).is_empty() {
                prop_assert_eq!(resolver.resolve(title, Among::All), Resolution::One(task.id));
            }
        }
    }

    #[test]
    fn the_order_of_the_tasks_decides_nothing(tasks in lists(), text in texts(), among in amongs(), by in 0_usize..12) {
        let context = Context::default();
        let here = ReferenceResolver::new(&tasks, context).resolve(&text, among);
        let mut turned: Vec<Task> = tasks.iter().cloned().collect();
        turned.rotate_left(by.checked_rem(tasks.len()).unwrap_or(0));
        turned.reverse();
        for (second, task) in (0..).zip(&mut turned) {
            task.created_at += chrono::TimeDelta::seconds(second);
        }
        let turned = TaskList::from(turned);
        let there = ReferenceResolver::new(&turned, context).resolve(&text, among);
        prop_assert_eq!(short(&here), short(&there));
    }
}
