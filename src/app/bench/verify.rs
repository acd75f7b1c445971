//! Replies against rows, one to one: every receipt that a reply named is in the database, and
//! none is there that no reply named.

use std::collections::HashSet;

use anyhow::Result;
use serde::Serialize;

use crate::audit::EventKind;
use crate::domain::{ReceiptId, UserId};
use crate::store::{AuditFilter, Store};

/// Agreement of replies and rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Receipts that replies named.
    pub receipts: u64,
    /// Of those, not in the database.
    pub lost: u64,
    /// In the database, and named by no reply.
    pub untold: u64,
    /// Named by two replies.
    pub doubled: u64,
    /// Users whose log has more or fewer replies than they got.
    pub uneven: u64,
}

impl Agreement {
    /// Checks that nothing differs.
    pub const fn holds(self) -> bool {
        self.lost + self.untold + self.doubled + self.uneven == 0
    }
}

/// Replies that one user got: their number, and every receipt that they named.
#[derive(Debug, Clone)]
pub struct Told {
    pub user: UserId,
    pub replies: u64,
    pub receipts: Vec<ReceiptId>,
}

/// Reads from the rows what a user was told until now, by anybody.
pub async fn standing(store: &Store, user: &UserId) -> Result<Told> {
    let rows = store.history(user, None, u32::MAX).await?;
    Ok(Told {
        user: user.clone(),
        replies: replies(store, user).await?,
        receipts: rows.iter().map(|row| row.receipt.facts().id).collect(),
    })
}

/// Replies in a user's log.
async fn replies(store: &Store, user: &UserId) -> Result<u64> {
    let filter = AuditFilter {
        user: Some(user.clone()),
        kind: Some(EventKind::Reply),
        ..AuditFilter::default()
    };
    Ok(store.audit_events(&filter).await?.len() as u64)
}

/// Reads the rows of every user of the run.
pub async fn agree<'a>(
    store: &Store,
    told: impl IntoIterator<Item = &'a Told>,
) -> Result<Agreement> {
    let mut agreement = Agreement::default();
    for told in told {
        let Told {
            user,
            replies: heard,
            receipts,
        } = told;
        let rows = standing(store, user).await?;
        agreement.uneven += u64::from(rows.replies != *heard);
        let rows: HashSet<ReceiptId> = rows.receipts.into_iter().collect();
        let named: HashSet<ReceiptId> = receipts.iter().copied().collect();
        agreement.receipts += receipts.len() as u64;
        agreement.doubled += (receipts.len() - named.len()) as u64;
        agreement.lost += named.difference(&rows).count() as u64;
        agreement.untold += rows.difference(&named).count() as u64;
    }
    Ok(agreement)
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::audit::AuditEvent;
    use crate::domain::{IdSource, Title, TurnId};
    use crate::store::{CommitRecord, CommitResult, NewTask, Unit};

    #[tokio::test]
    async fn what_is_lost_untold_or_doubled_is_found() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.migrate().await.unwrap();
        let (ids, user) = (IdSource::random(), UserId::parse("ann").unwrap());
        let mut receipts = Vec::new();
        for title in ["milk", "eggs"] {
            let mut unit = Unit::new(
                user.clone(),
                None,
                TurnId::new(ids.next()),
                chrono::DateTime::from_timestamp(1_770_508_800, 0).unwrap(),
                ids.clone(),
                crate::resolver::TaskList::default(),
            );
            unit.add(NewTask::titled(Title::parse(title).unwrap()));
            let record = CommitRecord {
                events: vec![AuditEvent::of(EventKind::Reply, &serde_json::json!({}))],
                ..CommitRecord::default()
            };
            let CommitResult::Committed(done) = store.commit(unit, record).await else {
                panic!("it was not committed")
            };
            receipts.extend(done.receipts().iter().map(|receipt| receipt.facts().id));
        }
        let check = async |replies: u64, receipts: &[ReceiptId], expect: [u64; 4]| {
            let told = Told {
                user: user.clone(),
                replies,
                receipts: receipts.to_vec(),
            };
            let found = agree(&store, [&told]).await.unwrap();
            let counts = [found.lost, found.untold, found.doubled, found.uneven];
            assert_eq!(counts, expect, "{found:?}");
            assert_eq!(found.holds(), expect == [0; 4]);
        };
        let (milk, eggs) = (receipts[0], receipts[1]);
        let stranger = ReceiptId::new(ids.next());
        check(2, &[milk, eggs], [0, 0, 0, 0]).await;
        check(2, &[milk], [0, 1, 0, 0]).await;
        check(2, &[milk, eggs, stranger], [1, 0, 0, 0]).await;
        check(2, &[milk, eggs, eggs], [0, 0, 1, 0]).await;
        check(1, &[milk, eggs], [0, 0, 0, 1]).await;
        let told = standing(&store, &user).await.unwrap();
        check(told.replies, &told.receipts, [0; 4]).await;
        store.close().await;
    }
}
