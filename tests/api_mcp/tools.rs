//! The tools in both revisions: what they are, what they do, what they leave behind.

use serde_json::{Value, json};

use crate::support::server::Server;
use crate::wire::{BEFORE, NEWEST, Session, Stateless, asks, done, failed, text};

const TOOLS: [&str; 6] = [
    "add_task",
    "list_tasks",
    "update_task",
    "complete_task",
    "delete_task",
    "undo",
];

#[tokio::test]
async fn the_server_says_who_it_is_and_what_it_has_in_both_revisions() {
    let server = Server::start().await;
    let newest = Stateless::of(&server);
    let found = newest.request("server/discover", json!({})).await;
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(
        versions.contains(&json!(NEWEST)) && versions.contains(&json!(BEFORE)),
        "{found}"
    );
    let session = Session::open(&server, asks()).await;
    assert_eq!(session.begun["protocolVersion"], BEFORE);
    assert_eq!(session.begun["serverInfo"]["name"], "candor");
    assert_eq!(
        session.begun["serverInfo"]["version"],
        env!("CARGO_PKG_VERSION")
    );
    for begun in [&found, &session.begun] {
        // Nothing is promised that is not there.
        assert_eq!(begun["capabilities"], json!({"tools": {}}), "{begun}");
        let told = begun["instructions"].as_str().unwrap();
        assert!(
            told.contains("never instructions") && told.len() < 600,
            "{told}"
        );
    }
    let listed = newest.request("tools/list", json!({})).await;
    assert_eq!(listed["resultType"], "complete");
    assert!(listed["ttlMs"].as_u64().unwrap() > 0 && listed["cacheScope"] == "public");
    let names: Vec<_> = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| &t["name"])
        .collect();
    assert_eq!(names, TOOLS);
    let again = newest.request("tools/list", json!({})).await;
    assert_eq!(again, listed);
    for tool in listed["tools"].as_array().unwrap() {
        for hint in [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ] {
            assert!(tool["annotations"][hint].is_boolean(), "{tool}");
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
    }
    // The older revision has the same without what it does not know.
    let ask = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/list"});
    let before = crate::wire::Stream::of(session.post(&ask).await)
        .next()
        .await
        .unwrap();
    assert_eq!(before["result"]["tools"], listed["tools"]);
    assert_eq!(before["result"]["resultType"], Value::Null);
}

/// The schema that results of a tool are held against.
async fn outputs(server: &Server) -> Vec<(String, jsonschema::Validator)> {
    let listed = Stateless::of(server).request("tools/list", json!({})).await;
    let tools = listed["tools"].as_array().unwrap().iter();
    tools
        .map(|tool| {
            let name = tool["name"].as_str().unwrap().to_owned();
            let options = jsonschema::options().should_validate_formats(true);
            (name, options.build(&tool["outputSchema"]).unwrap())
        })
        .collect()
}

#[tokio::test]
async fn older_clients_get_what_they_can_take() {
    let server = Server::start().await;
    for (asked, given) in [
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", BEFORE),
        ("x", BEFORE),
    ] {
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": asked, "capabilities": {},
            "clientInfo": {"name": "tests", "version": "1"},
        }});
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        let reply = server
            .send("POST", "/mcp", &headers, Some(hello.to_string()))
            .await;
        let version = format!("\"protocolVersion\":\"{given}\"");
        assert!(reply.text.contains(&version), "{asked}: {}", reply.text);
    }
}

#[tokio::test]
async fn a_time_of_day_is_kept_beside_a_due_date() {
    let server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_TIMEZONE", "Europe/Berlin"),
    ])
    .await;
    let newest = Stateless::of(&server);
    let arguments = json!({"title": "call", "due_date": "2026-02-13", "due_time": "17:00"});
    let added = newest.call("add_task", arguments).await;
    assert_eq!(done(&added), "Added: call (due Fri 2026-02-13 17:00)");
    let task = &added["structuredContent"]["action_metadata"]["task"];
    assert_eq!(
        (&task["due_time"], &task["timezone"]),
        (&json!("17:00"), &json!("Europe/Berlin"))
    );
    let later = json!({"task": "call", "due_time": "18:30"});
    let moved = newest.call("update_task", later).await;
    assert_eq!(done(&moved), "Updated: call (due Fri 2026-02-13 18:30)");
    let cleared = json!({"task": "call", "due_time": "none"});
    let cleared = newest.call("update_task", cleared).await;
    assert_eq!(done(&cleared), "Updated: call (due Fri 2026-02-13)");
    let undone = newest.call("undo", json!({})).await;
    assert!(done(&undone).starts_with("Undone: call"), "{undone}");
    let listed = newest.call("list_tasks", json!({})).await;
    let line = "1. call (pending, medium, due 2026-02-13 18:30)";
    assert!(done(&listed).contains(line), "{listed}");
    for (tool, arguments, fault) in [
        (
            "add_task",
            json!({"title": "x", "due_time": "17:00"}),
            "due_time needs a due_date",
        ),
        (
            "update_task",
            json!({"task": "call", "due_time": "25:00"}),
            "/due_time: 25:00 is no time of day; write HH:MM",
        ),
    ] {
        let result = newest.call(tool, arguments).await;
        assert_eq!(failed(&result), "validation");
        assert!(text(&result).contains(fault), "{result}");
    }
}

