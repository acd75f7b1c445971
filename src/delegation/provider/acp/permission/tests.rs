//! Tests of what is granted and what is refused.

use std::path::PathBuf;

use agent_client_protocol::v1::schema::{RequestPermissionOutcome, RequestPermissionRequest};
use serde_json::{Value, json};

use super::*;
use crate::delegation::agent::specs;

/// A workspace with one file, one link out of it, and a secret beside it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("candor-leave-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("in/notes")).unwrap();
        std::fs::write(path.join("secret.txt"), "canary").unwrap();
        std::fs::write(path.join("in/hotels.md"), "Adler").unwrap();
        std::fs::write(path.join("in/.env"), "KEY=1").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret.txt", path.join("in/link.md")).unwrap();
        Self(path.canonicalize().unwrap())
    }

    fn root(&self) -> PathBuf {
        self.0.join("in")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn asked(call: Value) -> RequestPermissionRequest {
    let mut call = call;
    call["toolCallId"] = json!("t1");
    serde_json::from_value(json!({
        "sessionId": "s",
        "toolCall": call,
        "options": [
            {"optionId": "always", "name": "Always", "kind": "allow_always"},
            {"optionId": "once", "name": "Once", "kind": "allow_once"},
            {"optionId": "no", "name": "No", "kind": "reject_once"},
        ],
    }))
    .unwrap()
}

/// The option that was chosen.
fn chosen(leave: &Permission) -> &str {
    match &leave.outcome {
        RequestPermissionOutcome::Selected(selected) => &selected.option_id.0,
        _ => "cancelled",
    }
}

fn check(place: &Place, call: Value, expect: &str) {
    let files = ["read_file".to_owned(), "list_files".to_owned()];
    let tools = specs(&files, true, (false, false));
    let mut workspace = Workspace::open((&[place.root()], &[]), None, &[], None).unwrap();
    let what = call.to_string();
    let leave = judge(&asked(call), &tools, Some(&mut workspace));
    assert_eq!(chosen(&leave), expect, "{what}: {}", leave.note);
    assert_eq!(leave.granted, expect == "once", "{what}");
}

#[test]
fn reading_inside_is_allowed_and_everything_else_is_not() {
    let place = Place::new("bounds");
    let root = place.root();
    let at = |path: &str| json!([{"path": root.join(path)}]);
    let read = |path: &str| json!({"kind": "read", "title": "Read", "locations": at(path)});
    check(&place, read("hotels.md"), "once");
    check(
        &place,
        json!({"kind": "read", "rawInput": {"path": "hotels.md"}}),
        "once",
    );
    check(
        &place,
        json!({"kind": "search", "locations": at("notes")}),
        "once",
    );
    let everywhere = json!({"kind": "search", "locations": at("")});
    check(&place, everywhere.clone(), "no");
    let aside = place.0.join("aside");
    std::fs::rename(root.join(".env"), &aside).unwrap();
    check(&place, everywhere, "once");
    std::fs::rename(&aside, root.join(".env")).unwrap();
    check(&place, json!({"kind": "think", "title": "Think"}), "once");
    for path in ["../secret.txt", "link.md", ".env", "absent.md", "notes"] {
        check(&place, read(path), "no");
    }
    for call in [
        json!({"kind": "read", "locations": [{"path": "/etc/passwd"}]}),
        // One place inside does not open another.
        json!({"kind": "read", "locations": at("hotels.md"), "rawInput": {"path": "/etc/passwd"}}),
        json!({"kind": "read", "title": "Read hotels.md"}),
        json!({"kind": "edit", "locations": at("hotels.md")}),
        json!({"kind": "delete", "locations": at("hotels.md")}),
        json!({"kind": "execute", "title": "report_result"}),
        json!({"kind": "fetch", "title": "https://example.org"}),
        json!({"title": "rm -rf / # report_result"}),
        json!({"kind": "other", "title": "anything"}),
        json!({}),
    ] {
        check(&place, call, "no");
    }
}

#[test]
fn the_tools_of_the_run_are_its_own() {
    let place = Place::new("tools");
    for name in [
        "report_result",
        "mcp__candor__report_result",
        "candor/add_note",
    ] {
        check(&place, json!({"kind": "other", "title": name}), "once");
        check(
            &place,
            json!({"name": name, "title": "Call a tool"}),
            "once",
        );
    }
    let elsewhere = json!({"title": "report_result", "locations": [{"path": "/etc/passwd"}]});
    check(&place, elsewhere, "no");
    check(&place, json!({"title": "mcp__other__report_result"}), "no");
    check(&place, json!({"title": "candor/delete_task"}), "no");
}

#[test]
fn without_files_nothing_is_read_and_without_a_fitting_answer_it_is_called_off() {
    let tools = specs(&[], false, (false, false));
    let read = asked(json!({"kind": "read", "locations": [{"path": "/etc/passwd"}]}));
    assert_eq!(chosen(&judge(&read, &tools, None)), "no");
    let mut bare = read.clone();
    bare.options.retain(|option| &*option.option_id.0 != "no");
    let leave = judge(&bare, &tools, None);
    assert_eq!((chosen(&leave), leave.granted), ("cancelled", false));
}
