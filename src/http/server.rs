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

/// How long running turns may take to end once the shutdown has begun.
const GRACE: Duration = Duration::from_secs(25);
/// How long their answers may take to leave, in seconds.
const FLUSH: u64 = 3;

/// A server that listens and does not serve yet.
pub struct Listening {
    address: SocketAddr,
    server: ActixServer,
    api: Api,
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
        })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is ready; then lets running turns end, at most 25 s, and returns.
    /// Meanwhile new turns are refused with 503 and `/readyz` fails.
    ///
    /// # Errors
    /// When the server itself fails.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let Self { server, api, .. } = self;
        let handle = server.handle();
        let serving = tokio::spawn(server);
        tokio::pin!(serving);
        tokio::select! {
            ended = &mut serving => return flatten(ended),
            () = stop => {}
        }
        drain(&api, &handle).await;
        flatten(serving.await)
    }
}

async fn drain(api: &Api, handle: &ServerHandle) {
    api.gate.close();
    let running = api.gate.running();
    tracing::info!(running, "shutting down: running turns may end");
    if tokio::time::timeout(GRACE, api.gate.idle()).await.is_err() {
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