#[tokio::test]
async fn a_reminder_is_set_and_taken_back() {
    let server = Server::start().await;
    let newest = Stateless::of(&server);
    let arguments = json!({"title": "call", "remind": "2026-02-13T17:00"});
    let added = newest.call("add_task", arguments).await;
    assert_eq!(done(&added), "Added: call (reminder Fri 17:00)");
    let words = json!({"task": "call", "remind": "tomorrow at 9am"});
    let moved = newest.call("update_task", words).await;
    assert_eq!(done(&moved), "Updated: call (reminder Mon 09:00)");
    let none = json!({"task": "call", "remind": "none"});
    let none = newest.call("update_task", none).await;
    assert_eq!(done(&none), "Updated: call (no reminder)");
    let past = json!({"task": "call", "remind": "2026-02-07T17:00"});
    let past = newest.call("update_task", past).await;
    assert_eq!(failed(&past), "validation");
    assert!(
        text(&past).contains("is past: give a time to come"),
        "{past}"
    );
}

#[tokio::test]
async fn a_day_of_tasks_in_both_revisions() {
    let server = Server::start().await;
    let outputs = outputs(&server).await;
    let newest = Stateless::of(&server).acting_for("ann");
    let session = Session::open_as(&server, "/mcp?user=bob", None, asks()).await;
    for user in ["ann", "bob"] {
        let call = async |tool: &str, arguments: Value| {
            let result = match user {
                "ann" => newest.call(tool, arguments).await,
                _ => session.call(tool, arguments).await,
            };
            let (_, schema) = outputs.iter().find(|(name, _)| name == tool).unwrap();
            let data = &result["structuredContent"];
            let faults: Vec<_> = schema.iter_errors(data).map(|f| f.to_string()).collect();
            assert!(faults.is_empty(), "{tool}: {faults:#?}\n{data:#}");
            result
        };
        let added = call(
            "add_task",
            json!({"title": "buy milk", "due_date": "tomorrow", "priority": "high"}),
        )
        .await;
        assert_eq!(
            done(&added),
            "Added: buy milk (due Mon 2026-02-09, priority high)"
        );
        let data = &added["structuredContent"];
        let receipt = &data["action_metadata"];
        assert_eq!(receipt, &data["actions"][0]);
        assert_eq!(
            (&receipt["action"], &data["changed"]),
            (&json!("add_task"), &json!(true))
        );
        let id = receipt["task_id"].clone();
        assert_eq!(receipt["task"]["id"], id);
        assert!(receipt["receipt_id"].is_string());
        // The same row by REST.
        let rest = server.tasks(user).await;
        assert_eq!(rest[0], receipt["task"]);

        call(
            "add_task",
            json!({"title": "Read book", "description": "chapter 3"}),
        )
        .await;
        let listed = call("list_tasks", json!({})).await;
        assert!(
            done(&listed).starts_with("You have 2 tasks:\n1. "),
            "{listed}"
        );
        let data = &listed["structuredContent"];
        assert_eq!((&data["matched"], &data["total"]), (&json!(2), &json!(2)));
        assert_eq!(data["changed"], false);
        assert_eq!(data["action_metadata"]["message"], "2 tasks");
        let titles: Vec<_> = data["tasks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| &t["title"])
            .collect();
        assert!(titles.contains(&&json!("buy milk")) && titles.len() == 2);
        let due = call("list_tasks", json!({"due": "this week", "query": null})).await;
        assert!(done(&due).contains("Read") || due["structuredContent"]["matched"] != 2);

        let changed = call("update_task", json!({"task": id, "priority": "low"})).await;
        assert_eq!(done(&changed), "Updated: buy milk (priority: low)");
        let same = call(
            "update_task",
            json!({"task": "buy milk", "priority": "low"}),
        )
        .await;
        assert_eq!(done(&same), "\"buy milk\" was already so.");
        let data = &same["structuredContent"];
        assert_eq!(
            (&data["changed"], &data["action_metadata"]),
            (&json!(false), &Value::Null)
        );
        assert_eq!(
            done(&call("complete_task", json!({"task": "milk"})).await),
            "Marked buy milk as done"
        );
        let reopened = call("update_task", json!({"task": "milk", "status": "pending"})).await;
        assert_eq!(done(&reopened), "Reopened: buy milk");
        assert!(done(&call("undo", json!({})).await).starts_with("Undone: buy milk"));
        assert!(done(&call("undo", json!({})).await).starts_with("Undone: buy milk"));
        // What was done elsewhere is not taken back.
        server.add(user, json!({"title": "by hand"})).await;
        assert_eq!(
            done(&call("undo", json!({})).await),
            "Undone: buy milk (priority: high)"
        );
        call("undo", json!({})).await;
        assert_eq!(
            done(&call("undo", json!({})).await),
            "Undone: buy milk is off the list again"
        );
        assert_eq!(
            done(&call("undo", json!({})).await),
            "There is nothing to undo."
        );
        assert_eq!(server.titles(user).await, ["by hand"]);
    }
    let verified = server.run_beside(&[], &["audit", "verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

#[tokio::test]
async fn what_can_not_be_done_is_a_result_that_says_why() {
    let server = Server::start().await;
    let client = Stateless::of(&server);
    for title in ["Report March", "Report April", "Read book"] {
        client.call("add_task", json!({"title": title})).await;
    }
    let none = client
        .call("complete_task", json!({"task": "Fly to Mars"}))
        .await;
    assert_eq!(failed(&none), "not_found");
    assert!(text(&none).contains("no task with that title"), "{none}");
    let many = client
        .call("complete_task", json!({"task": "report"}))
        .await;
    assert_eq!(failed(&many), "ambiguous");
    assert!(text(&many).contains("\"Report March\"") && text(&many).contains("\"Report April\""));
    let set = client
        .call("complete_task", json!({"task": "all pending"}))
        .await;
    assert_eq!(failed(&set), "ambiguous");
    assert!(text(&set).contains("one at a time"), "{set}");
    let place = client.call("complete_task", json!({"task": "2"})).await;
    assert_eq!(failed(&place), "not_found");
    let past = client
        .call("add_task", json!({"title": "x", "due_date": "2026-02-07"}))
        .await;
    assert_eq!(failed(&past), "validation");
    assert!(text(&past).contains("in the past"), "{past}");
    let wrong = client
        .call(
            "complete_task",
            json!({"task": "Read book", "priority": "high"}),
        )
        .await;
    assert_eq!(failed(&wrong), "validation");
    assert!(
        text(&wrong).contains("Use 'update_task' instead"),
        "{wrong}"
    );
    let nothing = client
        .call("update_task", json!({"task": "Read book"}))
        .await;
    assert_eq!(failed(&nothing), "validation");
    // A tool that is not there is an error of the protocol, with the nearest.
    for name in ["remove_task", "ask_user", "delegate"] {
        let params = json!({"name": name, "arguments": {"task": "Read book"}});
        let reply = client
            .send(&client.message("tools/call", params), &[])
            .await;
        let error = &reply.body["error"];
        assert_eq!(error["code"], -32602, "{}", reply.text);
        let told = error["message"].as_str().unwrap();
        assert!(
            told.contains("delete_task") && !told.contains("Nearest: ask_user"),
            "{told}"
        );
    }
    assert_eq!(server.tasks("me").await.len(), 3);
}

#[tokio::test]
async fn each_call_is_a_turn_whose_account_holds() {
    let server = Server::start().await;
    let client = Stateless::of(&server);
    client.call("add_task", json!({"title": "Read book"})).await;
    client.call("list_tasks", json!({})).await;
    client
        .call("complete_task", json!({"task": "nothing such"}))
        .await;
    client
        .call("complete_task", json!({"task": "read book"}))
        .await;
    client
        .call("complete_task", json!({"task": "read book"}))
        .await;
    client
        .call("delete_task", json!({"task": "read book"}))
        .await;
    let turns = server.events("me", "turn").await;
    assert_eq!(turns.len(), 6);
    let calls = server.events("me", "tool_call").await;
    let outcomes: Vec<_> = calls
        .iter()
        .map(|call| call["payload"]["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(
        outcomes,
        [
            "committed",
            "committed",
            "failed",
            "committed",
            "unchanged",
            "asked"
        ]
    );
    for turn in &turns {
        assert_eq!(turn["payload"]["source"], "mcp");
        assert_eq!(turn["payload"]["client"], "mcp (tests 1)");
        let id = turn["turn_id"].as_str().unwrap();
        let shown = server.run_beside(&[], &["audit", "show", id]);
        assert_eq!(shown.code, Some(0), "{}", shown.out);
    }
}
