//! Number of tasks that are read for an answer: as many in a long list as in a short one.

use super::*;
use crate::resolver::list::READ;

/// Lists that make it hard: every title has the same two words, and a third of few.
fn list(tasks: u128) -> TaskList {
    let title = |n: u128| match n % 3 {
        0 => format!("Water plant {n}"),
        1 => format!("x Water plant {n}"),
        _ => format!("Water the plant in room {}", n % 30),
    };
    (1..=tasks).filter_map(|n| task(n, &title(n))).collect()
}

/// Counts the tasks that `ask` reads.
fn read(list: &TaskList, ask: impl FnOnce(&TaskList)) -> usize {
    list.index();
    READ.set(0);
    ask(list);
    READ.take()
}

/// More than any answer needs that shows fifty tasks, or asks about them.
const MOST: usize = 400;

#[test]
fn no_reference_reads_a_long_list() {
    let list = list(9_000);
    for (reference, most) in [
        ("Water plant 1800", 8),
        ("plant 1800", 16),
        ("wter plant 1800", 64),
        ("water plant", MOST),
        ("watering plants", 5_000),
        ("water the plant in room 7", MOST),
        ("watr plnt", 5_000),
        ("paint the fence", 2_000),
        ("the first one", 2),
    ] {
        for among in [Among::All, Among::Pending, Among::Completed] {
            let count = read(&list, |list| {
                ReferenceResolver::new(list, Context::default()).resolve(reference, among);
            });
            assert!(count <= most, "{reference:?} {among:?}: {count} tasks read");
        }
    }
}

#[test]
fn no_question_about_a_long_list_reads_it() {
    let list = list(9_000);
    let count = |ask: fn(&TaskList)| read(&list, ask);
    let open = Selection {
        done: Some(false),
        words: Some("water plant"),
        ..Selection::default()
    };
    assert!(read(&list, |list| drop(list.select(&open, 50))) <= MOST);
    assert!(count(|list| drop(list.of_state(Among::Completed, 5))) <= 8);
    assert!(count(|list| drop(list.titled("water plant 1800", Among::All))) <= 4);
    assert!(count(|list| _ = list.has_title_with("water plant")) <= 4);
    assert!(count(|list| drop(list.touched_by("water plant 1800", 40))) <= MOST);
    assert!(count(|list| drop(list.standing_in("delete water plant 1800, please"))) <= 8);
    assert!(count(|list| _ = list.only_open_in("water plant 1800")) <= MOST);
    assert!(count(|list| _ = list.place(TaskId::new(uuid::Uuid::from_u128(99)))) <= 32);
}

#[test]
fn a_change_reads_no_other_task() {
    let mut list = list(9_000);
    list.index();
    READ.set(0);
    list.put(task(9_001, "Water plant 9001").unwrap());
    list.put(task(12, "x Water plant twelve").unwrap());
    list.remove(TaskId::new(uuid::Uuid::from_u128(13)));
    assert!(READ.take() <= 8);
}

#[test]
fn reading_all_is_counted() {
    let list = list(300);
    let scan = |list: &TaskList| assert_eq!(list.iter().filter(|task| task.version > 1).count(), 0);
    assert_eq!(read(&list, scan), 300);
    assert_eq!(read(&list, |list| drop(list.to_vec())), 300);
}
