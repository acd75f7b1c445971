//! A turn, watched while it runs: what it tells, whoever listens, and a word to stop it.
//!
//! A course keeps everything it was told, so that a reader who comes late or slowly reads from
//! the beginning; the turn never waits for one. What is kept is bounded by the calls of a turn.
//! No sentence and no argument of a model is in it: what a call is shown to do is taken from the
//! plan that was let through, and what was done from receipts. A turn that nobody watches has no
//! course and makes nothing of this.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::wire::ActionMetadata;
use super::{ChatAnswer, ChatError};
use crate::domain::{ConversationId, ErrorType, Priority, Tool, TurnId, UserId};
use crate::tools::Plan;
use crate::turn::CallResult;

/// News of a turn for whoever watches it. Calls are numbered through a request, from 1.
#[derive(Debug, Clone, PartialEq)]
pub enum ProgressEvent {
    /// The request was taken and its turn begins. Told again when another hand was faster: then
    /// nothing of what was told before happened, and everything begins anew.
    Began {
        /// The turn.
        turn: TurnId,
        /// Conversation of the turn.
        conversation: ConversationId,
    },
    /// A model is asked, for the so manyth time.
    Asked {
        /// From 1.
        time: u32,
    },
    /// A call was let through and runs. What it does is not saved yet.
    Called {
        /// Its number.
        call: u32,
        /// The tool.
        tool: Tool,
        /// Input of the call, in the tool's own arguments.
        input: Value,
    },
    /// A call that had been let through did not come off, or one could not be read.
    Failed {
        /// Its number.
        call: u32,
        /// The tool, if there is one of that name.
        tool: Option<Tool>,
        /// Reason for the failure.
        why: ErrorType,
    },
    /// A call was refused: the words do not allow it.
    Denied {
        /// Its number.
        call: u32,
        /// The tool.
        tool: Tool,
    },
    /// A call ran and changed nothing.
    Unchanged {
        /// Its number.
        call: u32,
    },
    /// The effect of a call is committed.
    Committed {
        /// Its number.
        call: u32,
        /// Its receipts, in order.
        receipts: Vec<ActionMetadata>,
    },
    /// The turn has ended; nothing follows. [`ChatAnswer::told`] is left out.
    Ended(Box<Result<ChatAnswer, ChatError>>),
}

/// The course of one request. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct TurnProgress(Arc<ProgressLog>);

#[derive(Debug, Default)]
struct ProgressLog {
    label: String,
    log: watch::Sender<Vec<ProgressEvent>>,
    stopped: watch::Sender<bool>,
}

impl TurnProgress {
    /// A course with a note of whoever made it, for whoever finds it.
    pub fn about(label: String) -> Self {
        Self(Arc::new(ProgressLog {
            label,
            ..ProgressLog::default()
        }))
    }

    /// The note it was made with.
    pub fn label(&self) -> &str {
        &self.0.label
    }

    /// Keeps what happens, and wakes who reads. After the end nothing is taken any more.
    pub(super) fn tell(&self, progress: ProgressEvent) {
        self.0.log.send_if_modified(|log| {
            let goes_on = !has_end(log);
            if goes_on {
                log.push(progress);
            }
            goes_on
        });
    }

    /// Tells the end, unless it was told.
    pub(super) fn end(&self, ended: &Result<ChatAnswer, ChatError>) {
        if !self.has_ended() {
            let told = ended.clone().map(|answered| ChatAnswer {
                told: Vec::new(),
                ..answered
            });
            self.tell(ProgressEvent::Ended(Box::new(told)));
        }
    }

    /// Reads from the beginning.
    pub fn reader(&self) -> ProgressReader {
        ProgressReader {
            read: 0,
            log: self.0.log.subscribe(),
        }
    }

    /// The turn is to wait for no model any more. What it committed is still told. Asked twice,
    /// or after its end, it changes nothing.
    pub fn stop(&self) {
        self.0.stopped.send_replace(true);
    }

    /// Tells whether it was asked to stop.
    pub fn is_stopped(&self) -> bool {
        *self.0.stopped.borrow()
    }

    /// Tells whether its end was told.
    pub fn has_ended(&self) -> bool {
        has_end(&self.log())
    }

    /// Returns once it was asked to stop.
    pub(super) async fn until_stopped(&self) {
        let mut stopped = self.0.stopped.subscribe();
        if stopped.wait_for(|stopped| *stopped).await.is_err() {
            // The sender lives in this very course.
            std::future::pending::<()>().await;
        }
    }

    /// The number of the next call: one more than were told, over all tries of the request.
    fn next_call(&self) -> u32 {
        let number = |progress: &ProgressEvent| match progress {
            ProgressEvent::Called { call, .. }
            | ProgressEvent::Failed { call, .. }
            | ProgressEvent::Denied { call, .. } => Some(*call),
            _ => None,
        };
        let log = self.log();
        log.iter().filter_map(number).max().unwrap_or_default() + 1
    }

