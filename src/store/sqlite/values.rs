//! Units' rows as values of their own, for `write_one.sql`: a row of the view for each unit.
//!
//! Most units have few rows. Those need no JSON on the way to the database; one that has more than
//! there are places for goes the other way.

use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, Encode, Sqlite, Type};

use super::sql;
use crate::audit::ChainHead;
use crate::store::batch::{
    CommitOut, ConversationOut, EventOut, KeyOut, MessageOut, QuestionOut, ReceiptOut, RowBatch,
    TaskOut,
};
use crate::store::prepared::PreparedWrite;

/// Places for messages and for events.
const MESSAGES: usize = 2;
const EVENTS: usize = 6;

/// Columns of the view: of a commit, a task, a conversation, a question, a receipt, a key, and those.
pub(super) const COLUMNS: usize = 8 + 15 + 4 + 4 + 7 + 4 + 3 * MESSAGES + 3 * EVENTS;

/// Makes the query that writes and commits units that [`fit`], each of another user: refused where the
/// log of one does not end with the event that was remembered. Their rows are taken out. Nothing for
/// more units than are written together.
pub(super) fn query(
    units: &mut [&mut PreparedWrite],
) -> Option<Query<'static, Sqlite, SqliteArguments>> {
    let statement = sql::write_values(units.len())?;
    let mut values = SqliteArguments::default();
    values.reserve(units.len() * COLUMNS, 0);
    let mut values = BoundValues(Some(sqlx::query_with(statement, values)));
    for ready in units {
        values.unit(std::mem::take(&mut ready.batch), &ready.before.head);
    }
    values.0
}

/// Tells whether every row has a place, and says itself what its place takes from the others.
pub(super) fn fit(ready: &PreparedWrite) -> bool {
    let (batch, before) = (&ready.batch, &ready.before.head);
    let [commit] = batch.commits.as_slice() else {
        return false;
    };
    let at_most_one = [
        batch.tasks.len(),
        batch.conversations.len(),
        batch.questions.len(),
        batch.receipts.len(),
        batch.keys.len(),
    ];
    let id = batch.conversations.first().map(|row| row.id);
    let mut head = (before.seq, &before.hash);
    let chained = batch.events.iter().all(|event| {
        let follows = (event.seq, &event.prev_hash) == (head.0 + 1, head.1)
            && event.turn_id == Some(commit.turn_id)
            && event.created_at == commit.created_at;
        head = (event.seq, &event.hash);
        follows
    });
    chained
        && (commit.first_seq, (commit.last_seq, &commit.head_hash)) == (before.seq + 1, head)
        && at_most_one.iter().all(|rows| *rows <= 1)
        && batch.events.len() <= EVENTS
        && batch.messages.len() <= MESSAGES
        && batch.open_turns.is_empty()
        && batch.runs.is_empty()
        && batch.tasks.iter().all(|row| row.reminders.is_empty())
        && (batch.conversations.iter()).all(|row| row.at == commit.created_at)
        && (batch.messages.iter())
            .all(|row| Some(row.conversation_id) == id && row.created_at == commit.created_at)
        && (batch.questions.iter()).all(|row| Some(row.conversation_id) == id)
        && (batch.keys.iter()).all(|row| !row.claimed && row.created_at == commit.created_at)
        && (batch.receipts.iter()).all(|row| {
            (row.turn_id, row.conversation_id) == (commit.turn_id, commit.conversation_id)
        })
}

