//! Tests of what the database itself refuses, whoever writes: the forged success.

use candor::domain::{Action, RunState};
use candor::store::CompletedBy;

use super::delegation::{report, yes};
use super::scene::{Ground, Scene, done};

/// Statements that must each be refused, and change nothing.
async fn refuses(ground: &impl Ground, scene: &Scene, forged: &[&'static str]) {
    let before = everything(scene).await;
    for statement in forged {
        let refused = ground.honest(statement).await;
        assert!(refused.is_err(), "{statement}");
        assert_eq!(everything(scene).await, before, "{statement}");
    }
}

async fn everything(scene: &Scene) -> String {
    let runs = scene.store.delegations(&scene.user).await.unwrap();
    format!("{runs:?} {}", scene.picture().await)
}

/// One task whose run is completed, and one whose run is worked on.
async fn two(ground: &impl Ground) -> Scene {
    let ann = Scene::new(ground).await;
    ann.delegated("Proven").await;
    let lease = ann.lease().await;
    yes(ann.report(&lease, &report("The true report")).await);
    ann.delegated("Running").await;
    ann.lease().await;
    ann
}

pub async fn no_run_is_completed_without_its_result(ground: &impl Ground) {
    let ann = two(ground).await;
    let insert = "INSERT INTO agent_runs (user_id, id, number, session_id, turn_id, task_id, title,
            round, state, rank, queued, prompt, background, tool_call_id, idempotency_key,
            options, owner, attempt, lease_until, calls, created_at, ended_at)
        SELECT user_id, '11111111-1111-7111-8111-111111111111', 99, session_id, turn_id, task_id,
            title, 99, 'completed', rank, 0, prompt, background, tool_call_id, 'forged', options,
            'me', 0, 0, 0, created_at, created_at
        FROM agent_runs WHERE number = 1";
    let forged = [
        "UPDATE agent_runs SET state = 'completed', ended_at = created_at WHERE number = 2",
        insert,
        // A result for a run that nobody works on, or a contradicted one, does not help.
        "INSERT INTO agent_results (user_id, run_id, outcome, result_text, evidence,
            verification, sha256, created_at)
         SELECT user_id, '11111111-1111-7111-8111-111111111111', outcome, result_text, evidence,
            verification, sha256, created_at FROM agent_results",
    ];
    refuses(ground, &ann, &forged).await;
    let contradicted = "INSERT INTO agent_results (user_id, run_id, outcome, result_text, evidence,
            verification, sha256, created_at)
        SELECT q.user_id, r.id, q.outcome, q.result_text, q.evidence, 'contradicted', q.sha256,
            q.created_at
        FROM agent_results AS q JOIN agent_runs AS r ON r.user_id = q.user_id AND r.number = 2";
    ground.honest(contradicted).await.unwrap();
    refuses(ground, &ann, &forged[..1]).await;
}

pub async fn no_task_is_done_by_an_agent_without_proof(ground: &impl Ground) {
    let ann = two(ground).await;
    ann.add("Nobody's").await;
    refuses(
        ground,
        &ann,
        &[
            // By a run that has no result.
            "UPDATE tasks SET status = 'completed', completed_at = created_at,
                completed_run_id = (SELECT id FROM agent_runs WHERE number = 2)
             WHERE title = 'Running'",
            // By another task's run.
            "UPDATE tasks SET status = 'completed', completed_at = created_at,
                completed_run_id = (SELECT id FROM agent_runs WHERE number = 1)
             WHERE title = 'Nobody''s'",
            // By a run that is not there.
            "UPDATE tasks SET status = 'completed', completed_at = created_at,
                completed_run_id = '11111111-1111-7111-8111-111111111111'
             WHERE title = 'Nobody''s'",
            // Added as done.
            "INSERT INTO tasks (user_id, id, title, status, priority, created_at, updated_at,
                completed_at, version, completed_run_id)
             SELECT user_id, '11111111-1111-7111-8111-111111111111', 'Forged', 'completed',
                priority, created_at, updated_at, completed_at, 1, completed_run_id
             FROM tasks WHERE title = 'Proven'",
        ],
    )
    .await;
    // What is reopened is nobody's, even by a release that does not know of agents.
    let reopened = "UPDATE tasks SET status = 'pending', completed_at = NULL, version = version + 1
        WHERE title = 'Proven'";
    ground.honest(reopened).await.unwrap();
    let task = ann
        .tasks()
        .await
        .into_iter()
        .find(|task| task.title.as_str() == "Proven");
    let task = task.unwrap().id;
    ann.turn(|unit| {
        let _ = unit.change(Action::CompleteTask, task, &done());
    })
    .await;
    let by = ann.store.completed_by(&ann.user, task).await.unwrap();
    assert_eq!(by, Some(CompletedBy::User));
}

