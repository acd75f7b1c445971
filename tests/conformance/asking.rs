//! Runs that wait for the user, and runs that were begun inside another one.

use candor::domain::{CompletionPolicy, RunState, SessionId};
use candor::store::{
    AgentQuestion, HeartbeatOutcome, LeasedWrite, NewCall, NewSession, RunQuery, RunRef,
};
use serde_json::json;

use super::delegation::{new_run, report, session, yes};
use super::scene::{Ground, Scene, moment, now};

pub async fn a_question_is_answered_by_its_user_once(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let bob = Scene::of(ann.store.clone(), "bob");
    let run = ann.delegated("Research hotels").await;
    let mut lease = ann.lease().await;
    let call = NewCall {
        tool_call_id: "call_1".to_owned(),
        name: "ask_user".to_owned(),
        called_as: "ask_user".to_owned(),
        arguments: json!({"question": "Which city?"}),
        provider_context: "openai-dev (fast-model)".to_owned(),
    };
    let begun = ann
        .store
        .begin_call(&mut lease, &call, now(), &ann.ids)
        .await;
    yes(begun.unwrap());
    // Before it is asked there is nothing to answer.
    let (_, answered) = ann
        .with_runs(|unit| unit.answer_run(run.id, "Berlin"))
        .await;
    assert!(!answered);
    yes(ann.store.ask_user(&lease, now(), &ann.ids).await.unwrap());
    assert_eq!(ann.store.asked(&lease).await.unwrap(), AgentQuestion::Open);
    let waits = ann.newest().await;
    assert_eq!(
        (waits.state, waits.question.as_deref()),
        (RunState::InputRequired, Some("Which city?"))
    );
    let page = ann
        .store
        .runs(&ann.user, &RunQuery::default())
        .await
        .unwrap();
    assert_eq!(page.runs[0].question.as_deref(), Some("Which city?"));
    // It is still worked on, and can't report before it goes on.
    assert_eq!(
        ann.store.heartbeat(&lease).await.unwrap(),
        HeartbeatOutcome::Alive
    );
    let early = report("Early.");
    let policy = CompletionPolicy::default();
    let early = ann
        .store
        .report(&lease, &early, policy, moment(), &ann.ids)
        .await;
    assert!(!matches!(early, Ok(LeasedWrite::Yes(_))));
    assert_eq!(ann.newest().await.state, RunState::InputRequired);
    // Another user has no such run.
    let (_, answered) = bob.with_runs(|unit| unit.answer_run(run.id, "Paris")).await;
    assert!(!answered);
    let (_, answered) = ann
        .with_runs(|unit| unit.answer_run(run.id, "Berlin"))
        .await;
    assert!(answered);
    let answer = AgentQuestion::Answered("Berlin".to_owned());
    assert_eq!(ann.store.asked(&lease).await.unwrap(), answer);
    assert_eq!(ann.newest().await.question, None);
    let (_, again) = ann.with_runs(|unit| unit.answer_run(run.id, "Paris")).await;
    assert!(!again);
    assert_eq!(ann.store.asked(&lease).await.unwrap(), answer);
    // Nobody answers the next one: whoever works on it goes on.
    yes(ann.store.ask_user(&lease, now(), &ann.ids).await.unwrap());
    yes(ann
        .store
        .ask_no_more(&lease, now(), &ann.ids)
        .await
        .unwrap());
    let late = ann
        .store
        .ask_no_more(&lease, now(), &ann.ids)
        .await
        .unwrap();
    assert_eq!(late, LeasedWrite::Lost);
    assert_eq!(ann.newest().await.state, RunState::Running);
}

pub async fn what_is_begun_inside_a_run_has_no_task_and_a_session_below(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let above = ann.delegated("Research hotels").await;
    let lease = ann.lease().await;
    let inner = NewSession {
        parent: Some(lease.run.session),
        depth: 2,
        ..session()
    };
    let new = new_run("below 1");
    let run = ann
        .store
        .delegate_within(&lease, "Check prices", (&inner, &new), now(), &ann.ids)
        .await
        .unwrap();
    let known = ann
        .store
        .run(&ann.user, RunRef::Id(run.id))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(known, run);
    assert_eq!(
        (known.task, known.depth, known.title.as_str()),
        (None, 2, "Check prices")
    );
    assert_eq!(known.state, RunState::Pending);
    let agent = ann
        .store
        .agent(&ann.user, &known.agent)
        .await
        .unwrap()
        .unwrap();
    let parent: Option<SessionId> = Some(above.session);
    assert_eq!(agent.parent, parent);
    // The same key begins nothing twice.
    let twice = ann
        .store
        .delegate_within(&lease, "Again", (&inner, &new), now(), &ann.ids);
    assert!(twice.await.is_err());
    let known = ann.store.delegations(&ann.user).await.unwrap();
    assert_eq!(known.total, 2);
    ann.store.told_within(&run, now(), &ann.ids).await.unwrap();
}
