//! The store's conformance suite, run on a real SQLite file, on one in memory, and on a real
//! PostgreSQL.
//!
//! The suite knows no database: another backend adds a [`Ground`](suite::Ground) here and
//! runs the same functions.

#![cfg(test)]

#[path = "conformance/mod.rs"]
mod suite;
#[path = "support"]
mod support {
    pub mod pgbouncer;
    pub mod postgres;
}

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::{Connection, PgConnection, SqliteConnection};
use support::pgbouncer::{Mode, PgBouncer};
use support::postgres::Database;

/// A file in a directory of its own, removed afterwards.
struct SqliteFile {
    directory: PathBuf,
}

impl SqliteFile {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("candor-conformance-{}-{number}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        // A killed run leaves its own behind, and process ids come again.
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        Self { directory }
    }
}

impl Drop for SqliteFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

impl suite::Ground for SqliteFile {
    fn url(&self) -> String {
        format!("sqlite:{}", self.directory.join("candor.db").display())
    }

    /// Without triggers and checks, as somebody with the file and a text editor would.
    async fn tamper(&self, statements: &'static str) {
        let mut connection = SqliteConnection::connect(&self.url()).await.unwrap();
        for preparation in [
            "DROP TRIGGER IF EXISTS audit_events_keep",
            "DROP TRIGGER IF EXISTS audit_events_stay",
            "DROP TRIGGER IF EXISTS receipts_keep",
            "DROP TRIGGER IF EXISTS receipts_stay",
            "DROP TRIGGER IF EXISTS agent_runs_keep",
            "DROP TRIGGER IF EXISTS agent_runs_ended",
            "DROP TRIGGER IF EXISTS agent_runs_step",
            "DROP TRIGGER IF EXISTS agent_runs_completed",
            "DROP TRIGGER IF EXISTS tasks_done_by_agent",
            "DROP TRIGGER IF EXISTS audit_leaves_keep",
            "DROP TRIGGER IF EXISTS audit_leaves_stay",
            "PRAGMA ignore_check_constraints = ON",
            "PRAGMA foreign_keys = OFF",
            statements,
        ] {
            sqlx::raw_sql(preparation)
                .execute(&mut connection)
                .await
                .unwrap();
        }
        connection.close().await.unwrap();
    }

    async fn honest(&self, statements: &'static str) -> Result<(), String> {
        let mut connection = SqliteConnection::connect(&self.url()).await.unwrap();
        let done = sqlx::raw_sql(statements).execute(&mut connection).await;
        connection.close().await.unwrap();
        done.map(|_| ()).map_err(|error| error.to_string())
    }
}

mod sqlite_file {
    crate::suite::run_on!(crate::SqliteFile::new());
}

/// In memory, where nothing outlives its store: what scratch databases are used for.
struct SqliteMemory;

impl suite::Ground for SqliteMemory {
    fn url(&self) -> String {
        "sqlite::memory:".to_owned()
    }

    async fn tamper(&self, _: &'static str) {
        unreachable!("nobody else can reach it");
    }

    async fn honest(&self, _: &'static str) -> Result<(), String> {
        unreachable!("nobody else can reach it");
    }
}

mod sqlite_memory {
    crate::suite::run_on!(crate::SqliteMemory;
        attempts::a_commit_is_found_by_its_attempt,
        audit::an_honest_log_verifies,
        changes::a_task_is_added_changed_completed_and_deleted,
        changing::a_watch_wakes_whoever_commits,
        conflicts::a_refused_unit_writes_nothing_at_all,
        conversations::lines_frame_and_question_come_back,
        delegation::a_task_is_delegated_worked_on_and_reported,
        erasure::erasing_leaves_no_word_and_an_unbroken_log,
        groups::one_refused_row_takes_no_other_unit_with_it,
        groups::sixty_four_writers_leave_one_unbroken_log,
        groups::writers_of_one_conversation_take_turns,
        isolation::another_user_sees_nothing,
        paging::tasks_come_newest_first_page_by_page,
        tree::every_receipt_is_proven_to_its_owner,
        undo::every_kind_of_change_is_taken_back,
    );
}