pub async fn a_result_is_written_once(ground: &impl Ground) {
    let ann = two(ground).await;
    refuses(
        ground,
        &ann,
        &[
            "UPDATE agent_results SET result_text = 'Another'",
            "UPDATE agent_results SET verification = 'verified'",
            "DELETE FROM agent_results",
            // A second one of the same run, and a blank one.
            "INSERT INTO agent_results (user_id, run_id, outcome, result_text, evidence,
                verification, sha256, created_at)
             SELECT user_id, run_id, outcome, 'Second', evidence, verification, sha256, created_at
             FROM agent_results",
            "INSERT INTO agent_results (user_id, run_id, outcome, result_text, evidence,
                verification, sha256, created_at)
             SELECT q.user_id, r.id, q.outcome, '   ', q.evidence, q.verification, q.sha256,
                q.created_at
             FROM agent_results AS q JOIN agent_runs AS r
                ON r.user_id = q.user_id AND r.number = 2",
            // What it proves can't lose it by the removal of its session.
            "BEGIN; UPDATE agent_sessions SET removed = 1; DELETE FROM agent_results; COMMIT",
        ],
    )
    .await;
}

pub async fn what_has_ended_never_changes(ground: &impl Ground) {
    let ann = two(ground).await;
    refuses(
        ground,
        &ann,
        &[
            "UPDATE agent_runs SET state = 'failed' WHERE number = 1",
            "UPDATE agent_runs SET state = 'running', ended_at = NULL WHERE number = 1",
            "UPDATE agent_runs SET fault = '{}' WHERE number = 1",
            "UPDATE agent_runs SET metrics = NULL WHERE number = 1",
            "DELETE FROM agent_runs WHERE number = 1",
            // Nor what one was told, nor back to where it was.
            "UPDATE agent_runs SET prompt = 'Another' WHERE number = 2",
            "UPDATE agent_runs SET task_id = NULL WHERE number = 2",
            "UPDATE agent_runs SET state = 'pending' WHERE number = 2",
            "UPDATE agent_sessions SET provider = 'another'",
        ],
    )
    .await;
    let accepted = "UPDATE agent_runs SET review = 'accepted' WHERE number = 1";
    ground.honest(accepted).await.unwrap();
    refuses(
        ground,
        &ann,
        &["UPDATE agent_runs SET review = 'rejected' WHERE number = 1"],
    )
    .await;
}

pub async fn one_run_works_at_a_time(ground: &impl Ground) {
    let ann = two(ground).await;
    let before = ann.newest().await;
    assert_eq!(before.state, RunState::Running);
    macro_rules! copied {
        ($session:literal, $round:literal, $task:literal, $key:literal) => {
            concat!(
                "INSERT INTO agent_runs (user_id, id, number, session_id, turn_id, task_id, title,
                    round, state, rank, queued, prompt, background, tool_call_id,
                    idempotency_key, options, attempt, lease_until, calls, created_at)
                 SELECT user_id, '11111111-1111-7111-8111-111111111111', 99, ",
                $session,
                ", turn_id, ",
                $task,
                ", title, ",
                $round,
                ", 'pending', rank, 0, prompt, background, tool_call_id, ",
                $key,
                ", options, 0, 0, 0, created_at FROM agent_runs WHERE number = 2"
            )
        };
    }
    refuses(
        ground,
        &ann,
        &[
            // A second one of the session, and a second one of the task.
            copied!("session_id", "2", "NULL", "'new'"),
            copied!(
                "(SELECT session_id FROM agent_runs WHERE number = 1)",
                "2",
                "task_id",
                "'new'"
            ),
            // The same round twice, and a key that was used.
            copied!(
                "(SELECT session_id FROM agent_runs WHERE number = 1)",
                "1",
                "NULL",
                "'new'"
            ),
            copied!(
                "(SELECT session_id FROM agent_runs WHERE number = 1)",
                "2",
                "NULL",
                "idempotency_key"
            ),
        ],
    )
    .await;
    // The same with nothing forged about it is taken: it is what is wrong that is refused.
    let sound = copied!(
        "(SELECT session_id FROM agent_runs WHERE number = 1)",
        "2",
        "NULL",
        "'new'"
    );
    ground.honest(sound).await.unwrap();
}

pub async fn the_receipts_of_an_agents_calls_stay(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let run = ann.delegated("Research hotels").await;
    let mut lease = ann.lease().await;
    ann.call(&mut lease, "read_file", false).await;
    let before = ann.store.agent_calls(&ann.user, &run).await.unwrap();
    refuses(
        ground,
        &ann,
        &[
            "UPDATE audit_events SET payload = replace(payload, '\"ok\":false', '\"ok\":true')
             WHERE kind = 'run'",
            "DELETE FROM audit_events WHERE kind = 'run'",
        ],
    )
    .await;
    assert_eq!(before[0].ok, Some(false));
    assert_eq!(
        ann.store.agent_calls(&ann.user, &run).await.unwrap(),
        before
    );
}

pub async fn a_forged_success_is_found_by_who_looks(ground: &impl Ground) {
    let ann = two(ground).await;
    let sound = ann.store.audit_all(None).await.unwrap();
    assert!(sound.is_ok(), "{sound:?}");
    ground
        .tamper(
            "UPDATE tasks SET status = 'completed', completed_at = created_at,
                completed_run_id = (SELECT id FROM agent_runs WHERE number = 2)
             WHERE title = 'Running'",
        )
        .await;
    let found = ann.store.audit_all(None).await.unwrap().unwrap_err();
    assert!(found.to_string().contains("without a result"), "{found}");
    ground
        .tamper("UPDATE agent_runs SET state = 'completed', ended_at = created_at")
        .await;
    let found = ann.store.audit_all(None).await.unwrap().unwrap_err();
    assert!(found.to_string().contains("run-2 of ann"), "{found}");
}
