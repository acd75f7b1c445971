//! Statements of this database's own way to commit and to erase. All of them are static text; what
//! varies is bound.

/// Takes the write lock and reads what a group is checked against.
pub(super) const BEGIN: &str = include_str!("begin.sql");

/// Statements that set up a connection for writing.
pub(super) const SETUP: &str = include_str!("write.sql");

/// Writes units' rows: inside a transaction, or as one of its own, which takes the write lock before it
/// reads, wakes the caller once, and needs no copy of the pages it changes, since nothing of it can be
/// taken back but all. Refused where the log of a user in `gates` does not end as is said there.
pub(super) const WRITE: &str =
    "INSERT INTO writing VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

/// Writes rows and commits: two statements, and each wakes the caller once.
pub(super) const WRITE_AND_COMMIT: &str =
    "INSERT INTO writing VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11); COMMIT;";

/// Copies back what no reader needs any more, and waits for nobody.
pub(super) const COPY_BACK: &str = "PRAGMA wal_checkpoint(PASSIVE)";

/// Writes nothing, and fails where nothing can be written.
pub(super) const WRITABLE: &str = "DELETE FROM _sqlx_migrations WHERE FALSE";

/// Query for the state of the runs that a group of units writes about.
pub(super) const RUNS: &str = include_str!("runs_state.sql");

/// Query for what units that end reminders are checked against. $1 [user, task, reminder] triples.
pub(super) const FENCES: &str = "\
SELECT json_group_array(json_array(r.user_id, r.id, r.fence))
FROM json_each($1) AS w CROSS JOIN reminders AS r
WHERE r.user_id = w.value ->> 0 AND r.task_id = w.value ->> 1 AND r.id = w.value ->> 2";

/// Nobody works on any turn or run, and nobody delivers anything: their processes are gone. What
/// was put off stays so.
pub(super) const ABANDON: [&str; 3] = [
    "UPDATE open_turns SET lease_until = 0 WHERE lease_until <> 0",
    "UPDATE agent_runs SET lease_until = 0
     WHERE state IN ('running', 'input_required') AND lease_until <> 0",
    "UPDATE reminders SET owner = NULL, fence = fence + 1,
        next_try = CAST(unixepoch(at) * 1000 AS INTEGER)
     WHERE state = 'waiting' AND owner IS NOT NULL AND next_try > 0",
];

/// Query for what is wrong with the file's structure; one row `ok` when nothing is.
pub(in crate::store) const INTEGRITY: &str = "PRAGMA integrity_check(1)";

/// A row whose reference leads nowhere.
pub(in crate::store) const DANGLING: &str = "\
SELECT \"table\" || ' refers to a missing row of ' || parent FROM pragma_foreign_key_check LIMIT 1";

/// Query that tells whether there is a table of commits.
pub(super) const HAS_COMMITS: &str = "SELECT count(*) FROM sqlite_schema WHERE name = 'commits'";

/// Query for the number of commits.
pub(super) const COMMITS: &str = "SELECT count(*) FROM commits WHERE turn_id IS NOT NULL";

/// The least that this disk takes for a durable commit: a table of its own, and a row. $1 what is said.
pub(in crate::store) const BARE_TABLE: &str =
    "CREATE TABLE bare (number INTEGER PRIMARY KEY, said TEXT NOT NULL)";
pub(in crate::store) const BARE_ROW: &str = "INSERT INTO bare (said) VALUES ($1)";

/// Writes all of it into an empty file. $1 its name.
pub(super) const COPY: &str = "VACUUM INTO $1";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sql::{log, reminders, runs, talk};
    use sqlx::{Connection, Row, SqliteConnection};

    /// The operator's: what is listed or counted of all users.
    const OF_EVERYBODY: [&str; 10] = [
        "EVENTS_OF_ALL",
        "USERS",
        "ERASING",
        "KEYS",
        "CUT_TURNS",
        "QUEUE_DEPTHS",
        "APPLIED",
        "MIGRATED",
        "HAS_RUNS",
        "UNPROVEN",
    ];

    /// Finds what a statement scans from end to end.
    async fn scans(connection: &mut SqliteConnection, statement: &str) -> Vec<String> {
        // The driver takes static text alone, in tests as well.
        let explain: &'static str = Box::leak(format!("EXPLAIN QUERY PLAN {statement}").into());
        let rows = sqlx::query(explain).fetch_all(connection).await.unwrap();
        rows.iter()
            .map(|row| row.get::<String, _>("detail"))
            .filter(|step| step.starts_with("SCAN ") && !step.contains("VIRTUAL TABLE"))
            // A subquery's few rows, and constants.
            .filter(|step| !["SCAN page", "SCAN latest"].contains(&step.as_str()))
            // These hold the turns, runs and reminders that have not ended, of all users, and no others.
            .filter(|step| {
                let live = [
                    "open_turns_lease",
                    "agent_runs_waiting",
                    "agent_runs_running",
                    "reminders_due",
                ];
                !live
                    .iter()
                    .any(|index| step.contains(&format!("INDEX {index}")))
            })
            .filter(|step| !step.contains("(subquery") && !step.contains("CONSTANT ROW"))
            .collect()
    }

    #[tokio::test]
    async fn no_statement_reads_a_whole_table() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        crate::store::migrations::SQLITE
            .run(&mut connection)
            .await
            .unwrap();
        let parts = [BEGIN, WRITE_AND_COMMIT, RUNS, FENCES];
        let whole = (talk::ALL.iter())
            .chain(log::ALL)
            .chain(runs::ALL)
            .chain(reminders::ALL)
            .filter(|(name, _)| !OF_EVERYBODY.contains(name))
            .flat_map(|(_, of)| [of].into_iter().chain(of.then))
            .map(|of| of.sqlite)
            .flat_map(|text| text.split(';'));
        let bare = |text: &str| {
            let lines = text.lines().filter(|line| !line.starts_with("--"));
            lines.collect::<Vec<_>>().join("\n")
        };
        sqlx::raw_sql(SETUP).execute(&mut connection).await.unwrap();
        // What a trigger does is not explained with what sets it off.
        let trigger = |text: &str| {
            let (head, rest) = text.split_once(" BEGIN\n").unwrap();
            let (body, _) = rest.split_once("END;").unwrap();
            let when = head.split_once("WHEN ").map_or("1", |(_, when)| when);
            let body = format!("SELECT 1 WHERE {when};\n{body}");
            let body = body.replace("RAISE(ABORT, 'another process wrote for this user')", "1");
            let mut parts = body.split("NEW.");
            let first = parts.next().unwrap().to_owned();
            parts.fold(first, |text, part| {
                let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                format!("{text}$1{}", part.trim_start_matches(name))
            })
        };
        let setup = bare(SETUP);
        let triggers = setup.split("CREATE TEMP TRIGGER").skip(1).map(trigger);
        let parts: Vec<String> = parts.map(bare).into_iter().chain(triggers).collect();
        let statements = parts.iter().flat_map(|text| text.split(';'));
        let statements = statements.chain(ABANDON).chain(whole);
        let mut all = Vec::new();
        for bare in statements {
            if !["SELECT", "DELETE", "UPDATE"]
                .iter()
                .any(|verb| bare.contains(verb))
            {
                continue;
            }
            let found = scans(&mut connection, bare).await;
            all.extend(found.into_iter().map(|step| format!("{bare}: {step}")));
        }
        assert!(all.is_empty(), "{all:#?}");
    }
}
