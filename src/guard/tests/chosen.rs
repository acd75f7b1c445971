//! Choices that an answer makes among what is offered, and answers that choose nothing: by table.

use chrono::NaiveDate;

use super::{Scene, task, title, today};
use crate::domain::{Lang, Priority, Task};
use crate::guard::question::{ask_add, ask_which};
use crate::guard::{AnswerReply, QuestionContext, ask_change, read_answer};
use crate::intent::{self, Due, Values, Verb};
use crate::resolver::Candidate;
use crate::temporal::DueRule;
use crate::tools::NewTask;
use crate::turn::{QuestionAnswer, ServerQuestion};

fn day(number: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 2, number).expect("a day")
}

/// Three tasks, the first two of them due on a day.
fn tasks() -> Vec<Task> {
    let mut tasks = vec![
        task(1, "Dentist letter", false),
        task(2, "Plumber invoice", false),
        task(3, "Garden fence", false),
    ];
    for (task, number) in tasks.iter_mut().zip([12, 13]) {
        task.due_date = Some(day(number));
    }
    tasks
}

fn context(scene: &Scene) -> QuestionContext<'_> {
    QuestionContext {
        situation: scene.situation(),
        due_rule: DueRule::Year,
        speech: Lang::En,
    }
}

/// "Delete 3 tasks?", of as many as there are titles.
fn all(verb: Verb, tasks: Vec<Task>, values: &Values) -> ServerQuestion {
    let scene = Scene::new("", tasks);
    let ids: Vec<_> = scene.tasks.iter().map(|task| task.id).collect();
    ask_change(verb, &ids, values, &context(&scene)).expect("a question")
}

/// "Which one should I delete?"
fn which(verb: Verb, tasks: Vec<Task>) -> ServerQuestion {
    let scene = Scene::new("", tasks);
    let candidates = scene.tasks.iter().map(|task| Candidate {
        id: task.id,
        title: task.title.as_str().to_owned(),
    });
    let candidates: Vec<Candidate> = candidates.collect();
    ask_which(
        verb,
        "one",
        &candidates,
        &Values::default(),
        &context(&scene),
    )
    .expect("a question")
}

/// "Add milk?"
fn offer() -> ServerQuestion {
    let plan = NewTask {
        title: title("Milk"),
        description: None,
        priority: Priority::Medium,
        due_date: None,
        due_time: None,
        repeat: None,
        remind: None,
    };
    ask_add(vec![plan], Lang::En)
}

fn reply(asked: &ServerQuestion, message: &str) -> Option<AnswerReply> {
    let reading = intent::read(message, today(), Lang::En);
    let scene = Scene::new("", tasks());
    read_answer(asked, &reading, message, &scene.situation())
}

/// The answer in short: "run 0 1", "run 0, rest stays".
fn answer(asked: &ServerQuestion, message: &str) -> String {
    match reply(asked, message).map(|reply| reply.answered) {
        None => "none".to_owned(),
        Some(QuestionAnswer::Declined) => "declined".to_owned(),
        Some(QuestionAnswer::Unclear) => "unclear".to_owned(),
        Some(QuestionAnswer::Narrow(items)) => format!("narrow {items:?}"),
        Some(QuestionAnswer::Run { items, rest: false }) => format!("run {items:?}"),
        Some(QuestionAnswer::Run { items, rest: true }) => format!("run {items:?}, rest stays"),
    }
}

#[track_caller]
fn check(asked: &ServerQuestion, table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(message, wanted)| (message, wanted, answer(asked, message)))
        .filter(|(_, wanted, answered)| *wanted != answered)
        .map(|(message, wanted, answered)| format!("{message:?}: {answered}, not {wanted}"))
        .collect();
    assert!(wrong.is_empty(), "{}:\n{}", asked.text, wrong.join("\n"));
}

