//! Runs: delegated with their task, worked on by one, and ended by what was reported.

use std::sync::Arc;

use candor::audit::EventKind;
use candor::domain::{
    Action, AgentHandle, CompletionPolicy, ErrorType, Priority, ReportOutcome, Review, RunHandle,
    RunState, TaskId, Verification,
};
use candor::store::{
    AgentLine, AgentReport, AgentRole, AgentRun, AuditFilter, CallEnd, CommitRecord, CommitResult,
    CommittedUnit, CompletedBy, DelegateFault, DelegationTarget, Draft, GivenUp, HeartbeatOutcome,
    LeasedWrite, NewCall, NewRun, NewSession, Receipt, RecordedReport, RollbackCause, RunEvent,
    RunEventKind, RunFault, RunLease, RunMetrics, RunOptions, RunQuery, RunRef, RunWorker,
    SessionChoice, SessionEnd, StopOutcome, TaskPatch, UndoFault, Unit,
};
use serde_json::{Value, json};

use super::scene::{Ground, Scene, committed, done, moment, new_task, now, refused};

pub fn worker(owner: &str) -> RunWorker {
    RunWorker {
        owner: owner.to_owned(),
        per_user: 10,
        in_all: 16,
        full: Vec::new(),
    }
}

pub fn session() -> NewSession {
    NewSession {
        persona: "researcher".to_owned(),
        spec: "new:researcher;fast".to_owned(),
        provider: "openai-dev".to_owned(),
        model: "fast-model".to_owned(),
        parent: None,
        depth: 1,
        workspace_root: None,
    }
}

pub fn new_run(key: &str) -> NewRun {
    NewRun {
        prompt: "Find three hotels".to_owned(),
        expected_response: Some("a list".to_owned()),
        priority: Priority::Medium,
        background: true,
        queued: false,
        tool_call_id: "call_1".to_owned(),
        key: key.to_owned(),
        options: RunOptions {
            max_files: Some(20),
            notes: Some("auto -> openai-dev".to_owned()),
            ..RunOptions::default()
        },
    }
}

pub fn report(text: &str) -> AgentReport {
    AgentReport {
        outcome: ReportOutcome::Completed,
        text: text.to_owned(),
        json: Some(json!({"hotels": 3})),
        summary: Some("three".to_owned()),
        evidence: Vec::new(),
        metrics: RunMetrics {
            tokens_used: 12,
            ..RunMetrics::default()
        },
    }
}

fn call(name: &str) -> NewCall {
    NewCall {
        tool_call_id: format!("call_{name}"),
        name: name.to_owned(),
        called_as: format!("{name}_alias"),
        arguments: json!({"path": "a.txt"}),
        provider_context: "openai-dev (fast-model)".to_owned(),
    }
}

fn ended(ok: bool) -> CallEnd {
    CallEnd {
        ok,
        error_type: (!ok).then_some(ErrorType::NotFound),
        result: json!({"ok": ok}),
        duration_ms: 3,
    }
}

/// Change that a user makes to a task.
type Act = fn(&mut Unit, TaskId);

impl Scene {
    /// A unit over what stands now, knowing the runs.
    pub async fn knowing(&self) -> (Unit, CommitRecord) {
        let snapshot = self.load().await;
        let known = self.store.delegations(&self.user).await.unwrap();
        let unit = self.unit(&snapshot).knowing(Arc::new(known));
        (unit, self.record(&snapshot))
    }

    /// Lets `act` fill a unit that knows the runs, and commits it.
    pub async fn with_runs<T>(&self, act: impl FnOnce(&mut Unit) -> T) -> (CommittedUnit, T) {
        let (mut unit, record) = self.knowing().await;
        let value = act(&mut unit);
        (committed(self.store.commit(unit, record).await), value)
    }

    /// A new task, delegated in a new session.
    pub async fn delegated(&self, title: &str) -> AgentRun {
        let key = format!("key of {title}");
        self.with_runs(|unit| {
            let target = DelegationTarget::New(new_task(title));
            unit.delegate(target, SessionChoice::New(&session()), new_run(&key))
                .unwrap();
        })
        .await;
        self.newest().await
    }

    pub async fn newest(&self) -> AgentRun {
        let known = self.store.delegations(&self.user).await.unwrap();
        known.runs[0].clone()
    }

    pub async fn lease(&self) -> RunLease {
        self.leased(&worker("one")).await.unwrap()
    }

    async fn leased(&self, worker: &RunWorker) -> Option<RunLease> {
        let leased = self.store.lease_next(worker, now(), &self.ids).await;
        leased.unwrap()
    }

    pub async fn report(
        &self,
        lease: &RunLease,
        report: &AgentReport,
    ) -> LeasedWrite<RecordedReport> {
        let policy = CompletionPolicy::Reported;
        let reported = self
            .store
            .report(lease, report, policy, moment(), &self.ids);
        reported.await.unwrap()
    }

    /// Returns what the log tells of runs, by type.
    async fn told(&self) -> Vec<RunEvent> {
        let filter = AuditFilter {
            user: Some(self.user.clone()),
            kind: Some(EventKind::Run),
            ..AuditFilter::default()
        };
        let events = self.store.audit_events(&filter).await.unwrap();
        let told = events.iter().map(|event| RunEvent::read(event).unwrap());
        told.collect()
    }

