//! Choices that a button makes, and which buttons there are.

use crate::turn::{ChoiceItem, ChoiceMode, QuestionAnswer, ServerQuestion};

fn asked(mode: ChoiceMode, labels: &[&str]) -> ServerQuestion {
    ServerQuestion {
        text: "Which one?".to_owned(),
        mode,
        items: labels
            .iter()
            .map(|label| ChoiceItem {
                label: (*label).to_owned(),
                title: (*label).to_owned(),
                task: None,
                due: None,
                plans: Vec::new(),
            })
            .collect(),
        declined: "Nothing was deleted.".to_owned(),
    }
}

fn run(items: &[usize], rest: bool) -> Option<QuestionAnswer> {
    Some(QuestionAnswer::Run {
        items: items.to_vec(),
        rest,
    })
}

#[test]
fn a_button_chooses_what_it_shows_and_nothing_else() {
    let all = asked(ChoiceMode::All, &["milk", "eggs"]);
    let one_of = asked(ChoiceMode::OneOf, &["milk", "eggs"]);
    for (question, value, answered) in [
        (&all, "yes", run(&[0, 1], false)),
        (&all, "no", Some(QuestionAnswer::Declined)),
        (&all, "all", None),
        (&all, "2", run(&[1], true)),
        (&one_of, "all", run(&[0, 1], false)),
        (&one_of, "no", Some(QuestionAnswer::Declined)),
        (&one_of, "yes", None),
        (&one_of, "1", run(&[0], false)),
        (&one_of, "2", run(&[1], false)),
        (&one_of, "3", None),
        (&one_of, "0", None),
        (&one_of, "-1", None),
        (&one_of, "", None),
    ] {
        assert_eq!(
            question.choose(value),
            answered,
            "{:?} {value:?}",
            question.mode
        );
    }
    let single = asked(ChoiceMode::All, &["milk"]);
    assert_eq!(single.choose("1"), run(&[0], false));
}

#[test]
fn every_button_can_be_pressed() {
    let pair = |id: &str, label: &str| (id.to_owned(), label.to_owned());
    let all = asked(ChoiceMode::All, &["milk", "eggs"]);
    assert_eq!(
        all.options("Haan", "Nahi"),
        [
            pair("yes", "Haan"),
            pair("1", "milk"),
            pair("2", "eggs"),
            pair("no", "Nahi")
        ]
    );
    let single = asked(ChoiceMode::All, &["milk"]);
    assert_eq!(
        single.options("Yes", "No"),
        [pair("yes", "Yes"), pair("no", "No")]
    );
    let one_of = asked(ChoiceMode::OneOf, &["milk", "eggs"]);
    let options = one_of.options("Yes", "No");
    assert_eq!(
        options,
        [pair("1", "milk"), pair("2", "eggs"), pair("no", "No")]
    );
    assert!(options.iter().all(|(id, _)| one_of.choose(id).is_some()));
    let open = asked(ChoiceMode::Open, &["milk"]);
    assert_eq!(open.options("Yes", "No"), [pair("1", "milk")]);
}
