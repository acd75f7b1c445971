//! Days that words give a task, and an error that names both values.

use chrono::{Days, NaiveDate};

use super::{task, today};
use crate::domain::{Lang, Priority, Task};
use crate::guard::values::{Calendar, other_priority};
use crate::intent::Due;
use crate::temporal::DueRule;

fn calendar() -> Calendar {
    Calendar {
        today: today(),
        rule: DueRule::Year,
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
    let gym = Task {
        due_date: Some(standing),
        ..task(1, "gym", false)
    };
    for (days, moved) in [
        (2, standing + Days::new(2)),
        (-3, standing - Days::new(3)),
        (0, standing),
    ] {
        let found = calendar().day_of(&by(days), Some(&gym));
        assert_eq!(found, Some(moved), "{days}");
        let found = calendar().due(Some(&by(days)), &gym);
        assert_eq!(found, Ok(Some(Some(moved))), "{days}");
    }
    let tomorrow = today() + Days::new(1);
    assert_eq!(calendar().day_of(&by(1), None), Some(tomorrow));
}

#[test]
fn a_day_is_left_taken_away_or_checked() {
    let gym = task(1, "gym", false);
    assert_eq!(calendar().due(None, &gym), Ok(None));
    assert_eq!(calendar().due(Some(&Due::Clear), &gym), Ok(Some(None)));
    let words = "skip it".to_owned();
    assert_eq!(calendar().due(Some(&Due::Skip { words }), &gym), Ok(None));
    let past = calendar().due(Some(&by(-1)), &gym);
    assert!(past.is_err_and(|error| error.details.parameter.as_deref() == Some("due_date")));
}

#[test]
fn an_error_names_both_priorities() {
    let error = other_priority(Priority::Low, Priority::High);
    assert!(error.error.contains("high") && error.error.contains("low"));
    assert_eq!(error.details.parameter.as_deref(), Some("priority"));
    assert_eq!(error.details.value, Some("low".into()));
    assert_eq!(error.details.suggestion.as_deref(), Some("Use high"));
}
