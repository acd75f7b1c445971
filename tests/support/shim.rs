//! Shims that stand between the program and the C library, for what no test could do otherwise:
//! a disk that is full or loses its power, a clock that jumps.
//!
//! They are compiled where they are used, by the C compiler that the dependencies need as well;
//! without one a test that needs a shim fails and says so.

#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A compiled shim, removed with its owner.
#[derive(Debug)]
pub struct Shim(PathBuf);

impl Shim {
    /// Compiles a source, named from the project's folder.
    pub fn build(source: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        let stem = source.file_stem().unwrap().to_str().unwrap();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("candor-{stem}-{}-{count}.so", std::process::id());
        let shim = std::env::temp_dir().join(name);
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o"])
            .args([&shim, &source])
            .args(["-ldl", "-lpthread"])
            .output();
        let built = built.expect("a C compiler called cc is installed (apt-get install gcc)");
        let words = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{stem} is not built: {words}");
        Self(shim)
    }

    /// Returns what a program is to find in `LD_PRELOAD`.
    pub fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Shim {
    fn drop(&mut self) {
        // What can't be removed is in the system's temporary directory and does no harm.
        let _ = fs::remove_file(&self.0);
    }
}