    async fn states(&self) -> Vec<(RunHandle, RunState)> {
        let steps = self.told().await.into_iter();
        let steps = steps.filter_map(|told| match told.kind {
            RunEventKind::RunState { to, .. } => Some((told.run, to)),
            _ => None,
        });
        steps.collect()
    }

    pub async fn call(&self, lease: &mut RunLease, name: &str, ok: bool) -> u32 {
        let (store, ids) = (&self.store, &self.ids);
        let begun = store.begin_call(lease, &call(name), now(), ids).await;
        let LeasedWrite::Yes(begun) = begun.unwrap() else {
            panic!("lost");
        };
        let end = store.end_call(lease, &begun, &ended(ok), now(), ids).await;
        assert!(matches!(end.unwrap(), LeasedWrite::Yes(_)));
        begun.number
    }
}

#[track_caller]
pub fn yes<T: std::fmt::Debug>(held: LeasedWrite<T>) -> T {
    match held {
        LeasedWrite::Yes(value) => value,
        LeasedWrite::Lost => panic!("the lease was lost"),
    }
}

fn facts(committed: &CommittedUnit) -> Vec<(Action, Option<RunState>)> {
    let facts = committed.receipts().iter().map(Receipt::facts);
    facts
        .map(|facts| (facts.action, facts.run.as_ref().map(|run| run.state)))
        .collect()
}

pub async fn a_task_is_delegated_worked_on_and_reported(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let (told, _) = ann
        .with_runs(|unit| {
            let target = DelegationTarget::New(new_task("Research hotels"));
            let draft = unit.delegate(target, SessionChoice::New(&session()), new_run("k"));
            assert_eq!(draft.unwrap().facts().run.as_ref().unwrap().round, 1);
        })
        .await;
    assert_eq!(facts(&told), [(Action::Delegate, Some(RunState::Pending))]);
    let facts_of = told.receipts()[0].facts();
    let said = facts_of.run.clone().unwrap();
    assert_eq!(said.run, RunHandle::new(1));
    let task = facts_of.task_id.unwrap();
    let stands = ann.task(task).await.unwrap();
    assert_eq!(stands.assignee.as_deref(), Some(said.agent.as_str()));
    // Read back, the receipt says the same.
    let history = ann.store.history(&ann.user, None, 1).await.unwrap();
    assert_eq!(history[0].receipt.facts(), facts_of);

    let mut lease = ann.lease().await;
    assert_eq!(ann.leased(&worker("two")).await, None);
    let run = ann.newest().await;
    assert_eq!(run, lease.run);
    assert_eq!((run.state, run.attempt), (RunState::Running, 1));
    assert_eq!(run.prompt, "Find three hotels");
    assert_eq!(run.options, new_run("").options);
    assert_eq!(
        (run.task, run.conversation),
        (Some(task), Some(ann.conversation))
    );
    assert_eq!(
        ann.store.heartbeat(&lease).await.unwrap(),
        HeartbeatOutcome::Alive
    );
    for (seq, role) in [(1, AgentRole::System), (2, AgentRole::User)] {
        let line = AgentLine {
            seq,
            run: run.handle,
            role,
            content: format!("line {seq}"),
            tool_calls: (seq == 2).then(|| json!([{"id": "é"}])),
            tool_call_id: None,
        };
        let kept = ann.store.append_message(&lease, &line, now()).await;
        assert_eq!(kept.unwrap(), LeasedWrite::Yes(seq));
        let lines = ann
            .store
            .transcript(&ann.user, &run.agent, seq - 1, 9)
            .await;
        assert_eq!(lines.unwrap(), [line]);
    }
    assert_eq!(ann.call(&mut lease, "read_file", true).await, 1);
    assert_eq!(ann.call(&mut lease, "list_files", false).await, 2);
    yes(ann
        .store
        .add_note(&lease, "half way", now(), &ann.ids)
        .await
        .unwrap());
    let cited = AgentReport {
        evidence: vec![1],
        ..report("Three hotels: A, B, C")
    };
    let reported = yes(ann.report(&lease, &cited).await);
    assert!(reported.task_completed);
    assert_eq!(reported.verification, Verification::Verified);
    assert_eq!(reported.run.state, RunState::Completed);
    let result = reported.run.result.clone().unwrap();
    assert_eq!(
        (result.text.as_str(), result.evidence),
        ("Three hotels: A, B, C", vec![1])
    );
    assert_eq!(result.json, Some(json!({"hotels": 3})));
    assert_eq!(reported.run.metrics.unwrap().tokens_used, 12);
    // However often it is read, and from wherever.
    for by in [
        RunRef::Id(run.id),
        RunRef::Handle(run.handle),
        RunRef::Agent(&run.agent),
    ] {
        let read = ann.store.run(&ann.user, by).await.unwrap();
        assert_eq!(read.as_ref(), Some(&reported.run), "{by:?}");
    }
    assert!(ann.task(task).await.unwrap().status.is_completed());
    let by = ann.store.completed_by(&ann.user, task).await.unwrap();
    assert_eq!(by, Some(CompletedBy::Agent(run.handle)));
    let receipts = ann.store.turn_receipts(&ann.user, run.turn).await.unwrap();
    assert_eq!(receipts[0].receipt.facts().action, Action::CompleteTask);
    assert_eq!(receipts[0].receipt.facts().conversation_id, None);
    let known = ann.store.delegations(&ann.user).await.unwrap();
    assert_eq!(known.notices[0].state, RunState::Completed);
    let calls = ann.store.agent_calls(&ann.user, &run).await.unwrap();
    let calls: Vec<_> = calls.iter().map(|call| (call.number, call.ok)).collect();
    assert_eq!(calls, [(1, Some(true)), (2, Some(false))]);
    assert_eq!(
        ann.states().await,
        [
            (run.handle, RunState::Pending),
            (run.handle, RunState::Running),
            (run.handle, RunState::Completed)
        ]
    );
    let before = known.notices.clone();
    // What is told once is not told again.
    ann.with_runs(|unit| unit.acknowledge(run.id)).await;
    let known = ann.store.delegations(&ann.user).await.unwrap();
    assert!(known.notices.is_empty());
    // Two turns that tell it at once are no fault of either.
    let (mut unit, record) = ann.knowing().await;
    let notices = Arc::new(candor::store::KnownRuns {
        notices: before.clone(),
        ..known.clone()
    });
    unit = unit.knowing(notices);
    unit.acknowledge(run.id);
    committed(ann.store.commit(unit, record).await);
    // Reopened by hand, it is not the agent's any more.
    ann.turn(|unit| {
        let open = TaskPatch {
            completed: Some(false),
            ..TaskPatch::default()
        };
        let _ = unit.change(Action::UpdateTask, task, &open);
    })
    .await;
    ann.turn(|unit| {
        let _ = unit.change(Action::CompleteTask, task, &done());
    })
    .await;
    let by = ann.store.completed_by(&ann.user, task).await.unwrap();
    assert_eq!(by, Some(CompletedBy::User));
    ann.verify().await;
}

