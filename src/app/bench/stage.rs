//! The stage of a run: a database, a model, and a server over both; and what is left of it.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::processes::{Figures, ModelProcess, ScratchFolder, ServerProcess};
use super::talk::Talk;
use super::verify::{self, Agreement};
use crate::store::Store;

/// A server that runs, with its model and its database.
pub struct Stage {
    pub server: ServerProcess,
    model: ModelProcess,
    ground: Ground,
}

/// A database without a server.
pub struct Ground {
    pub url: String,
    /// Its file, where it is one, and how large that was.
    file: Option<(PathBuf, u64)>,
    /// The folder that the server runs in.
    pub place: ScratchFolder,
}

impl Ground {
    /// The database that `named` says, or a new SQLite file, empty and up to date.
    pub async fn new(named: Option<&str>) -> Result<Self> {
        let place = ScratchFolder::new()?;
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
            place,
        })
    }

    /// Its store, for this process.
    pub async fn store(&self) -> Result<Store> {
        Ok(Store::open_existing(&self.url).await?)
    }

    /// Bytes on the disk that it has grown by since [`Ground::new`], its log included; none where
    /// it is no file. Nobody may have it open: what the log holds is copied back then.
    pub fn grown(&self) -> Option<u64> {
        let (file, before) = self.file.as_ref()?;
        Some(size(file).saturating_sub(*before))
    }

    /// Compares the rows with what these users were told.
    pub async fn agree(&self, talks: &[Talk]) -> Result<Agreement> {
        let store = self.store().await?;
        let agreement = verify::agree(&store, talks.iter().map(|talk| &talk.told)).await;
        store.close().await;
        agreement
    }

    /// Starts a server of this build on it.
    pub async fn serve(self, binary: &Path, model: ModelProcess) -> Result<Stage> {
        let server = ServerProcess::start(binary, &self, &model.base_url()).await?;
        Ok(Stage {
            server,
            model,
            ground: self,
        })
    }
}

impl Stage {
    /// Reads the counts of model and server.
    pub async fn figures(&self) -> Result<Figures> {
        Ok(Figures {
            model: self.model.figures().await?,
            server: self.server.figures().await?,
        })
    }

    /// Ends the server, and gives what it leaves.
    pub async fn strike(self) -> Result<Ground> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_a_database_grows_by_is_its_file_and_its_log() {
        let ground = Ground::new(None).await.unwrap();
        assert_eq!(ground.grown(), Some(0));
        let (file, _) = ground.file.clone().unwrap();
        let mut log = file.clone().into_os_string();
        log.push("-wal");
        std::fs::write(log, [0; 300]).unwrap();
        assert_eq!(ground.grown(), Some(300));
        let memory = Ground::new(Some("sqlite::memory:")).await.unwrap();
        assert_eq!(memory.grown(), None);
    }
}
