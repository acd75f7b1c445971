//! Backups: one file with everything, made while turns go on, and put back only when it is whole.
//!
//! A copy is written under another name beside its place, checked there to the last hash, brought
//! to the disk, and then given its name, so that a file with the name of a backup is one. Of
//! PostgreSQL, its own tools make and restore backups.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::backend::{OpenError, Store, StoreError};
use super::migrations;
use super::soundness::SoundnessReport;
use super::sqlite::{self, CopyTarget, ExclusiveFile, SqliteBackend};

/// Files that SQLite keeps beside a database.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Reason why there is no backup, or nothing was restored. In every case all is as it was.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// Must not be done; the words say why and what to do.
    #[error("{0}")]
    Refused(String),
    /// A file can't be read, made or moved.
    #[error("{what}: {source}")]
    File {
        /// The file, and what was tried.
        what: String,
        /// The error of the system.
        source: io::Error,
    },
    /// A database can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A database can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Report on a backup that was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreReport {
    /// Figures of what it holds.
    pub sound: SoundnessReport,
    /// Present path of the database that stood there before.
    pub kept: Option<PathBuf>,
}

impl Store {
    /// Writes a backup of everything committed so far into a new file, while turns go on, and
    /// says what is in it once it was checked and is on the disk.
    ///
    /// # Errors
    /// [`CopyError`]; no file is left then.
    pub async fn backup(&self, file: &Path) -> Result<SoundnessReport, CopyError> {
        if file.exists() {
            return Err(CopyError::Refused(format!(
                "{} is there already: a backup is never written over, name another file",
                file.display()
            )));
        }
        let partial = PartialFile::beside(file, "partial")?;
        self.backend().copy_to(&partial.path).await?;
        let sound = check(&partial.path, "the copy").await?;
        partial.become_new(file)?;
        Ok(sound)
    }

    /// Puts a backup where `url` says the database is, once it was checked to the last hash. A
    /// database that holds something is moved aside, and that only with `replace`; one that a
    /// process has open is not touched at all.
    ///
    /// # Errors
    /// [`CopyError`]; the database is as it was then.
    pub async fn restore(
        url: &str,
        file: &Path,
        replace: bool,
    ) -> Result<RestoreReport, CopyError> {
        let place = match url.split_once(':') {
            Some(("sqlite", _)) => sqlite::file_of(url)?,
            _ => return Err(CopyError::Refused(POSTGRES.to_owned())),
        };
        let place = place.ok_or_else(|| {
            let words = "a database in memory can't be restored: name a file in DATABASE_URL";
            CopyError::Refused(words.to_owned())
        })?;
        is_one_file(file)?;
        if same(file, &place) {
            return Err(CopyError::Refused(format!(
                "{} is the database itself",
                file.display()
            )));
        }
        let alone = alone(&place, replace).await?;
        // What is damaged may still be worth something to somebody.
        let keep = match &alone {
            Some(alone) => alone.commits > 0,
            None => place.exists(),
        };
        let restored = put(file, &place, keep).await;
        if let Some(alone) = alone {
            alone.leave().await;
        }
        restored
    }
}

/// Words about backups of PostgreSQL.
pub(in crate::store) const POSTGRES: &str = "\
PostgreSQL is backed up and restored by its own tools: `pg_dump --format=custom --file=FILE URL` \
while candor runs, `pg_restore --dbname=URL FILE` into an empty database, and then \
`candor audit verify`";

/// Copies the backup beside the database, checks it, and lets it take the place.
async fn put(file: &Path, place: &Path, keep: bool) -> Result<RestoreReport, CopyError> {
    let partial = PartialFile::beside(place, "restoring")?;
    partial.fill(file)?;
    let name = format!("{} can't be restored", file.display());
    let sound = check(&partial.path, &name).await?;
    let kept = aside(place, keep)?;
    partial.become_old(place)?;
    Ok(RestoreReport { sound, kept })
}

/// Nobody else may be at the database. None when nothing that can be locked is there.
async fn alone(place: &Path, replace: bool) -> Result<Option<ExclusiveFile>, CopyError> {
    if !place.exists() {
        return Ok(None);
    }
    let name = place.display();
    match ExclusiveFile::with(place).await? {
        CopyTarget::Open => Err(CopyError::Refused(format!(
            "{name} is open in another process: stop the server, and whatever else uses it, first"
        ))),
        CopyTarget::Alone(alone) if alone.commits > 0 && !replace => {
            alone.leave().await;
            Err(CopyError::Refused(format!(
                "{name} holds data already: with --replace the backup takes its place, and what \
                 is there now is kept beside it"
            )))
        }
        CopyTarget::Alone(mut alone) => {
            alone.gather().await?;
            Ok(Some(alone))
        }
        CopyTarget::Damaged if !replace => Err(CopyError::Refused(format!(
            "{name} is damaged, or no database: with --replace the backup takes its place, and \
             what is there now is kept beside it"
        ))),
        CopyTarget::Damaged => Ok(None),
    }
}

/// Checks a copy to the last hash.
async fn check(copy: &Path, name: &str) -> Result<SoundnessReport, CopyError> {
    let refused = |why: &dyn std::fmt::Display| CopyError::Refused(format!("{name}: {why}"));
    let opened = SqliteBackend::open_copy(copy).await;
    let store = Store {
        backend: Arc::new(opened.map_err(|error| refused(&named(&error, copy)))?),
        hub: Arc::default(),
    };
    let found = match stranger(&store).await {
        Ok(None) => store.audit_all(None).await,
        Ok(Some(why)) => {
            store.close().await;
            return Err(refused(&why));
        }
        Err(error) => Err(error),
    };
    store.close().await;
    match found {
        Ok(Ok(sound)) => Ok(sound),
        Ok(Err(unsound)) => Err(refused(&unsound)),
        Err(StoreError::Unavailable(source)) => Err(refused(&source)),
        Err(error) => Err(refused(&error)),
    }
}

