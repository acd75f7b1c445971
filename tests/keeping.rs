//! Tests of what operators do with a database: backup, restore, erase, purge; and of what they are
//! told when it can't be done. The real program on real files.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod server;
}

#[path = "keeping/copies.rs"]
mod copies;
#[path = "keeping/erasing.rs"]
mod erasing;
#[path = "keeping/faults.rs"]
mod faults;
#[path = "keeping/retention.rs"]
mod retention;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use support::server::{Ran, run};

/// A directory that is removed with its owner.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("candor-keeping-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A killed run leaves its own behind, and process ids come again.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The names of all files in it, in order.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// Runs the program here, on the file `candor.db` of this folder.
    fn run(&self, arguments: &[&str]) -> Ran {
        run(Some(&self.0), &[], arguments)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Checks that it worked; returns what it printed.
#[track_caller]
fn well(ran: &Ran) -> &str {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    &ran.out
}

/// Checks that it failed, with these words and in one line.
#[track_caller]
fn refused(ran: &Ran, words: &str) {
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains(words), "expected {words:?} in {ran:?}");
    assert_eq!(ran.err.trim_end().lines().count(), 1, "{ran:?}");
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
