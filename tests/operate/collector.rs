//! A small collector of OTLP over HTTP on a loopback socket: keeps what it is sent.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// One span, as it came.
#[derive(Debug, Clone)]
pub struct Seen {
    pub name: String,
    pub kind: SpanKind,
    pub trace: String,
    pub id: String,
    /// Empty for the root of a trace.
    pub parent: String,
    pub attributes: BTreeMap<String, String>,
    pub failed: bool,
    pub events: usize,
}

/// Everything that came so far.
#[derive(Default)]
struct Kept {
    spans: Vec<Seen>,
    /// Heads and bodies, as they came.
    raw: Vec<(String, Vec<u8>)>,
    resource: BTreeMap<String, String>,
}

/// The collector; it lives as long as the test.
pub struct Collector {
    pub endpoint: String,
    kept: Arc<Mutex<Kept>>,
}

impl Collector {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let kept = Arc::<Mutex<Kept>>::default();
        let keeps = Arc::clone(&kept);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&keeps)));
            }
        });
        Self { endpoint, kept }
    }

    pub fn spans(&self) -> Vec<Seen> {
        self.kept.lock().unwrap().spans.clone()
    }

    pub fn resource(&self) -> BTreeMap<String, String> {
        self.kept.lock().unwrap().resource.clone()
    }

    /// The heads of all requests, and their bodies as they came.
    pub fn raw(&self) -> Vec<(String, Vec<u8>)> {
        self.kept.lock().unwrap().raw.clone()
    }
}

async fn serve(mut stream: TcpStream, kept: Arc<Mutex<Kept>>) {
    let mut buffer = Vec::new();
    loop {
        let at = loop {
            if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            match stream.read_buf(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        };
        let head = String::from_utf8_lossy(&buffer[..at]).to_ascii_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.expect("a length").parse().unwrap();
        while buffer.len() < at + length {
            assert_ne!(stream.read_buf(&mut buffer).await.unwrap(), 0, "cut off");
        }
        let body: Vec<u8> = buffer.drain(..at + length).skip(at).collect();
        keep(&mut kept.lock().unwrap(), head, body);
        let answer =
            b"HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n";
        if stream.write_all(answer).await.is_err() {
            return;
        }
    }
}

fn keep(kept: &mut Kept, head: String, body: Vec<u8>) {
    let request = ExportTraceServiceRequest::decode(body.as_slice()).expect("OTLP");
    for resource in request.resource_spans {
        let known = resource.resource.unwrap_or_default();
        kept.resource.extend(attributes(known.attributes));
        for span in resource
            .scope_spans
            .into_iter()
            .flat_map(|scope| scope.spans)
        {
            let kind = span.kind();
            kept.spans.push(Seen {
                name: span.name,
                kind,
                trace: hex(&span.trace_id),
                id: hex(&span.span_id),
                parent: hex(&span.parent_span_id),
                attributes: attributes(span.attributes),
                failed: span.status.is_some_and(|status| status.code == 2),
                events: span.events.len(),
            });
        }
    }
    kept.raw.push((head, body));
}

fn attributes(pairs: Vec<KeyValue>) -> BTreeMap<String, String> {
    let text = |value: Option<AnyValue>| text(value.and_then(|value| value.value));
    pairs
        .into_iter()
        .map(|pair| (pair.key, text(pair.value)))
        .collect()
}

fn text(value: Option<Value>) -> String {
    match value {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        Some(Value::BoolValue(yes)) => yes.to_string(),
        Some(Value::ArrayValue(list)) => {
            let each = list.values.into_iter().map(|value| text(value.value));
            each.collect::<Vec<_>>().join(",")
        }
        other => format!("{other:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