/// The statement with the values so far, in the order of the view's columns. The first that the
/// driver refuses is what comes of sending it: none shifts the others.
struct BoundValues(Option<Query<'static, Sqlite, SqliteArguments>>);

impl BoundValues {
    fn unit(&mut self, batch: RowBatch, before: &ChainHead) {
        // Each has one: that was looked at.
        batch
            .commits
            .into_iter()
            .for_each(|commit| self.commit(commit, before));
        self.task(batch.tasks.into_iter().next());
        self.conversation(batch.conversations.into_iter().next());
        self.question(batch.questions.into_iter().next());
        self.receipt(batch.receipts.into_iter().next());
        self.key(batch.keys.into_iter().next());
        let mut messages = batch.messages.into_iter();
        (0..MESSAGES).for_each(|_| self.message(messages.next()));
        let mut events = batch.events.into_iter();
        (0..EVENTS).for_each(|_| self.event(events.next()));
    }

    fn bind(&mut self, value: impl Encode<'static, Sqlite> + Type<Sqlite> + 'static) {
        self.0 = self.0.take().map(|query| query.bind(value));
    }

    fn text(&mut self, value: Option<impl ToString>) {
        self.bind(value.map(|value| value.to_string()));
    }

    fn commit(&mut self, commit: CommitOut, before: &ChainHead) {
        self.bind(commit.user_id);
        self.text(Some(commit.turn_id));
        self.text(commit.conversation_id);
        self.bind(commit.created_at);
        self.text(Some(commit.attempt_id));
        self.bind(before.seq);
        self.bind(commit.last_seq);
        self.bind(before.hash.clone());
    }

    fn task(&mut self, task: Option<TaskOut>) {
        let Some(task) = task else {
            return self.nothing(15);
        };
        self.text(Some(task.id));
        self.bind(task.title);
        self.bind(task.description);
        self.bind(task.status);
        self.bind(task.priority);
        self.bind(task.due_date);
        self.bind(task.due_time);
        self.bind(task.due_zone);
        self.bind(task.repeat);
        self.bind(task.assignee);
        self.bind(task.created_at);
        self.bind(task.updated_at);
        self.bind(task.completed_at);
        self.bind(task.deleted_at);
        self.bind(task.version);
    }

    fn conversation(&mut self, conversation: Option<ConversationOut>) {
        let Some(conversation) = conversation else {
            return self.nothing(4);
        };
        self.text(Some(conversation.id));
        self.bind(conversation.title);
        self.bind(conversation.version);
        self.bind(conversation.frame);
    }

    fn question(&mut self, question: Option<QuestionOut>) {
        let Some(question) = question else {
            return self.nothing(4);
        };
        self.bind(true);
        self.text(question.id);
        self.bind(question.body);
        self.bind(question.expires_at);
    }

    fn receipt(&mut self, receipt: Option<ReceiptOut>) {
        let Some(receipt) = receipt else {
            return self.nothing(7);
        };
        self.text(Some(receipt.id));
        self.bind(receipt.seq);
        self.bind(receipt.action);
        self.text(receipt.task_id);
        self.text(receipt.undoes);
        self.bind(receipt.created_at);
        self.bind(receipt.run);
    }

    fn key(&mut self, key: Option<KeyOut>) {
        let Some(key) = key else {
            return self.nothing(4);
        };
        self.bind(key.key);
        self.bind(key.fingerprint);
        self.bind(key.status);
        self.bind(key.body);
    }

    fn message(&mut self, message: Option<MessageOut>) {
        let Some(message) = message else {
            return self.nothing(3);
        };
        self.text(Some(message.id));
        self.bind(message.role);
        self.bind(message.content);
    }

    fn event(&mut self, event: Option<EventOut>) {
        let Some(event) = event else {
            return self.nothing(3);
        };
        self.bind(event.kind);
        self.bind(event.payload);
        self.bind(event.hash);
    }

    /// A row that there is not.
    fn nothing(&mut self, columns: usize) {
        (0..columns).for_each(|_| self.bind(None::<i64>));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sqlx::{Connection, SqliteConnection};

    use super::*;
    use crate::audit::{AuditEvent, EventKind};
    use crate::domain::{
        Action, ConversationId, IdSource, MessageId, Priority, QuestionId, Title, TurnId, UserId,
    };
    use crate::store::plan::AdmissionState;
    use crate::store::receipt::Receipt;
    use crate::store::record::{CommitRecord, KeyedAnswer, MessageRole, NewMessage, QuestionWrite};
    use crate::store::snapshot_cache::LogPosition;
    use crate::store::sqlite::group;
    use crate::store::{NewTask, PendingQuestion, TaskPatch, Unit};

    /// A user's turns, and two databases that are told of them: one by the way of groups, one by
    /// this one.
    struct Both {
        user: UserId,
        ids: IdSource,
        conversation: ConversationId,
        state: AdmissionState,
        tasks: crate::resolver::TaskList,
        version: i64,
        many: SqliteConnection,
        alone: SqliteConnection,
    }

    async fn database() -> SqliteConnection {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        crate::store::sqlite::MIGRATIONS
            .run(&mut connection)
            .await
            .unwrap();
        sqlx::raw_sql(sql::SETUP)
            .execute(&mut connection)
            .await
            .unwrap();
        connection
    }

    impl Both {
        async fn new(user: &str) -> Self {
            let ids = IdSource::random();
            Self {
                user: UserId::parse(user).unwrap(),
                conversation: ConversationId::new(ids.next()),
                ids,
                state: AdmissionState::default(),
                tasks: crate::resolver::TaskList::default(),
                version: 0,
                many: database().await,
                alone: database().await,
            }
        }

        fn unit(&self) -> Unit {
            let at = chrono::DateTime::from_timestamp(1_770_544_800 + self.version, 0).unwrap();
            let (turn, ids) = (TurnId::new(self.ids.next()), self.ids.clone());
            Unit::new(
                self.user.clone(),
                Some(self.conversation),
                turn,
                at,
                ids,
                self.tasks.clone(),
            )
        }

        fn record(&mut self, lines: &[(MessageRole, &str)], events: &[EventKind]) -> CommitRecord {
            let message = |(role, text): &(MessageRole, &str)| NewMessage {
                id: MessageId::new(self.ids.next()),
                role: *role,
                content: (*text).to_owned(),
            };
            let event = |kind: &EventKind| {
                let told = json!({ "of": kind.as_str(), "quote": "\"a\" \\ é \u{1f600}" });
                AuditEvent::of(*kind, &told)
            };
            self.version += 1;
            CommitRecord {
                conversation: Some((self.conversation, self.version - 1)),
                messages: lines.iter().map(message).collect(),
                events: events.iter().map(event).collect(),
                ..CommitRecord::default()
            }
        }

        fn ready(&mut self, unit: &Unit, record: &CommitRecord) -> PreparedWrite {
            let before = LogPosition::of(self.state.head(unit.user()));
            for (id, version) in unit.tasks().iter().map(|task| (task.id, task.version)) {
                // What stands is what this unit has not touched, or one version below.
                let touched = unit.writes().iter().any(|write| write.task.id == id);
                self.state
                    .tasks
                    .insert((self.user.clone(), id), version - i64::from(touched));
            }
            for write in unit.writes() {
                let at = (self.user.clone(), write.task.id);
                self.state.tasks.insert(at, write.task.version - 1);
            }
            let at = (self.user.clone(), self.conversation);
            self.state.conversations.insert(at, self.version - 1);
            for (receipt, _) in unit.undone() {
                self.state
                    .receipts
                    .insert((self.user.clone(), *receipt), false);
            }
            let mut batch = RowBatch::default();
            assert_eq!(self.state.admit(unit, record, &mut batch), Ok(()));
            let after = self.state.head(unit.user());
            PreparedWrite {
                batch,
                before,
                after,
            }
        }

        /// Writes it to both, and gives the receipts.
        async fn write(&mut self, unit: Unit, record: &CommitRecord) -> Vec<Receipt> {
            let mut ready = self.ready(&unit, record);
            let many = group::bind(sql::WRITE, &ready.batch).unwrap();
            many.execute(&mut self.many).await.unwrap();
            assert!(fit(&ready));
            let alone = query(&mut [&mut ready]).unwrap();
            alone.execute(&mut self.alone).await.unwrap();
            self.tasks = unit.tasks();
            unit.into_drafts().into_iter().map(Receipt::mint).collect()
        }
    }

    fn add(unit: &mut Unit, title: &str) {
        unit.add(NewTask {
            title: Title::parse(title).unwrap(),
            description: None,
            priority: Priority::Medium,
            due_date: None,
            due_time: None,
            repeat: None,
        });
    }

    async fn dump(connection: &mut SqliteConnection) -> Vec<String> {
        let tables = "tasks commits conversations messages questions receipts idempotency_keys \
            audit_events";
        let mut all = Vec::new();
        for table in tables.split(' ') {
            // The driver takes static text alone, in tests as well.
            let columns = format!(
                "SELECT group_concat('quote(' || name || ')', ' || '';'' || ') \
                FROM pragma_table_info('{table}')"
            );
            let columns: &'static str = Box::leak(columns.into());
            let columns: String = sqlx::query_scalar(columns)
                .fetch_one(&mut *connection)
                .await
                .unwrap();
            let rows: &'static str =
                Box::leak(format!("SELECT {columns} FROM {table} ORDER BY 1").into());
            let rows: Vec<String> = sqlx::query_scalar(rows)
                .fetch_all(&mut *connection)
                .await
                .unwrap();
            all.extend(rows.into_iter().map(|row| format!("{table}: {row}")));
        }
        all
    }

    #[tokio::test]
    async fn a_unit_alone_is_written_as_it_is_in_a_group() {
        use EventKind::{Refusal, Reply, ToolCall, Turn};
        let mut both = Both::new("ann").await;
        let said = [
            (MessageRole::User, "add milk"),
            (MessageRole::Assistant, "Added: \"milk\""),
        ];

        let mut unit = both.unit();
        let milk = NewTask {
            title: Title::parse("Milk").unwrap(),
            description: Some("two \"litres\"".to_owned()),
            priority: Priority::High,
            due_date: chrono::NaiveDate::from_ymd_opt(2026, 2, 9),
            due_time: None,
            repeat: None,
        };
        let milk = unit.add(milk).facts().after.clone().unwrap().id;
        let mut record = both.record(&said, &[Turn, ToolCall, ToolCall, Refusal, Reply]);
        record.title = Some("add milk".to_owned());
        record.frame = Some("{\"a\":1}".to_owned());
        record.question = QuestionWrite::Ask(PendingQuestion {
            id: QuestionId::new(both.ids.next()),
            body: "{}".to_owned(),
            expires_at: unit.now(),
        });
        record.keyed = Some(KeyedAnswer {
            key: "k".to_owned(),
            fingerprint: "f".to_owned(),
            status: 200,
            body: "{\"b\":2}".to_owned(),
        });
        both.write(unit, &record).await;

        let mut unit = both.unit();
        let patch = TaskPatch {
            completed: Some(true),
            ..TaskPatch::default()
        };
        let _ = unit.change(Action::CompleteTask, milk, &patch);
        let mut record = both.record(&said, &[Turn, ToolCall, Reply]);
        record.question = QuestionWrite::Close;
        both.write(unit, &record).await;

        let mut unit = both.unit();
        let _ = unit.delete(milk);
        let record = both.record(&said[..1], &[Turn, ToolCall]);
        let deleted = both.write(unit, &record).await;

        let mut unit = both.unit();
        unit.undo(&deleted[0]).unwrap();
        let record = both.record(&said, &[Turn, Reply]);
        both.write(unit, &record).await;

        // Nothing but words, in no conversation, and nothing at all.
        let unit = both.unit();
        let record = CommitRecord {
            conversation: None,
            ..both.record(&[], &[Reply])
        };
        both.write(unit, &record).await;
        let unit = both.unit();
        both.write(unit, &CommitRecord::default()).await;

        let many = dump(&mut both.many).await;
        assert_eq!(many, dump(&mut both.alone).await);
        let rows = |table: &str| many.iter().filter(|row| row.starts_with(table)).count();
        let found = [
            "tasks",
            "commits",
            "conversations",
            "messages",
            "receipts",
            "audit_events",
        ];
        assert_eq!(found.map(rows), [1, 6, 1, 7, 4, 17]);
        // The question was closed again.
        assert_eq!(["questions", "idempotency_keys"].map(rows), [0, 1]);
    }

    #[tokio::test]
    async fn what_has_no_place_does_not_fit() {
        let mut both = Both::new("ann").await;
        let line = (MessageRole::User, "hello");
        let many_events = [EventKind::ToolCall; EVENTS + 1];
        let keyed =
            KeyedAnswer::claim("k".to_owned(), "f".to_owned(), TurnId::new(both.ids.next()));
        let records = [
            both.record(&[line; MESSAGES + 1], &[]),
            both.record(&[line], &many_events),
            CommitRecord {
                claimed: true,
                keyed: Some(keyed),
                ..both.record(&[line], &[])
            },
        ];
        for (tasks, record) in [
            (0, &records[0]),
            (0, &records[1]),
            (0, &records[2]),
            (2, &CommitRecord::default()),
        ] {
            let mut unit = both.unit();
            ["Milk", "Eggs"]
                .iter()
                .take(tasks)
                .for_each(|title| add(&mut unit, title));
            both.state = AdmissionState::default();
            both.state.keys.insert((both.user.clone(), "k".to_owned()));
            both.version = record.conversation.map_or(1, |(_, version)| version + 1);
            assert!(!fit(&both.ready(&unit, record)), "{record:?}");
        }
    }

    #[tokio::test]
    async fn nothing_is_written_over_what_another_process_wrote() {
        let mut both = Both::new("ann").await;
        let unit = both.unit();
        let record = both.record(&[], &[EventKind::Reply]);
        both.write(unit, &record).await;
        let before = dump(&mut both.alone).await;
        both.state = AdmissionState::default();
        let unit = both.unit();
        let record = both.record(&[], &[EventKind::Reply]);
        let mut late = both.ready(&unit, &record);
        let refused = query(&mut [&mut late])
            .unwrap()
            .execute(&mut both.alone)
            .await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("another process wrote"), "{refused}");
        assert_eq!(dump(&mut both.alone).await, before);
    }

    #[tokio::test]
    async fn units_of_many_users_are_written_as_each_of_them_is() {
        let mut all = Vec::new();
        for user in ["ann", "ben", "cid", "dan", "eve"] {
            all.push(Both::new(user).await);
        }
        for round in 0..2 {
            let mut written = Vec::new();
            for (place, both) in all.iter_mut().enumerate() {
                let mut unit = both.unit();
                (0..place.min(1)).for_each(|_| add(&mut unit, &format!("Milk {round}")));
                let record =
                    both.record(&[(MessageRole::User, "add milk")], &[EventKind::Reply; 2]);
                written.push(both.ready(&unit, &record));
                both.tasks = unit.tasks();
            }
            for ready in &written {
                let many = group::bind(sql::WRITE, &ready.batch).unwrap();
                many.execute(&mut all[0].many).await.unwrap();
            }
            let mut units: Vec<&mut PreparedWrite> = written.iter_mut().collect();
            assert!(units.iter().all(|ready| fit(ready)));
            let values = query(&mut units).unwrap();
            values.execute(&mut all[0].alone).await.unwrap();
        }
        let many = dump(&mut all[0].many).await;
        assert_eq!(many, dump(&mut all[0].alone).await);
        let count = |start: &str| many.iter().filter(|row| row.starts_with(start)).count();
        // Two commits and two replies of each user, and what all but the first added.
        let found = ["commits:", "audit_events:", "tasks:", "receipts:"].map(count);
        assert_eq!(found, [10, 28, 8, 8]);

        // Where one of them is out of date, nothing of any is written.
        let mut late = Vec::new();
        for both in &mut all {
            both.version -= i64::from(both.user.as_str() == "ben");
            let unit = both.unit();
            let record = both.record(&[(MessageRole::User, "hello")], &[EventKind::Reply]);
            if both.user.as_str() == "ben" {
                both.state = AdmissionState::default();
                both.state
                    .conversations
                    .insert((both.user.clone(), both.conversation), both.version - 1);
            }
            late.push(both.ready(&unit, &record));
        }
        let mut units: Vec<&mut PreparedWrite> = late.iter_mut().collect();
        let refused = query(&mut units).unwrap().execute(&mut all[0].alone).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("another process wrote"), "{refused}");
        assert_eq!(dump(&mut all[0].alone).await, many);
    }

    #[test]
    fn there_is_a_statement_for_every_number_of_units_that_a_group_has() {
        use crate::store::sqlite::writer::GROUP;
        let places = |units| sql::write_values(units).map(|text| text.matches('?').count());
        let rows: Vec<_> = (1..=GROUP)
            .map(|units| (units, places(units).unwrap() / COLUMNS))
            .collect();
        let enough = |(units, rows): &(usize, usize)| rows >= units && rows * 2 <= units * 3;
        assert!(rows.iter().all(enough), "{rows:?}");
        assert_eq!((places(1), places(GROUP + 1)), (Some(COLUMNS), None));
    }
}
