//! Fills a database the program's own way: tasks are imported, each with its receipt and its
//! events in the log, so that everything in it is as if people had made it.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use candor::chat::direct::{DirectWrites, ImportOutcome, TaskImport};
use candor::domain::{Clock, IdSource, UserId};
use candor::formats::{Format, Layout, ReadOptions};
use candor::store::Store;
use candor::temporal::DueRule;
use chrono::NaiveDate;
use tokio::task::JoinSet;

use super::ProgressLine;

/// Users that are filled at once, so that the writer finds a group whenever it looks.
const AT_ONCE: usize = 128;

/// Events that an import of one task more leaves: the call, and its receipt.
const PER_TASK: u32 = 2;
/// Events that an import leaves besides: its turn, and its reply.
const PER_IMPORT: u32 = 2;

/// For whom, in whose errands: words that many titles share.
const PEOPLE: [&str; 5] = ["mom", "dad", "Sam", "Kim", "Lee"];

/// Someone who fills the lists of a store.
#[derive(Debug, Clone)]
pub struct Filling {
    direct: DirectWrites,
}

impl Filling {
    pub fn of(store: &Store) -> Self {
        let today = NaiveDate::from_ymd_opt(2026, 2, 8);
        let (clock, ids) = (Clock::system(today), IdSource::random());
        let (rule, zone) = (DueRule::Year, chrono_tz::UTC);
        let direct = DirectWrites::new(store.clone(), clock, ids, rule, zone);
        Self { direct }
    }

    /// Gives a user a list.
    pub async fn list(&self, user: &UserId, tasks: u32, progress: &ProgressLine) -> Result<()> {
        let import = errands(tasks)?;
        let told = |seen: usize| progress.tell(&format!("{seen} of {tasks} tasks of {user}"));
        self.take(user, &import, told).await
    }

    /// Gives so many users a list each, all of them as many events as asked for, or little more.
    pub async fn crowd(
        &self,
        prefix: &str,
        (users, events): (u32, u32),
        progress: &ProgressLine,
    ) -> Result<()> {
        let each = events.div_ceil(users.max(1)).saturating_sub(PER_IMPORT);
        let import = Arc::new(errands(each.div_ceil(PER_TASK).max(1))?);
        let mut filling = JoinSet::new();
        for number in 0..users {
            let user = UserId::parse(&format!("{prefix}-{number}"));
            let user = user.map_err(|error| anyhow!("{error}"))?;
            let (own, import) = (self.clone(), Arc::clone(&import));
            if filling.len() == AT_ONCE
                && let Some(filled) = filling.join_next().await
            {
                filled??;
            }
            filling.spawn(async move { own.take(&user, &import, |_| ()).await });
            if number % 1_000 == 0 {
                progress.tell(&format!("{number} of {users} users"));
            }
        }
        while let Some(filled) = filling.join_next().await {
            filled??;
        }
        Ok(())
    }

    async fn take(
        &self,
        user: &UserId,
        import: &TaskImport,
        progress: impl Fn(usize) + Send,
    ) -> Result<()> {
        let ended = self.direct.import(user, import, None, progress).await;
        match ended.context("a list can't be filled")? {
            ImportOutcome::Done(report) if report.added == import.len() => Ok(()),
            _ => bail!("{user} has a list already"),
        }
    }
}

fn errands(count: u32) -> Result<TaskImport> {
    let errands = (0..count).zip(PEOPLE.iter().cycle());
    let lines = errands.map(|(number, person)| format!("Errand number {number} for {person}\n"));
    let text = lines.collect::<String>();
    let layout = Layout::of(Format::Todotxt, &text);
    let options = ReadOptions {
        zone: chrono_tz::UTC,
        today: NaiveDate::MIN,
        day_order: None,
    };
    Ok(TaskImport::read(layout, &text.into(), &options)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_crowd_leaves_as_many_events_as_were_asked_for() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.migrate().await.unwrap();
        let filling = Filling::of(&store);
        let progress = ProgressLine { shown: false };
        filling.crowd("crowd", (5, 60), &progress).await.unwrap();
        let ann = UserId::parse("ann").unwrap();
        filling.list(&ann, 250, &progress).await.unwrap();
        // Five turns of five tasks, and three of ann's, for two hundred and fifty.
        let events = store.audit_tree().await.unwrap().size;
        assert_eq!(events, 5 * (2 + 2 * 5) + 3 * 2 + 2 * 250);
        assert_eq!(store.load(&ann, None, None).await.unwrap().tasks.len(), 250);
        assert_eq!(store.audit_users().await.unwrap().len(), 6);
        // A list that is there already is not the one that was asked for.
        assert!(filling.list(&ann, 250, &progress).await.is_err());
        store.close().await;
    }
}