impl suite::Ground for Database {
    fn url(&self) -> String {
        self.url()
    }

    /// Without triggers and checks, as the database's owner could.
    async fn tamper(&self, statements: &'static str) {
        let mut connection = PgConnection::connect(&self.url()).await.unwrap();
        for preparation in [
            "SET session_replication_role = replica",
            "DO $$ DECLARE found record; BEGIN
                 FOR found IN SELECT conrelid::regclass AS place, conname FROM pg_constraint
                     WHERE contype = 'c' AND connamespace = 'public'::regnamespace
                 LOOP
                     EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.place, found.conname);
                 END LOOP;
             END $$",
            statements,
        ] {
            sqlx::raw_sql(preparation)
                .execute(&mut connection)
                .await
                .unwrap();
        }
        connection.close().await.unwrap();
    }

    async fn honest(&self, statements: &'static str) -> Result<(), String> {
        let mut connection = PgConnection::connect(&self.url()).await.unwrap();
        let done = sqlx::raw_sql(statements).execute(&mut connection).await;
        connection.close().await.unwrap();
        done.map(|_| ()).map_err(|error| error.to_string())
    }
}

mod postgresql {
    crate::suite::run_on!(crate::Database::new());

    /// The floor that turns are measured beside must wait for the disk as they do.
    #[tokio::test]
    async fn a_bare_commit_is_on_the_disk_and_in_no_table() {
        use sqlx::{Connection, PgConnection};

        let database = crate::Database::new();
        let mut look = PgConnection::connect(&database.url()).await.unwrap();
        let mut commits = candor::store::BaselineCommits::open(&database.url())
            .await
            .unwrap();
        for _ in 0..5 {
            let said: String = sqlx::query_scalar("SELECT pg_current_wal_insert_lsn()::text")
                .fetch_one(&mut look)
                .await
                .unwrap();
            commits.commit().await.unwrap();
            let flushed = "SELECT pg_current_wal_flush_lsn() > $1::pg_lsn";
            let flushed: bool = sqlx::query_scalar(flushed)
                .bind(&said)
                .fetch_one(&mut look)
                .await
                .unwrap();
            assert!(flushed, "the log was not flushed beyond {said}");
        }
        let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
        let tables: i64 = sqlx::query_scalar(tables)
            .fetch_one(&mut look)
            .await
            .unwrap();
        assert_eq!(tables, 0);
        commits.close().await;
    }

    /// Of two commits each of which held a row that the other waits for, one would be given up.
    #[tokio::test]
    async fn a_reminder_is_locked_behind_its_ledger() {
        use candor::store::ReminderEnd;
        use chrono::TimeDelta;
        use sqlx::{Connection, PgConnection, raw_sql};
        use std::time::{Duration, Instant};

        use crate::suite::reminders::{add, due, end};

        let database = crate::Database::new();
        let scene = crate::suite::scene::Scene::new(&database).await;
        let hour = TimeDelta::hours(1);
        add(&scene, "Milk", hour).await;
        let taken = due(&scene, hour).await;
        let mut holder = PgConnection::connect(&database.url()).await.unwrap();
        let mut look = PgConnection::connect(&database.url()).await.unwrap();
        let hold = "BEGIN; SELECT version FROM ledgers FOR UPDATE";
        raw_sql(hold).execute(&mut holder).await.unwrap();
        let waiting = "SELECT count(*) FROM pg_stat_activity \
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let looking = async {
            let began = Instant::now();
            loop {
                let waiting: i64 = sqlx::query_scalar(waiting)
                    .fetch_one(&mut look)
                    .await
                    .unwrap();
                if waiting > 0 || began.elapsed() > Duration::from_secs(20) {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            let row = "SELECT fence FROM reminders FOR UPDATE NOWAIT";
            let free = raw_sql(row).execute(&mut look).await;
            raw_sql("COMMIT").execute(&mut holder).await.unwrap();
            free.map(|_| ()).map_err(|error| error.to_string())
        };
        let ending = end(&scene, &taken[0], ReminderEnd::Delivered("events"), hour);
        let (ended, free) = tokio::join!(ending, looking);
        assert_eq!((ended, free), (true, Ok(())));
    }
}

/// Behind PgBouncer; tampering goes past it.
struct Pooled {
    database: Database,
    pooler: PgBouncer,
    more: &'static str,
}

impl Pooled {
    fn new(mode: Mode) -> Self {
        Self {
            database: Database::new(),
            pooler: PgBouncer::start(mode),
            more: match mode {
                Mode::Session => "",
                Mode::Transaction => "?statement-cache-capacity=0",
            },
        }
    }
}

impl suite::Ground for Pooled {
    fn url(&self) -> String {
        let url = self.database.url_at(self.pooler.port());
        format!("{url}{}", self.more)
    }