/// Checks that it is a database of this program, or of one before it: why not, if not.
async fn stranger(store: &Store) -> Result<Option<&'static str>, StoreError> {
    let applied = store.applied().await?;
    let known = |version: &i64| {
        let mut known = migrations::SQLITE.iter();
        known.any(|known| known.version == *version)
    };
    Ok(if applied.is_empty() {
        Some("it holds no tables of candor")
    } else if !applied.iter().all(known) {
        Some("it was written by a newer version of candor: restore it with that one")
    } else {
        None
    })
}

/// The fault of a copy, without the name that it has for now.
fn named(error: &OpenError, copy: &Path) -> String {
    let words = error.to_string();
    words.replace(&copy.display().to_string(), "the file")
}

/// A backup is one file. What has a log beside it is a database in use, or was copied like one.
fn is_one_file(file: &Path) -> Result<(), CopyError> {
    let found = fs::metadata(file);
    let found = found.map_err(failed(file, "can't be read"))?;
    if !found.is_file() {
        let words = format!("{} is not a file", file.display());
        return Err(CopyError::Refused(words));
    }
    let log = fs::metadata(suffixed(file, "-wal"));
    if log.is_ok_and(|log| log.len() > 0) {
        return Err(CopyError::Refused(format!(
            "{} has a write-ahead log beside it, so a part of what was committed is not in it: \
             make a backup with `candor backup`",
            file.display()
        )));
    }
    Ok(())
}

fn same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Moves a database and what is beside it out of the way; an empty one is kept for nobody.
fn aside(place: &Path, keep: bool) -> Result<Option<PathBuf>, CopyError> {
    let taken = |path: &Path| path.exists() || BESIDE.iter().any(|b| suffixed(path, b).exists());
    let names = (1..).map(|number| match number {
        1 => suffixed(place, ".replaced"),
        _ => suffixed(place, &format!(".replaced-{number}")),
    });
    let mut free = names.filter(|path| !taken(path));
    let Some(kept) = free.next() else {
        return Ok(None);
    };
    // What lies beside goes first: found beside the restored database, it would be played into it.
    for more in BESIDE {
        let beside = suffixed(place, more);
        if beside.exists() {
            let moved = fs::rename(&beside, suffixed(&kept, more));
            moved.map_err(failed(&beside, "can't be moved aside"))?;
        }
    }
    if !place.exists() {
        return Ok(None);
    }
    // Under both names for a moment, so that there is a database at any time.
    let linked = fs::hard_link(place, &kept);
    linked
        .or_else(|_| fs::rename(place, &kept))
        .map_err(failed(place, "can't be kept under another name"))?;
    if !keep && fs::remove_file(&kept).is_ok() {
        return Ok(None);
    }
    Ok(Some(kept))
}

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// A file that is not finished; removed when it goes out of scope without a name.
struct PartialFile {
    path: PathBuf,
}

impl PartialFile {
    /// Makes an empty file that only its owner can read, beside `place`.
    fn beside(place: &Path, what: &str) -> Result<Self, CopyError> {
        let path = suffixed(place, &format!(".{what}-{}", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let made = options.open(&path);
        made.map_err(failed(&path, "can't be made"))?;
        Ok(Self { path })
    }

    /// Copies the bytes of a file into it.
    fn fill(&self, file: &Path) -> Result<(), CopyError> {
        let mut from = File::open(file).map_err(failed(file, "can't be read"))?;
        let to = OpenOptions::new().write(true).open(&self.path);
        let mut to = to.map_err(failed(&self.path, "can't be written"))?;
        let copied = io::copy(&mut from, &mut to);
        copied.map_err(failed(file, "can't be copied beside the database"))?;
        Ok(())
    }

    /// Gives it its name, which nobody else may have taken meanwhile.
    fn become_new(self, file: &Path) -> Result<(), CopyError> {
        self.sync()?;
        match fs::hard_link(&self.path, file) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(failed(file, "was made by somebody else meanwhile")(error));
            }
            // A file system without links.
            Err(_) => {
                let moved = fs::rename(&self.path, file);
                moved.map_err(failed(file, "can't be made"))?;
            }
        }
        sync_folder(file)
    }

    /// Takes the place of what is there.
    fn become_old(self, file: &Path) -> Result<(), CopyError> {
        self.sync()?;
        let moved = fs::rename(&self.path, file);
        moved.map_err(failed(file, "can't be put in its place"))?;
        sync_folder(file)
    }

    fn sync(&self) -> Result<(), CopyError> {
        let synced = File::open(&self.path).and_then(|file| file.sync_all());
        synced.map_err(failed(&self.path, "can't be brought to the disk"))
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        for more in BESIDE {
            // Mostly they are not there.
            let _ = fs::remove_file(suffixed(&self.path, more));
        }
        // It may have its name by now.
        let _ = fs::remove_file(&self.path);
    }
}

/// A name is on the disk when its folder is.
fn sync_folder(file: &Path) -> Result<(), CopyError> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(failed(folder, "can't be brought to the disk"))
}

fn failed(path: &Path, what: &str) -> impl FnOnce(io::Error) -> CopyError {
    let what = format!("{} {what}", path.display());
    move |source| CopyError::File { what, source }
}
