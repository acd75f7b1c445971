//! `GET …/export` and `POST …/import`: what they write, leave in the log, and refuse.

use candor::chat::wire::task_file as write;
use candor::formats::Format;
use serde_json::{Value, json};

use crate::encodings::utf16;
use crate::lists::thousand;
use crate::others::FILES;
use crate::support::server::{Reply, Server};

const IMPORT: &str = "/api/me/import";

async fn send(server: &Server, path: &str, format: Format, text: &str) -> Reply {
    let headers = [("content-type", format.media_type())];
    let body = Some(text.to_owned());
    server.send("POST", path, &headers, body).await
}

async fn export(server: &Server, user: &str, format: Format) -> Reply {
    let path = format!("/api/{user}/export?format={}", format.as_str());
    let reply = server.get(&path).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply
}

/// The figures of a report: read, added, brought back, already there, refused.
#[track_caller]
fn figures(reply: &Reply) -> [u64; 5] {
    assert_eq!(reply.status, 200, "{}", reply.text);
    let names = ["read", "added", "brought_back", "already_there", "refused"];
    names.map(|name| reply.body[name].as_u64().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_hostile_tasks_go_through_the_store_and_come_out_the_same() {
    let server = Server::start().await;
    let tasks = thousand();
    for format in Format::ALL {
        let user = format.as_str();
        let path = format!("/api/{user}/import");
        let mut first = write(format, &tasks);
        if format == Format::Json {
            first = first.replace("\"user_id\":\"me\"", &format!("\"user_id\":\"{user}\""));
        }
        let sent = send(&server, &path, format, &first).await;
        assert_eq!(figures(&sent), [1_000, 1_000, 0, 0, 0]);
        let out = export(&server, user, format).await;
        assert!(out.text == first, "{format:?} came out otherwise");
        let again = send(&server, &path, format, &out.text).await;
        assert_eq!(figures(&again), [1_000, 0, 0, 1_000, 0]);
        assert!(export(&server, user, format).await.text == first);
    }
    let ran = server.run_beside(&[], &["audit", "verify"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[tokio::test]
async fn a_reminder_goes_along_in_json_csv_and_todotxt() {
    let server = Server::start().await;
    let time = "2026-02-13T17:00:30+01:00";
    let task = json!({"title": "call", "remind": time, "timezone": "Europe/Berlin"});
    server.add("me", task).await;
    for (user, format) in [
        ("ann", Format::Json),
        ("cay", Format::Csv),
        ("dan", Format::Todotxt),
    ] {
        let out = export(&server, "me", format).await.text;
        let sent = send(&server, &format!("/api/{user}/import"), format, &out).await;
        assert_eq!(figures(&sent), [1, 1, 0, 0, 0], "{format:?}");
        assert_eq!(sent.body["left_out"], json!([]), "{sent:?}");
        let reminders = server.get(&format!("/api/{user}/reminders")).await;
        let [reminder] = reminders.body["reminders"].as_array().unwrap().as_slice() else {
            panic!("{format:?}: {reminders:?}");
        };
        assert_eq!(reminder["at"], "2026-02-13T16:00:30Z", "{format:?}");
        assert_eq!(reminder["state"], "waiting");
    }
    // One that is no instant is told as left out, and so is one that has ended.
    let odd = "title,reminder\ncall,10 minutes before\nwrite,\n";
    let sent = send(&server, "/api/eve/import", Format::Csv, odd).await;
    assert_eq!(sent.body["left_out"][0]["kind"], "reminder", "{sent:?}");
    assert_eq!(figures(&sent), [2, 2, 0, 0, 0]);
    let out = export(&server, "me", Format::Json).await.text;
    let ended = out.replace("\"waiting\"", "\"delivered\"");
    let sent = send(&server, "/api/bob/import", Format::Json, &ended).await;
    assert_eq!(sent.body["left_out"][0]["kind"], "reminders", "{sent:?}");
    assert_eq!(figures(&sent), [1, 1, 0, 0, 0]);
}

#[tokio::test]
async fn a_reminder_goes_along_in_a_calendar() {
    let server = Server::start().await;
    let time = "2026-02-13T17:00:30+01:00";
    for task in [
        json!({"title": "call; the plumber", "remind": time, "timezone": "Europe/Berlin"}),
        json!({"title": "quiet", "due_date": "2026-02-13"}),
    ] {
        server.add("me", task).await;
    }
    let out = export(&server, "me", Format::Ics).await.text;
    let (_, alarm) = out.split_once("BEGIN:VALARM\r\n").unwrap();
    let (alarm, rest) = alarm.split_once("END:VALARM\r\n").unwrap();
    assert!(!rest.contains("VALARM"), "{out}");
    let id = server.tasks("me").await[1]["reminders"][0]["id"].clone();
    let expect = format!(
        "UID:{}\r\nACTION:DISPLAY\r\nDESCRIPTION:call\\; the plumber\r\n\
         TRIGGER;VALUE=DATE-TIME:20260213T160030Z\r\nX-CANDOR-TIMEZONE:Europe/Berlin\r\n",
        id.as_str().unwrap()
    );
    assert_eq!(alarm, expect);
    let sent = send(&server, "/api/ann/import", Format::Ics, &out).await;
    assert_eq!(figures(&sent), [2, 2, 0, 0, 0]);
    let reminders = server.get("/api/ann/reminders").await.body["reminders"].clone();
    let [reminder] = reminders.as_array().unwrap().as_slice() else {
        panic!("{reminders}");
    };
    assert_eq!(
        (&reminder["at"], &reminder["state"]),
        (&json!("2026-02-13T16:00:30Z"), &json!("waiting"))
    );
    let back = export(&server, "ann", Format::Ics).await.text;
    let but_id = |text: &str| text.replace(id.as_str().unwrap(), reminder["id"].as_str().unwrap());
    assert_eq!(back, but_id(&out));
    // The first that is to come is kept, whatever rang before.
    let twice = out.replace(
        "BEGIN:VALARM",
        "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER;VALUE=DATE-TIME:20260201T090000Z\r\nEND:VALARM\r\nBEGIN:VALARM",
    );
    send(&server, "/api/eve/import", Format::Ics, &twice).await;
    let kept = server.get("/api/eve/reminders").await.body["reminders"].clone();
    assert_eq!(kept[0]["at"], "2026-02-13T16:00:30Z");
    // What is over rings no more.
    let over = out.replace("20260213T160030Z", "20260207T160030Z");
    let sent = send(&server, "/api/bob/import", Format::Ics, &over).await;
    assert_eq!(figures(&sent), [2, 2, 0, 0, 0]);
    assert_eq!(
        server.get("/api/bob/reminders").await.body,
        json!({"reminders": []})
    );
}

#[tokio::test]
async fn an_imported_task_leaves_what_any_write_leaves() {
    let server = Server::start().await;
    let text = "(A) 2025-12-01 File taxes due:2025-12-31\nx 2026-02-01 2026-01-31 Read book\n";
    let sent = send(&server, IMPORT, Format::Todotxt, text).await;
    assert_eq!(figures(&sent), [2, 2, 0, 0, 0]);
    let tasks = server.tasks("me").await;
    assert_eq!(server.titles("me").await, ["Read book", "File taxes"]);
    // What was is kept, although no other write could make it due in the past.
    assert_eq!(tasks[1]["due_date"], "2025-12-31");
    assert_eq!(tasks[1]["priority"], "high");
    assert_eq!(tasks[0]["completed_at"], "2026-02-01T00:00:00Z");
    let receipts = server.events("me", "receipt").await;
    assert_eq!(receipts.len(), 2);
    for (receipt, task) in receipts.iter().zip(tasks.iter().rev()) {
        assert_eq!(receipt["payload"]["action"], "add_task");
        assert_eq!(receipt["payload"]["task_id"], task["id"]);
        assert_eq!(receipt["payload"]["after"]["title"], task["title"]);
    }
    let turns = server.events("me", "turn").await;
    assert_eq!(turns.len(), 1);
    assert_eq!(turns[0]["payload"]["source"], "import");
    let calls = server.events("me", "tool_call").await;
    let lines: Vec<_> = calls.iter().map(|call| &call["payload"]["line"]).collect();
    assert_eq!(lines, [1, 2]);
    let turn = turns[0]["turn_id"].as_str().unwrap();
    let told = server.get(&format!("/api/me/audit/turns/{turn}")).await;
    assert_eq!(told.status, 200, "{}", told.text);
    let id = receipts[0]["payload"]["id"].as_str().unwrap();
    let path = format!("/api/me/audit/receipts/{id}/proof");
    assert_eq!(server.get(&path).await.status, 200);
    let path = format!("/api/me/receipts/{id}/undo");
    assert_eq!(server.post(&path, json!({})).await.status, 200);
    assert_eq!(server.titles("me").await, ["Read book"]);
    // The file again brings back what was taken off the list, and doubles nothing.
    let sent = send(&server, IMPORT, Format::Todotxt, text).await;
    assert_eq!(figures(&sent), [2, 1, 1, 1, 0]);
    assert_eq!(
        server.tasks("me").await,
        tasks_but_updated(&server, &tasks).await
    );
    assert_eq!(server.run_beside(&[], &["audit", "verify"]).code, Some(0));
}

/// The tasks as they were, but for when they were last written.
async fn tasks_but_updated(server: &Server, tasks: &[Value]) -> Vec<Value> {
    let now = server.tasks("me").await;
    let both = tasks.iter().zip(&now);
    let kept = both.map(|(task, now)| {
        let mut task = task.clone();
        task["updated_at"] = now["updated_at"].clone();
        task
    });
    kept.collect()
}

#[tokio::test]
async fn what_is_on_the_list_is_left_as_it_is() {
    let server = Server::start().await;
    let milk = server.add("me", json!({"title": "Milk"})).await;
    let out = export(&server, "me", Format::Csv).await;
    assert_eq!(
        out.headers["content-disposition"],
        "attachment; filename=\"tasks.csv\""
    );
    assert_eq!(out.headers["content-type"], Format::Csv.media_type());
    let changed = out.text.replace("Milk", "Cream");
    let sent = send(&server, IMPORT, Format::Csv, &changed).await;
    assert_eq!(figures(&sent), [1, 0, 0, 1, 0]);
    assert_eq!(server.tasks("me").await, std::slice::from_ref(&milk));
    // The default is the API's own shape, and another user has a list of their own.
    let out = server.get("/api/me/export").await;
    assert_eq!(out.body, json!([milk]));
    let sent = send(&server, "/api/ann/import", Format::Json, &out.text).await;
    assert_eq!(figures(&sent), [1, 1, 0, 0, 0]);
    assert_eq!(server.tasks("ann").await[0]["id"], milk["id"]);
    assert_eq!(server.tasks("ann").await[0]["user_id"], "ann");
    let head = server.send("HEAD", "/api/me/export?format=ics", &[], None);
    assert_eq!(head.await.headers["content-type"], Format::Ics.media_type());
}

#[tokio::test]
async fn a_dry_run_writes_nothing_and_a_key_repeats_the_answer() {
    let server = Server::start().await;
    let text = "milk\ndue:x eggs\n";
    let dry = send(
        &server,
        "/api/me/import?dry_run=true",
        Format::Todotxt,
        text,
    )
    .await;
    assert_eq!(figures(&dry), [2, 1, 0, 0, 1]);
    assert_eq!(dry.body["dry_run"], true);
    assert!(server.tasks("me").await.is_empty());
    assert!(server.events("me", "turn").await.is_empty());
    let headers = [("content-type", "text/plain"), ("idempotency-key", "one")];
    let keyed = |text: &str| server.send("POST", IMPORT, &headers, Some(text.to_owned()));
    let first = keyed(text).await;
    assert_eq!(figures(&first), [2, 1, 0, 0, 1]);
    assert_eq!(
        first.body["refusals"],
        json!([{
            "line": 2,
            "text": "due:x eggs",
            "reason": "due must be a day such as 2026-02-08, not \"x\"",
        }])
    );
    let again = keyed(text).await;
    assert_eq!(again.text, first.text);
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert_eq!(keyed("bread\n").await.problem(), "key_reused");
    assert_eq!(server.titles("me").await, ["milk"]);
}

#[tokio::test]
async fn files_of_other_programs_are_read_by_what_they_say() {
    let server = Server::start().await;
    let post = async |query: &str, media: &str, body: Vec<u8>| {
        let url = server.url(&format!("{IMPORT}{query}"));
        let sent = reqwest::Client::new()
            .post(url)
            .header("content-type", media);
        let reply = sent.body(body).send().await.unwrap();
        let status = reply.status().as_u16();
        (status, reply.json::<Value>().await.unwrap())
    };
    let (_, todoist) = FILES[1];
    let (status, report) = post("?dry_run=true", "text/csv", todoist.to_vec()).await;
    assert_eq!(
        (status, &report["format"]),
        (200, &json!("todoist")),
        "{report}"
    );
    let left_out = report["left_out"].as_array().unwrap();
    let sections = json!({"kind": "sections", "count": 1, "names": ["Errands"]});
    assert!(left_out.contains(&sections), "{report}");
    // Another layout than the text has, and one that there is none of.
    let (_, report) = post("?format=outlook", "text/csv", todoist.to_vec()).await;
    assert_eq!(
        (&report["format"], &report["added"]),
        (&json!("outlook"), &json!(0))
    );
    let (status, problem) = post("?format=excel", "text/csv", todoist.to_vec()).await;
    assert_eq!(
        (status, &problem["code"]),
        (400, &json!("bad_query")),
        "{problem}"
    );
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("ticktick, outlook")
    );
    // Bytes that are not UTF-8, and a date of two readings.
    let sheet = "title;due\ncafé;10/02/2026\n";
    let sheet = utf16(sheet, u16::to_le_bytes);
    let (_, report) = post("", "text/csv", sheet.clone()).await;
    assert_eq!(report["refused"], 1, "{report}");
    let (status, problem) = post("?dates=maybe", "text/csv", sheet.clone()).await;
    assert_eq!(
        (status, &problem["code"]),
        (400, &json!("bad_query")),
        "{problem}"
    );
    let (_, report) = post("?dates=month-first", "text/csv", sheet).await;
    assert_eq!(report["added"], 1, "{report}");
    let latin1 = b"title;due\nth\xe9;2026-12-01\n".to_vec();
    let (_, report) = post("", "text/csv; charset=iso-8859-1", latin1).await;
    assert_eq!(
        (&report["added"], &report["assumed"]),
        (&json!(1), &json!([]))
    );
    let tasks = server.tasks("me").await;
    assert_eq!(
        (&tasks[0]["title"], &tasks[1]["title"]),
        (&json!("thé"), &json!("café"))
    );
    assert_eq!(tasks[1]["due_date"], "2026-10-02");
}

#[tokio::test]
async fn what_can_not_be_read_is_refused_whole() {
    let server = Server::start().await;
    let check = async |media: &str, body: String, status: u16, code: &str, words: &str| {
        let headers = [("content-type", media)];
        let reply = server.send("POST", IMPORT, &headers, Some(body)).await;
        assert_eq!((reply.status, reply.problem()), (status, code), "{reply:?}");
        let detail = reply.body["detail"].as_str().unwrap();
        assert!(detail.contains(words), "{detail}");
    };
    let milk = || "milk".to_owned();
    check(
        "text/html",
        milk(),
        415,
        "wrong_media_type",
        "text/calendar",
    )
    .await;
    check(
        "text/plain; charset=klingon",
        milk(),
        422,
        "invalid_body",
        "no encoding is called \"klingon\"",
    )
    .await;
    check(
        "text/calendar",
        milk(),
        422,
        "invalid_body",
        "BEGIN:VCALENDAR",
    )
    .await;
    check("text/csv", milk(), 422, "invalid_body", "\"title\"").await;
    check("application/json", milk(), 422, "invalid_body", "not JSON").await;
    let large = "x".repeat(8 * 1024 * 1024 + 1);
    check("text/plain", large, 413, "too_large", "8388608 bytes").await;
    let check = async |path: &str, words: &str| {
        let reply = server.get(path).await;
        assert_eq!(reply.problem(), "bad_query");
        assert!(reply.text.contains(words), "{}", reply.text);
    };
    check("/api/me/export?format=xml", "ics, csv, todotxt or json").await;
    check("/api/me/export?fromat=csv", "unknown field").await;
    // A form of a foreign page may send plain text: it is not let in.
    let form = [
        ("content-type", "text/plain"),
        ("origin", "http://evil.example"),
    ];
    let reply = server.send("POST", IMPORT, &form, Some(milk())).await;
    assert_eq!(reply.problem(), "foreign_origin");
    assert!(server.tasks("me").await.is_empty());
    assert!(server.events("me", "turn").await.is_empty());
}