#[test]
fn what_is_left_out_of_a_deletion_is_asked_again_unless_there_is_a_yes() {
    let asked = all(Verb::Delete, tasks(), &Values::default());
    check(
        &asked,
        &[
            ("not the garden fence", "narrow [0, 1]"),
            ("not the first one", "narrow [1, 2]"),
            ("yes, but not the garden fence", "run [0, 1], rest stays"),
            (
                "yes, but don't delete the garden fence",
                "run [0, 1], rest stays",
            ),
            ("yes, but not the first one", "run [1, 2], rest stays"),
            ("all of them", "run [0, 1, 2]"),
            ("all but the first one", "run [1, 2], rest stays"),
        ],
    );
    // Nothing is lost by a change that is not asked again.
    let done = all(Verb::Complete, tasks(), &Values::default());
    check(&done, &[("not the garden fence", "run [0, 1], rest stays")]);
}

#[test]
fn of_several_that_one_is_chosen_from_none_runs_for_another_being_left_out() {
    let three = which(Verb::Delete, tasks());
    check(
        &three,
        &[
            ("the first one", "run [0]"),
            ("the plumber invoice", "run [1]"),
            ("not the first one", "unclear"),
            ("yes, but not the first one", "unclear"),
            ("yes", "unclear"),
            ("no", "declined"),
        ],
    );
}

#[test]
fn a_place_beyond_the_offer_chooses_nothing() {
    let asked = all(Verb::Delete, tasks(), &Values::default());
    check(
        &asked,
        &[
            ("the second one", "run [1], rest stays"),
            ("the third one", "run [2], rest stays"),
            ("the last one", "run [2], rest stays"),
            ("2", "run [1], rest stays"),
        ],
    );
    let two = all(
        Verb::Delete,
        tasks().into_iter().take(2).collect(),
        &Values::default(),
    );
    for message in [
        "the third one",
        "the fourth one",
        "the fifth one",
        "number 3",
        "3",
        "the first and the third",
    ] {
        let answered = answer(&two, message);
        assert!(!answered.starts_with("run"), "{message:?}: {answered}");
    }
}

#[test]
fn only_a_yes_to_the_offer_adds_what_is_offered() {
    check(
        &offer(),
        &[
            ("yes", "run [0]"),
            ("yes, thanks", "run [0]"),
            ("add it", "run [0]"),
            ("no", "declined"),
            ("add bread", "none"),
            ("add bread please", "none"),
            ("yes?", "unclear"),
        ],
    );
    // Nothing is offered to be added here.
    let deletion = all(Verb::Delete, tasks(), &Values::default());
    check(&deletion, &[("add it", "none"), ("add another", "none")]);
}

#[test]
fn small_talk_chooses_no_task_of_the_same_words() {
    let named = |words: &str| {
        let tasks = vec![task(1, words, false), task(2, "Plumber invoice", false)];
        all(Verb::Delete, tasks, &Values::default())
    };
    for words in ["Hello", "Thanks", "Good morning", "What can you do"] {
        let answered = answer(&named(words), &words.to_lowercase());
        assert!(!answered.starts_with("run"), "{words:?}: {answered}");
    }
}

#[test]
fn words_beyond_the_titles_choose_nothing() {
    let asked = all(Verb::Delete, tasks(), &Values::default());
    check(
        &asked,
        &[
            ("dentist letter and garden fence", "run [0, 2], rest stays"),
            ("dentist letter, garden fence", "run [0, 2], rest stays"),
        ],
    );
    for message in [
        "dentist letter, garden fence, passport photos",
        "dentist letter and garden fence stay",
        "dentist letter garden fence forever",
    ] {
        let answered = answer(&asked, message);
        assert!(!answered.starts_with("run"), "{message:?}: {answered}");
    }
}

