//! Tasks in pages, by status and by words.

use candor::domain::Action;
use candor::store::{NewTask, StoreError, TaskQuery};

use super::scene::{Ground, Scene, done, new_task};

pub async fn tasks_come_newest_first_page_by_page(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    for number in 0..10 {
        let id = scene.add(&format!("Task {number}")).await;
        if number % 2 == 0 {
            scene
                .turn(|unit| {
                    let _ = unit.change(Action::CompleteTask, id, &done());
                })
                .await;
        }
    }
    for (completed, limit, expect) in [
        (None, 3, vec![9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
        (None, 10, vec![9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
        (None, 99, vec![9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
        (Some(true), 2, vec![8, 6, 4, 2, 0]),
        (Some(false), 5, vec![9, 7, 5, 3, 1]),
    ] {
        let mut titles = Vec::new();
        let mut cursor = None;
        loop {
            let query = TaskQuery {
                completed,
                limit: Some(limit),
                cursor,
                q: None,
            };
            let page = scene.store.tasks(&scene.user, &query).await.unwrap();
            assert!(page.tasks.len() <= usize::try_from(limit).unwrap());
            titles.extend(page.tasks.iter().map(|task| task.title.to_string()));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let expect: Vec<_> = expect
            .iter()
            .map(|number| format!("Task {number}"))
            .collect();
        assert_eq!(titles, expect);
        let all = TaskQuery {
            completed,
            ..TaskQuery::default()
        };
        let page = scene.store.tasks(&scene.user, &all).await.unwrap();
        assert_eq!((page.tasks.len(), page.next_cursor), (expect.len(), None));
    }
}

pub async fn words_are_found_whatever_their_accents(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    scene
        .turn(|unit| {
            for text in ["Café crème", "100% cotton", "Call mom", "CAFETERIA menu"] {
                unit.add(new_task(text));
            }
            unit.add(NewTask {
                description: Some("ask about the cafe".to_owned()),
                ..new_task("Plan trip")
            });
        })
        .await;
    for (words, limit, expect) in [
        (
            "cafe",
            None,
            vec!["Plan trip", "CAFETERIA menu", "Café crème"],
        ),
        ("CAFÉ", Some(2), vec!["Plan trip", "CAFETERIA menu"]),
        ("100%", None, vec!["100% cotton"]),
        ("_", None, vec![]),
        ("dad", None, vec![]),
    ] {
        let query = TaskQuery {
            q: Some(words.to_owned()),
            limit,
            ..TaskQuery::default()
        };
        let page = scene.store.tasks(&scene.user, &query).await.unwrap();
        let titles: Vec<_> = page.tasks.iter().map(|task| task.title.as_str()).collect();
        assert_eq!(titles, expect, "{words}");
        assert_eq!(page.next_cursor.is_some(), limit.is_some());
    }
}

pub async fn a_strange_cursor_is_refused(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    for cursor in [
        "",
        "x",
        "1.x",
        "x.0198c0de-0000-7000-8000-000000000000",
        "' OR 1=1",
    ] {
        let query = TaskQuery {
            cursor: Some(cursor.to_owned()),
            ..TaskQuery::default()
        };
        let error = scene.store.tasks(&scene.user, &query).await.unwrap_err();
        assert!(matches!(error, StoreError::Cursor), "{cursor:?}: {error:?}");
    }
}
