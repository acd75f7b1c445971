//! Values against words: the words win, and an error names both.

use chrono::{Days, NaiveDate};

use super::today;
use crate::domain::{Lang, Priority};
use crate::guard::values::{Calendar, Settled, description, priority};
use crate::intent::Due;
use crate::temporal::DueRule;

fn calendar() -> Calendar<'static> {
    Calendar {
        today: today(),
        rule: DueRule::Year,
        words: "push it",
        lang: Lang::En,
    }
}

fn by(days: i64) -> Due {
    Due::By {
        days,
        words: "so many days".to_owned(),
    }
}

#[test]
fn a_push_counts_from_the_tasks_own_day_in_both_directions() {
    let standing = NaiveDate::from_ymd_opt(2026, 3, 10).expect("a day");
    for (days, moved) in [
        (2, standing + Days::new(2)),
        (-3, standing - Days::new(3)),
        (0, standing),
    ] {
        assert_eq!(
            calendar().day_of(&by(days), Some(standing)),
            Some(moved),
            "{days}"
        );
    }
    assert_eq!(
        calendar().day_of(&by(1), None),
        Some(today() + Days::new(1))
    );
    assert_eq!(calendar().day_of(&Due::Clear, Some(standing)), None);
}

#[test]
fn a_contradiction_names_both() {
    let day = NaiveDate::from_ymd_opt(2026, 3, 10).expect("a day");
    let wanted = Due::On {
        day,
        words: "the tenth".to_owned(),
    };
    let other = day + Days::new(1);
    let error = calendar()
        .due(Some(&wanted), Some(Some(other)), None)
        .expect_err("a contradiction");
    for part in ["2026-03-11", "2026-03-10", "the tenth"] {
        assert!(error.error.contains(part), "{}", error.error);
    }
    assert_eq!(error.details.parameter.as_deref(), Some("due_date"));
    assert_eq!(error.details.value, Some("2026-03-11".into()));
    assert_eq!(error.details.suggestion.as_deref(), Some("Use 2026-03-10"));
    assert!(
        error
            .details
            .constraint
            .is_some_and(|rule| rule.contains("disagrees"))
    );
    let cleared = calendar().due(Some(&Due::Clear), Some(Some(day)), None);
    assert!(cleared.is_err_and(|error| error.error.contains("no date")));
    let error = priority(Some(Priority::High), Some(Priority::Low)).expect_err("a contradiction");
    assert!(error.error.contains("high") && error.error.contains("low"));
    assert_eq!(error.details.parameter.as_deref(), Some("priority"));
}

#[test]
fn a_note_is_the_users_or_none() {
    let words = "add milk, note: Ask Bob First";
    let own = Some("Ask Bob First");
    let take = |text: &str| Settled::Take(text.to_owned());
    assert_eq!(
        description(own, Some("ask bob first"), words),
        take("ask bob first")
    );
    assert_eq!(
        description(own, Some("from the shop"), words),
        take("Ask Bob First")
    );
    assert_eq!(description(own, None, words), take("Ask Bob First"));
    assert_eq!(description(None, Some("milk"), words), Settled::Dropped);
    assert_eq!(description(None, None, words), Settled::Leave);
}