#[test]
fn a_title_said_whole_chooses_no_task_that_begins_like_it() {
    let long = || task(2, "Call mom for tea, then cake", false);
    let asked = all(Verb::Complete, vec![long()], &Values::default());
    let chosen = |message: &str, list: Vec<Task>| {
        let (reading, scene) = (
            intent::read(message, today(), Lang::En),
            Scene::new("", list),
        );
        let reply = read_answer(&asked, &reading, message, &scene.situation());
        reply.is_some_and(|reply| matches!(reply.answered, QuestionAnswer::Run { .. }))
    };
    for message in [
        "call mom for tea",
        "complete call mom for tea",
        "mark Call mom for tea as done",
        "call mom for tea ist erledigt",
    ] {
        assert!(chosen(message, vec![long()]), "{message:?}");
        for done in [true, false] {
            let list = vec![task(1, "Call mom for tea", done), long()];
            assert!(!chosen(message, list), "{message:?}");
        }
    }
    // What is done can't be completed; the very title of an option is that option.
    assert!(chosen("cake", vec![task(1, "Cake", true), long()]));
    assert!(!chosen("cake", vec![task(1, "Cake", false), long()]));
    let twin = || vec![task(1, "Call mom for tea, then cake", true), long()];
    assert!(chosen("Call mom for tea, then cake", twin()));
}

#[test]
fn what_is_read_of_a_piece_of_a_title_answers_nothing() {
    let called = || task(1, "call mom: I have called her", false);
    let said = |asked: &ServerQuestion, message: &str, list: Vec<Task>| {
        let (reading, scene) = (
            intent::read(message, today(), Lang::En),
            Scene::new("", list),
        );
        read_answer(asked, &reading, message, &scene.situation()).map(|reply| reply.answered)
    };
    let both = || vec![called(), task(2, "call mom", false)];
    let asked = all(Verb::Delete, both(), &Values::default());
    let long = "remove call mom: I have called her, please";
    assert_eq!(said(&asked, long, both()), None);
    let short = said(&asked, "remove call mom", both());
    assert!(matches!(short, Some(QuestionAnswer::Run { items, .. }) if items == [1]));
    // A yes with more words that may say something of the speaker is for a model to understand.
    let asked = all(Verb::Delete, vec![called()], &Values::default());
    let yes = said(&asked, "yes, call mom: I have called her", vec![called()]);
    assert_eq!(yes, None);
    // A day behind such a title is no day for what was offered.
    let list = || vec![task(1, "You have 0 tasks.", false)];
    let moved = "move You have 0 tasks. to tomorrow";
    assert_eq!(said(&offer(), moved, list()), None);
    let day = said(&offer(), "to tomorrow", list());
    assert!(matches!(day, Some(QuestionAnswer::Run { .. })), "{day:?}");
}

#[test]
fn a_day_belongs_to_what_can_have_one() {
    let due = |asked: &ServerQuestion, message: &str| match reply(asked, message) {
        Some(AnswerReply {
            answered: QuestionAnswer::Run { items, .. },
            amended:
                Values {
                    due: Some(Due::On { day, .. }),
                    ..
                },
        }) => Some((items, day)),
        _ => None,
    };
    for message in ["yes, friday", "yeah, friday would be good"] {
        assert_eq!(
            due(&offer(), message),
            Some((vec![0], day(13))),
            "{message:?}"
        );
    }
    let low = Values {
        priority: Some(Priority::Low),
        ..Values::default()
    };
    let changed = all(Verb::Update, tasks(), &low);
    assert_eq!(due(&changed, "yes, friday"), Some((vec![0, 1, 2], day(13))));
    // A day says nothing about a deletion, nor about what is done.
    for verb in [Verb::Delete, Verb::Complete] {
        let asked = all(verb, tasks(), &Values::default());
        for message in ["friday", "make it friday", "yes, friday"] {
            let answered = answer(&asked, message);
            assert!(
                !answered.starts_with("run"),
                "{verb:?} {message:?}: {answered}"
            );
        }
    }
}

#[test]
fn a_day_chooses_the_one_task_that_is_due_then() {
    let asked = all(Verb::Delete, tasks(), &Values::default());
    check(&asked, &[("the one on friday", "run [1], rest stays")]);
    let mut twice = tasks();
    for task in &mut twice {
        task.due_date = Some(day(13));
    }
    let asked = all(Verb::Delete, twice, &Values::default());
    for message in ["the one on friday", "the one on thursday"] {
        let answered = answer(&asked, message);
        assert!(!answered.starts_with("run"), "{message:?}: {answered}");
    }
}
