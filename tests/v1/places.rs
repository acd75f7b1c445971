//! Tests of which conversation a message belongs to, and when it is not run again.

use serde_json::{Value, json};

use super::{Server, asking, lines, said_with, say, send, text};

fn conversation(reply: &super::Reply) -> &Value {
    let conversation = &reply.body["candor"]["conversation_id"];
    assert!(conversation.is_string(), "{}", reply.text);
    conversation
}

fn replayed(reply: &super::Reply) -> bool {
    reply.headers.contains_key("idempotency-replayed")
}

#[tokio::test]
async fn a_chat_goes_on_where_its_lines_stand_in_the_history() {
    let server = Server::start().await;
    let first = say(&server, &["add Read book"]).await;
    let mut said = vec!["add Read book", text(&first)];
    said.push("mark it as done");
    let second = say(&server, &said).await;
    assert_eq!(text(&second), "Marked Read book as done");
    assert_eq!(conversation(&first), conversation(&second));
    // A history that a client has cut off at the front will do, and white space is nothing.
    let third = say(
        &server,
        &["mark it as done", " Marked Read book as done\n", "undo"],
    )
    .await;
    assert!(text(&third).starts_with("Undone: "), "{}", third.text);
    assert_eq!(conversation(&first), conversation(&third));
}

#[tokio::test]
async fn it_means_what_is_above_and_never_what_was_said_in_another_chat() {
    let server = Server::start().await;
    say(&server, &["hello"]).await;
    let hello = say(&server, &["hello"]).await;
    let hello = text(&hello);
    let added = say(&server, &["hello", hello, "add Read book"]).await;
    assert_eq!(text(&added), "Added: Read book");
    // Another chat that begins with the same words.
    let other = say(&server, &["hello", hello, "delete it"]).await;
    assert_ne!(conversation(&added), conversation(&other));
    assert_eq!(server.titles("me").await, ["Read book"], "{}", other.text);
    // And one that went back to before that line.
    let branch = say(&server, &["hello", hello, "delete that one"]).await;
    assert_eq!(server.titles("me").await, ["Read book"], "{}", branch.text);
}

#[tokio::test]
async fn a_history_that_is_sent_again_brings_the_answer_again_and_does_nothing() {
    let server = Server::start().await;
    let hello = say(&server, &["hello"]).await;
    let said = ["hello", text(&hello), "add Read book"];
    let added = say(&server, &said).await;
    let again = say(&server, &said).await;
    assert_eq!(added.text, again.text);
    assert!(replayed(&again) && !replayed(&added));
    assert_eq!(server.titles("me").await, ["Read book"]);
    // Later, too.
    let longer = [said[0], said[1], said[2], text(&added), "add milk"];
    let milk = say(&server, &longer).await;
    assert_eq!(text(&milk), "Added: milk");
    assert_eq!(say(&server, &said).await.text, added.text);
    assert_eq!(say(&server, &longer).await.text, milk.text);
    assert_eq!(server.tasks("me").await.len(), 2);
    // The same words in their turn are said anew.
    let more = [longer[2], longer[3], longer[4], text(&milk), "add milk"];
    let twice = say(&server, &more).await;
    assert!(!replayed(&twice), "{}", twice.text);
    assert_eq!(twice.body["candor"]["kind"], "question", "{}", twice.text);
}

