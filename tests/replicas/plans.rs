//! No statement that serves a user reads a whole table.
//!
//! A small table is read whole because that is cheapest, so the planner is told that it is dear;
//! where it still does, no index fits.

use candor::domain::{ConversationId, IdSource, MessageId, Title, TurnId, UserId};
use candor::store::{
    AuditFilter, CommitRecord, CommitResult, ENTROPY, KeyScope, KeyedAnswer, MessageRole, NewKey,
    NewMessage, NewTask, PendingQuestion, QuestionWrite, Store, TaskQuery, Unit, UseQuota,
};
use sqlx::{Connection, PgConnection, Row};

use crate::support::server::postgres::Database;

#[tokio::test]
async fn no_statement_reads_a_whole_table() {
    let database = Database::new();
    let setup = Store::open(&database.url()).await.unwrap();
    setup.migrate().await.unwrap();
    setup.close().await;
    let mut connection = PgConnection::connect(&database.url()).await.unwrap();
    let dear = "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_seqscan = off',
                    current_database()); END $$";
    sqlx::raw_sql(dear).execute(&mut connection).await.unwrap();
    let before = whole_reads(&mut connection).await;
    serve(&database.url()).await;
    assert_eq!(whole_reads(&mut connection).await, before);
    // The count does count.
    let whole = "SELECT count(*) FROM messages WHERE content = 'x'; \
                 SELECT pg_stat_force_next_flush()";
    sqlx::raw_sql(whole).execute(&mut connection).await.unwrap();
    assert_ne!(whole_reads(&mut connection).await, before);
}

/// How often each table was read whole.
async fn whole_reads(connection: &mut PgConnection) -> Vec<(String, i64)> {
    let statement = "SELECT relname::text, seq_scan FROM pg_stat_user_tables \
                     WHERE relname NOT LIKE '\\_sqlx%' ORDER BY relname";
    // Sessions that have ended have told their counts by then.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let rows = sqlx::query(statement).fetch_all(connection).await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// One of everything that a user's request can ask of the store.
async fn serve(url: &str) {
    let store = Store::open(url).await.unwrap();
    let ids = IdSource::random();
    let user = UserId::parse("ann").unwrap();
    let conversation = ConversationId::new(ids.next());
    let at = chrono::DateTime::from_timestamp(1_770_544_800, 0).unwrap();
    let unit = |tasks| {
        let turn = TurnId::new(ids.next());
        Unit::new(
            user.clone(),
            Some(conversation),
            turn,
            at,
            ids.clone(),
            tasks,
        )
    };
    let record = |version, key: &str| CommitRecord {
        conversation: Some((conversation, version)),
        messages: vec![NewMessage {
            id: MessageId::new(ids.next()),
            role: MessageRole::User,
            content: "add milk".to_owned(),
        }],
        question: QuestionWrite::Ask(PendingQuestion {
            id: candor::domain::QuestionId::new(ids.next()),
            body: "{}".to_owned(),
            expires_at: at,
        }),
        keyed: Some(KeyedAnswer {
            key: key.to_owned(),
            fingerprint: String::new(),
            status: 200,
            body: String::new(),
        }),
        ..CommitRecord::default()
    };
    let mut first = unit(candor::resolver::TaskList::default());
    first.add(NewTask::titled(Title::parse("Milk").unwrap()));
    let attempt = first.attempt();
    let turn = first.turn();
    assert!(matches!(
        store.commit(first, record(0, "one")).await,
        CommitResult::Committed(_)
    ));
    let undoable = store.latest_undoable(&user, conversation).await.unwrap();
    let snapshot = store
        .load(&user, Some(conversation), Some("one"))
        .await
        .unwrap();
    let mut second = unit(snapshot.tasks);
    second.undo(&undoable[0]).unwrap();
    assert!(matches!(
        store.commit(second, record(1, "two")).await,
        CommitResult::Committed(_)
    ));
    assert!(store.attempt(&user, attempt).await.unwrap().is_some());
    let all = TaskQuery {
        limit: Some(5),
        ..TaskQuery::default()
    };
    store.tasks(&user, &all).await.unwrap();
    let id = undoable[0].facts().task_id.unwrap();
    store.task(&user, id).await.unwrap();
    store.history(&user, None, 5).await.unwrap();
    store.history(&user, Some(conversation), 5).await.unwrap();
    store.turn_receipts(&user, turn).await.unwrap();
    store.receipt(&user, undoable[0].facts().id).await.unwrap();
    store.messages(&user, conversation, None, 5).await.unwrap();
    store.conversations(&user).await.unwrap();
    for (turn, conversation) in [
        (None, None),
        (Some(turn), None),
        (None, Some(conversation)),
        (Some(turn), Some(conversation)),
    ] {
        let user = Some(user.clone());
        let filter = AuditFilter {
            user,
            turn,
            conversation,
            ..AuditFilter::default()
        };
        store.audit_events(&filter).await.unwrap();
    }
    assert!(store.audit_verify(&user, None).await.unwrap().is_ok());
    let new = NewKey {
        name: "laptop".to_owned(),
        user: Some(user.clone()),
        scope: KeyScope::Write,
        expires_at: None,
    };
    let (key, _) = store.create_key(new, &[7; ENTROPY], at).await.unwrap();
    assert_eq!(store.key(&key.prefix).await.unwrap(), Some(key.clone()));
    store.key_used(&key.prefix, at).await.unwrap();
    assert!(store.revoke_key(&key.prefix, at).await.unwrap());
    let quota = UseQuota {
        interval: 1,
        window: 2,
    };
    let taken = store.take("user:ann", quota).await.unwrap();
    assert!(taken.unwrap().allowed);
    assert!(!store.streams_elsewhere(&user).await.unwrap());
    store.purge(at).await.unwrap();
    store.close().await;
}