pub async fn one_report_is_taken_and_only_from_who_works_on_it(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    ann.delegated("Research hotels").await;
    let lease = ann.lease().await;
    for blank in ["", "  \n "] {
        let refused = ann
            .store
            .report(
                &lease,
                &report(blank),
                CompletionPolicy::Reported,
                moment(),
                &ann.ids,
            )
            .await;
        assert!(refused.is_err(), "{blank:?}");
    }
    let long = "x".repeat(32_001);
    let reported = ann
        .store
        .report(
            &lease,
            &report(&long),
            CompletionPolicy::Reported,
            moment(),
            &ann.ids,
        )
        .await;
    assert!(reported.is_err());
    assert_eq!(ann.newest().await.state, RunState::Running);
    yes(ann.report(&lease, &report("the first")).await);
    let before = ann.newest().await;
    assert_eq!(
        ann.report(&lease, &report("the second")).await,
        LeasedWrite::Lost
    );
    let fault = RunFault {
        error_type: ErrorType::Timeout,
        error: "too late".to_owned(),
        unreported_output: None,
    };
    let metrics = RunMetrics::default();
    let failed = GivenUp::Failed(fault, metrics);
    let failed = ann.store.give_up(&lease, &failed, now(), &ann.ids);
    assert_eq!(failed.await.unwrap(), LeasedWrite::Lost);
    assert_eq!(
        ann.store.heartbeat(&lease).await.unwrap(),
        HeartbeatOutcome::Lost
    );
    assert_eq!(ann.newest().await, before);
    // It is told of all the same.
    let late = ann
        .store
        .late_result(&before, "the second", now(), &ann.ids);
    assert!(late.await.unwrap());
    assert_eq!(ann.newest().await, before);
    let told = ann.told().await;
    assert!(matches!(told.last().map(|told| &told.kind),
            Some(RunEventKind::LateResult { text: Some(text) }) if text == "the second"));
    ann.verify().await;
}

pub async fn evidence_that_is_not_so_fails_the_run(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    for (title, evidence) in [("Missing", vec![9]), ("Failed", vec![1, 2])] {
        let run = ann.delegated(title).await;
        let mut lease = ann.lease().await;
        ann.call(&mut lease, "read_file", true).await;
        ann.call(&mut lease, "read_file", false).await;
        let cited = AgentReport {
            evidence,
            ..report("It is done")
        };
        let reported = yes(ann.report(&lease, &cited).await);
        assert_eq!(reported.verification, Verification::Contradicted);
        assert!(!reported.task_completed);
        let stands = ann.store.run(&ann.user, RunRef::Id(run.id)).await.unwrap();
        assert_eq!(stands.unwrap().state, RunState::Failed);
        let task = ann.task(run.task.unwrap()).await.unwrap();
        assert!(!task.status.is_completed());
    }
    let run = ann.delegated("Rejected").await;
    let lease = ann.lease().await;
    let rejected = AgentReport {
        outcome: ReportOutcome::Rejected,
        ..report("I can't")
    };
    let reported = yes(ann.report(&lease, &rejected).await);
    assert_eq!(
        (reported.run.state, reported.task_completed),
        (RunState::Failed, false)
    );
    assert_eq!(reported.run.result.unwrap().text, "I can't");
    assert!(
        !ann.task(run.task.unwrap())
            .await
            .unwrap()
            .status
            .is_completed()
    );
    ann.verify().await;
}