    async fn tamper(&self, statements: &'static str) {
        suite::Ground::tamper(&self.database, statements).await;
    }

    async fn honest(&self, statements: &'static str) -> Result<(), String> {
        suite::Ground::honest(&self.database, statements).await
    }
}

mod pooled_sessions {
    crate::suite::run_on!(crate::Pooled::new(crate::Mode::Session);
        attempts::an_attempt_that_was_said_not_to_have_landed_never_lands,
        changing::a_commit_elsewhere_wakes_too,
        erasure::erasing_leaves_no_word_and_an_unbroken_log,
        groups::sixty_four_writers_leave_one_unbroken_log,
        lifetime::migrations_are_counted_and_run_once,
        lifetime::two_stores_share_one_database,
        undo::every_kind_of_change_is_taken_back,
    );
}

mod pooled_transactions {
    crate::suite::run_on!(crate::Pooled::new(crate::Mode::Transaction);
        attempts::a_commit_is_found_by_its_attempt,
        attempts::an_attempt_that_was_said_not_to_have_landed_never_lands,
        audit::an_honest_log_verifies,
        audit::filters_narrow_the_log,
        audit::rows_refuse_to_be_changed,
        changes::a_task_is_added_changed_completed_and_deleted,
        changes::odd_text_comes_back_as_it_was,
        changing::a_commit_elsewhere_wakes_too,
        conflicts::a_refused_unit_writes_nothing_at_all,
        conflicts::a_claimed_key_is_answered_by_its_own_turn,
        conflicts::a_new_task_needs_a_new_id,
        conflicts::an_idempotency_key_is_taken_once,
        conversations::lines_frame_and_question_come_back,
        conversations::messages_are_paged_backwards,
        conversations::the_last_active_conversation_comes_first,
        corruption::an_impossible_receipt_is_named,
        delegation::a_task_is_delegated_worked_on_and_reported,
        delegation::nothing_an_agent_said_outlives_an_erasure,
        delegation::of_many_who_ask_each_gets_another_run,
        delegation::sessions_are_removed_and_proofs_stay,
        delegation::the_same_message_delegates_once,
        erasure::erasing_leaves_no_word_and_an_unbroken_log,
        erasure::an_erasure_that_was_cut_off_is_finished,
        groups::one_refused_row_takes_no_other_unit_with_it,
        groups::sixty_four_writers_leave_one_unbroken_log,
        groups::writers_of_one_conversation_take_turns,
        isolation::another_user_sees_nothing,
        lifetime::closing_writes_what_is_queued_and_refuses_the_rest,
        lifetime::migrations_are_counted_and_run_once,
        lifetime::a_purge_removes_only_what_is_old,
        lifetime::two_stores_share_one_database,
        open_turns::an_open_turn_is_found_and_ended_once,
        open_turns::of_two_that_end_a_turn_one_does,
        open_turns::a_beat_keeps_a_turn_alive,
        paging::tasks_come_newest_first_page_by_page,
        undo::every_kind_of_change_is_taken_back,
        undo::undo_goes_further_back_and_never_redoes,
    );
}