    fn log(&self) -> watch::Ref<'_, Vec<ProgressEvent>> {
        self.0.log.borrow()
    }
}

fn has_end(log: &[ProgressEvent]) -> bool {
    matches!(log.last(), Some(ProgressEvent::Ended(_)))
}

/// Reads a course from its beginning, at its own pace.
#[derive(Debug)]
pub struct ProgressReader {
    read: usize,
    log: watch::Receiver<Vec<ProgressEvent>>,
}

impl ProgressReader {
    /// Waits for what is told next; none after the end. Cancel-safe.
    pub async fn next(&mut self) -> Option<ProgressEvent> {
        let read = self.read;
        let news = |log: &Vec<ProgressEvent>| log.len() > read || has_end(log);
        let next = self.log.wait_for(news).await.ok()?.get(read).cloned()?;
        self.read += 1;
        Some(next)
    }
}

/// Courses of requests that run in this process, by conversation.
#[derive(Debug, Default)]
pub(super) struct RunningTurns(Mutex<HashMap<(UserId, ConversationId), Vec<TurnProgress>>>);

impl RunningTurns {
    /// Returns the turns that run in a conversation, the oldest first.
    pub(super) fn of(&self, user: &UserId, conversation: ConversationId) -> Vec<TurnProgress> {
        let running = self.0.lock();
        let found = running.get(&(user.clone(), conversation));
        found.cloned().unwrap_or_default()
    }
}

/// Holds a course among those that run; its end is told when this is dropped, at the latest.
#[derive(Debug)]
pub(super) struct RunningTurn {
    courses: Arc<RunningTurns>,
    place: (UserId, ConversationId),
    course: TurnProgress,
}

impl RunningTurn {
    pub(super) fn enter(
        courses: &Arc<RunningTurns>,
        place: (UserId, ConversationId),
        course: &TurnProgress,
    ) -> Self {
        courses
            .0
            .lock()
            .entry(place.clone())
            .or_default()
            .push(course.clone());
        Self {
            courses: Arc::clone(courses),
            place,
            course: course.clone(),
        }
    }
}

impl Drop for RunningTurn {
    fn drop(&mut self) {
        let mut running = self.courses.0.lock();
        if let Some(here) = running.get_mut(&self.place) {
            here.retain(|one| !Arc::ptr_eq(&one.0, &self.course.0));
            if here.is_empty() {
                running.remove(&self.place);
            }
        }
        drop(running);
        // A turn that died says nothing itself.
        self.course
            .tell(ProgressEvent::Ended(Box::new(Err(ChatError::Unconfirmed))));
    }
}

/// Progress that a turn keeps for whoever watches it; nothing at all when nobody does.
#[derive(Debug, Default)]
pub(super) struct ProgressSender {
    course: Option<TurnProgress>,
    /// Calls that ran, with the numbers of the proofs that are theirs, until these are committed.
    ready: Vec<(u32, Tool, Vec<usize>)>,
}

impl ProgressSender {
    pub(super) fn new(course: Option<&TurnProgress>) -> Self {
        Self {
            course: course.cloned(),
            ready: Vec::new(),
        }
    }

