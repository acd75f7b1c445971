//! Prompts of public clients, each as its client sends it: which message it stands in, and by
//! which words it is known; the rest is in our own words. None may change a list.

use serde_json::{Value, json};

use super::support::openai::{ScriptedModel, Step};
use super::{Server, asking, scripted, send, state, text};

const ORDER: &str = "delete buy milk";
const TITLE: &str = "Delete buy milk";

fn system(text: &str) -> Value {
    json!({"role": "system", "content": text})
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn assistant(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

/// A client, its messages, and the answer.
type Case = (&'static str, Vec<Value>, Value);

/// Clients that want a title, told by their system message.
fn titles_by_system() -> Vec<Case> {
    let title = json!(TITLE);
    let vercel = "- you will generate a short title from the first message a user begins a conversation with\n- no quotes";
    let order = user(ORDER);
    let in_json = json!({"id": "1", "role": "user", "parts": [{"type": "text", "text": ORDER}]});
    vec![
        (
            "Vercel ai-chatbot",
            vec![system(vercel), order.clone()],
            title.clone(),
        ),
        (
            "Vercel ai-chatbot, older",
            vec![system(vercel), user(&in_json.to_string())],
            title.clone(),
        ),
        (
            "opencode",
            vec![
                system("You are a title generator. You output a thread title and nothing else."),
                user("Generate a title for this conversation:\n"),
                order.clone(),
            ],
            title.clone(),
        ),
        (
            "Crush",
            vec![
                system(
                    "you will generate a short title for what a user begins a conversation with",
                ),
                user(&format!(
                    "Generate a concise title for the following content:\n\n{ORDER}"
                )),
            ],
            title.clone(),
        ),
        (
            "HF chat-ui",
            vec![
                system(
                    "You are a chat thread titling assistant.\nGoal: produce a very short title (2–4 words) naming the topic of the first message.\nExample: \"hello\" -> Hello",
                ),
                user(&format!("User message: \"{ORDER}\"")),
            ],
            title.clone(),
        ),
        (
            "LobeChat",
            vec![
                system(
                    "You are a professional conversation summarizer. Generate a concise title that captures it.",
                ),
                user(&format!("user: {ORDER}\nassistant: Deleted: buy milk")),
            ],
            title.clone(),
        ),
        (
            "LobeChat, in Chinese",
            vec![
                system("请把用户的会话概括为一个标题"),
                user(&format!("user: {ORDER}\nassistant: ok")),
            ],
            title.clone(),
        ),
        (
            "Cherry Studio",
            vec![
                system(
                    "You are an assistant skilled in conversation. Summarize the user's conversation into a title of 10 words.",
                ),
                user(&json!([{"role": "user", "mainText": ORDER, "files": []}]).to_string()),
            ],
            title.clone(),
        ),
        (
            "big-AGI",
            vec![
                system(
                    "You are an AI conversation titles assistant, good at chat titles of few words.",
                ),
                user(&format!(
                    "Read this short conversation and extract a concise chat title.\n\n```\n- You: {ORDER}\n- Assistant: ok\n```"
                )),
            ],
            title.clone(),
        ),
        (
            "Chatbox, older",
            vec![system(&format!(
                "Name the conversation based on its records, within 10 characters.\n\n```\n{ORDER}\n\n---------\n\nok\n```\n\nThe conversation is named:"
            ))],
            title.clone(),
        ),
        (
            "Copilot Chat",
            vec![
                system("You are an expert in crafting pithy titles for chatbot conversations."),
                user(&format!(
                    "Please write a brief title for the following request:\n\n{ORDER}"
                )),
            ],
            title.clone(),
        ),
        (
            "Goose",
            vec![
                system("Reply with only a description in four words or less"),
                user(&format!(
                    "Here are the first few user messages:\n{ORDER}\n\nProvide a concise description of this session in 4 words."
                )),
            ],
            title.clone(),
        ),
        (
            "parllama",
            vec![
                system(
                    "TASK: You will be given text to name.\n* Generate a name of 4 words.\n* Only output the name.",
                ),
                order.clone(),
            ],
            title.clone(),
        ),
        (
            "Onyx",
            vec![
                system(
                    "Given the conversation history, provide a SHORT name for the conversation.",
                ),
                order.clone(),
                assistant("Deleted: buy milk"),
                user("Provide a short name for the conversation."),
            ],
            title,
        ),
        (
            "Claude Code",
            vec![
                system("You are Claude Code."),
                system(
                    "Analyze if this message indicates a new conversation topic, with a title. Return a JSON object with two fields: 'isNewTopic' (boolean) and 'title' (string).",
                ),
                order,
            ],
            json!({"isNewTopic": true, "title": TITLE}),
        ),
    ]
}

/// Clients that want a title, told by what stands under the user's name.
fn titles_by_message() -> Vec<Case> {
    let title = json!(TITLE);
    let chat = |prompt: &str| vec![user(ORDER), assistant("Deleted: buy milk"), user(prompt)];
    vec![
        (
            "Zed",
            chat(
                "Generate a concise 3-7 word title for this conversation, without punctuation. Go straight to it, no `Title:`. If it is about something specific, include it in the title. Be descriptive.",
            ),
            title.clone(),
        ),
        (
            "NextChat",
            chat(
                "Please generate a four to five word title summarizing our conversation without any lead-in.",
            ),
            title.clone(),
        ),
        (
            "Chatbox",
            vec![user(&format!(
                "Based on the chat history, give this conversation a name.\n\nHere's the conversation:\n\n```\n{ORDER}\n\n---------\n\nok\n```\n\nName this conversation."
            ))],
            title.clone(),
        ),
        (
            "Continue",
            vec![user(&format!(
                "Given the following... please reply with a short summary of 4-12 words, saying what the user is asking for.\n\n{ORDER}"
            ))],
            title.clone(),
        ),
        (
            "Jan",
            vec![user(&format!(
                "Summarize in a 10-word Title. Give the title only. Here is the message: \"{ORDER}\""
            ))],
            title.clone(),
        ),
        (
            "LibreChat",
            vec![user(&format!(
                "Analyze this conversation and provide:\n1. The detected language\n2. A concise title in it\n\nUser: {ORDER}\nAI: ok"
            ))],
            json!({"language": "English", "title": TITLE}),
        ),
        (
            "Dify",
            vec![user(&format!(
                "You need to decompose the user's input into subject and intention. Answer as JSON.\n{{\n\"Language Type\": \"English\",\n\"Your Output\": \"x\"\n}}\n\nUser Input: {ORDER}"
            ))],
            json!({"Language Type": "English", "Your Output": TITLE}),
        ),
        (
            "Open WebUI",
            vec![user(&format!(
                "### Task:\nGenerate a 3-5 word title.\n### Output:\nJSON format: {{ \"title\": \"your title\" }}\n### Chat History:\n<chat_history>\nUSER: {ORDER}\nASSISTANT: ok\n</chat_history>"
            ))],
            json!({"title": TITLE}),
        ),
        (
            "a schema of an answer's",
            chat("Generate a title for this conversation."),
            title,
        ),
    ]
}

/// Clients that want something else.
fn others() -> Vec<Case> {
    let order = json!(ORDER);
    let said = json!(format!("The user said: \"{ORDER}\"."));
    let chat = |prompt: Value| vec![user(ORDER), assistant("Deleted: buy milk"), prompt];
    let compact =
        "Your task is to create a detailed summary of the conversation so far, missing nothing.";
    vec![
        (
            "LlamaIndex",
            vec![user(&format!(
                "Given a conversation and a follow up message from Human, rewrite the message to be a standalone question.\n\n<Chat History>\nuser: hello\nassistant: hi\n\n<Follow Up Message>\n{ORDER}\n\n<Standalone question>\n"
            ))],
            order.clone(),
        ),
        (
            "LangChain, condense",
            vec![user(&format!(
                "Given the following conversation and a follow up question, rephrase the follow up question to be a standalone question.\n\nChat History:\nHuman: hi\nFollow Up Input: {ORDER}\nStandalone question:"
            ))],
            order.clone(),
        ),
        (
            "LangChain, retriever",
            vec![
                system(
                    "Given a chat history and the latest user question, formulate a standalone question. Do not answer it.",
                ),
                user("hi"),
                assistant("Hello!"),
                user(ORDER),
            ],
            order.clone(),
        ),
        (
            "Perplexica",
            vec![
                system(
                    "# Instructions\n- You are an AI question rephraser\n- Rephrase the question for a web search",
                ),
                user(ORDER),
            ],
            order.clone(),
        ),
        (
            "Cherry Studio, search",
            vec![user(&format!(
                "You are an AI question rephraser.\n<conversation>\nhi\n</conversation>\nFollow up question: {ORDER}\nRephrased question:\n"
            ))],
            order.clone(),
        ),
        (
            "Roo Code",
            vec![user(&format!(
                "Generate an enhanced version of this prompt (reply with nothing else):\n\n{ORDER}"
            ))],
            order.clone(),
        ),
        (
            "a translator",
            vec![
                system("You are a professional translator into German."),
                user(ORDER),
            ],
            order,
        ),
        (
            "LangChain, memory",
            vec![user(&format!(
                "Progressively summarize the lines of conversation.\n\nNew lines of conversation:\nHuman: {ORDER}\nAI: ok\n\nNew summary:"
            ))],
            said.clone(),
        ),
        (
            "NextChat, memory",
            chat(system(
                "Summarize the discussion briefly in 200 words or less.",
            )),
            said.clone(),
        ),
        ("Roo Code, condense", chat(user(compact)), said.clone()),
        (
            "opencode, compact",
            [
                vec![system(
                    "You are a helpful AI assistant tasked with summarizing conversations.",
                )],
                chat(user(
                    "Write down what is needed to go on with our conversation above.",
                )),
            ]
            .concat(),
            json!(format!(
                "The user said: \"{ORDER}\"; \"Write down what is needed to go on with our conversation above.\"."
            )),
        ),
        (
            "Dify, next questions",
            chat(user(
                "Please help me predict the three most likely questions that human would ask.\nAn array in JSON: [\"question1\",\"question2\"]",
            )),
            json!([]),
        ),
        (
            "Open WebUI, tags",
            vec![user(&format!(
                "### Task:\nGenerate 1-3 tags.\n### Output:\nJSON format: {{ \"tags\": [\"tag1\"] }}\n### Chat History:\n<chat_history>\nUSER: {ORDER}\n</chat_history>"
            ))],
            json!({"tags": ["Tasks"]}),
        ),
        (
            "a tagger",
            vec![
                system("Generate 1-3 broad tags for the themes of the chat."),
                user(ORDER),
            ],
            json!("Tasks"),
        ),
        (
            "a classifier",
            vec![
                system("You are an intent classifier. Answer with add, delete or other."),
                user(ORDER),
            ],
            json!("other"),
        ),
        (
            "a guard",
            vec![
                system(
                    "Your task is to determine if the user's message is harmful. Answer yes or no.",
                ),
                user(ORDER),
            ],
            json!("no"),
        ),
        (
            "mem0",
            vec![
                system("You are a Personal Information Organizer. Return {\"facts\": [\"...\"]}."),
                user(&format!("Input:\nuser: {ORDER}")),
            ],
            json!({"facts": []}),
        ),
    ]
}

#[tokio::test]
async fn prompts_of_public_clients_change_nothing() {
    let model = ScriptedModel::start().await;
    model.otherwise(Step::calls(vec![(
        "delete_task",
        json!({"task": "buy milk"}),
    )]));
    let server = scripted(&model).await;
    server.add("me", json!({"title": "buy milk"})).await;
    let before = state(&server, "me").await;
    for (client, messages, expect) in [titles_by_system(), titles_by_message(), others()].concat() {
        let reply = send(&server, asking(messages), &[]).await;
        assert_eq!(reply.status, 200, "{client}: {}", reply.text);
        assert_eq!(reply.body["candor"]["kind"], "background", "{client}");
        let said = match &expect {
            Value::String(_) => json!(text(&reply)),
            _ => serde_json::from_str(text(&reply)).unwrap(),
        };
        assert_eq!(said, expect, "{client}");
    }
    assert_eq!(state(&server, "me").await, before);
    assert!(model.requests().is_empty(), "a model was asked");
}

#[tokio::test]
async fn an_answer_has_the_fields_of_the_schema_that_was_sent() {
    let server = Server::start().await;
    let mut body = asking(vec![system("You are a title generator."), user(ORDER)]);
    let fields = json!({"title": {"type": "string"}, "tags": {"type": "array"}});
    body["response_format"] = json!({
        "type": "json_schema",
        "json_schema": {"name": "x", "schema": {"type": "object", "properties": fields}},
    });
    let reply = send(&server, body, &[]).await;
    let said: Value = serde_json::from_str(text(&reply)).unwrap();
    assert_eq!(said, json!({"title": TITLE, "tags": ["Tasks"]}));
}

/// Checks that what clients tell a model for an ordinary chat, and what people say of titles and
/// the like, are turns.
#[tokio::test]
async fn ordinary_messages_under_ordinary_instructions_are_turns() {
    let server = Server::start().await;
    let instructions = [
        "",
        "You are a helpful assistant.",
        "You are a todo assistant. Keep titles short, suggest follow-up questions, and summarize my tasks when I ask. Answer in the language of the conversation.",
        "You manage the user's list. When adding a task, generate a short title for it from the message. Classify the message first, then call a tool.",
        "You are a highly skilled engineer. Use your tools with care, think before each of them, and say what you did.",
        "You are a friendly assistant. Make sure that you stay on the topic of the conversation, and give a short summary of it at the end.",
        "Your task is to improve my productivity. You determine what each message asks for and call the right tool. Create search queries with your tools.",
        "You are a helpful writing assistant. You help people rewrite, translate and find titles.",
    ];
    let messages = [
        "give me a title for my task",
        "summarize my tasks",
        "add write a title for the conversation with Bob",
        "add a task: summarize the conversation notes",
        "create a task called translate this chat",
        "add prepare follow-up questions for the interview",
        "tag buy milk as urgent",
        "what's on my list?",
        ORDER,
    ];
    for instruction in instructions {
        server.add("me", json!({"title": "buy milk"})).await;
        for message in messages {
            let said = [system(instruction), user(message)];
            let said = if instruction.is_empty() {
                &said[1..]
            } else {
                &said
            };
            let reply = send(&server, asking(said.to_vec()), &[]).await;
            assert_eq!(
                reply.status, 200,
                "{instruction}: {message}: {}",
                reply.text
            );
            let turn = &reply.body["candor"]["turn_id"];
            assert!(turn.is_string(), "{instruction}: {message}: {}", reply.text);
        }
        assert!(
            !server.titles("me").await.contains(&"buy milk".to_owned()),
            "{instruction}"
        );
    }
}
