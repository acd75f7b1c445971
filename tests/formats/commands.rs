//! `candor export` and `candor import`, and the words of docs/HTTP.md about them.

use std::fs;

use serde_json::{Value, json};

use crate::others::FILES;
use crate::support::server::Server;

#[tokio::test]
async fn a_list_goes_out_and_comes_in_by_the_names_of_files() {
    let server = Server::start().await;
    server
        .add("me", json!({"title": "=1+1", "due_date": "2026-02-09"}))
        .await;
    for name in ["tasks.ics", "tasks.csv", "todo.txt", "tasks.json"] {
        let ran = server.run_beside(&[], &["export", name]);
        assert_eq!(
            (ran.code, &*ran.out),
            (Some(0), &*format!("{name} holds 1 task of me.\n")),
            "{ran:?}"
        );
        let ran = server.run_beside(&[], &["export", name]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("is there already"), "{ran:?}");
        let ran = server.run_beside(&[], &["export", name, "--replace", "--json"]);
        let told: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(
            (&told["ok"], &told["tasks"]),
            (&json!(true), &json!(1)),
            "{told}"
        );
        let user = name.replace('.', "-");
        let ran = server.run_beside(&[], &["import", name, "--user", &user]);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
        assert!(ran.out.contains("Added 1 task."), "{ran:?}");
        assert_eq!(server.titles(&user).await, ["=1+1"]);
        let ran = server.run_beside(&[], &["import", name, "--user", &user]);
        assert!(
            ran.out.contains("Left as on the list already: 1 task."),
            "{ran:?}"
        );
    }
    let sheet = fs::read_to_string(server.directory().join("tasks.csv")).unwrap();
    assert!(sheet.contains(",'=1+1,"), "{sheet}");
    let ran = server.run_beside(&[], &["export", "--format", "csv"]);
    assert_eq!(ran.out, sheet);
    let names: Vec<String> = fs::read_dir(server.directory())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        !names.iter().any(|name| name.ends_with(".part")),
        "{names:?}"
    );
}

#[tokio::test]
async fn what_was_refused_is_told_by_line_and_by_the_exit_status() {
    let server = Server::start().await;
    let put = |name: &str, text: &[u8]| {
        fs::write(server.directory().join(name), text).unwrap();
    };
    put(
        "mine.csv",
        b"task,due,labels\r\nmilk,2026-02-09,home\r\neggs,tomorrow,\r\n",
    );
    let dry = server.run_beside(&[], &["import", "mine.csv", "--dry-run"]);
    let words = "mine.csv: 2 tasks, read as csv.\nWould add 1 task; nothing was written.\n\
                 Left out: labels (1).\nRefused 1 task:\n  line 3: due_date must be a day such as \
                 2026-02-08, not \"tomorrow\" (eggs)\nLess is kept than the file holds: --lossy accepts that.\n";
    assert_eq!((dry.code, &*dry.out), (Some(1), words), "{dry:?}");
    assert!(server.tasks("me").await.is_empty());
    let ran = server.run_beside(&[], &["import", "mine.csv", "--json"]);
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!((&told["added"], &told["refused"]), (&json!(1), &json!(1)));
    assert_eq!(told["broke_off"], Value::Null);
    put("mine.bin", b"milk");
    put("bad.csv", b"title\n\xc3\xa9\xff");
    put("none.ics", b"milk");
    for (name, words) in [
        ("mine.bin", "--format"),
        ("bad.csv", "broken UTF-8: see byte 8"),
        ("none.ics", "no BEGIN:VCALENDAR"),
        ("away.csv", "No such file"),
    ] {
        let ran = server.run_beside(&[], &["import", name]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(words), "{ran:?}");
    }
    assert_eq!(server.titles("me").await, ["milk"]);
}

#[tokio::test]
async fn files_of_other_programs_are_recognised_and_keeping_less_is_no_success() {
    let server = Server::start().await;
    for (layout, bytes) in FILES {
        // Its name says nothing.
        fs::write(server.directory().join("file"), bytes).unwrap();
        let dry = server.run_beside(&[], &["import", "file", "--dry-run"]);
        let whole = layout == "json";
        assert_eq!(dry.code, Some(i32::from(!whole)), "{layout}: {dry:?}");
        let read = format!("read as {layout}.\n");
        assert!(dry.out.contains(&read), "{layout}: {dry:?}");
        assert_eq!(dry.out.contains("Left out: "), !whole, "{dry:?}");
        assert_eq!(dry.out.contains("--lossy"), !whole, "{dry:?}");
        let ran = server.run_beside(&[], &["import", "file", "--lossy", "--user", layout]);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{layout}: {ran:?}");
        assert!(ran.out.contains("Left out: ") != whole, "{ran:?}");
        let titles = server.titles(layout).await;
        assert!(titles.len() >= 2, "{layout}: {titles:?}");
        let again = server.run_beside(&[], &["import", "file", "--lossy", "--user", layout]);
        assert!(again.out.contains("Added 0 tasks."), "{layout}: {again:?}");
        assert_eq!(server.titles(layout).await, titles);
    }
    fs::write(server.directory().join("data.json"), FILES[0].1).unwrap();
    let ran = server.run_beside(&[], &["import", "data.json", "--user", "words"]);
    assert!(
        ran.out.contains("projects (3: Garden, Household, Someday)"),
        "{ran:?}"
    );
    let ran = server.run_beside(&[], &["import", "data.json", "--json", "--dry-run"]);
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let left_out = told["left_out"].as_array().unwrap();
    let projects = left_out.iter().find(|kind| kind["kind"] == "projects");
    let expect =
        json!({"kind": "projects", "count": 3, "names": ["Garden", "Household", "Someday"]});
    assert_eq!(projects, Some(&expect), "{told}");
}

