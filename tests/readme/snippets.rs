//! The snippets of the documents, run as they stand.
//!
//! Every fenced block has a row here: under `run!` it is played in its language, and what it
//! prints must hold the parts that the row names; under `NOT_RUN` stands why it is not. A block
//! without a row fails the test, and so does a row without a block. To add a snippet: write it
//! under its heading, and give it a row: its document, its heading, its language, and which of that
//! language it is under that heading, counted from 0. Another language needs a player in [`How`].

use crate::documents::{self, Block, Place, block};
use crate::play::{How, Setting, server};

macro_rules! run {
    ($($name:ident = ($document:literal, $heading:literal, $language:literal, $nth:literal) $how:expr;)+) => {
        /// The blocks that are played here.
        const RUN: &[Place] = &[$(($document, $heading, $language, $nth)),+];

        $(#[tokio::test]
        async fn $name() {
            let how: How = $how;
            how.run(block(&($document, $heading, $language, $nth))).await;
        })+
    };
}

run! {
    a_turn_is_asked_for_on_the_command_line = ("README.md", "Two commands", "sh", 2)
        server(&["\"assistant_message\":\"Added: buy milk (due "]);
    an_auditor_looks_at_the_log = ("docs/AUDIT.md", "Audit", "sh", 0)
        server(&["of me", "proven    Added: Water the plants"]).after_a_turn("TURN");
    an_auditor_holds_an_export_against_a_checkpoint
        = ("docs/AUDIT.md", "A checkpoint kept elsewhere", "sh", 0)
        server(&[""]).after_a_turn("TURN");
    a_conversation_is_held_through_a_pipe = ("docs/CLIENTS.md", "The terminal", "sh", 0)
        server(&["Added: Read book (priority high)", "1. Read book", "Deleted: Read book", "Undone: "]);
    changes_are_followed_from_a_shell = ("docs/CLIENTS.md", "Changes as they happen", "sh", 0)
        server(&["event: change", "Water the plants"]).after_a_turn("TURN");
    a_chat_client_talks_to_it_from_a_shell
        = ("docs/CLIENTS.md", "Chat frontends (the OpenAI API)", "sh", 0)
        server(&["\"candor-utility\"", "\"content\":\"Added: Read book\""]);
    a_chat_client_talks_to_it_in_python
        = ("docs/CLIENTS.md", "Chat frontends (the OpenAI API)", "python", 0)
        server(&["Marked Call mom as done\n", "'status': 'completed'"]);
    an_agent_starts_it = ("docs/CLIENTS.md", "MCP", "json", 0)
        server(&["\"serverInfo\"", "candor", "\"add_task\""]);
    an_agent_calls_it = ("docs/CLIENTS.md", "MCP", "json", 1)
        server(&["\"serverInfo\""]).at(Setting::Keys);
    a_task_is_delegated_in_the_terminal = ("docs/DELEGATION.md", "In one minute", "sh", 0)
        server(&["Agent finished: Research hotels", "Research hotels"]).at(Setting::Agents);
    a_task_is_delegated_over_http = ("docs/DELEGATION.md", "In one minute", "sh", 1)
        server(&["\"run\":\"run-1\"", "\"delegations\":", "\"result\":", "event: ", "\"researcher\""])
            .at(Setting::Agents).refused(1);
    the_api_is_used_from_a_shell = ("docs/HTTP.md", "The API from a shell", "sh", 0)
        server(&["Undone: ", "\"conversations\":", "\"messages\":", "Call mom", "\"events\":", "\"status\":\"ready\""]);
    a_word_is_tried = ("docs/LANGUAGE.md", "To add a word", "sh", 1)
        server(&["Added: milk", "Deleted: milk"]);
    keys_are_made_listed_and_revoked = ("docs/HTTP.md", "Who may call", "sh", 0)
        server(&["[]", "laptop"]).at(Setting::Own);
}

