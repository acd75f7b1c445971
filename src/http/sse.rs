//! Server-sent events as a body: what is written waits in a bounded buffer for its reader, and a
//! reader that takes nothing for too long is let go.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::body::{BodyStream, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use futures_util::{StreamExt, stream};
use tokio::sync::mpsc;

use crate::telemetry::OpenStream;

/// Longest time that a line is silent.
pub(super) const SILENCE: Duration = Duration::from_secs(15);
/// Longest time that a reader may take nothing.
const PATIENCE: Duration = Duration::from_secs(30);
/// Parts that may wait for a slow reader.
const AHEAD: usize = 32;

/// Proxies are told to hold nothing back.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Nobody reads any more.
#[derive(Debug)]
pub(super) struct ClientGone;

/// Writing end of a stream of events.
#[derive(Debug)]
pub(super) struct SseWriter {
    sender: mpsc::Sender<Bytes>,
    patience: Duration,
    _open: OpenStream,
}

impl SseWriter {
    /// Writes whole events.
    ///
    /// # Errors
    /// [`ClientGone`] when the reader is, or takes nothing.
    pub(super) async fn write(&self, events: impl Into<Bytes>) -> Result<(), ClientGone> {
        let events = events.into();
        if events.is_empty() {
            // An empty chunk would be the end of the body.
            return Ok(());
        }
        let sent = self.sender.send_timeout(events, self.patience).await;
        sent.map_err(|_| ClientGone)
    }

    /// Returns once everything that was written has been read.
    pub(super) async fn read(&self) -> Result<(), ClientGone> {
        let empty = self.sender.reserve_many(AHEAD);
        match tokio::time::timeout(self.patience, empty).await {
            Ok(Ok(_)) => Ok(()),
            _ => Err(ClientGone),
        }
    }

    /// A line that is no event, so that neither side takes the other for dead.
    pub(super) async fn keep_alive(&self) -> Result<(), ClientGone> {
        self.write(Bytes::from_static(b": keep-alive\n\n")).await
    }

    /// Returns once nobody reads any more.
    pub(super) async fn gone(&self) {
        self.sender.closed().await;
    }
}

/// A writer and what is read of it.
pub(super) fn channel() -> (SseWriter, mpsc::Receiver<Bytes>) {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let writer = SseWriter {
        sender,
        patience: PATIENCE,
        _open: OpenStream::begin(),
    };
    (writer, receiver)
}

/// The answer that carries a stream.
pub(super) fn respond(parts: mpsc::Receiver<Bytes>) -> HttpResponse {
    head().body(body(parts))
}

/// A body of parts as they come.
pub(super) fn body(mut parts: mpsc::Receiver<Bytes>) -> impl MessageBody + 'static {
    let parts = stream::poll_fn(move |context| parts.poll_recv(context));
    BodyStream::new(parts.map(Ok::<_, Infallible>))
}

fn head() -> HttpResponseBuilder {
    let mut head = HttpResponse::build(StatusCode::OK);
    head.insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((UNBUFFERED, "no"));
    head
}

/// The answer that carries events which are all known already.
pub(super) fn whole(events: String) -> HttpResponse {
    head().body(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reader_that_takes_nothing_is_let_go() {
        let (mut writer, parts) = channel();
        writer.patience = Duration::from_millis(1);
        for _ in 0..AHEAD {
            writer.write("data: 1\n\n").await.unwrap();
        }
        assert!(writer.write("data: 2\n\n").await.is_err());
        drop(parts);
        writer.gone().await;
        assert!(writer.keep_alive().await.is_err());
    }
}
