//! Number of turns a user may take (`CANDOR_RATE_LIMIT`): as many as are named at once, and then
//! one whenever its share of the time has passed. Over a database that several processes share it
//! is kept there, so that they hold the limit together; else in this process.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use parking_lot::Mutex;

use crate::http::code::Code;
use crate::http::problem::Problem;
use crate::store::{QuotaOutcome, Store, UseQuota};

/// The fields of draft-ietf-httpapi-ratelimit-headers.
pub const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// Header that says how many turns are left.
pub const LEFT: HeaderName = HeaderName::from_static("ratelimit");

/// After so many turns those who have all of theirs again are forgotten.
const TIDY: u32 = 1_024;

/// A limit, and who has had how much of it.
#[derive(Debug)]
pub struct Limits {
    turns: NonZeroU32,
    window: Duration,
    quota: UseQuota,
    began: Instant,
    local: Mutex<LocalBuckets>,
}

/// Turns that were taken in this process.
#[derive(Debug, Default)]
struct LocalBuckets {
    taken: u32,
    /// Time at which a bucket is whole again, in microseconds since the beginning.
    whole_at: HashMap<String, i64>,
}

impl Limits {
    /// So many turns in so long a time. None when that can't be counted in microseconds.
    pub fn new(turns: NonZeroU32, window: Duration) -> Option<Self> {
        let micros = i64::try_from(window.as_micros()).ok()?;
        let interval = (micros / i64::from(turns.get())).max(1);
        Some(Self {
            turns,
            window,
            quota: UseQuota {
                interval,
                window: interval * i64::from(turns.get()),
            },
            began: Instant::now(),
            local: Mutex::default(),
        })
    }

    /// Takes one turn of `who`; `policy` says what kind of name that is.
    pub(super) async fn take(
        &self,
        store: &Store,
        policy: &'static str,
        who: &str,
    ) -> RateLimitStanding {
        let bucket = format!("{policy}:{who}");
        let taken = match store.take(&bucket, self.quota).await {
            Ok(Some(taken)) => taken,
            Ok(None) => self.take_here(bucket),
            Err(error) => {
                // The turn itself will say so; who only retries is still held back.
                tracing::debug!(%error, "the limit is held by this process alone");
                self.take_here(bucket)
            }
        };
        RateLimitStanding {
            policy,
            turns: self.turns.get(),
            window: self.window.as_secs(),
            quota: self.quota,
            taken,
        }
    }

    /// As the database does it: each turn moves the time at which the bucket is whole again.
    fn take_here(&self, bucket: String) -> QuotaOutcome {
        let UseQuota { interval, window } = self.quota;
        let now = i64::try_from(self.began.elapsed().as_micros()).unwrap_or(i64::MAX);
        let mut local = self.local.lock();
        local.taken = local.taken.wrapping_add(1);
        if local.taken.is_multiple_of(TIDY) {
            local.whole_at.retain(|_, at| *at > now);
        }
        let at = local.whole_at.entry(bucket).or_insert(now);
        let ahead = (*at - now).max(0);
        let allowed = ahead + interval <= window;
        let ahead = if allowed { ahead + interval } else { ahead };
        *at = now + ahead;
        QuotaOutcome { allowed, ahead }
    }
}

/// Standing of somebody after a turn was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitStanding {
    policy: &'static str,
    turns: u32,
    window: u64,
    quota: UseQuota,
    taken: QuotaOutcome,
}

impl RateLimitStanding {
    /// Tells whether the turn may be had.
    pub(super) const fn allowed(&self) -> bool {
        self.taken.allowed
    }

    /// The one of two that holds back more.
    pub(super) const fn tighter(self, other: Self) -> Self {
        if !other.allowed() || self.left() > other.left() {
            other
        } else {
            self
        }
    }

    const fn left(&self) -> i64 {
        if !self.taken.allowed {
            return 0;
        }
        let left = (self.quota.window - self.taken.ahead) / self.quota.interval;
        if left > 0 { left } else { 0 }
    }

    /// Whole seconds, at least one.
    fn seconds(micros: i64) -> u64 {
        micros.max(1).unsigned_abs().div_ceil(1_000_000)
    }

    /// Seconds until one may be had, when none may.
    fn wait(&self) -> u64 {
        Self::seconds(self.taken.ahead + self.quota.interval - self.quota.window)
    }

    /// Returns the problem to answer with when there is none left.
    pub(super) fn problem(&self) -> Option<Problem> {
        if self.allowed() {
            return None;
        }
        let (turns, wait) = (self.turns, self.wait());
        let per = match self.window {
            1 => "a second",
            60 => "a minute",
            _ => "an hour",
        };
        let whose = if self.policy == "key" {
            "this API key"
        } else {
            "this user"
        };
        let detail = format!("At most {turns} turns {per} for {whose}. Try again in {wait} s.");
        let mut problem = Problem::new(Code::QuotaExceeded, detail).retry_after(Some(wait));
        problem.violated = Some(self.policy);
        Some(problem)
    }

    /// Writes both fields.
    pub fn tell(&self, headers: &mut HeaderMap) {
        let Self {
            policy,
            turns,
            window,
            ..
        } = self;
        let reset = if self.allowed() {
            Self::seconds(self.taken.ahead)
        } else {
            self.wait()
        };
        let fields = [
            (POLICY, format!("\"{policy}\";q={turns};w={window}")),
            (LEFT, format!("\"{policy}\";r={};t={reset}", self.left())),
        ];
        for (name, value) in fields {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(standing: &RateLimitStanding) -> (String, String) {
        let mut headers = HeaderMap::new();
        standing.tell(&mut headers);
        let text = |name| headers.get(name).unwrap().to_str().unwrap().to_owned();
        (text(POLICY), text(LEFT))
    }

    #[tokio::test]
    async fn turns_run_out_for_one_and_not_for_the_other() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        let limits = Limits::new(NonZeroU32::new(2).unwrap(), Duration::from_secs(3_600)).unwrap();
        let first = limits.take(&store, "user", "ann").await;
        assert_eq!(first.problem(), None);
        let policy = "\"user\";q=2;w=3600".to_owned();
        assert_eq!(
            fields(&first),
            (policy.clone(), "\"user\";r=1;t=1800".into())
        );
        let second = limits.take(&store, "user", "ann").await;
        assert_eq!(fields(&second), (policy, "\"user\";r=0;t=3600".into()));
        let third = limits.take(&store, "user", "ann").await;
        let problem = third.problem().unwrap();
        assert_eq!(
            (problem.code, problem.violated),
            (Code::QuotaExceeded, Some("user"))
        );
        let wait = problem.retry_after.unwrap();
        assert!((1_790..=1_800).contains(&wait), "{wait}");
        assert!(problem.detail.contains("2 turns an hour"), "{problem}");
        assert_eq!(fields(&third).1, format!("\"user\";r=0;t={wait}"));
        assert_eq!(limits.take(&store, "user", "bob").await.problem(), None);
        assert_eq!(limits.take(&store, "key", "ann").await.problem(), None);
        assert_eq!(first.tighter(third).problem(), third.problem());
        assert_eq!(first.tighter(second), second);
        assert_eq!(second.tighter(first), second);
    }

    #[test]
    fn very_many_turns_are_a_limit_too() {
        let most = NonZeroU32::new(1_000_000).unwrap();
        let limits = Limits::new(most, Duration::from_secs(1)).unwrap();
        assert_eq!(limits.quota.interval, 1);
    }
}
