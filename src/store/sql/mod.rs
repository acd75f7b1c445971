//! Statements of both databases, each written once.
//!
//! Text that the databases have alike stands here as it is; where each has its own word, one of
//! the words of [`sql!`] stands for it, and where a whole statement differs it stands here twice. Loading a turn,
//! committing, erasing and counting are with each database. All of them are static text; what
//! varies is bound.
//!
//! Lists come back as one JSON array in one row: each row that a driver hands over costs more than
//! the text of ten, and so one parser serves both databases. Every statement names the user whose rows
//! it touches, but the operator's: listing logs, leasing work, and purging.

/// One statement in the words of each database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct SqlText {
    pub(in crate::store) sqlite: &'static str,
    pub(in crate::store) postgres: &'static str,
    /// Statements that follow in the same transaction; each takes the first argument alone.
    pub(in crate::store) then: &'static [SqlText],
    /// True where a write that came twice would do no harm.
    pub(in crate::store) repeatable: bool,
}

impl SqlText {
    pub(in crate::store) const fn of(sqlite: &'static str, postgres: &'static str) -> Self {
        Self {
            sqlite,
            postgres,
            then: &[],
            repeatable: false,
        }
    }

    const fn then(self, then: &'static [Self]) -> Self {
        Self { then, ..self }
    }

    pub(in crate::store) const fn repeatable(self) -> Self {
        Self {
            repeatable: true,
            ..self
        }
    }
}

/// A statement that only one database is given.
impl From<&'static str> for SqlText {
    fn from(text: &'static str) -> Self {
        Self::of(text, text)
    }
}

/// Makes a [`SqlText`] of pieces that are the same for both databases and of words that are not.
macro_rules! sql {
    ($($part:tt)+) => {
        $crate::store::sql::SqlText::of(
            concat!($(sqlite!($part)),+),
            concat!($(postgres!($part)),+),
        )
    };
}

/// SQLite's words.
macro_rules! sqlite {
    ($text:literal) => { $text };
    // A JSON array of values, and what an array needs around what is JSON already.
    (array) => { "json_array" };
    (json) => { "json" };
    // After what is JSON, for it to be a text.
    (text) => { "" };
    // After a text, for it to be JSON again.
    (parsed) => { "" };
    // The clock of the database in milliseconds.
    (now) => { "CAST(unixepoch('subsec') * 1000 AS INTEGER)" };
    (greatest) => { "max" };
    (least) => { "min" };
    (instr) => { "instr" };
    // The array of all rows of a reading, to be closed by `end`.
    ((list $($columns:tt)+)) => {
        concat!("SELECT json_group_array(json_array(", $(sqlite!($columns)),+, ")) FROM (")
    };
    // The same of one column, whose values stand in it by themselves.
    ((values $column:literal)) => {
        concat!("SELECT json_group_array(", $column, ") FROM (")
    };
    (end) => { ")" };
    // An array of rows inside another one.
    ((nested $columns:literal, $($from:tt)+)) => {
        concat!("json((SELECT json_group_array(json_array(", $columns, ")) FROM ",
            $(sqlite!($from)),+, "))")
    };
    ((ordered $columns:literal, $order:literal, $($from:tt)+)) => {
        concat!("json((SELECT json_group_array(json_array(", $columns, ") ORDER BY ", $order,
            ") FROM ", $(sqlite!($from)),+, "))")
    };
    // The texts of a list that is bound, as `w.value`.
    ((each $list:literal)) => { concat!("json_each(", $list, ") AS w") };
    // The milliseconds of an instant that is kept as text.
    ((millis $column:literal)) => { concat!("CAST(unixepoch(", $column, ") * 1000 AS INTEGER)") };
    // That a commit is one of a turn's: the first has the turn's own id, and only the others stand
    // in the index of turns.
    ((turn $commit:literal, $turn:literal)) => {
        concat!("(", $commit, ".attempt_id = ", $turn, " AND ", $commit, ".turn_id = ", $commit,
            ".attempt_id OR ", $commit, ".turn_id = ", $turn, " AND ", $commit, ".turn_id <> ",
            $commit, ".attempt_id)")
    };
    // The sessions of user $1 that were marked to be removed, and the runs that prove a completed task.
    ((marked $test:literal)) => {
        concat!("(SELECT s.id FROM agent_sessions AS s WHERE s.user_id = $1 AND s.removed ",
            $test, ")")
    };
    ((proving)) => {
        "(SELECT t.completed_run_id FROM tasks AS t \
            WHERE t.user_id = $1 AND t.completed_run_id IS NOT NULL)"
    };
    // The images of receipts `r`: in their events alone, so that what is told of them is what the
    // log covers.
    (images) => {
        "e.payload ->> 'before' AS before, e.payload ->> 'after' AS after, \
         e.payload ->> 'reading' AS reading \
         FROM receipts AS r LEFT JOIN audit_events AS e \
            ON e.user_id = $1 AND e.seq = r.seq AND json_valid(e.payload)"
    };
}

/// PostgreSQL's words, in the order of SQLite's.
macro_rules! postgres {
    ($text:literal) => { $text };
    (array) => { "json_build_array" };
    (json) => { "" };
    (text) => { "::text" };
    (parsed) => { "::json" };
    (now) => { "(extract(epoch FROM clock_timestamp()) * 1000)::bigint" };
    (greatest) => { "greatest" };
    (least) => { "least" };
    (instr) => { "strpos" };
    ((list $($columns:tt)+)) => {
        concat!("SELECT coalesce(json_agg(json_build_array(", $(postgres!($columns)),+,
            ")), '[]')::text FROM (")
    };
    ((values $column:literal)) => {
        concat!("SELECT coalesce(json_agg(", $column, "), '[]')::text FROM (")
    };
    (end) => { ") AS found" };
    ((nested $columns:literal, $($from:tt)+)) => {
        concat!("(SELECT coalesce(json_agg(json_build_array(", $columns, ")), '[]') FROM ",
            $(postgres!($from)),+, ")")
    };
    ((ordered $columns:literal, $order:literal, $($from:tt)+)) => {
        concat!("(SELECT coalesce(json_agg(json_build_array(", $columns, ") ORDER BY ", $order,
            "), '[]') FROM ", $(postgres!($from)),+, ")")
    };
    ((each $list:literal)) => { concat!("unnest(", $list, ") AS w (value)") };
    ((millis $column:literal)) => {
        concat!("(extract(epoch FROM ", $column, "::timestamptz) * 1000)::bigint")
    };
    ((turn $commit:literal, $turn:literal)) => { concat!($commit, ".turn_id = ", $turn) };
    ((marked $test:literal)) => { sqlite!((marked $test)) };
    ((proving)) => { sqlite!((proving)) };
    (images) => { "r.before, r.after, r.reading FROM receipts AS r" };
}

/// Declares statements, and for the tests the list of them.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)+) => {
        $($(#[$doc])* pub(in crate::store) const $name: $crate::store::sql::SqlText = $text;)+

        #[cfg(test)]
        pub(in crate::store) const ALL: &[(&str, $crate::store::sql::SqlText)] =
            &[$((stringify!($name), $name)),+];
    };
}

pub(in crate::store) mod log;
pub(in crate::store) mod reminders;
pub(in crate::store) mod runs;
pub(in crate::store) mod talk;
