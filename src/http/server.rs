//! The web server: binds, serves, and shuts down without leaving a turn half done.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use actix_web::dev::{Server as ActixServer, ServerHandle};
use actix_web::middleware::from_fn;
use actix_web::{App, HttpServer, web};

use super::api::Api;
use super::edge::edge;
use super::routes::routes;

/// How long running turns may go on once the shutdown has begun.
const GRACE: Duration = Duration::from_secs(18);
/// How long they may take after that to end with what they have. One that does not is told from
/// its receipts by the process that comes next.
const HURRY: Duration = Duration::from_secs(6);
/// How long their answers may take to leave, in seconds.
const FLUSH: u64 = 3;

/// A server that listens and does not serve yet.
pub struct Listening {
    address: SocketAddr,
    server: ActixServer,
    api: Api,
    grace: Duration,
}

impl Listening {
    /// Binds `address`; port 0 takes any free one.
    ///
    /// # Errors
    /// When the address is taken or not this machine's.
    pub fn bind(address: SocketAddr, api: Api) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let shared = web::Data::new(api.clone());
        let app = move || {
            App::new()
                .app_data(shared.clone())
                .configure(routes)
                .wrap(from_fn(edge))
        };
        let server = HttpServer::new(app)
            .workers(workers())
            .disable_signals()
            .shutdown_timeout(FLUSH)
            .listen(listener)?
            .run();
        Ok(Self {
            address,
            server,
            api,
            grace: GRACE,
        })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is ready; then lets running turns end, and returns, after 27 s at
    /// the latest. Meanwhile new turns are refused with 503 and `/readyz` fails. A turn that
    /// still waits for its model after 18 s ends with what it has.
    ///
    /// # Errors
    /// When the server itself fails.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let Self {
            server, api, grace, ..
        } = self;
        let handle = server.handle();
        let serving = tokio::spawn(server);
        tokio::pin!(serving);
        tokio::select! {
            ended = &mut serving => return flatten(ended),
            () = stop => {}
        }
        drain(&api, &handle, grace).await;
        flatten(serving.await)
    }
}

async fn drain(api: &Api, handle: &ServerHandle, grace: Duration) {
    api.gate.close();
    let running = api.gate.running();
    tracing::info!(running, "shutting down: running turns may end");
    let idle = |within| tokio::time::timeout(within, api.gate.idle());
    if idle(grace).await.is_err() {
        tracing::warn!("turns that wait for their model end with what they have");
        api.chat.hurry();
    }
    if idle(HURRY).await.is_err() {
        let running = api.gate.running();
        tracing::warn!(running, "some turns did not end in time and are cut off");
    }
    handle.stop(true).await;
}

/// One core is left to the store and to the system: on two cores one worker beats two.
fn workers() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    cores.saturating_sub(1).clamp(1, 8)
}

fn flatten(ended: Result<io::Result<()>, tokio::task::JoinError>) -> io::Result<()> {
    ended.map_err(io::Error::other)?
}