#[tokio::test]
async fn an_ambiguous_date_and_an_uncertain_encoding_are_for_the_caller_to_say() {
    let server = Server::start().await;
    let put = |name: &str, text: &[u8]| {
        fs::write(server.directory().join(name), text).unwrap();
    };
    put("mine.csv", b"title;due\nmilk;10/02/2026\n");
    let ran = server.run_beside(&[], &["import", "mine.csv"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("10 February or 2 October"), "{ran:?}");
    let ran = server.run_beside(&[], &["import", "mine.csv", "--dates", "day-first"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(server.tasks("me").await[0]["due_date"], "2026-02-10");
    // Two words in the letters of Windows-1251.
    put(
        "russian.csv",
        b"title;due\n\xd5\xeb\xe5\xe1 \xe8 \xec\xee\xeb\xee\xea\xee;\n",
    );
    let ran = server.run_beside(&[], &["import", "russian.csv"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("too short to tell its encoding"),
        "{ran:?}"
    );
    let named = ["import", "russian.csv", "--encoding", "windows-1251"];
    let ran = server.run_beside(&[], &named);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    put("western.csv", b"title;due\ncaf\xe9;\n");
    let ran = server.run_beside(&[], &["import", "western.csv"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let assumed = "Taken for granted: the encoding is windows-1252.";
    assert!(ran.out.contains(assumed), "{ran:?}");
    let titles = server.titles("me").await;
    assert_eq!(titles.len(), 3);
    for title in ["café", "Хлеб и молоко", "milk"] {
        assert!(titles.iter().any(|found| found == title), "{titles:?}");
    }
}

#[tokio::test]
async fn an_export_by_an_unknown_name_says_which_names_there_are() {
    let server = Server::start().await;
    server.add("me", json!({"title": "Café"})).await;
    for name in ["tr.xyz", "tasks", "tasks.tsv"] {
        let ran = server.run_beside(&[], &["export", name]);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{ran:?}");
        assert!(
            ran.err.contains("one of ics, csv, todotxt, json"),
            "{ran:?}"
        );
        assert!(!server.directory().join(name).exists());
        let ran = server.run_beside(&[], &["export", name, "--format", "todotxt"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    // A task of which nobody said how urgent it is has no letter.
    let text = fs::read_to_string(server.directory().join("tr.xyz")).unwrap();
    assert!(text.contains(" Café id:"), "{text}");
    assert!(!text.contains('(') && !text.contains("pri:"), "{text}");
}

#[test]
fn on_a_terminal_one_sees_how_far_it_is() {
    let folder = std::env::temp_dir().join(format!("candor-progress-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let lines: String = (0..150).map(|number| format!("task {number}\n")).collect();
    fs::write(folder.join("todo.txt"), lines).unwrap();
    let run = format!("{} import todo.txt", env!("CARGO_BIN_EXE_candor"));
    let ran = std::process::Command::new("script")
        .args(["--quiet", "--return", "--command", &run, "/dev/null"])
        .current_dir(&folder)
        .env("DATABASE_URL", "sqlite://candor.db")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let shown = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.status.success(), "{shown}");
    for words in [
        "\r100 of 150 tasks",
        "\r150 of 150 tasks",
        "Added 150 tasks.",
    ] {
        assert!(shown.contains(words), "{shown:?}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn the_commands_of_the_document_do_what_it_says() {
    let server = Server::start().await;
    fs::write(
        server.directory().join("todo.txt"),
        "(A) Read book due:2026-02-09\n",
    )
    .unwrap();
    let document = include_str!("../../docs/HTTP.md");
    let (_, rest) = document
        .split_once("<!-- lists -->\n```sh\n")
        .expect("the section");
    let (commands, _) = rest.split_once("```").expect("its end");
    let mut count = 0;
    for line in commands.lines() {
        let (command, says) = line.split_once(" # ").unwrap_or((line, ""));
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let ran = match arguments.as_slice() {
            ["candor", arguments @ ..] => server.run_beside(&[], arguments),
            other => panic!("{other:?}"),
        };
        assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
        assert!(ran.out.contains(says.trim()), "{command}: {ran:?}");
        count += 1;
    }
    assert!(count >= 3, "{commands}");
    assert_eq!(server.titles("me").await, ["Read book"]);
}