pub async fn a_policy_decides_when_the_task_is_done(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let run = ann.delegated("Research hotels").await;
    let lease = ann.lease().await;
    let policy = CompletionPolicy::Accepted;
    let said = report("Done");
    let reported = ann.store.report(&lease, &said, policy, moment(), &ann.ids);
    let reported = yes(reported.await.unwrap());
    assert_eq!(
        (reported.run.state, reported.task_completed),
        (RunState::Completed, false)
    );
    let task = run.task.unwrap();
    assert_eq!(ann.store.completed_by(&ann.user, task).await.unwrap(), None);
    let (accepted, said) = ann
        .with_runs(|unit| unit.review_run(run.id, Review::Accepted))
        .await;
    assert!(said);
    assert_eq!(
        facts(&accepted),
        [(Action::CompleteTask, Some(RunState::Completed))]
    );
    let by = ann.store.completed_by(&ann.user, task).await.unwrap();
    assert_eq!(by, Some(CompletedBy::Agent(run.handle)));
    let (_, again) = ann
        .with_runs(|unit| unit.review_run(run.id, Review::Rejected))
        .await;
    assert!(!again);
    ann.verify().await;
}

pub async fn what_was_lost_changes_nothing(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    ann.delegated("Research hotels").await;
    let mut lease = ann.lease().await;
    let (ids, store) = (&ann.ids, &ann.store);
    let begun = store
        .begin_call(&mut lease, &call("read_file"), now(), ids)
        .await;
    let begun = yes(begun.unwrap());
    assert!(
        store
            .interrupt_expired(now(), ids)
            .await
            .unwrap()
            .is_empty()
    );
    ground.tamper("UPDATE agent_runs SET lease_until = 1").await;
    let ended_runs = store.interrupt_expired(now(), ids).await.unwrap();
    assert_eq!(ended_runs.len(), 1);
    assert_eq!(ended_runs[0].state, RunState::Interrupted);
    assert!(
        store
            .interrupt_expired(now(), ids)
            .await
            .unwrap()
            .is_empty()
    );
    let before = ann.newest().await;
    let line = AgentLine {
        seq: 0,
        run: before.handle,
        role: AgentRole::Assistant,
        content: "still here".to_owned(),
        tool_calls: None,
        tool_call_id: None,
    };
    assert_eq!(
        store.append_message(&lease, &line, now()).await.unwrap(),
        LeasedWrite::Lost
    );
    let end = store
        .end_call(&lease, &begun, &ended(true), now(), ids)
        .await;
    assert_eq!(end.unwrap(), LeasedWrite::Lost);
    let another = store.begin_call(&mut lease, &call("x"), now(), ids).await;
    assert_eq!(another.unwrap(), LeasedWrite::Lost);
    assert_eq!(ann.report(&lease, &report("done")).await, LeasedWrite::Lost);
    let cancelled = store
        .give_up(
            &lease,
            &GivenUp::Cancelled(RunMetrics::default()),
            now(),
            ids,
        )
        .await;
    assert_eq!(cancelled.unwrap(), LeasedWrite::Lost);
    assert_eq!(ann.newest().await, before);
    // The call that was under way has an end, which says that nothing is known of it.
    let calls = store.agent_calls(&ann.user, &before).await.unwrap();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].error_type, Some(ErrorType::Interrupted));
    assert_eq!(store.delegations(&ann.user).await.unwrap().notices.len(), 1);
    ann.verify().await;
}

pub async fn a_run_is_stopped(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    // Before anybody worked on it, at once.
    let first = ann.delegated("Research hotels").await;
    let (told, stopping) = ann
        .with_runs(|unit| unit.cancel_run(first.id, Some("not needed")))
        .await;
    assert_eq!(stopping, StopOutcome::Stopped(first.handle));
    assert_eq!(
        facts(&told),
        [(Action::CancelDelegation, Some(RunState::Cancelled))]
    );
    assert_eq!(ann.newest().await.state, RunState::Cancelled);
    assert_eq!(ann.leased(&worker("one")).await, None);
    // While somebody does, once that is confirmed.
    let second = ann.delegated("Book a flight").await;
    let lease = ann.lease().await;
    let (told, stopping) = ann.with_runs(|unit| unit.cancel_run(second.id, None)).await;
    assert_eq!(stopping, StopOutcome::Asked(second.handle));
    assert_eq!(
        facts(&told),
        [(Action::CancelDelegation, Some(RunState::Running))]
    );
    let (_, again) = ann.with_runs(|unit| unit.cancel_run(second.id, None)).await;
    assert_eq!(again, StopOutcome::Already(second.handle));
    assert!(ann.newest().await.is_stopping());
    assert_eq!(
        ann.store.heartbeat(&lease).await.unwrap(),
        HeartbeatOutcome::Stop
    );
    let metrics = RunMetrics::default();
    let confirmed = GivenUp::Cancelled(metrics);
    let confirmed = ann.store.give_up(&lease, &confirmed, now(), &ann.ids);
    yes(confirmed.await.unwrap());
    let (_, ended) = ann.with_runs(|unit| unit.cancel_run(second.id, None)).await;
    assert_eq!(
        ended,
        StopOutcome::Ended(second.handle, RunState::Cancelled)
    );
    // A stop is not undone, and is not stepped over by an undo.
    let undoable = ann.store.latest_undoable(&ann.user, ann.conversation).await;
    let (mut unit, _) = ann.knowing().await;
    let fault = unit.undo(&undoable.unwrap()[0]);
    assert_eq!(fault.map(Draft::facts), Err(UndoFault::Stopped));
    ann.verify().await;
}

