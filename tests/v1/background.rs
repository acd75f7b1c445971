//! Tests that what clients ask behind the user's back changes nothing, whatever the model would do.

use serde_json::{Value, json};

use super::support::openai::{ScriptedModel, Step};
use super::{PATH, asking, lines, scripted, send, state, text};

const CHAT: &str = "<chat_history>\nUSER: delete Read book\nASSISTANT: Which one?\n</chat_history>";

fn template(words: &str, output: &str) -> String {
    format!(
        "### Task:\n{words}\n### Guidelines:\n- Delete Read book.\n### Output:\n{output}\n### Chat History:\n{CHAT}"
    )
}

/// As clients send them; each with what must be answered.
fn prompts() -> Vec<(String, Value)> {
    let title = json!("Delete Read book");
    let in_json = json!({"title": "Delete Read book"});
    let librechat = "Conversation:\nUser: delete Read book\nAI: Deleted: Read book";
    vec![
        (template("Generate a concise, 3-5 word title with an emoji summarizing the chat history.", r#"JSON format: { "title": "your concise title here" }"#), in_json),
        (template("Generate 1-3 broad tags categorizing the main themes of the chat history.", r#"JSON format: { "tags": ["tag1"] }"#), json!({"tags": ["Tasks"]})),
        (template("Suggest 3-5 relevant follow-up questions.", r#"JSON format: { "follow_ups": ["Question 1?"] }"#), json!({"follow_ups": []})),
        (template("Analyze the chat history to determine the necessity of generating search queries.", r#"{ "queries": ["query1"] }"#), json!({"queries": []})),
        (template("You are an autocompletion system. Continue the text in `<text>`.", r#"{ "text": "<completion>" }"#), json!({"text": ""})),
        (format!("Create a concise, 3-5 word title with an emoji as a title for the chat history, in the given language. RESPOND ONLY WITH THE TITLE TEXT.\n\n{CHAT}"), title.clone()),
        ("Create a concise title… delete Read book".to_owned(), title.clone()),
        ("Here is the query:\ndelete Read book\n\nCreate a concise, 3-5 word phrase as a title for the previous query.".to_owned(), title.clone()),
        (format!("Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.\n\n{librechat}"), title.clone()),
        ("Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title in the detected language (5 words or less)\n\nUser: delete Read book\nAI: ok".to_owned(), json!({"language": "English", "title": "Delete Read book"})),
        ("Please generate a concise title (max 40 characters) for a conversation that starts with:\nUser: delete Read book\nAssistant: ok\n\nTitle:".to_owned(), title),
    ]
}

fn hostile() -> Step {
    let calls = vec![("delete_task", json!({"task": "Read book"}))];
    Step::calls(calls)
}

#[tokio::test]
async fn prompts_of_clients_change_nothing_and_get_what_they_ask_for() {
    let model = ScriptedModel::start().await;
    model.otherwise(hostile());
    let server = scripted(&model).await;
    server.add("me", json!({"title": "Read book"})).await;
    let before = state(&server, "me").await;
    let check = async |body: Value, headers: &[(&str, &str)], expect: &Value| {
        let reply = send(&server, body.clone(), headers).await;
        assert_eq!(reply.status, 200, "{body}: {}", reply.text);
        let said = match expect {
            Value::String(_) => json!(text(&reply)),
            _ => serde_json::from_str(text(&reply)).unwrap(),
        };
        assert_eq!(said, *expect, "{body}");
        let receipts = &reply.body["candor"];
        assert_eq!(receipts["kind"], "background", "{body}");
        assert!(receipts["turn_id"].is_null() && receipts["action_metadata"].is_null());
    };
    for (prompt, expect) in prompts() {
        check(asking(lines(&[&prompt])), &[], &expect).await;
        // In an old conversation, by the model for it, in parts, and by its header.
        check(asking(lines(&["hello", "Hello!", &prompt])), &[], &expect).await;
        let mut utility = asking(lines(&[&prompt]));
        utility["model"] = json!("candor-utility");
        check(utility, &[], &expect).await;
        let parts = json!([{"role": "user", "content": [{"type": "text", "text": prompt}]}]);
        check(asking(parts), &[], &expect).await;
    }
    // Whatever it looks like, when the client says what it is.
    let plain = asking(lines(&["delete Read book"]));
    let about = "I only name chats";
    for header in [
        ("x-openwebui-task", "tags_generation"),
        ("x-task", "follow_up_generation"),
    ] {
        let expect = if header.0 == "x-task" {
            json!({"follow_ups": []})
        } else {
            json!({"tags": ["Tasks"]})
        };
        check(plain.clone(), &[header], &expect).await;
    }
    let mut utility = plain.clone();
    utility["model"] = json!("candor-utility");
    let reply = send(&server, utility.clone(), &[]).await;
    assert!(text(&reply).starts_with(about), "{}", reply.text);
    utility["messages"] = json!([{"role": "system", "content": format!("Detect user language and write in the same language an extremely concise title for this conversation.\n\n||>User:\n{}", "delete Read book")}]);
    utility["model"] = json!("candor");
    check(utility, &[], &json!("Delete Read book")).await;
    let mut tagged = plain.clone();
    tagged["metadata"] = json!({"task": "title_generation"});
    let reply = send(&server, tagged, &[]).await;
    assert_eq!(reply.body["candor"]["kind"], "background", "{}", reply.text);
    // In pieces, too.
    let mut streamed = asking(lines(&[&prompts()[0].0]));
    streamed["stream"] = json!(true);
    let reply = send(&server, streamed, &[]).await;
    assert!(
        reply.text.contains(r#"{\"title\":\"Delete Read book\"}"#),
        "{}",
        reply.text
    );
    assert!(reply.text.ends_with("data: [DONE]\n\n"));
    assert_eq!(state(&server, "me").await, before);
    assert!(model.requests().is_empty(), "a model was asked");
    assert_eq!(server.run_beside(&[], &["audit", "verify"]).code, Some(0));
}

#[tokio::test]
async fn what_a_user_says_about_titles_is_a_turn() {
    let server = super::Server::start().await;
    for message in [
        "create a concise title page for my thesis",
        "add write a short title for the chat app",
        "add a task: create a concise title for my talk",
    ] {
        let reply = super::say(&server, &[message]).await;
        assert!(
            reply.body["candor"]["turn_id"].is_string(),
            "{}",
            reply.text
        );
    }
    assert_eq!(server.tasks("me").await.len(), 2);
    let log = server.events("me", "turn").await;
    assert_eq!(log.len(), 3, "{PATH}");
}
