//! Rows that are written alike, however many units share a statement.

use serde_json::json;
use sqlx::{Connection, SqliteConnection};

use super::*;
use crate::audit::{AuditEvent, EventKind};
use crate::domain::{
    Action, ConversationId, IdSource, MessageId, Priority, QuestionId, Title, TurnId, UserId,
};
use crate::store::receipt::Receipt;
use crate::store::record::{KeyedAnswer, MessageRole, NewMessage, QuestionWrite};
use crate::store::{NewTask, PendingQuestion, TaskPatch};

/// A user's turns, and two databases that are told of them: one unit by unit inside a transaction, one
/// by statements that are checked against memory.
struct Both {
    user: UserId,
    ids: IdSource,
    conversation: ConversationId,
    state: AdmissionState,
    tasks: crate::resolver::TaskList,
    version: i64,
    inside: SqliteConnection,
    whole: SqliteConnection,
}

async fn database() -> SqliteConnection {
    let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
    crate::store::migrations::SQLITE
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
            inside: database().await,
            whole: database().await,
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
        let ready = self.ready(&unit, record);
        let inside = bind(sql::WRITE_AND_COMMIT, &[], &[&ready.batch]).unwrap();
        let begun = sqlx::query("BEGIN IMMEDIATE").execute(&mut self.inside);
        begun.await.unwrap();
        let (end, _) = finish(&mut self.inside, inside, CommitProgress::Committing).await;
        assert_eq!(end, CommitOutcome::Written);
        let gate = (self.user.as_str(), ready.before.head.seq);
        let whole = bind(sql::WRITE, &[gate], &[&ready.batch]).unwrap();
        whole.execute(&mut self.whole).await.unwrap();
        self.tasks = unit.tasks().clone();
        unit.into_drafts().into_iter().map(Receipt::mint).collect()
    }
}

const USERS: [&str; 5] = ["ann", "ben", "cid", "dan", "eve"];

/// Makes the query that writes units of these users if their logs stand as is remembered.
fn gated(units: &[PreparedWrite], users: &[&str]) -> Query<'static, Sqlite, SqliteArguments> {
    let gates = users.iter().zip(units);
    let gates: Vec<_> = gates
        .map(|(user, ready)| (*user, ready.before.head.seq))
        .collect();
    let batches: Vec<_> = units.iter().map(|ready| &ready.batch).collect();
    bind(sql::WRITE, &gates, &batches).unwrap()
}

fn add(unit: &mut Unit, title: &str) {
    unit.add(NewTask::titled(Title::parse(title).unwrap()));
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
async fn a_unit_is_written_alike_with_a_gate_and_inside_a_transaction() {
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
        remind: None,
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

    let inside = dump(&mut both.inside).await;
    assert_eq!(inside, dump(&mut both.whole).await);
    let rows = |table: &str| inside.iter().filter(|row| row.starts_with(table)).count();
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
async fn nothing_is_written_over_what_another_process_wrote() {
    let mut both = Both::new("ann").await;
    let unit = both.unit();
    let record = both.record(&[], &[EventKind::Reply]);
    both.write(unit, &record).await;
    let before = dump(&mut both.whole).await;
    both.state = AdmissionState::default();
    let unit = both.unit();
    let record = both.record(&[], &[EventKind::Reply]);
    let late = both.ready(&unit, &record);
    let refused = gated(&[late], &["ann"]).execute(&mut both.whole).await;
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("another process wrote"), "{refused}");
    assert_eq!(dump(&mut both.whole).await, before);
}

#[tokio::test]
async fn units_of_many_users_are_written_as_each_of_them_is() {
    let mut all = Vec::new();
    for user in USERS {
        all.push(Both::new(user).await);
    }
    for round in 0..2 {
        let mut written = Vec::new();
        for (place, both) in all.iter_mut().enumerate() {
            let mut unit = both.unit();
            (0..place.min(1)).for_each(|_| add(&mut unit, &format!("Milk {round}")));
            let record = both.record(&[(MessageRole::User, "add milk")], &[EventKind::Reply; 2]);
            written.push(both.ready(&unit, &record));
            both.tasks = unit.tasks().clone();
        }
        for ready in &written {
            let alone = bind(sql::WRITE, &[], &[&ready.batch]).unwrap();
            alone.execute(&mut all[0].inside).await.unwrap();
        }
        let together = gated(&written, &USERS);
        together.execute(&mut all[0].whole).await.unwrap();
    }
    let inside = dump(&mut all[0].inside).await;
    assert_eq!(inside, dump(&mut all[0].whole).await);
    let count = |start: &str| inside.iter().filter(|row| row.starts_with(start)).count();
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
    let refused = gated(&late, &USERS).execute(&mut all[0].whole).await;
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("another process wrote"), "{refused}");
    assert_eq!(dump(&mut all[0].whole).await, inside);
}