pub async fn what_becomes_of_a_task_stops_its_run(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let by_hand = |unit: &mut Unit, id: TaskId| {
        assert!(unit.live_run(id).is_some());
        let _ = unit.change(Action::CompleteTask, id, &done());
    };
    let back = |unit: &mut Unit, id: TaskId| {
        let back = TaskPatch {
            assignee: Some(None),
            ..TaskPatch::default()
        };
        let _ = unit.change(Action::UpdateTask, id, &back);
    };
    let gone = |unit: &mut Unit, id: TaskId| {
        let _ = unit.delete(id);
    };
    let acts: [(&str, Act); 3] = [("One", by_hand), ("Two", back), ("Three", gone)];
    for (title, act) in acts {
        let run = ann.delegated(title).await;
        let lease = ann.lease().await;
        ann.with_runs(|unit| act(unit, run.task.unwrap())).await;
        assert_eq!(
            ann.store.heartbeat(&lease).await.unwrap(),
            HeartbeatOutcome::Stop
        );
        // What it reports all the same does not touch the task.
        let reported = yes(ann.report(&lease, &report("done")).await);
        let by = ann.store.completed_by(&ann.user, run.task.unwrap()).await;
        match title {
            "One" => assert_eq!(by.unwrap(), Some(CompletedBy::User)),
            _ => assert!(by.unwrap().is_none() && !reported.task_completed),
        }
    }
    ann.verify().await;
}

pub async fn a_delegation_is_undone(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let task = ann.add("Research hotels").await;
    ann.with_runs(|unit| {
        let target = DelegationTarget::Existing(task);
        unit.delegate(target, SessionChoice::New(&session()), new_run("k"))
            .unwrap();
    })
    .await;
    let lease = ann.lease().await;
    let undoable = ann.store.latest_undoable(&ann.user, ann.conversation).await;
    let undoable = undoable.unwrap();
    ann.with_runs(|unit| {
        unit.undo(&undoable[0]).unwrap();
    })
    .await;
    assert_eq!(ann.task(task).await.unwrap().assignee, None);
    assert_eq!(
        ann.store.heartbeat(&lease).await.unwrap(),
        HeartbeatOutcome::Stop
    );
    ann.verify().await;
}

pub async fn a_session_is_resumed_in_a_new_round(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let first = ann.delegated("Research hotels").await;
    let lease = ann.lease().await;
    let agent = ann
        .store
        .agent(&ann.user, &first.agent)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((agent.rounds, agent.live), (1, Some(first.handle)));
    let task = first.task.unwrap();
    // Not while it is at work, nor the task while another is.
    let (mut unit, _) = ann.knowing().await;
    let fresh = session();
    let fault = unit.delegate(
        DelegationTarget::Existing(task),
        SessionChoice::New(&fresh),
        new_run("k2"),
    );
    assert!(
        matches!(fault, Err(DelegateFault::Busy { .. })),
        "{fault:?}"
    );
    let target = DelegationTarget::New(new_task("Another"));
    let fault = unit.delegate(target, SessionChoice::Resume(&agent), new_run("k2"));
    assert!(
        matches!(fault, Err(DelegateFault::AtWork { .. })),
        "{fault:?}"
    );
    drop(unit);
    let fault = RunFault {
        error_type: ErrorType::Limit,
        error: "26 turns".to_owned(),
        unreported_output: Some("All done!".to_owned()),
    };
    let metrics = RunMetrics::default();
    let failed = GivenUp::Failed(fault.clone(), metrics);
    let failed = ann.store.give_up(&lease, &failed, now(), &ann.ids);
    yes(failed.await.unwrap());
    let before = ann.newest().await;
    assert_eq!(before.fault, Some(fault));
    ann.with_runs(|unit| {
        unit.delegate(
            DelegationTarget::Existing(task),
            SessionChoice::Resume(&agent),
            new_run("k2"),
        )
        .unwrap();
    })
    .await;
    let second = ann.newest().await;
    assert_eq!((second.round, second.handle), (2, RunHandle::new(2)));
    assert_eq!(
        (second.session, &second.agent),
        (first.session, &first.agent)
    );
    let stands = ann
        .store
        .run(&ann.user, RunRef::Id(first.id))
        .await
        .unwrap();
    assert_eq!(stands, Some(before));
    let lease = ann.lease().await;
    let reported = yes(ann.report(&lease, &report("Now it is")).await);
    assert!(reported.task_completed);
    ann.verify().await;
}

pub async fn runs_of_one_session_wait_for_each_other(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    ann.with_runs(|unit| {
        let target = DelegationTarget::New(new_task("First"));
        unit.delegate(target, SessionChoice::New(&session()), new_run("1"))
            .unwrap();
        let first = unit.begun().next().unwrap().handle;
        let target = DelegationTarget::New(new_task("Second"));
        unit.delegate(target, SessionChoice::After(first), new_run("2"))
            .unwrap();
    })
    .await;
    let known = ann.store.delegations(&ann.user).await.unwrap();
    let rounds: Vec<_> = known
        .runs
        .iter()
        .map(|run| (run.round, run.queued))
        .collect();
    assert_eq!(rounds, [(2, true), (1, false)]);
    let first = ann.lease().await;
    assert_eq!(first.run.title, "First");
    assert_eq!(ann.leased(&worker("two")).await, None);
    yes(ann.report(&first, &report("one")).await);
    let second = ann.lease().await;
    assert_eq!(
        (second.run.title.as_str(), second.run.agent.clone()),
        ("Second", first.run.agent)
    );
    yes(ann.report(&second, &report("two")).await);
    ann.verify().await;
}

