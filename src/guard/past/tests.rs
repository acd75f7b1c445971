//! Tests of the answers about the past.

use std::sync::atomic::{AtomicU32, Ordering};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

mod asked;
mod forms;

use super::*;
use crate::domain::{IdSource, Lang, Priority, Title, UserId};
use crate::intent::read as read_words;
use crate::resolver::{Context, TaskList};
use crate::store::{AppliedChange, CommitRecord, CommitResult, NewTask, Store, TaskPatch, Unit};

const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();

/// One thing that is done in a turn.
#[derive(Clone, Copy)]
enum Do {
    Add(&'static str),
    Delete(&'static str),
    Done(&'static str),
    Open(&'static str),
    Due(&'static str, u32),
    High(&'static str),
    Rename(&'static str, &'static str),
    /// Takes back the latest change of that task.
    Undo(&'static str),
}
use Do::*;

/// A list, its receipts, and a conversation; a minute goes by with every turn, from 18:01 on.
struct World {
    store: Store,
    user: UserId,
    ids: IdSource,
    conversation: ConversationId,
    version: i64,
    now: DateTime<Utc>,
    tasks: TaskList,
    frame: TurnFrame,
}

impl World {
    async fn of(titles: &[&'static str]) -> Self {
        static USERS: AtomicU32 = AtomicU32::new(0);
        let number = USERS.fetch_add(1, Ordering::Relaxed);
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.migrate().await.unwrap();
        let ids = IdSource::random();
        let mut world = Self {
            store,
            user: UserId::parse(&format!("past-{number}")).unwrap(),
            conversation: ConversationId::new(ids.next()),
            ids,
            version: 0,
            now: DateTime::parse_from_rfc3339("2026-02-08T18:00:00Z")
                .unwrap()
                .to_utc(),
            tasks: TaskList::default(),
            frame: TurnFrame::default(),
        };
        let added: Vec<Do> = titles.iter().map(|title| Add(title)).collect();
        world.play(&added, false).await;
        world
    }

    async fn history(&self) -> Vec<ReceiptEntry> {
        self.store.history(&self.user, None, 1000).await.unwrap()
    }

    async fn play(&mut self, deeds: &[Do], here: bool) {
        let conversation = here.then_some(self.conversation);
        let history = self.history().await;
        let turn = TurnId::new(self.ids.next());
        let (user, tasks) = (self.user.clone(), self.tasks.clone());
        let mut unit = Unit::new(user, conversation, turn, self.now, self.ids.clone(), tasks);
        let mut focus = Vec::new();
        for deed in deeds {
            let id = |unit: &Unit, title: &str| {
                let all = unit.tasks();
                let found = all.iter().find(|task| task.title.as_str() == title);
                found.unwrap().id
            };
            let set = |patch: TaskPatch| patch;
            let (title, action, patch) = match *deed {
                Add(title) => {
                    let task = NewTask::titled(Title::parse(title).unwrap());
                    focus.extend(unit.add(task).facts().task_id);
                    continue;
                }
                Delete(title) => {
                    let id = id(&unit, title);
                    focus.push(id);
                    assert!(matches!(unit.delete(id), AppliedChange::Changed(_)));
                    continue;
                }
                Undo(title) => {
                    let last = history
                        .iter()
                        .find(|entry| entry.receipt.facts().title() == Some(title));
                    let draft = unit.undo(&last.unwrap().receipt).unwrap();
                    focus.extend(draft.facts().task_id);
                    continue;
                }
                Done(title) => (
                    title,
                    Action::CompleteTask,
                    set(TaskPatch {
                        completed: Some(true),
                        ..TaskPatch::default()
                    }),
                ),
                Open(title) => (
                    title,
                    Action::UpdateTask,
                    set(TaskPatch {
                        completed: Some(false),
                        ..TaskPatch::default()
                    }),
                ),
                Due(title, day) => (
                    title,
                    Action::UpdateTask,
                    set(TaskPatch {
                        due_date: Some(NaiveDate::from_ymd_opt(2026, 2, day)),
                        ..TaskPatch::default()
                    }),
                ),
                High(title) => (
                    title,
                    Action::UpdateTask,
                    set(TaskPatch {
                        priority: Some(Priority::High),
                        ..TaskPatch::default()
                    }),
                ),
                Rename(title, new) => (
                    title,
                    Action::UpdateTask,
                    set(TaskPatch {
                        title: Some(Title::parse(new).unwrap()),
                        ..TaskPatch::default()
                    }),
                ),
            };
            let id = id(&unit, title);
            focus.push(id);
            assert!(matches!(
                unit.change(action, id, &patch),
                AppliedChange::Changed(_)
            ));
        }
        self.tasks = unit.tasks().clone();
        let record = CommitRecord {
            conversation: conversation.map(|id| (id, self.version)),
            ..CommitRecord::default()
        };
        let end = self.store.commit(unit, record).await;
        assert!(matches!(end, CommitResult::Committed(_)));
        if here {
            self.version += 1;
            self.frame.focus = focus;
            self.frame.worked = Some(true);
        }
        self.now += TimeDelta::minutes(1);
    }

    /// A turn of this conversation.
    async fn turn(&mut self, deeds: &[Do]) {
        self.play(deeds, true).await;
    }

    /// A write by another hand.
    async fn elsewhere(&mut self, deeds: &[Do]) {
        self.play(deeds, false).await;
    }

    /// The answer; none where code leaves the words to the model.
    async fn ask(&self, words: &str) -> Option<String> {
        let entries = self.history().await;
        let mut reading = read_words(words, TODAY, Lang::En);
        let context = PastContext {
            entries: &entries,
            frame: &self.frame,
            situation: Situation {
                tasks: &self.tasks,
                context: Context {
                    shown: &[],
                    focus: &self.frame.focus,
                    offered: &[],
                },
                today: TODAY,
                zone: chrono_tz::UTC,
                now: chrono::DateTime::UNIX_EPOCH,
                one_list_said: false,
            },
            conversation: self.conversation,
            now: Moment {
                instant: self.now,
                today: TODAY,
                zone: chrono_tz::UTC,
                remind_now: self.now,
            },
            lang: reading.lang,
            speech: Lang::En,
        };
        if may_ask_past(&reading, words) {
            settle_past(&mut reading, words, context);
        }
        let clause = reading.clauses.first()?;
        let Act::Past(past) = &clause.act else {
            return None;
        };
        let words = words.get(clause.bytes.clone())?;
        Some(answer_past(past, words, context).lines.join("\n"))
    }

    #[track_caller]
    fn say(&self, answer: Option<&str>, words: &str, expect: &str) {
        assert_eq!(answer.unwrap_or("(the model's)"), expect, "{words:?}");
    }

    async fn check(&self, rows: &[(&str, &str)]) {
        for (words, expect) in rows {
            let answer = self.ask(words).await;
            self.say(answer.as_deref(), words, expect);
        }
    }

    /// The head of the answer: "Yes", "No", "Partly", or what stands there else.
    async fn heads(&self, rows: &[(&str, &str)]) {
        for (words, expect) in rows {
            let answer = self.ask(words).await.unwrap_or_default();
            let head = answer.split(|c: char| !c.is_alphabetic()).next();
            assert_eq!(head, Some(*expect), "{words:?}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn what_is_so_is_read_from_the_rows() {
    let mut world = World::of(&["Water plants", "Send invoice", "Book flight"]).await;
    world.turn(&[Done("Water plants")]).await;
    world
        .check(&[
            (
                "is Water plants done?",
                "Yes. Water plants is marked as done.",
            ),
            (
                "is send invoice done?",
                "No. Send invoice is still pending.",
            ),
        ])
        .await;
    world.turn(&[Open("Water plants")]).await;
    let open = "No. Water plants is pending: it was reopened at 18:02.";
    world
        .check(&[
            ("is Water plants done?", open),
            ("Water plants is done?", open),
            ("so Water plants is done, right?", open),
            ("is everything done?", "No. 0 of 3 tasks done."),
        ])
        .await;
    world
        .elsewhere(&[
            Done("Water plants"),
            Done("Send invoice"),
            Done("Book flight"),
        ])
        .await;
    world
        .heads(&[
            ("is Water plants done?", "Yes"),
            ("is everything done?", "Yes"),
            ("are Water plants and Book flight done?", "Yes"),
            ("ist Water plants erledigt?", "Yes"),
            ("¿Water plants está hecho?", "Yes"),
            ("Book flight est fait ?", "Yes"),
            ("Book flight è fatto, vero?", "Yes"),
            ("Book flight está feito, certo?", "Yes"),
            ("Book flight ho gaya kya?", "Yes"),
        ])
        .await;
}

#[tokio::test]
async fn values_of_rows_are_told_as_they_are() {
    let mut world = World::of(&["Send invoice", "Book flight"]).await;
    world
        .turn(&[Due("Send invoice", 12), High("Book flight")])
        .await;
    world
        .check(&[
            (
                "Send invoice is due thursday, right?",
                "Yes. Send invoice is due Thu 2026-02-12.",
            ),
            (
                "so Send invoice is due friday?",
                "No. Send invoice is due Thu 2026-02-12.",
            ),
            (
                "Book flight is high priority?",
                "Yes. Book flight has high priority.",
            ),
            (
                "Send invoice has low priority, correct?",
                "No. Send invoice has medium priority.",
            ),
            (
                "Book flight is due tomorrow?",
                "No. Book flight has no due date.",
            ),
            (
                "Send invoice ist am Donnerstag fällig, oder?",
                "Yes. Send invoice is due Thu 2026-02-12.",
            ),
        ])
        .await;
}

#[tokio::test]
async fn a_change_is_held_against_the_value_that_is_asked() {
    let mut world = World::of(&["Send invoice", "Book flight"]).await;
    world.turn(&[Due("Send invoice", 13)]).await;
    let yes = "Yes. Updated: Send invoice (due Fri 2026-02-13) (at 18:01)";
    world.check(&[
        ("did you move Send invoice to friday?", yes),
        ("have you moved send invoice?", yes),
        ("did you change the due date of Send invoice?", yes),
        (
            "did you move Send invoice to monday?",
            "No. The last change to \"Send invoice\": Updated: Send invoice (due Fri 2026-02-13) (at 18:01)",
        ),
        (
            "did you set Send invoice to high priority?",
            "No. That was not done to \"Send invoice\". The last change to \"Send invoice\": \
             Updated: Send invoice (due Fri 2026-02-13) (at 18:01)",
        ),
        ("did you move Book flight?", "No. That was not done to \"Book flight\"."),
    ])
    .await;
    world.turn(&[Due("Send invoice", 16)]).await;
    world
        .check(&[(
            "did you move Send invoice to friday?",
            "Yes. Updated: Send invoice (due Fri 2026-02-13) \
         (at 18:01; changed at 18:02: due Mon 2026-02-16)",
        )])
        .await;
    world
        .turn(&[High("Book flight"), Rename("Send invoice", "Mail the bill")])
        .await;
    world
        .heads(&[
            ("did you make Book flight high priority?", "Yes"),
            ("did you change the priority of Book flight?", "Yes"),
            ("did you set Book flight to low priority?", "No"),
            ("did you rename Send invoice to Mail the bill?", "Yes"),
            ("did you rename Book flight?", "No"),
            (
                "did you move Mail the bill to february 16 and Book flight to friday?",
                "Partly",
            ),
        ])
        .await;
}

#[tokio::test]
async fn what_came_after_is_told_in_the_same_breath() {
    let mut world = World::of(&["Water plants", "tea", "green tea"]).await;
    world.turn(&[Done("Water plants")]).await;
    world.turn(&[Open("Water plants")]).await;
    world.turn(&[Delete("tea")]).await;
    world.turn(&[Undo("tea")]).await;
    world
        .check(&[
            (
                "did you mark Water plants as done?",
                "Yes. Marked Water plants as done (at 18:01; reopened at 18:02)",
            ),
            (
                "did you delete tea?",
                "Yes. Deleted: tea (at 18:03; undone at 18:04)",
            ),
            ("is tea gone?", "No. tea is on your list."),
            (
                "did you delete green tea?",
                "No. green tea is still on your list.",
            ),
        ])
        .await;
}

#[tokio::test]
async fn a_longer_title_stands_for_nothing() {
    let mut world = World::of(&["tea", "green tea"]).await;
    world.turn(&[Delete("tea")]).await;
    let yes = "Yes. Deleted: tea (at 18:01)";
    world
        .check(&[
            ("did you delete tea?", yes),
            ("is tea gone?", yes),
            ("has tea been deleted?", yes),
            ("tea is gone, right?", yes),
            ("hast du tea gelöscht?", yes),
            ("¿has borrado tea?", yes),
            ("as-tu supprimé tea ?", yes),
            ("hai cancellato tea?", yes),
            ("apagaste tea?", yes),
            ("kya tumne tea delete kar diya?", yes),
            ("when did you delete tea?", "Deleted: tea (at 18:01)"),
        ])
        .await;
}

#[tokio::test]
async fn all_of_them_is_every_one() {
    let mut world = World::of(&["Water plants", "Send invoice", "Book flight", "tea"]).await;
    world.turn(&[Delete("Water plants")]).await;
    world
        .heads(&[
            ("did you delete everything?", "No"),
            ("have you deleted all tasks?", "No"),
            ("did you remove the whole list?", "No"),
            ("did you delete both?", "No"),
            ("did you delete 3 tasks?", "No"),
            ("is everything gone?", "No"),
            ("hast du alle Aufgaben gelöscht?", "No"),
            ("¿has borrado todas las tareas?", "No"),
            ("as-tu tout supprimé ?", "No"),
            ("hai cancellato tutte le attività?", "No"),
            ("apagaste todas as tarefas?", "No"),
            ("kya tumne sab delete kar diya?", "No"),
            ("did you delete Water plants and tea?", "Partly"),
            ("are Water plants and tea gone?", "Partly"),
        ])
        .await;
    world
        .turn(&[Delete("Send invoice"), Delete("Book flight")])
        .await;
    world
        .heads(&[
            ("did you delete both?", "Yes"),
            ("did you delete them?", "Yes"),
            ("did you delete three tasks?", "Yes"),
            ("did you delete Send invoice and Book flight?", "Yes"),
            ("did you delete everything?", "No"),
        ])
        .await;
    world.elsewhere(&[Delete("tea")]).await;
    world
        .heads(&[
            ("did you delete everything?", "Yes"),
            ("is everything gone?", "Yes"),
        ])
        .await;
}

#[tokio::test]
async fn one_of_two_of_a_name_is_not_both() {
    let mut world = World::of(&["tea", "tea"]).await;
    world.turn(&[Delete("tea")]).await;
    world
        .check(&[(
            "did you delete tea?",
            "Yes. Deleted: tea (at 18:01); another \"tea\" is on your list",
        )])
        .await;
    world
        .heads(&[("did you delete both?", "No"), ("are both gone?", "No")])
        .await;
}

#[tokio::test]
async fn several_changes_are_told_in_order() {
    let mut world = World::of(&["Water plants", "Send invoice"]).await;
    world
        .check(&[
            (
                "what did you change just now?",
                "Nothing has been changed in this conversation.",
            ),
            (
                "did you delete anything?",
                "No. Nothing was deleted in this conversation.",
            ),
        ])
        .await;
    world
        .turn(&[Done("Water plants"), Done("Send invoice")])
        .await;
    let both = "Marked Water plants as done\nMarked Send invoice as done";
    world
        .check(&[
            ("what did you change just now?", both),
            ("what did you just do?", both),
            (
                "what did you delete?",
                "Nothing was deleted in this conversation.",
            ),
            ("did that work?", &format!("Yes:\n{both}")),
        ])
        .await;
}

#[tokio::test]
async fn a_half_read_question_gets_what_is_known() {
    let mut world = World::of(&["Send invoice", "Book flight"]).await;
    world.turn(&[Due("Send invoice", 13)]).await;
    world.check(&[
        (
            "did you move Send invoice for the Berlin people?",
            "The last change to \"Send invoice\": Updated: Send invoice (due Fri 2026-02-13) (at 18:01)",
        ),
        ("did you add porridge?", "No. Nothing was done to \"porridge\"."),
    ])
    .await;
}

#[tokio::test]
async fn other_hands_are_known() {
    let mut world = World::of(&["Send invoice", "tea"]).await;
    world.elsewhere(&[Delete("tea")]).await;
    world
        .check(&[
            (
                "did you delete tea?",
                "Yes. Deleted: tea (at 18:01, outside this conversation)",
            ),
            (
                "did you add Send invoice?",
                "Yes. Added: Send invoice (at 18:00, outside this conversation)",
            ),
        ])
        .await;
}

#[tokio::test]
async fn what_is_no_such_question_is_left_alone() {
    let world = World::of(&["Water plants", "Send invoice"]).await;
    for words in [
        "delete Water plants?",
        "should I delete Send invoice?",
        "why did you delete Send invoice?",
        "could you mark Water plants as done?",
        "Send invoice tomorrow?",
        "who marked Send invoice as done?",
        "is Send invoice worth doing?",
        "move Send invoice to friday, right after lunch",
        "please finish Water plants, ok?",
        "is it ok to delete Water plants or mark Send invoice as done?",
        "supprime Send invoice ?",
        "tu supprimes Send invoice ?",
    ] {
        assert_eq!(world.ask(words).await, None, "{words:?}");
    }
}
