//! The model of `candor bench`, which to "hang on" says nothing until the other side gives up.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use candor::app::bench::{client, model};
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};

/// Words of somebody whose model is to hang.
pub const HANG_ON: &str = "hello, hang on";

/// A model that listens in this process.
pub struct HangingModel {
    address: SocketAddr,
    hanging: Arc<AtomicU64>,
}

impl HangingModel {
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let hanging = Arc::<AtomicU64>::default();
        let counted = Arc::clone(&hanging);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let hanging = Arc::clone(&counted);
                // A server that goes away has been stopped.
                tokio::spawn(async move { drop(talk(stream, &hanging).await) });
            }
        });
        Ok(Self { address, hanging })
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Questions that wait for an answer right now, and won't get one.
    pub fn hanging(&self) -> u64 {
        self.hanging.load(Ordering::Relaxed)
    }
}

async fn talk(mut stream: TcpStream, hanging: &AtomicU64) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();
    while let Some(request) = client::message(&mut stream, &mut buffer).await? {
        if String::from_utf8_lossy(&request.body).contains(HANG_ON) {
            hanging.fetch_add(1, Ordering::Relaxed);
            // Whatever ends the waiting, the connection is of no use after it.
            let ended = stream.read_buf(&mut buffer).await;
            hanging.fetch_sub(1, Ordering::Relaxed);
            ended?;
            return Ok(());
        }
        model::respond(&mut stream, &model::answer(&request.body)).await?;
    }
    Ok(())
}