/// The blocks that are not, and why.
const NOT_RUN: &[(Place, &str)] = &[
    (
        ("README.md", "Two commands", "sh", 0),
        "builds the program, which the other tests are run with",
    ),
    (
        ("README.md", "Two commands", "sh", 1),
        "is the command that runs this test; setup.rs tries it",
    ),
    (
        ("README.md", "Two commands", "json", 0),
        "an answer, which shown.rs compares with a real one",
    ),
    (
        ("CONTRIBUTING.md", "Before a change is taken", "sh", 0),
        "runs this test",
    ),
    (
        ("docs/AUDIT.md", "What a sentence is worth", "text", 0),
        "what a command prints, which shown.rs compares with a real turn",
    ),
    (
        ("docs/CLIENTS.md", "useChat (the AI SDK)", "ts", 0),
        "is run by tests/streams/client.rs",
    ),
    (
        (
            "docs/CLIENTS.md",
            "Frontends with a login of their own",
            "ts",
            0,
        ),
        "a part of somebody's frontend; tests/access/tokens.rs takes the same tokens",
    ),
    (
        (
            "docs/CLIENTS.md",
            "Frontends with a login of their own",
            "sh",
            0,
        ),
        "needs that frontend's server",
    ),
    (
        ("docs/CONFIGURATION.md", "Variables", "sh", 0),
        "needs a model's server",
    ),
    (
        ("docs/CONFIGURATION.md", "Keeping the data", "sh", 0),
        "each wants a state of its own: tests/keeping.rs",
    ),
    (
        ("docs/DELEGATION.md", "In one minute", "toml", 0),
        "is the file of the two snippets after it",
    ),
    (
        ("docs/DELEGATION.md", "Providers with models", "toml", 0),
        "needs a key; tests/delegation has its own providers",
    ),
    (
        ("docs/DELEGATION.md", "Programs as agents (ACP)", "toml", 0),
        "needs a program of others; tests/delegation has one of its own",
    ),
    (
        ("docs/EVAL.md", "Test your own model", "sh", 0),
        "needs models: tests/eval.rs",
    ),
    (
        ("docs/EVAL.md", "Test your own model", "text", 0),
        "what the command printed for models that no longer run",
    ),
    (
        ("docs/EVAL.md", "One judgement on labelled lines", "sh", 0),
        "needs labelled lines: tests/eval.rs",
    ),
    (
        ("docs/GUARD.md", "How it measures", "sh", 0),
        "the lines are no part of this repository",
    ),
    (
        ("docs/GUARD.md", "Compared with others", "sh", 0),
        "takes hours; tests/simulator.rs plays the first worlds",
    ),
    (
        ("docs/HTTP.md", "Import and export", "sh", 0),
        "is run by tests/formats/commands.rs",
    ),
    (
        ("docs/OPERATING.md", "Metrics", "yaml", 0),
        "is one of the alerts that tests/operate/files.rs evaluates",
    ),
    (
        ("docs/OPERATING.md", "Traces", "sh", 0),
        "wants a collector: tests/operate/traces.rs",
    ),
    (
        ("docs/LANGUAGE.md", "To add a word", "sh", 0),
        "runs tests of the library",
    ),
    (
        ("docs/LANGUAGE.md", "To add a language", "sh", 0),
        "makes files of a language that is not there",
    ),
    (
        ("docs/LANGUAGE.md", "To add a language", "sh", 1),
        "runs tests of the library",
    ),
    (
        ("docs/TESTING.md", "Run everything", "sh", 0),
        "is the command that runs this test; setup.rs tries it",
    ),
    (
        ("docs/TESTING.md", "Run everything", "sh", 1),
        "setup.rs tries both",
    ),
    (
        ("docs/TESTING.md", "Run a part", "sh", 0),
        "runs tests; lists.rs sees that the files are there",
    ),
    (("docs/TESTING.md", "Mutants", "sh", 0), "takes hours"),
    (("docs/TESTING.md", "The simulator", "sh", 0), "takes hours"),
    (
        ("docs/TESTING.md", "The crash harness", "sh", 0),
        "takes hours",
    ),
    (
        ("docs/TESTING.md", "Endurance", "sh", 0),
        "takes minutes; tests/operate.rs plays each for a moment",
    ),
    (
        ("docs/TESTING.md", "Fuzzing", "sh", 0),
        "needs a program that is not installed by the tests",
    ),
];

fn rows() -> Vec<&'static Place> {
    RUN.iter()
        .chain(NOT_RUN.iter().map(|(place, _)| place))
        .collect()
}

/// Differences between these blocks and the rows here.
fn differences(blocks: &[Block]) -> Vec<String> {
    let rows = rows();
    let missing = blocks
        .iter()
        .filter(|block| !rows.iter().any(|row| block.is_at(row)))
        .map(|block| format!("no row for {}", block.place()));
    let stale = rows
        .iter()
        .filter(|row| !blocks.iter().any(|block| block.is_at(row)))
        .map(|row| format!("no block for {row:?}"));
    let twice = rows
        .iter()
        .filter(|place| rows.iter().filter(|row| row == place).count() > 1)
        .map(|row| format!("two rows for {row:?}"));
    missing.chain(stale).chain(twice).collect()
}

/// Every block, with `change` made to every document's text.
fn changed(change: impl Fn(&str, &str) -> String) -> Vec<Block> {
    let documents = documents::all();
    let blocks = |(path, text): (&String, &String)| documents::blocks(path, &change(path, text));
    documents.iter().flat_map(blocks).collect()
}

#[test]
fn every_snippet_has_its_row_and_every_row_its_snippet() {
    let blocks = changed(|_, text| text.to_owned());
    let differences = differences(&blocks);
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(NOT_RUN.iter().all(|(_, why)| !why.is_empty()));
    assert!(blocks.len() > 30, "{}", blocks.len());
}

#[test]
fn a_planted_snippet_and_a_lost_one_are_found() {
    let planted = changed(|path, text| match path {
        "SECURITY.md" => format!("{text}\n## Nowhere\n\n```sh\ncurl -s localhost:8080\n```\n"),
        _ => text.to_owned(),
    });
    let found = differences(&planted);
    assert_eq!(found, [r#"no row for SECURITY.md, "Nowhere", sh 0"#]);
    let lost = changed(|_, text| text.replace("```python", "```text"));
    let found = differences(&lost);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[tokio::test]
#[should_panic(expected = "no \"Marked Read book\"")]
async fn a_snippet_that_does_something_else_fails() {
    let how = server(&["Marked Read book"]);
    let place = (
        "docs/CLIENTS.md",
        "Chat frontends (the OpenAI API)",
        "sh",
        0,
    );
    how.run(block(&place)).await;
}
