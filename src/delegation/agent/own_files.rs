//! Files of the program's own: its database with what lies beside it, backups, configuration, keys
//! and logs. No workspace shows them, wherever they lie and whatever a link calls them.
//!
//! Told by the file itself where the operator names it (so that a second name for it, a hard
//! link, is the same file), and by name and first bytes where nobody does: backups, older logs.

use std::io::Read;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, Metadata};

/// Endings of the files that SQLite, and the store, keep beside a database.
const COMPANIONS: [&str; 4] = ["-wal", "-shm", "-journal", "-running"];
/// Endings of databases and keys.
const ENDINGS: [&str; 4] = [".db", ".sqlite", ".sqlite3", ".key"];
/// Endings of configuration and logs, where the name begins with the program's.
const NAMED_ENDINGS: [&str; 3] = [".toml", ".log", ".jsonl"];
/// First bytes of a database, of its write-ahead log (little and big endian), and of a key that
/// signs checkpoints.
const FIRST_BYTES: [&[u8]; 4] = [
    b"SQLite format 3\0",
    b"\x37\x7f\x06\x82",
    b"\x37\x7f\x06\x83",
    b"PRIVATE+KEY+",
];

/// Device and number of a file: the same under each of its names.
type FileIdentity = (u64, u64);

/// The files that are named, as they are now.
#[derive(Debug)]
pub(super) struct OwnFiles {
    paths: Vec<PathBuf>,
    identities: Vec<FileIdentity>,
}

impl OwnFiles {
    /// Looks at the named files, at their companions, and at where the log goes.
    pub(super) fn look(named: &[PathBuf]) -> Self {
        let beside = |path: &PathBuf| {
            let path = path.clone();
            COMPANIONS.map(|ending| {
                let mut path = path.clone().into_os_string();
                path.push(ending);
                PathBuf::from(path)
            })
        };
        let paths: Vec<PathBuf> = named
            .iter()
            .flat_map(|path| std::iter::once(path.clone()).chain(beside(path)))
            .filter_map(|path| path.canonicalize().ok())
            .collect();
        let known = paths.iter().filter_map(|path| std::fs::metadata(path).ok());
        let identities = known.filter_map(|meta| identity(&meta));
        Self {
            identities: identities.chain(log_files()).collect(),
            paths,
        }
    }

    /// Tells whether the file at `path` in `dir`, which lies at `place` on disk, is one of them.
    pub(super) fn hold(&self, dir: &Dir, path: &Path, meta: &Metadata, place: &Path) -> bool {
        let is_named = path.file_name().is_some_and(|name| {
            let name = name.to_string_lossy().to_lowercase();
            is_own_name(&name)
        });
        is_named
            || self.paths.iter().any(|own| own == place)
            || within(meta).is_some_and(|identity| self.identities.contains(&identity))
            || begins_as_own(dir, path, meta)
    }
}

fn is_own_name(name: &str) -> bool {
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let candor = name.starts_with("candor");
    let rotated = candor && name.contains(".log.");
    let env = name == ".env" || name.starts_with(".env.");
    ends(&ENDINGS) || ends(&COMPANIONS) || (candor && ends(&NAMED_ENDINGS)) || rotated || env
}

/// Tells whether a file begins as a database or a key does. A pipe or a device is never opened.
fn begins_as_own(dir: &Dir, path: &Path, meta: &Metadata) -> bool {
    if !meta.is_file() || meta.len() == 0 {
        return false;
    }
    let mut bytes = Vec::new();
    let read = dir
        .open(path)
        .and_then(|file| file.take(16).read_to_end(&mut bytes));
    read.is_ok() && FIRST_BYTES.iter().any(|first| bytes.starts_with(first))
}

#[cfg(unix)]
fn identity(meta: &std::fs::Metadata) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    Some((meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> Option<FileIdentity> {
    None
}

#[cfg(unix)]
fn within(meta: &Metadata) -> Option<FileIdentity> {
    use cap_std::fs::MetadataExt;
    Some((meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn within(_: &Metadata) -> Option<FileIdentity> {
    None
}

/// The files that the program's output goes to.
#[cfg(unix)]
fn log_files() -> Vec<FileIdentity> {
    use std::os::fd::AsFd;
    let (out, err) = (std::io::stdout(), std::io::stderr());
    let streams = [out.as_fd(), err.as_fd()].map(|stream| stream.try_clone_to_owned());
    let files = streams.into_iter().filter_map(Result::ok);
    files
        .filter_map(|stream| std::fs::File::from(stream).metadata().ok())
        .filter(std::fs::Metadata::is_file)
        .filter_map(|meta| identity(&meta))
        .collect()
}

#[cfg(not(unix))]
fn log_files() -> Vec<FileIdentity> {
    Vec::new()
}