pub async fn the_queue_keeps_order_and_limits(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let bob = Scene::of(ann.store.clone(), "bob");
    for (scene, title, priority) in [
        (&ann, "low", Priority::Low),
        (&ann, "medium", Priority::Medium),
        (&ann, "high", Priority::High),
        (&bob, "bob's", Priority::Low),
    ] {
        scene
            .with_runs(|unit| {
                let new = NewRun {
                    priority,
                    ..new_run(title)
                };
                let target = DelegationTarget::New(new_task(title));
                unit.delegate(target, SessionChoice::New(&session()), new)
                    .unwrap();
            })
            .await;
    }
    let full = RunWorker {
        full: vec!["openai-dev".to_owned()],
        ..worker("one")
    };
    assert_eq!(ann.leased(&full).await, None);
    let limited = RunWorker {
        per_user: 2,
        in_all: 3,
        ..worker("one")
    };
    let mut order = Vec::new();
    while let Some(lease) = ann.leased(&limited).await {
        order.push(lease);
    }
    let titles: Vec<_> = order.iter().map(|lease| lease.run.title.as_str()).collect();
    assert_eq!(titles, ["high", "medium", "bob's"]);
    yes(ann.report(&order[0], &report("done")).await);
    assert_eq!(ann.leased(&limited).await.unwrap().run.title, "low");
}

pub async fn of_many_who_ask_each_gets_another_run(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let other = Scene {
        store: super::scene::open(ground).await,
        ..ann.clone()
    };
    const RUNS: usize = 12;
    for number in 0..RUNS {
        ann.delegated(&format!("Task {number}")).await;
    }
    let mut asking = tokio::task::JoinSet::new();
    for (name, scene) in [
        ("one", &ann),
        ("two", &other),
        ("three", &ann),
        ("four", &other),
    ] {
        let scene = scene.clone();
        asking.spawn(async move {
            let asks = RunWorker {
                per_user: 100,
                in_all: 100,
                ..worker(name)
            };
            let mut got = Vec::new();
            while let Some(lease) = scene.leased(&asks).await {
                got.push(lease.run.handle);
                yes(scene.report(&lease, &report("done")).await);
            }
            got
        });
    }
    let mut all = Vec::new();
    while let Some(got) = asking.join_next().await {
        all.extend(got.unwrap());
    }
    all.sort();
    let each: Vec<_> = (1..=RUNS as u32).map(RunHandle::new).collect();
    assert_eq!(all, each);
    // Every run began once and ended once.
    let mut began = ann.states().await;
    began.retain(|(_, state)| *state == RunState::Running);
    assert_eq!(began.len(), RUNS);
    ann.verify().await;
}

pub async fn the_same_message_delegates_once(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    ann.delegated("Research hotels").await;
    let (mut unit, record) = ann.knowing().await;
    let target = DelegationTarget::New(new_task("Research hotels"));
    let same = new_run("key of Research hotels");
    unit.delegate(target, SessionChoice::New(&session()), same)
        .unwrap();
    let end = refused(ann.store.commit(unit, record).await);
    assert_eq!(end, RollbackCause::KeyTaken);
    // Nor do two that were decided on the same moment get the same number.
    let (mut one, record) = ann.knowing().await;
    let (mut two, _) = ann.knowing().await;
    for (unit, title) in [(&mut one, "One"), (&mut two, "Two")] {
        let target = DelegationTarget::New(new_task(title));
        unit.delegate(target, SessionChoice::New(&session()), new_run(title))
            .unwrap();
    }
    committed(ann.store.commit(one, record).await);
    let end = refused(ann.store.commit(two, CommitRecord::default()).await);
    assert_eq!(end, RollbackCause::RunMoved(RunHandle::new(2)));
    assert_eq!(ann.titles().await, ["One", "Research hotels"]);
    ann.verify().await;
}

pub async fn runs_are_listed_page_by_page(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    for number in 1..=5 {
        ann.delegated(&format!("Task {number}")).await;
    }
    let lease = ann.lease().await;
    let (store, user) = (&ann.store, &ann.user);
    let first = RunQuery {
        limit: 2,
        ..RunQuery::default()
    };
    let page = store.runs(user, &first).await.unwrap();
    let numbers = |runs: &[AgentRun]| {
        runs.iter()
            .map(|run| run.handle.number())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (numbers(&page.runs), page.matched, page.withheld()),
        (vec![5, 4], 5, 3)
    );
    let next = RunQuery {
        before: page.next,
        limit: 3,
        ..RunQuery::default()
    };
    let page = store.runs(user, &next).await.unwrap();
    assert_eq!((numbers(&page.runs), page.next), (vec![3, 2, 1], None));
    for (query, expect) in [
        (
            RunQuery {
                state: Some(RunState::Running),
                ..RunQuery::default()
            },
            vec![1],
        ),
        (
            RunQuery {
                persona: Some("nobody".to_owned()),
                ..RunQuery::default()
            },
            vec![],
        ),
        (
            RunQuery {
                task: lease.run.task,
                ..RunQuery::default()
            },
            vec![1],
        ),
        (
            RunQuery {
                agent: Some(lease.run.agent.clone()),
                ..RunQuery::default()
            },
            vec![1],
        ),
    ] {
        let page = store.runs(user, &query).await.unwrap();
        assert_eq!(numbers(&page.runs), expect, "{query:?}");
        assert_eq!(page.matched, expect.len() as u64);
    }
}

