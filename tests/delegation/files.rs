//! Tests of what an agent may see of the machine.

use serde_json::{Value, json};

use crate::scene::{Scene, results};

#[tokio::test]
async fn a_22_no_path_leads_out_of_the_workspace() {
    let scene = Scene::new().await;
    let inside = scene.place.0.join("in");
    std::os::unix::fs::symlink(scene.place.0.join("secret.txt"), inside.join("link")).unwrap();
    let read = |path: &str| ("read_file", json!({ "path": path }));
    scene
        .calls(
            "fast-model",
            vec![
                read("../secret.txt"),
                read("/etc/passwd"),
                read("link"),
                read("a\0b"),
            ],
        )
        .calls(
            "fast-model",
            vec![
                read("no.md"),
                read("  "),
                read("hotels.md"),
                read("b.md"),
                read("c.md"),
            ],
        )
        .reports("fast-model", "Adler.");
    let asked =
        json!({"workspace_root": inside, "max_files": 2, "files_include_glob": ["*.md", "link"]});
    let run = scene.hand("Research hotels", asked).await;
    assert_eq!(scene.ended(&run).await["state"], "completed");
    let asked = scene.asked("fast-model");
    for (result, path) in
        results(&asked[1])
            .iter()
            .zip(["../secret.txt", "/etc/passwd", "link", "ab"])
    {
        assert_eq!(result["errorType"], "permission", "{result}");
        let expect = format!(
            "Refusing to read outside project root: {path}. Use a relative path within the project."
        );
        assert_eq!(
            result["error"].as_str().unwrap().replace(' ', ""),
            expect.replace(' ', ""),
            "{result}"
        );
    }
    let told = results(&asked[2]);
    let part = |at: usize, key: &str| told[at][key].as_str().unwrap_or_default().to_owned();
    assert_eq!(
        (part(0, "error"), part(0, "errorType")),
        ("File not found: no.md".into(), "not_found".into())
    );
    assert_eq!(
        (part(1, "error"), part(1, "errorType")),
        (
            "Missing required parameter: path".into(),
            "validation".into()
        )
    );
    assert_eq!(
        told[1]["details"]["suggestion"],
        "Provide a file path to read"
    );
    let data: &Value = &told[2]["data"];
    assert_eq!(
        (&data["content"], &data["receipt"]),
        (&json!("Hotel Adler: 90 EUR"), &json!("r7"))
    );
    assert_eq!(told[3]["ok"], true);
    assert_eq!(part(4, "errorType"), "limit", "the third different file");
    assert!(
        !scene
            .model
            .received()
            .iter()
            .any(|it| it.raw.contains("the canary"))
    );
    assert_eq!(
        std::fs::read_to_string(scene.place.0.join("secret.txt")).unwrap(),
        "the canary"
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_22_a_workspace_outside_the_roots_is_refused_before_anything_is_written() {
    let scene = Scene::new().await;
    let task = scene
        .server
        .add("me", json!({"title": "Research hotels"}))
        .await;
    let above = scene.place.0.to_str().unwrap().to_owned();
    for root in [above.as_str(), "/etc", "..", "/no/such/folder"] {
        let asked = json!({"assign_to": "new:researcher;fast", "workspace_root": root});
        let reply = scene.try_hand(&task, asked).await;
        assert_eq!(reply.problem(), "not_permitted", "{}", reply.text);
    }
    assert!(
        scene
            .read("SELECT id FROM agent_runs UNION ALL SELECT id FROM agent_sessions")
            .await
            .is_empty()
    );
    scene.holds().await;
}

#[tokio::test]
async fn an_agent_sees_none_of_the_programs_own_files() {
    let own = ("DATABASE_URL", "sqlite://{place}/in/tasks.data");
    let scene = Scene::with("", &[own]).await;
    let inside = scene.place.0.join("in");
    assert!(
        inside.join("tasks.data-wal").exists(),
        "its database lies elsewhere"
    );
    let link = |from: &str, to: &str| std::fs::hard_link(scene.place.0.join(from), inside.join(to));
    link("candor.toml", "settings.md").unwrap();
    link("in/tasks.data", "second.md").unwrap();
    std::os::unix::fs::symlink("tasks.data", inside.join("third.md")).unwrap();
    std::fs::write(inside.join("candor.log"), "the canary").unwrap();
    let log = scene.server.directory().join("stderr");
    std::fs::hard_link(log, inside.join("output.md")).unwrap();
    let own = [
        "settings.md",
        "second.md",
        "third.md",
        "tasks.data",
        "tasks.data-wal",
        "candor.log",
        "output.md",
    ];
    let read = own.map(|path| ("read_file", json!({ "path": path })));
    scene
        .calls("fast-model", vec![("list_files", json!({}))])
        .calls("fast-model", read.to_vec())
        .reports("fast-model", "Nothing.");
    let run = scene.hand("Research hotels", json!({})).await;
    assert_eq!(scene.ended(&run).await["state"], "completed");
    let asked = scene.asked("fast-model");
    let listed = &results(&asked[1])[0]["data"]["files"];
    let paths: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["path"])
        .collect();
    assert_eq!(paths, ["b.md", "c.md", "hotels.md"]);
    let told = results(&asked[2]);
    assert_eq!(told.len(), own.len());
    for (result, path) in told.iter().zip(own) {
        assert_eq!(result["errorType"], "permission", "{result}");
        let expect = format!("'{path}' is one of candor's own files");
        assert_eq!(result["error"], expect, "{result}");
    }
    // Where the checks look for it.
    std::os::unix::fs::symlink(inside.join("tasks.data"), scene.server.database()).unwrap();
    scene.holds().await;
}
