//! The web server: binds, serves, and shuts down without leaving a turn half done.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::{Server as ActixServer, ServerHandle};
use actix_web::middleware::from_fn;
use actix_web::web::ServiceConfig;
use actix_web::{App, HttpServer, web};

use super::api::Api;
use super::cors::Origins;
use super::middleware::{access_middleware, outer_middleware};
use super::routes::routes;
use super::todo_backend;

/// Longest time that running turns may go on once the shutdown has begun.
const GRACE: Duration = Duration::from_secs(18);
/// Longest time that they may take after that to end with what they have. One that does not is
/// told from its receipts by the process that comes next.
const HURRY: Duration = Duration::from_secs(6);
/// Longest time that their answers may take to leave, in seconds.
const FLUSH: u64 = 3;

/// Another edge on the same port: it registers its own routes.
pub type Beside = Arc<dyn Fn(&mut ServiceConfig) + Send + Sync>;

/// A server that listens and does not serve yet.
pub struct Listening {
    address: SocketAddr,
    server: ActixServer,
    api: Api,
    grace: Duration,
}

impl Listening {
    /// Binds `address`, with other edges beside its own routes; port 0 takes any free one.
    ///
    /// # Errors
    /// When the address is taken or not this machine's.
    pub fn bind(address: SocketAddr, api: Api, beside: &[Beside]) -> io::Result<Self> {
        let beside = beside.to_vec();
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let shared = web::Data::new(api.clone());
        let app = move || {
            App::new()
                .app_data(shared.clone())
                .configure(|config| {
                    if shared.todo_backend {
                        let todos = todo_backend::scope().wrap(from_fn(access_middleware));
                        config.service(todos.wrap(Origins::Any.cors()));
                    }
                    let own = web::scope("").configure(|config| {
                        for edge in &beside {
                            edge(config);
                        }
                        routes(config);
                    });
                    let cors = shared.access.origins.cors();
                    config.service(own.wrap(from_fn(access_middleware)).wrap(cors));
                })
                .wrap(from_fn(outer_middleware))
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

    /// Returns the address at which it listens.
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
    api.in_flight.close();
    let running = api.in_flight.running();
    tracing::info!(running, "shutting down: running turns may end");
    let idle = |within| tokio::time::timeout(within, api.in_flight.idle());
    if idle(grace).await.is_err() {
        tracing::warn!("turns that wait for their model end with what they have");
        api.chat.hurry();
    }
    if idle(HURRY).await.is_err() {
        let running = api.in_flight.running();
        tracing::warn!(running, "some turns did not end in time and are cut off");
    }
    handle.stop(true).await;
}

/// Returns the number of threads that serve. One core is left to the store and to the system: on
/// two cores one worker beats two.
pub fn workers() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    cores.saturating_sub(1).clamp(1, 8)
}

fn flatten(ended: Result<io::Result<()>, tokio::task::JoinError>) -> io::Result<()> {
    ended.map_err(io::Error::other)?
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::chat::direct::DirectWrites;
    use crate::chat::{ChatService, MissingTool, ModelDown, TurnPolicy};
    use crate::domain::{Clock, IdSource};
    use crate::http::InFlight;
    use crate::llm::{
        AnswerFuture, LanguageModel, ModelAnswer, ModelRequest, PromptMessage, RawCall,
    };
    use crate::store::Store;
    use crate::temporal::DueRule;

    /// Does half of what is asked, then says nothing more.
    #[derive(Debug)]
    struct Stalling;

    impl LanguageModel for Stalling {
        fn name(&self) -> &'static str {
            "stalling"
        }

        fn ask<'a>(&'a self, request: &'a ModelRequest) -> AnswerFuture<'a> {
            Box::pin(async move {
                let again = |line: &PromptMessage| matches!(line, PromptMessage::Tool { .. });
                if request.prompt.iter().any(again) {
                    return std::future::pending().await;
                }
                let call = |id: &str, name: &str, arguments: Value| RawCall {
                    id: id.to_owned(),
                    name: name.to_owned(),
                    arguments: arguments.to_string(),
                };
                Ok(ModelAnswer {
                    text: None,
                    calls: vec![
                        call("call_1", "add_task", json!({"title": "milk"})),
                        call("call_2", "delete_task", json!({"task": "Fly to Mars"})),
                    ],
                    model: "stalling (none)".to_owned(),
                    finish: "stop".to_owned(),
                    usage: None,
                })
            })
        }
    }

    pub(in crate::http) async fn api() -> Api {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.migrate().await.unwrap();
        let (clock, ids) = (Clock::system(None), IdSource::random());
        let policy = TurnPolicy {
            reply_language: None,
            default_zone: chrono_tz::UTC,
            due_rule: DueRule::Rolling,
            missing_tool: MissingTool::Reject,
            model_down: ModelDown::Reject,
            fast_path: false,
            model_timeout: Duration::from_secs(60),
        };
        let (rule, zone) = (policy.due_rule, policy.default_zone);
        let direct = DirectWrites::new(store.clone(), clock, ids.clone(), rule, zone);
        Api {
            chat: ChatService::new(store, Arc::new(Stalling), policy, clock, ids.clone()),
            desk: None,
            reminders: crate::reminders::ReminderChannels::default(),
            direct,
            ids,
            access: Arc::default(),
            todo_backend: false,
            signer: None,
            in_flight: InFlight::default(),
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_turn_that_waits_for_its_model_ends_with_what_it_has() {
        let api = api().await;
        let gate = api.in_flight.clone();
        let mut listening = Listening::bind(([127, 0, 0, 1], 0).into(), api.clone(), &[]).unwrap();
        listening.grace = Duration::from_millis(300);
        let base = format!("http://{}/api/me", listening.address());
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let serving = tokio::spawn(listening.serve(async move {
            stopped.await.ok();
        }));
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let sent = client
            .post(format!("{base}/chat"))
            .header("content-type", "application/json");
        let sent = sent.body(json!({"message": "add milk and delete Fly to Mars"}).to_string());
        let sent = tokio::spawn(sent.send());
        let user = crate::domain::UserId::parse("me").unwrap();
        while api
            .store()
            .history(&user, None, 1)
            .await
            .unwrap()
            .is_empty()
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(gate.running(), 1);
        stop.send(()).unwrap();
        let reply = sent.await.unwrap().unwrap();
        assert_eq!(reply.status(), 200);
        let reply: Value = serde_json::from_str(&reply.text().await.unwrap()).unwrap();
        let text = reply["assistant_message"].as_str().unwrap();
        assert!(text.starts_with("Added: milk\n"), "{text}");
        serving.await.unwrap().unwrap();
        assert_eq!(gate.running(), 0);
        assert!(api.store().cut_turns(1).await.unwrap().is_empty());
    }
}