pub async fn another_user_sees_no_run(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let bob = Scene::of(ann.store.clone(), "bob");
    let run = ann.delegated("Research hotels").await;
    let bobs = bob.delegated("Mine").await;
    assert_eq!(bobs.handle, run.handle);
    for by in [RunRef::Id(run.id), RunRef::Agent(&run.agent)] {
        assert_eq!(bob.store.run(&bob.user, by).await.unwrap(), None);
    }
    assert_eq!(bob.store.agent(&bob.user, &run.agent).await.unwrap(), None);
    let (_, stopping) = bob.with_runs(|unit| unit.cancel_run(run.id, None)).await;
    assert_eq!(stopping, StopOutcome::Missing);
    let agent = &run.agent;
    let gone = bob
        .store
        .delete_session(&bob.user, agent, true, now(), &bob.ids)
        .await;
    assert!(matches!(gone.unwrap(), SessionEnd::Gone(_)));
    assert_eq!(ann.newest().await, run);
}

pub async fn sessions_are_removed_and_proofs_stay(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let (store, user, ids) = (&ann.store, &ann.user, &ann.ids);
    let remove = async |agent: &AgentHandle, force| {
        store
            .delete_session(user, agent, force, now(), ids)
            .await
            .unwrap()
    };
    let proving = ann.delegated("Proven").await;
    let lease = ann.lease().await;
    let line = AgentLine {
        seq: 0,
        run: proving.handle,
        role: AgentRole::User,
        content: "said".to_owned(),
        tool_calls: None,
        tool_call_id: None,
    };
    yes(store.append_message(&lease, &line, now()).await.unwrap());
    assert_eq!(
        remove(&proving.agent, false).await,
        SessionEnd::Live(proving.handle)
    );
    yes(ann.report(&lease, &report("done")).await);
    let SessionEnd::Gone(gone) = remove(&proving.agent, false).await else {
        panic!("it has ended");
    };
    assert_eq!(
        (gone.sessions, gone.runs, gone.lines, gone.kept),
        (1, 0, 1, 1)
    );
    assert_eq!(store.agent(user, &proving.agent).await.unwrap(), None);
    assert!(
        store
            .transcript(user, &proving.agent, 0, 9)
            .await
            .unwrap()
            .is_empty()
    );
    let by = store
        .completed_by(user, proving.task.unwrap())
        .await
        .unwrap();
    assert_eq!(by, Some(CompletedBy::Agent(proving.handle)));
    let proof = store.run(user, RunRef::Id(proving.id)).await.unwrap();
    assert_eq!(proof.unwrap().result.unwrap().text, "done");
    // Twice is no fault.
    assert_eq!(
        remove(&proving.agent, false).await,
        SessionEnd::Gone(Default::default())
    );

    let waiting = ann.delegated("Waiting").await;
    let SessionEnd::Gone(gone) = remove(&waiting.agent, true).await else {
        panic!("nobody worked on it");
    };
    assert_eq!((gone.runs, gone.kept), (1, 0));
    assert_eq!(store.run(user, RunRef::Id(waiting.id)).await.unwrap(), None);

    let working = ann.delegated("Working").await;
    let lease = ann.lease().await;
    let asked = remove(&working.agent, true).await;
    assert_eq!(asked, SessionEnd::Stopping(working.handle));
    let stopped = GivenUp::Cancelled(RunMetrics::default());
    let confirmed = store.give_up(&lease, &stopped, now(), ids);
    yes(confirmed.await.unwrap());
    assert!(matches!(
        remove(&working.agent, true).await,
        SessionEnd::Gone(_)
    ));
    // A number is not given twice.
    assert_eq!(ann.delegated("Next").await.handle, RunHandle::new(4));
    ann.verify().await;
}

pub async fn a_clean_up_leaves_what_is_young_or_proves(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let (store, user) = (&ann.store, &ann.user);
    let proving = ann.delegated("Proven").await;
    let lease = ann.lease().await;
    yes(ann.report(&lease, &report("done")).await);
    let failed = ann.delegated("Failed").await;
    let lease = ann.lease().await;
    let interrupted = GivenUp::Interrupted("shutting down");
    let interrupted = store.give_up(&lease, &interrupted, now(), &ann.ids);
    yes(interrupted.await.unwrap());
    let live = ann.delegated("Live").await;
    let hour = std::time::Duration::from_secs(3_600);
    let young = store.cleanup(user, hour, now()).await.unwrap();
    assert_eq!((young.sessions, young.kept), (0, 0));
    let later = now() + chrono::TimeDelta::hours(2);
    let old = store.cleanup(user, hour, later).await.unwrap();
    assert_eq!((old.sessions, old.runs, old.kept), (2, 1, 1));
    assert_eq!(store.run(user, RunRef::Id(failed.id)).await.unwrap(), None);
    let kept = store.run(user, RunRef::Id(proving.id)).await.unwrap();
    assert!(kept.unwrap().result.is_some());
    assert_eq!(ann.newest().await.id, live.id);
    assert_eq!(ann.newest().await.state, RunState::Pending);
}

