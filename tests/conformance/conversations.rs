//! Tests of what was said, the frame, and the question that waits.

use candor::domain::{MessageId, QuestionId};
use candor::store::{
    CommitRecord, ConversationHead, MessageRole, PendingQuestion, QuestionWrite, RollbackCause,
    UserSnapshot,
};
use chrono::TimeDelta;

use super::scene::{Ground, Scene, committed, now, refused};

pub async fn lines_frame_and_question_come_back(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let question = PendingQuestion {
        id: QuestionId::new(scene.ids.next()),
        body: "{\"text\":\"Which one?\"}".to_owned(),
        expires_at: now() + TimeDelta::minutes(10),
    };
    let asked = say(&scene, |record| {
        record.frame = Some("{\"focus\":[1]}".to_owned());
        record.question = QuestionWrite::Ask(question.clone());
    })
    .await;
    let conversation = asked.conversation.unwrap();
    assert_eq!(conversation.id, scene.conversation);
    assert_eq!(conversation.frame, "{\"focus\":[1]}");
    assert_eq!(conversation.question, Some(question.clone()));
    let said: Vec<_> = conversation
        .messages
        .iter()
        .map(|m| (m.role, m.content.as_str()))
        .collect();
    assert_eq!(
        said,
        [
            (MessageRole::User, "buy milk"),
            (MessageRole::Assistant, "…")
        ]
    );
    assert!(
        conversation
            .messages
            .iter()
            .all(|line| line.created_at == now())
    );

    // Nothing said about frame and question: they stay.
    let kept = say(&scene, |_| {}).await.conversation.unwrap();
    assert_eq!(
        (kept.frame, kept.question),
        (conversation.frame, Some(question.clone()))
    );

    let other = PendingQuestion {
        id: QuestionId::new(scene.ids.next()),
        ..question
    };
    let replaced = say(&scene, |record| {
        record.question = QuestionWrite::Ask(other.clone());
    });
    assert_eq!(replaced.await.conversation.unwrap().question, Some(other));
    let closed = say(&scene, |record| record.question = QuestionWrite::Close);
    assert_eq!(closed.await.conversation.unwrap().question, None);
}

pub async fn a_snapshot_holds_the_newest_twenty_lines(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    for number in 0..12 {
        numbered(&scene, number).await;
    }
    let messages = scene.load().await.conversation.unwrap().messages;
    let said: Vec<_> = messages.iter().map(|line| line.content.as_str()).collect();
    assert_eq!(said.len(), 20);
    assert_eq!(
        (said[0], said[1], said[19]),
        ("said 2", "heard 2", "heard 11")
    );
    assert!(messages.is_sorted_by_key(|line| line.id));
}

pub async fn messages_are_paged_backwards(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    for number in 0..3 {
        numbered(&scene, number).await;
    }
    let page = async |before: Option<MessageId>| {
        let page = scene
            .store
            .messages(&scene.user, scene.conversation, before, 4)
            .await;
        page.unwrap().unwrap()
    };
    let newest = page(None).await;
    let contents = |page: &[candor::store::StoredMessage]| {
        page.iter()
            .map(|line| line.content.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        contents(&newest),
        ["said 1", "heard 1", "said 2", "heard 2"]
    );
    let older = page(Some(newest[0].id)).await;
    assert_eq!(contents(&older), ["said 0", "heard 0"]);
    assert!(page(Some(older[0].id)).await.is_empty());
    let unknown = scene.elsewhere().conversation;
    let page = scene
        .store
        .messages(&scene.user, unknown, None, 4)
        .await
        .unwrap();
    assert_eq!(page, None);
}

pub async fn the_last_active_conversation_comes_first(ground: &impl Ground) {
    let first = Scene::new(ground).await;
    let second = first.elsewhere();
    numbered(&first, 0).await;
    later(&second, 1).await;
    let heads = first.store.conversations(&first.user).await.unwrap();
    assert_eq!(ids(&heads), [second.conversation, first.conversation]);
    later(&first, 2).await;
    let heads = first.store.conversations(&first.user).await.unwrap();
    assert_eq!(ids(&heads), [first.conversation, second.conversation]);
    assert_eq!(heads[0].title, "about milk");
    assert_eq!(heads[0].created_at, now());
    assert_eq!(heads[0].updated_at, now() + TimeDelta::minutes(2));
}

pub async fn lines_need_a_conversation(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let snapshot = scene.load().await;
    let record = CommitRecord {
        conversation: None,
        ..scene.record(&snapshot)
    };
    let cause = refused(scene.store.commit(scene.unit(&snapshot), record).await);
    assert!(matches!(cause, RollbackCause::Storage(_)), "{cause:?}");
}

fn ids(heads: &[ConversationHead]) -> Vec<candor::domain::ConversationId> {
    heads.iter().map(|head| head.id).collect()
}

async fn say(scene: &Scene, with: impl FnOnce(&mut CommitRecord)) -> UserSnapshot {
    let snapshot = scene.load().await;
    let mut record = scene.record(&snapshot);
    with(&mut record);
    committed(scene.store.commit(scene.unit(&snapshot), record).await);
    scene.load().await
}

async fn numbered(scene: &Scene, number: u32) {
    let lines = vec![
        scene.line(MessageRole::User, &format!("said {number}")),
        scene.line(MessageRole::Assistant, &format!("heard {number}")),
    ];
    say(scene, |record| record.messages = lines).await;
}

async fn later(scene: &Scene, minutes: i64) {
    let snapshot = scene.load().await;
    let turn = candor::domain::TurnId::new(scene.ids.next());
    let at = now() + TimeDelta::minutes(minutes);
    let (user, tasks) = (scene.user.clone(), snapshot.tasks.clone());
    let here = Some(scene.conversation);
    let unit = candor::store::Unit::new(user, here, turn, at, scene.ids.clone(), tasks);
    committed(scene.store.commit(unit, scene.record(&snapshot)).await);
}
