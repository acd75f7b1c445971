//! Laws of a list of tasks, however it came about: it is the list built from scratch.

use chrono::{DateTime, NaiveDate, TimeDelta};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::domain::Priority;
use crate::resolver::list::age;

/// One change of a list.
#[derive(Debug, Clone)]
enum Step {
    Put(Box<Task>),
    Remove(TaskId),
    /// A copy is taken, and read.
    Copy,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let title = texts().prop_map(|text| text.chars().take(60).collect::<String>());
    let put = (1_u128..24, title, any::<bool>(), 0_i64..40, 0_u64..6);
    let put = put.prop_filter_map("a title", |(n, title, done, second, day)| {
        let mut task = task(n, &if done { format!("x {title}") } else { title })?;
        // Changed tasks keep their age; those put back may be older than others.
        task.created_at += TimeDelta::seconds(second % 7 + i64::try_from(n).ok()? % 5);
        task.due_date =
            NaiveDate::from_ymd_opt(2026, 2, 10)?.checked_add_days(chrono::Days::new(day));
        if day == 0 {
            task.due_date = None;
            task.priority = Priority::High;
        }
        Some(task)
    });
    let step = prop_oneof![
        5 => put.prop_map(|task| Step::Put(Box::new(task))),
        2 => (1_u128..24).prop_map(|n| Step::Remove(TaskId::new(Uuid::from_u128(n)))),
        1 => Just(Step::Copy),
    ];
    proptest::collection::vec(step, 0..40)
}

/// The list after `steps`, changed in place, and what it should hold.
fn walked(steps: &[Step]) -> (TaskList, Vec<Task>) {
    let (mut list, mut plain): (TaskList, Vec<Task>) = Default::default();
    let mut copies = Vec::new();
    for step in steps {
        match step {
            Step::Put(task) => {
                plain.retain(|old| old.id != task.id);
                plain.push(Task::clone(task));
                list.put(Task::clone(task));
            }
            Step::Remove(id) => {
                let stood = plain.iter().any(|old| old.id == *id);
                plain.retain(|old| old.id != *id);
                assert_eq!(list.remove(*id), stood);
            }
            Step::Copy => {
                let resolver = ReferenceResolver::new(&list, Context::default());
                resolver.resolve("read the book", Among::All);
                copies.push((list.clone(), plain.clone()));
            }
        }
    }
    for (copy, mut plain) in copies {
        plain.sort_by_key(age);
        assert!(copy.iter().eq(&plain), "a copy changed with its original");
    }
    plain.sort_by_key(age);
    (list, plain)
}

proptest! {
    #[test]
    fn a_list_is_what_it_holds_however_it_came_about(
        steps in steps(),
        references in proptest::collection::vec(texts(), 1..6),
        among in amongs(),
    ) {
        let (list, plain) = walked(&steps);
        prop_assert_eq!(list.iter().collect::<Vec<_>>(), plain.iter().collect::<Vec<_>>());
        prop_assert_eq!((list.len(), list.is_empty()), (plain.len(), plain.is_empty()));
        for (place, task) in plain.iter().enumerate() {
            prop_assert_eq!(list.get(task.id), Some(task));
            prop_assert_eq!(list.place(task.id), Some(place));
        }
        let scratch: TaskList = plain.iter().cloned().collect();
        prop_assert_eq!(&list, &scratch);
        let titles = plain.iter().map(|task| task.title.as_str().to_owned());
        for reference in references.into_iter().chain(titles) {
            let answer = |list| ReferenceResolver::new(list, Context::default()).resolve(&reference, among);
            prop_assert_eq!(answer(&list), answer(&scratch), "{}", reference);
        }
    }
}

proptest! {
    #[test]
    fn what_is_asked_of_a_list_is_what_reading_all_of_it_gives(
        steps in steps(),
        text in texts(),
        among in amongs(),
        done in any::<Option<bool>>(),
        (from, to) in (0_u32..8, 0_u32..8),
        with in 0_u8..16,
    ) {
        let (mut list, plain) = walked(&steps);
        for (at, task) in plain.iter().enumerate().filter(|(at, _)| at % 3 == 0) {
            let note = if at % 2 == 0 { text.clone() } else { "read the blue book".to_owned() };
            list.put(Task { description: Some(note), ..task.clone() });
        }
        let day = |n| NaiveDate::from_ymd_opt(2026, 2, 9 + n).unwrap();
        let asked = Selection {
            done,
            due: match with % 4 {
                0 => None,
                1 => Some(Days::Between(day(from), day(to))),
                2 => Some(Days::Before(day(from))),
                _ => Some(Days::Undated),
            },
            priority: (with & 4 > 0).then_some(Priority::High),
            words: (with & 8 > 0).then_some(text.as_str()),
        };
        let fits: Vec<&Task> = list.iter().filter(|task| asked.matches(task)).collect();
        let selected = list.select(&asked, 3);
        prop_assert_eq!(selected.matched, fits.len());
        prop_assert_eq!(selected.oldest, fits.into_iter().take(3).collect::<Vec<_>>());

        let of_state = |task: &&Task| match among {
            Among::All => true,
            Among::Pending => !task.status.is_completed(),
            Among::Completed => task.status.is_completed(),
        };
        let titled = |text: &str| {
            let tasks = list.iter().filter(of_state);
            let folded = crate::domain::text::fold(text);
            let same = |task: &&Task| crate::domain::text::fold(task.title.as_str()) == folded;
            tasks.filter(same).collect::<Vec<_>>()
        };
        let titles = plain.iter().map(|task| task.title.as_str().to_uppercase());
        for text in titles.chain([text.clone()]) {
            prop_assert_eq!(list.titled(&text, among), titled(&text));
            let has = |task: &Task| Words::of(task.title.as_str()).contains_all(&text);
            prop_assert_eq!(list.has_title_with(&text), list.iter().any(has));
            let said = Words::of(&text);
            let mut open = list.iter().filter(|task| {
                !task.status.is_completed() && said.contains_all(task.title.as_str())
            });
            let only = open.next().filter(|_| open.next().is_none());
            prop_assert_eq!(list.only_open_in(&text), only);
            let names = |task: &&Task| {
                title_words(task.title.as_str()).iter().any(|word| said.contains(word))
            };
            let touched: Vec<&Task> = list.iter().filter(names).collect();
            prop_assert_eq!(list.touched_by(&text, 100), touched);
        }
    }

    #[test]
    fn a_title_in_a_text_is_found(steps in steps(), before in "[a-z ]{0,9}", after in texts()) {
        let (list, plain) = walked(&steps);
        for task in &plain {
            let text = format!("{before} \"{}\", {after}", task.title.as_str());
            prop_assert!(list.standing_in(&text).contains(&task), "{}", text);
        }
    }
}

#[test]
fn slots_are_numbered_anew_before_they_are_too_many() {
    let mut list = TaskList::default();
    let at = DateTime::UNIX_EPOCH;
    // Each is older than all before it: every slot but the first is late.
    for n in (1..500_u128).rev() {
        let mut new = task(n, "Water plant").unwrap();
        new.created_at = at + TimeDelta::seconds(i64::try_from(n).unwrap());
        list.put(new);
    }
    assert!(list.late() < 80, "{} late slots", list.late());
    for n in 1..490_u128 {
        list.remove(TaskId::new(Uuid::from_u128(n)));
    }
    assert!(list.slots() < 120, "{} slots", list.slots());
    assert_eq!(list.len(), 10);
}
