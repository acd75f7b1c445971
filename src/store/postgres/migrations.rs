//! The migrations of PostgreSQL, in order.

use std::sync::LazyLock;

use sqlx::migrate::Migrator;

use super::super::migrations::{MigrationFile, migrator};

/// A replica of the release before may still start on what this one migrated, so what it does
/// not know is no reason to refuse. Whoever runs them holds a lock that ends with the transaction.
pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let mut migrations = migrator(&FILES);
    migrations.set_locking(false).set_ignore_missing(true);
    migrations
});

const FILES: [MigrationFile; 15] = [
    (
        1,
        "initial",
        include_str!("../../../migrations/postgres/0001_initial.sql"),
    ),
    (
        2,
        "tree",
        include_str!("../../../migrations/postgres/0002_tree.sql"),
    ),
    (
        3,
        "open turns",
        include_str!("../../../migrations/postgres/0003_open_turns.sql"),
    ),
    (
        4,
        "keeping",
        include_str!("../../../migrations/postgres/0004_keeping.sql"),
    ),
    (
        5,
        "delegation",
        include_str!("../../../migrations/postgres/0005_delegation.sql"),
    ),
    (
        6,
        "keys",
        include_str!("../../../migrations/postgres/0006_keys.sql"),
    ),
    (
        7,
        "orders",
        include_str!("../../../migrations/postgres/0007_orders.sql"),
    ),
    (
        8,
        "secrets",
        include_str!("../../../migrations/postgres/0008_secrets.sql"),
    ),
    (
        9,
        "leaves",
        include_str!("../../../migrations/postgres/0009_leaves.sql"),
    ),
    (
        10,
        "blocks",
        include_str!("../../../migrations/postgres/0010_blocks.sql"),
    ),
    (
        11,
        "once",
        include_str!("../../../migrations/postgres/0011_once.sql"),
    ),
    (
        12,
        "times",
        include_str!("../../../migrations/postgres/0012_times.sql"),
    ),
    (
        13,
        "reminders",
        include_str!("../../../migrations/postgres/0013_reminders.sql"),
    ),
    (
        14,
        "repeat",
        include_str!("../../../migrations/postgres/0014_repeat.sql"),
    ),
    (
        15,
        "streams",
        include_str!("../../../migrations/postgres/0015_streams.sql"),
    ),
];

#[cfg(test)]
mod tests {
    use super::super::super::migrations::assert_complete;
    use super::*;

    #[tokio::test]
    async fn no_file_is_left_out() {
        assert_complete(&MIGRATIONS, "migrations/postgres").await;
    }
}
