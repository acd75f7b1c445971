//! What a run is played on: a database, a model, and a server over both; and what is left of it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::processes::{self, Figures, ModelProcess, Place, ServerProcess};
use super::talk::Talk;
use super::verify::{self, Agreement};
use crate::store::Store;

/// The builds that take part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Builds<'a> {
    /// This one, which also plays the model.
    pub(super) own: &'a Path,
    /// The one that serves.
    pub(super) server: &'a Path,
}

/// A server that runs, with its model and its database.
pub(super) struct Stage {
    pub(super) server: ServerProcess,
    model: ModelProcess,
    ground: Ground,
}

/// A database without a server.
pub(super) struct Ground {
    pub(super) url: String,
    /// Its file, where it is one, and how large that was.
    file: Option<(PathBuf, u64)>,
    _place: Place,
}

impl Ground {
    /// The database that `named` says, or a new SQLite file, empty and up to date.
    pub(super) async fn new(named: Option<&str>) -> Result<Self> {
        let place = Place::new()?;
        let url = match named {
            Some(url) => url.to_owned(),
            None => format!("sqlite://{}", place.path().join("candor.db").display()),
        };
        let store = Store::open(&url).await?;
        store.migrate().await?;
        store.close().await;
        let file = url.strip_prefix("sqlite:");
        let file = file.map(|file| PathBuf::from(file.trim_start_matches("//")));
        let file = file.filter(|file| file.is_file());
        Ok(Self {
            file: file.map(|file| (file.clone(), size(&file))),
            url,
            _place: place,
        })
    }

    /// Its store, for this process.
    pub(super) async fn store(&self) -> Result<Store> {
        Ok(Store::open_existing(&self.url).await?)
    }

    /// Bytes on the disk that it has grown by since [`Ground::new`], its log included; none where
    /// it is no file. Nobody may have it open: what the log holds is copied back then.
    pub(super) fn grown(&self) -> Option<u64> {
        let (file, before) = self.file.as_ref()?;
        Some(size(file).saturating_sub(*before))
    }

    /// How the rows agree with what these users were told.
    pub(super) async fn agree(&self, talks: &[Talk]) -> Result<Agreement> {
        let store = self.store().await?;
        let agreement = verify::agree(&store, talks.iter().map(Talk::told)).await;
        store.close().await;
        agreement
    }

    /// Starts a server on it, with these settings beside the usual ones.
    pub(super) async fn serve(
        self,
        builds: Builds<'_>,
        settings: &[(&str, String)],
    ) -> Result<Stage> {
        let model = ModelProcess::start(builds.own)?;
        let place = &self._place;
        let server =
            ServerProcess::start(builds.server, place, &self.url, &model.base_url(), settings)?;
        server.ready().await.context("the server")?;
        Ok(Stage {
            server,
            model,
            ground: self,
        })
    }
}

impl Stage {
    /// What model and server have counted.
    pub(super) async fn figures(&self) -> Result<Figures> {
        Ok(Figures {
            model: self.model.figures().await?,
            server: self.server.figures().await?,
        })
    }

    /// Ends the server, and gives what it leaves.
    pub(super) async fn strike(self) -> Result<Ground> {
        self.server.end().await?;
        Ok(self.ground)
    }
}

/// Bytes of a database's file and of its log.
fn size(file: &Path) -> u64 {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    let bytes = |file: &Path| file.metadata().map_or(0, |it| it.len());
    bytes(file) + bytes(Path::new(&log))
}

/// Whether the program's own verifier finds the whole log sound, and what it says.
pub(super) fn chain(binary: &Path, url: &str) -> Result<(bool, String)> {
    let (sound, words) = processes::ask(binary, &["audit", "verify", "--database", url])?;
    let fault = words.lines().find(|line| line.contains("BROKEN"));
    let last = fault.or(words.lines().last()).unwrap_or_default();
    Ok((sound, last.to_owned()))
}
