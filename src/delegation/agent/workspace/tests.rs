//! Real folders, real links, real escapes.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// A folder of its own under the system's, with a neighbour that holds a secret.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("candor-workspace-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(path.join("in/notes")).unwrap();
        let path = path.canonicalize().unwrap();
        fs::write(path.join("secret.txt"), "canary").unwrap();
        fs::write(path.join("in/a.md"), "Adler: 90").unwrap();
        fs::write(path.join("in/notes/b.md"), "Bär: 80").unwrap();
        fs::write(path.join("in/.hidden"), "canary").unwrap();
        Self(path)
    }

    fn inside(&self) -> PathBuf {
        self.0.join("in")
    }

    fn open(&self) -> Workspace {
        Workspace::open((&[self.inside()], &[]), None, &[], None).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn refused(workspace: &mut Workspace, path: &str, kind: ErrorType, expect: &str) {
    let error = workspace.read(path).unwrap_err();
    assert_eq!((error.error_type, error.error.as_str()), (kind, expect));
    assert_eq!(error.details.parameter.as_deref(), Some("path"));
    assert!(!error.to_wire().to_string().contains("canary"));
}

#[test]
fn files_are_read_and_listed() {
    let place = Place::new();
    let mut workspace = place.open();
    let read = workspace.read("notes/../a.md").unwrap();
    assert_eq!(
        read,
        json!({"path": "a.md", "content": "Adler: 90", "size": 9})
    );
    let listed = workspace.list(None).unwrap();
    let expect = json!({"files": [{"path": "a.md", "size": 9}, {"path": "notes/b.md", "size": 8}]});
    assert_eq!(listed, expect);
    let listed = workspace.list(Some("notes")).unwrap();
    assert_eq!(
        listed,
        json!({"files": [{"path": "notes/b.md", "size": 8}]})
    );
}

#[test]
fn no_path_leads_out() {
    let place = Place::new();
    let inside = place.inside();
    std::os::unix::fs::symlink(place.0.join("secret.txt"), inside.join("link")).unwrap();
    std::os::unix::fs::symlink("../secret.txt", inside.join("relative")).unwrap();
    std::os::unix::fs::symlink("..", inside.join("up")).unwrap();
    std::os::unix::fs::symlink("a.md", inside.join("fine")).unwrap();
    let mut workspace = place.open();
    let absolute = place.0.join("secret.txt");
    for path in [
        "../secret.txt",
        "notes/../../secret.txt",
        "/etc/passwd",
        absolute.to_str().unwrap(),
        "link",
        "relative",
        "up/secret.txt",
        "a\0.md",
    ] {
        let shown: String = crate::domain::shown(path);
        let expect = format!(
            "Refusing to read outside project root: {shown}. Use a relative path within the project."
        );
        refused(&mut workspace, path, ErrorType::Permission, &expect);
    }
    for path in ["..", "/", "up", "../in/.."] {
        let error = workspace.list(Some(path)).unwrap_err();
        assert_eq!(error.error_type, ErrorType::Permission, "{path}: {error}");
    }
    assert_eq!(workspace.read("fine").unwrap()["content"], "Adler: 90");
    assert!(!workspace.list(None).unwrap().to_string().contains("secret"));
    assert_eq!(fs::read_to_string(absolute).unwrap(), "canary");
}

#[test]
fn what_is_wrong_with_a_path_is_said_as_it_is() {
    let place = Place::new();
    let mut workspace = place.open();
    for blank in ["", "   "] {
        refused(
            &mut workspace,
            blank,
            ErrorType::Validation,
            "Missing required parameter: path",
        );
        let error = workspace.read(blank).unwrap_err();
        assert_eq!(
            error.details.suggestion.as_deref(),
            Some("Provide a file path to read")
        );
    }
    refused(
        &mut workspace,
        "no.md",
        ErrorType::NotFound,
        "File not found: no.md",
    );
    refused(
        &mut workspace,
        "a.md/b",
        ErrorType::NotFound,
        "File not found: a.md/b",
    );
    refused(
        &mut workspace,
        "notes",
        ErrorType::Execution,
        "Failed to read file: it is not a file",
    );
    fs::write(place.inside().join("bytes"), [0_u8, 255]).unwrap();
    refused(
        &mut workspace,
        "bytes",
        ErrorType::Execution,
        "Failed to read file: it is not text",
    );
    let error = workspace.read("no.md").unwrap_err();
    assert!(error.details.suggestion.unwrap().contains("list_files"));
    assert_eq!(
        workspace.list(Some("no")).unwrap_err().error_type,
        ErrorType::NotFound
    );
}

#[test]
fn what_begins_with_a_dot_is_not_read() {
    let place = Place::new();
    fs::create_dir_all(place.inside().join(".git")).unwrap();
    fs::write(place.inside().join(".git/config"), "canary").unwrap();
    std::os::unix::fs::symlink(".hidden", place.inside().join("open")).unwrap();
    let mut workspace = place.open();
    for path in [".hidden", "notes/../.hidden", ".git/config", "open"] {
        let error = workspace.read(path).unwrap_err();
        assert_eq!(error.error_type, ErrorType::Permission, "{path}: {error}");
    }
    assert_eq!(
        workspace.list(Some(".git")).unwrap_err().error_type,
        ErrorType::Permission
    );
}

#[test]
fn different_files_are_counted_and_globs_narrow() {
    let place = Place::new();
    let globs = ["*.md".to_owned()];
    let mut workspace = Workspace::open((&[place.inside()], &[]), None, &globs, Some(1)).unwrap();
    assert!(workspace.read("a.md").is_ok());
    assert!(workspace.read("./notes/../a.md").is_ok(), "the same file");
    refused(
        &mut workspace,
        "notes/b.md",
        ErrorType::Limit,
        "The limit of 1 different files is reached",
    );
    fs::write(place.inside().join("c.txt"), "x").unwrap();
    refused(
        &mut workspace,
        "c.txt",
        ErrorType::Permission,
        "'c.txt' is not among the files of this task",
    );
    assert!(!workspace.list(None).unwrap().to_string().contains("c.txt"));
}

#[test]
fn output_is_cut_between_characters_and_says_so() {
    let place = Place::new();
    let long = format!("x{}", "ä".repeat(OUTPUT_MAX));
    fs::write(place.inside().join("long.md"), &long).unwrap();
    let id = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    fs::write(place.inside().join("id.md"), id).unwrap();
    let mut workspace = place.open();
    let read = workspace.read("long.md").unwrap();
    let content = read["content"].as_str().unwrap();
    assert!(content.len() <= OUTPUT_MAX && long.starts_with(content));
    assert_eq!(
        read["notice"],
        format!("cut: the first 16383 of {} bytes", long.len())
    );
    assert_eq!(workspace.read("id.md").unwrap()["content"], "[id]");
    for number in 0..600 {
        fs::write(place.inside().join(format!("f{number}")), "").unwrap();
    }
    let listed = workspace.list(None).unwrap();
    assert_eq!(listed["notice"], "cut: there are more files");
    assert!(listed.to_string().len() < 2 * OUTPUT_MAX);
}

#[test]
fn a_workspace_lies_below_a_root() {
    let place = Place::new();
    let roots = [place.inside()];
    let open = |wanted: Option<&Path>| Workspace::open((&roots, &[]), wanted, &[], None);
    std::os::unix::fs::symlink(&place.0, place.inside().join("up")).unwrap();
    let notes = place.inside().join("notes");
    assert!(open(Some(&notes)).unwrap().read("b.md").is_ok());
    assert!(open(Some(Path::new("notes"))).unwrap().read("b.md").is_ok());
    let (up, no) = (place.inside().join("up"), place.inside().join("no"));
    for outside in [
        place.0.as_path(),
        Path::new("/etc"),
        Path::new(".."),
        &up,
        &no,
    ] {
        let error = open(Some(outside)).unwrap_err();
        assert_eq!(error.error_type, ErrorType::Permission, "{outside:?}");
    }
    let error = Workspace::open((&[], &[]), None, &[], None).unwrap_err();
    assert_eq!(error.error_type, ErrorType::Permission);
}

#[test]
fn the_programs_own_files_are_not_there_under_any_name() {
    let place = Place::new();
    let inside = place.inside();
    let write = |name: &str, text: &str| fs::write(inside.join(name), text).unwrap();
    // Named by the operator, with what SQLite keeps beside it; and a second name for each.
    for name in ["tasks.data", "tasks.data-wal", "settings"] {
        write(name, "canary");
    }
    fs::hard_link(inside.join("tasks.data"), inside.join("notes/other.md")).unwrap();
    fs::hard_link(inside.join("tasks.data-wal"), inside.join("wal.md")).unwrap();
    std::os::unix::fs::symlink("settings", inside.join("link.md")).unwrap();
    // Known by their names, and by how they begin.
    for name in [
        "candor.toml",
        "old.db",
        "mine.key",
        "candor.log",
        "candor.log.1",
        "x.db-shm",
    ] {
        write(name, "canary");
    }
    write("backup", "SQLite format 3\0canary");
    write("signing", "PRIVATE+KEY+canary");
    write("sqlite.md", "About SQLite format 3");
    let own = [inside.join("tasks.data"), inside.join("settings")];
    let roots = [inside.clone()];
    let open = || Workspace::open((&roots, &own), None, &[], None).unwrap();
    let mut workspace = open();
    let files = workspace.list(None).unwrap()["files"].clone();
    let paths: Vec<_> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["path"])
        .collect();
    assert_eq!(paths, ["a.md", "notes/b.md", "sqlite.md"]);
    for path in [
        "tasks.data",
        "notes/other.md",
        "wal.md",
        "link.md",
        "candor.toml",
        "old.db",
        "mine.key",
        "candor.log.1",
        "backup",
        "signing",
    ] {
        let expect = format!("'{path}' is one of candor's own files");
        refused(&mut workspace, path, ErrorType::Permission, &expect);
    }
    assert!(workspace.read("sqlite.md").is_ok());
    // A program that searches opens what it likes.
    assert!(!workspace.is_searchable("."));
    assert!(!workspace.is_searchable("notes"));
    fs::remove_file(inside.join("notes/other.md")).unwrap();
    assert!(workspace.is_searchable("notes"));
    fs::create_dir(inside.join("notes/.deep")).unwrap();
    assert!(workspace.is_searchable("notes"));
    fs::hard_link(inside.join("settings"), inside.join("notes/.deep/x")).unwrap();
    assert!(!workspace.is_searchable("notes"));
    assert!(!workspace.is_searchable("../in"));
}
