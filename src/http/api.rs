//! State and helpers that the handlers share.

use std::future::{Future, Ready, ready};
use std::ops::Deref;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use tracing::Instrument;

use super::auth::Access;
use super::code::Code;
use super::in_flight::{InFlight, NotRun};
use super::problem::Problem;
use crate::audit::SigningKey;
use crate::chat::ChatService;
use crate::chat::direct::DirectWrites;
use crate::delegation::DelegationService;
use crate::domain::IdSource;
use crate::reminders::ReminderChannels;
use crate::store::Store;

/// The state of the application. Clones share it.
#[derive(Debug, Clone)]
pub struct Api {
    /// Turns of conversations.
    pub chat: ChatService,
    /// Delegation, where a provider is configured.
    pub desk: Option<Arc<DelegationService>>,
    /// Event streams that reminders are delivered to.
    pub reminders: ReminderChannels,
    /// Writes without a conversation.
    pub direct: DirectWrites,
    /// Source of request ids.
    pub ids: IdSource,
    /// Rules for who may call. Where nobody proves anything, nobody but this machine may.
    pub access: Arc<Access>,
    /// The Todo-Backend contract is served.
    pub todo_backend: bool,
    /// Signs checkpoints, where a key was made.
    pub signer: Option<Arc<SigningKey>>,
    /// Counts what runs; closed by the shutdown.
    pub in_flight: InFlight,
}

impl Api {
    /// The state of the application that a request was sent to.
    ///
    /// # Errors
    /// 500 where there is none.
    pub fn of(request: &HttpRequest) -> Result<&web::Data<Self>, Problem> {
        let api = request.app_data::<web::Data<Self>>();
        api.ok_or_else(|| Problem::internal("the application has no state"))
    }

    /// Readings.
    pub fn store(&self) -> &Store {
        self.chat.store()
    }

    /// Starts `work`, which runs to its end whoever waits for it, and lets the shutdown wait.
    ///
    /// # Errors
    /// 503 once the program shuts down.
    pub fn start(&self, work: impl Future<Output = ()> + Send + 'static) -> Result<(), Problem> {
        let ticket = self.in_flight.enter().ok_or_else(closed)?;
        let work = async move {
            work.await;
            drop(ticket);
        };
        tokio::spawn(work.in_current_span());
        Ok(())
    }

    /// Runs `work` to its end even when the client goes away, and lets the shutdown wait for it.
    ///
    /// # Errors
    /// 503 once the program shuts down, 500 when `work` dies.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Problem> {
        let refuse = |cause| match cause {
            NotRun::Closed => closed(),
            NotRun::Died(_) => Problem::internal(cause),
        };
        self.in_flight.run(work).await.map_err(refuse)
    }
}

/// A request as a handler gets it: as it was sent, with its body unread, and with the state of the
/// application. What it asks for is read by its methods, in the order in which faults are told.
pub struct ApiRequest {
    pub(super) sent: HttpRequest,
    pub(super) payload: Payload,
    api: web::Data<Api>,
}

/// End of a handler.
pub type ApiResult = Result<HttpResponse, Problem>;

impl Deref for ApiRequest {
    type Target = Api;

    fn deref(&self) -> &Api {
        &self.api
    }
}

impl FromRequest for ApiRequest {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(sent: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let sent = sent.clone();
        let state = web::Data::extract(&sent).into_inner();
        let payload = payload.take();
        ready(state.map(|api| Self { sent, payload, api }))
    }
}

fn closed() -> Problem {
    Problem::new(
        Code::ShuttingDown,
        "The server is shutting down and takes nothing new. Try again shortly.",
    )
    .retry_after(Some(2))
}
