//! Rules of the guard, whatever a model proposes and whatever comes of it: laws over
//! random turns, and the reasons of refusal by table.

mod added;
mod answers;
mod chosen;
mod composed;
mod confirmed;
mod delegated;
mod everyday;
mod inside;
mod judged;
mod licensed;
mod meant;
mod refusals;
mod replies;
mod values;
mod withdrawn;

use chrono::{DateTime, NaiveDate};
use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use uuid::Uuid;

use super::{Judge, Licence, Situation, Verdict, settle};
use crate::domain::{Lang, Status, Task, TaskId, Title, UserId};
use crate::intent;
use crate::resolver::{Context, TaskList};
use crate::temporal::DueRule;
use crate::tools::Proposal;
use crate::turn::LastVerb;

/// So many cases, the same ones every time.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(7),
        ..ProptestConfig::default()
    }
}

/// Sunday.
fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 2, 8).expect("a day")
}

fn title(text: &str) -> Title {
    Title::parse(text).expect("a title")
}

fn task(number: u128, text: &str, done: bool) -> Task {
    let at =
        DateTime::UNIX_EPOCH + chrono::Duration::seconds(i64::try_from(number).expect("small"));
    Task {
        status: if done {
            Status::Completed { at }
        } else {
            Status::Pending
        },
        ..Task::new(
            TaskId::new(Uuid::from_u128(number)),
            UserId::parse("me").expect("a user"),
            title(text),
            at,
        )
    }
}

/// One turn's licence and what it is judged with.
struct Scene {
    tasks: TaskList,
    shown: Vec<TaskId>,
    licence: Licence,
    dropped: Vec<String>,
    /// The reply before, and the message that it answered.
    before: Vec<String>,
    /// The tasks that were spoken of last, and what was done to them.
    focus: Vec<TaskId>,
    deed: Option<LastVerb>,
    lang: Lang,
}

impl Scene {
    /// The licence of these words over these tasks, all of which were just shown.
    fn new(words: &str, tasks: Vec<Task>) -> Self {
        let mut scene = Self {
            shown: tasks.iter().map(|task| task.id).collect(),
            tasks: tasks.into(),
            licence: Licence::default(),
            dropped: Vec::new(),
            before: Vec::new(),
            focus: Vec::new(),
            deed: None,
            lang: Lang::En,
        };
        let mut reading = intent::read(words, today(), Lang::En);
        scene.lang = reading.lang;
        settle(&mut reading, words, &scene.situation());
        scene.licence = Licence::new(&reading, words, &scene.situation());
        scene
    }

    fn situation(&self) -> Situation<'_> {
        Situation {
            tasks: &self.tasks,
            context: Context {
                shown: &self.shown,
                focus: &self.focus,
                offered: &[],
            },
            today: today(),
            zone: chrono_tz::UTC,
            now: chrono::DateTime::UNIX_EPOCH,
            one_list_said: false,
        }
    }

    fn judge(&mut self, proposal: Proposal) -> Verdict {
        self.judge_with(proposal, false)
    }

    fn judge_with(&mut self, proposal: Proposal, ask_first: bool) -> Verdict {
        let situation = Situation {
            tasks: &self.tasks,
            context: Context {
                shown: &self.shown,
                focus: &self.focus,
                offered: &[],
            },
            today: today(),
            zone: chrono_tz::UTC,
            now: chrono::DateTime::UNIX_EPOCH,
            one_list_said: false,
        };
        let runs = crate::store::KnownRuns::default();
        let mut judge = Judge {
            licence: &mut self.licence,
            situation,
            due_rule: DueRule::Year,
            lang: self.lang,
            speech: Lang::En,
            undoable: &[],
            ask_first,
            dropped: &mut self.dropped,
            runs: &runs,
            standing: crate::guard::Standing {
                shown: &self.before,
                deed: self.deed.as_ref(),
                ..crate::guard::Standing::default()
            },
            errands: crate::domain::DelegateAuthorization::default(),
        };
        judge.judge(proposal)
    }
}