    /// Tells what `make` makes, if anybody listens.
    pub(super) fn tell(&self, make: impl FnOnce() -> ProgressEvent) {
        if let Some(course) = &self.course {
            course.tell(make());
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.course.as_ref().is_some_and(TurnProgress::is_stopped)
    }

    /// Begins a call; none when nobody listens.
    pub(super) fn called(&self, tool: Tool, input: impl FnOnce() -> Value) -> Option<u32> {
        let course = self.course.as_ref()?;
        let call = course.next_call();
        let input = input();
        course.tell(ProgressEvent::Called { call, tool, input });
        Some(call)
    }

    /// A call that was not let through, or could not be read.
    pub(super) fn stopped_short(&self, tool: Option<Tool>, why: Option<ErrorType>) {
        let Some(course) = &self.course else {
            return;
        };
        let call = course.next_call();
        course.tell(match (tool, why) {
            (Some(tool), None) => ProgressEvent::Denied { call, tool },
            (tool, why) => ProgressEvent::Failed {
                call,
                tool,
                why: why.unwrap_or(ErrorType::Permission),
            },
        });
    }

    /// Records what came of a call that was begun: what it did is kept until it is committed.
    pub(super) fn came(&mut self, call: Option<u32>, tool: Tool, results: &[CallResult]) {
        let Some(call) = call else {
            return;
        };
        let mut proofs = Vec::new();
        let mut why = None;
        for result in results {
            match result {
                CallResult::Done(range) => proofs.extend(range.clone()),
                CallResult::Failed(error) | CallResult::Refused(_, error) => {
                    why = Some(error.error_type);
                }
                CallResult::Unchanged(_) | CallResult::Asked => {}
            }
        }
        let tool_told = Some(tool);
        match why {
            // Some of its tasks: what was done is told, the reply tells of the rest.
            _ if !proofs.is_empty() => self.ready.push((call, tool, proofs)),
            Some(why) => self.tell(|| ProgressEvent::Failed {
                call,
                tool: tool_told,
                why,
            }),
            None => self.tell(|| ProgressEvent::Unchanged { call }),
        }
    }

    /// Tells that what was ready is committed: `metadata` gives the receipt of a proof.
    pub(super) fn committed(&mut self, metadata: impl Fn(usize) -> Option<ActionMetadata>) {
        for (call, _, proofs) in std::mem::take(&mut self.ready) {
            let receipts = proofs.into_iter().filter_map(&metadata).collect();
            self.tell(|| ProgressEvent::Committed { call, receipts });
        }
    }

    /// Tells that what was ready did not happen after all.
    pub(super) fn undone(&mut self, why: ErrorType) {
        for (call, tool, _) in std::mem::take(&mut self.ready) {
            let tool = Some(tool);
            self.tell(|| ProgressEvent::Failed { call, tool, why });
        }
    }

    /// Tells whether anybody listens.
    pub(super) const fn is_watched(&self) -> bool {
        self.course.is_some()
    }
}

/// Returns what a plan is to do, in the arguments of its tool.
pub(super) fn input_of(plan: &Plan) -> Value {
    let members = |values: Value| match values {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    let mut input = Map::new();
    let time = match plan {
        Plan::Add(add) => {
            input = members(json!(add));
            let usual = add.priority == Priority::default();
            input.retain(|name, _| name != "remind" && (name != "priority" || !usual));
            add.due_time.map(Some)
        }
        Plan::Change(change) => {
            input.insert("task".to_owned(), json!(change.title));
            input.extend(members(json!(change.values)));
            change.values.due_time
        }
        Plan::List(_) | Plan::Undo(_) => None,
    };
    if let Some(time) = time {
        let time = time.map(|time| time.to_string());
        input.insert("due_time".to_owned(), json!(time));
    }
    Value::Object(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended() -> ProgressEvent {
        ProgressEvent::Ended(Box::new(Err(ChatError::Unchecked)))
    }

    #[tokio::test]
    async fn a_late_reader_reads_all_and_waits_for_the_rest() {
        let course = TurnProgress::default();
        course.tell(ProgressEvent::Asked { time: 1 });
        let mut late = course.reader();
        assert_eq!(late.next().await, Some(ProgressEvent::Asked { time: 1 }));
        let waiting = tokio::spawn(async move {
            let second = late.next().await;
            (second, late.next().await, late.next().await)
        });
        course.tell(ProgressEvent::Asked { time: 2 });
        course.tell(ended());
        course.tell(ProgressEvent::Asked { time: 3 });
        let read = waiting.await.unwrap();
        assert_eq!(
            read,
            (Some(ProgressEvent::Asked { time: 2 }), Some(ended()), None)
        );
    }

    #[tokio::test]
    async fn a_course_is_found_while_it_runs_and_its_end_is_always_told() {
        let courses = Arc::new(RunningTurns::default());
        let user = UserId::parse("me").unwrap();
        let here = ConversationId::new(uuid::Uuid::from_u128(7));
        let course = TurnProgress::default();
        let running = RunningTurn::enter(&courses, (user.clone(), here), &course);
        assert_eq!(courses.of(&user, here).len(), 1);
        let other = UserId::parse("eve").unwrap();
        assert!(courses.of(&other, here).is_empty());
        assert!(!course.has_ended());
        drop(running);
        assert!(courses.of(&user, here).is_empty() && courses.0.lock().is_empty());
        let mut reader = course.reader();
        let told = reader.next().await.unwrap();
        assert_eq!(
            told,
            ProgressEvent::Ended(Box::new(Err(ChatError::Unconfirmed)))
        );
    }

    #[tokio::test]
    async fn a_stop_is_heard_by_who_waits_and_by_who_comes_later() {
        let course = TurnProgress::default();
        let watching = ProgressSender::new(Some(&course));
        assert!(!watching.is_stopped());
        let stopping = course.clone();
        let ((), ()) = tokio::join!(course.until_stopped(), async { stopping.stop() });
        stopping.stop();
        assert!(watching.is_stopped());
        course.until_stopped().await;
    }

    #[test]
    fn calls_are_numbered_and_told_once_they_are_committed() {
        let course = TurnProgress::default();
        let mut watching = ProgressSender::new(Some(&course));
        watching.stopped_short(None, Some(ErrorType::Validation));
        let call = watching.called(Tool::AddTask, || Value::Null).unwrap();
        assert_eq!(call, 2);
        watching.came(Some(call), Tool::AddTask, &[CallResult::Done(0..1)]);
        assert_eq!(course.log().len(), 2);
        watching.committed(|_| None);
        watching.undone(ErrorType::Conflict);
        let last = course.log().last().cloned();
        let receipts = Vec::new();
        assert_eq!(last, Some(ProgressEvent::Committed { call: 2, receipts }));
        assert!(
            ProgressSender::default()
                .called(Tool::Undo, || unreachable!())
                .is_none()
        );
    }
}