pub async fn calls_are_found_and_counted(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let run = ann.delegated("Research hotels").await;
    let mut lease = ann.lease().await;
    ann.call(&mut lease, "read_file", true).await;
    ann.call(&mut lease, "read_file", false).await;
    let found = ann
        .store
        .agent_call(&ann.user, "call_read_file")
        .await
        .unwrap();
    let found = found.unwrap();
    assert_eq!(
        (found.number, found.ok, found.run),
        (2, Some(false), run.handle)
    );
    assert_eq!(found.call.arguments, json!({"path": "a.txt"}));
    assert_eq!(found.result, json!({"ok": false}));
    assert_eq!(
        ann.store.agent_call(&ann.user, "call_x").await.unwrap(),
        None
    );
    let counts = ann.store.tool_counts(&ann.user).await.unwrap();
    let count = &counts["read_file"];
    assert_eq!((count.calls, count.ok), (2, 1));
    assert_eq!(count.by_error_type["not_found"], 1);
    assert_eq!(count.aliases["read_file_alias"], 2);
}

pub async fn nothing_an_agent_said_outlives_an_erasure(ground: &impl Ground) {
    const WORD: &str = "Zanzibar";
    let ann = Scene::new(ground).await;
    let (store, user, ids) = (&ann.store, &ann.user, &ann.ids);
    ann.with_runs(|unit| {
        let new = NewRun {
            prompt: format!("Hotels in {WORD}"),
            expected_response: Some(WORD.to_owned()),
            options: RunOptions {
                context: Some(WORD.to_owned()),
                ..RunOptions::default()
            },
            ..new_run("k")
        };
        let target = DelegationTarget::New(new_task(WORD));
        unit.delegate(target, SessionChoice::New(&session()), new)
            .unwrap();
    })
    .await;
    let mut lease = ann.lease().await;
    let line = AgentLine {
        seq: 0,
        run: lease.run.handle,
        role: AgentRole::User,
        content: WORD.to_owned(),
        tool_calls: None,
        tool_call_id: None,
    };
    yes(store.append_message(&lease, &line, now()).await.unwrap());
    yes(store.add_note(&lease, WORD, now(), ids).await.unwrap());
    let new = NewCall {
        arguments: json!({ "q": WORD }),
        ..call("search")
    };
    let begun = yes(store
        .begin_call(&mut lease, &new, now(), ids)
        .await
        .unwrap());
    let end = CallEnd {
        result: json!({ "found": WORD }),
        ..ended(true)
    };
    yes(store
        .end_call(&lease, &begun, &end, now(), ids)
        .await
        .unwrap());
    yes(ann.report(&lease, &report(WORD)).await);
    ann.with_runs(|unit| {
        let target = DelegationTarget::New(new_task(&format!("More of {WORD}")));
        unit.delegate(target, SessionChoice::New(&session()), new_run("l"))
            .unwrap();
    })
    .await;
    let under_way = ann.lease().await;
    let counted = store.erasable(user).await.unwrap();
    assert_eq!(counted.runs, 2);
    assert_eq!(store.erase(user, now(), ids).await.unwrap(), counted);
    let filter = AuditFilter {
        user: Some(user.clone()),
        ..AuditFilter::default()
    };
    let events = store.audit_events(&filter).await.unwrap();
    let left = format!("{events:?} {:?}", store.delegations(user).await.unwrap());
    assert!(!left.contains(WORD) && !left.contains("salt"), "{left}");
    assert!(store.delegations(user).await.unwrap().runs.is_empty());
    // What still runs has lost its run, and the timeline still says what happened, without words.
    assert_eq!(
        store.heartbeat(&under_way).await.unwrap(),
        HeartbeatOutcome::Lost
    );
    assert_eq!(
        ann.report(&under_way, &report(WORD)).await,
        LeasedWrite::Lost
    );
    assert!(ann.told().await.iter().any(|told| matches!(
        told.kind,
        RunEventKind::ToolResult {
            ok: true,
            answer: Value::Null,
            ..
        }
    )));
    ann.verify().await;
    // The user goes on.
    let next = ann.elsewhere().delegated("Buy milk").await;
    assert_eq!(next.handle, RunHandle::new(1));
}

pub async fn an_erasure_is_not_held_up_by_who_works(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    ann.delegated("Research hotels").await;
    let mut lease = ann.lease().await;
    let works = {
        let ann = ann.clone();
        tokio::spawn(async move {
            let mut done = 0;
            loop {
                let (store, ids) = (&ann.store, &ann.ids);
                let begun = store
                    .begin_call(&mut lease, &call("search"), now(), ids)
                    .await;
                match begun.unwrap() {
                    LeasedWrite::Yes(_) => done += 1,
                    LeasedWrite::Lost => return done,
                }
            }
        })
    };
    while ann.newest().await.calls < 3 {
        tokio::task::yield_now().await;
    }
    let erased = ann.store.erase(&ann.user, now(), &ann.ids).await.unwrap();
    assert_eq!(erased.runs, 1);
    assert!(works.await.unwrap() >= 3);
    ann.verify().await;
}

pub async fn a_commit_that_was_told_of_a_run_is_refused(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let snapshot = ann.load().await;
    let record = CommitRecord {
        events: vec![super::scene::event(EventKind::Run, "completed")],
        ..ann.record(&snapshot)
    };
    let end = ann.store.commit(ann.unit(&snapshot), record).await;
    assert!(
        matches!(end, CommitResult::RolledBack(RollbackCause::Storage(_))),
        "{end:?}"
    );
}