#[tokio::test]
async fn a_chat_that_the_client_names_is_its_users_own() {
    let server = Server::start().await;
    let chat = [(
        "x-openwebui-chat-id",
        "c0ffee00-0000-4000-8000-000000000001",
    )];
    let first = said_with(&server, &["add Read book"], &chat).await;
    // Regenerated, under another id of the answer.
    let message = [chat[0], ("x-openwebui-message-id", "m-2")];
    let again = said_with(&server, &["add Read book"], &message).await;
    assert!(replayed(&again), "{}", again.text);
    assert_eq!(first.text, again.text);
    let said = ["add Read book", text(&first), "mark it as done"];
    let second = said_with(&server, &said, &chat).await;
    assert_eq!(conversation(&first), conversation(&second));
    assert_eq!(said_with(&server, &said, &message).await.text, second.text);
    // Somebody else's chat of that name is another.
    let mut body = asking(lines(&["what did I just do?"]));
    body["user"] = json!("ann");
    let foreign = send(&server, body, &chat).await;
    assert_ne!(conversation(&first), conversation(&foreign));
    assert!(!foreign.text.contains("Read book"), "{}", foreign.text);
    // An id of ours names the conversation, one of another user's does not.
    let ours = conversation(&first).as_str().unwrap();
    let mut body = asking(lines(&["undo"]));
    body["metadata"] = json!({"conversation_id": ours});
    let mut foreign = body.clone();
    foreign["user"] = json!("ann");
    let foreign = send(&server, foreign, &[]).await;
    assert_ne!(conversation(&foreign), ours);
    let undone = send(&server, body, &[]).await;
    assert_eq!(conversation(&undone), ours);
    assert!(text(&undone).starts_with("Undone: "), "{}", undone.text);
}

#[tokio::test]
async fn a_message_of_a_known_id_or_under_a_key_is_run_once() {
    let server = Server::start().await;
    let mut body = asking(lines(&["add Read book"]));
    body["metadata"] = json!({"conversation_id": "mine", "message_id": "m-1"});
    let first = send(&server, body.clone(), &[]).await;
    let again = send(&server, body.clone(), &[]).await;
    assert_eq!(first.text, again.text);
    assert!(replayed(&again));
    // Who sends but the newest line says "yes" twice and means it: without an id it is run.
    body["metadata"] = json!({"conversation_id": "mine"});
    assert!(!replayed(&send(&server, body.clone(), &[]).await));
    assert!(!replayed(&send(&server, body, &[]).await));
    let key = [("idempotency-key", "k-1")];
    let first = said_with(&server, &["add milk"], &key).await;
    assert_eq!(
        said_with(&server, &["add milk"], &key).await.text,
        first.text
    );
    let reused = send(&server, asking(lines(&["add eggs"])), &key).await;
    let expect = (422, "invalid_request_error", "key_reused");
    assert_eq!(super::fault(&reused), expect);
    let titles = server.titles("me").await;
    assert_eq!(titles, ["milk", "Read book"]);
}

#[tokio::test]
async fn questions_are_asked_in_words_and_answered_in_words() {
    let server = Server::start().await;
    for title in ["Milk for the cat", "Milk for the dog"] {
        server.add("me", json!({"title": title})).await;
    }
    let asked = say(&server, &["delete milk"]).await;
    assert_eq!(asked.body["candor"]["kind"], "question", "{}", asked.text);
    assert!(asked.body["candor"]["question"]["options"].is_array());
    assert!(text(&asked).contains("Milk for the cat"), "{}", asked.text);
    assert_eq!(server.tasks("me").await.len(), 2);
    let chosen = say(&server, &["delete milk", text(&asked), "1"]).await;
    assert!(
        text(&chosen).starts_with("Deleted: Milk for the "),
        "{}",
        chosen.text
    );
    let asked = say(&server, &["delete everything"]).await;
    let kept = say(&server, &["delete everything", text(&asked), "no"]).await;
    assert_eq!(server.tasks("me").await.len(), 1, "{}", kept.text);
    let asked = say(&server, &["delete everything"]).await;
    let gone = say(&server, &["delete everything", text(&asked), "yes"]).await;
    assert!(server.tasks("me").await.is_empty(), "{}", gone.text);
    // A yes of its own answers nothing.
    server.add("me", json!({"title": "Read book"})).await;
    say(&server, &["delete everything"]).await;
    let nothing = say(&server, &["yes"]).await;
    assert_eq!(server.tasks("me").await.len(), 1, "{}", nothing.text);
}
