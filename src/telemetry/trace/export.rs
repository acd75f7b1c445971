//! The way to the collector: what is sent where, and the end of it.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanData};

use super::TRACER;

/// Destination and sender of spans. Shows no header: they carry credentials.
#[derive(Clone, PartialEq)]
pub struct TraceSettings {
    /// The whole address: `http://localhost:4318/v1/traces`.
    pub endpoint: String,
    /// Headers of each request.
    pub headers: Vec<(String, String)>,
    /// Longest time one request may take.
    pub timeout: Duration,
    /// Facts known of this process: `service.name` and more.
    pub resource: Vec<(String, String)>,
    /// Share of the traces that are kept, from 0 to 1.
    pub share: f64,
    /// Set where a caller that has decided for its trace has decided for ours.
    pub as_callers: bool,
}

impl fmt::Debug for TraceSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Settings")
    }
}

/// Spans are collected until this has ended.
#[derive(Debug)]
pub struct SpanCollection(SdkTracerProvider);

/// Begins to collect spans and to send them. Must be called where blocking is allowed.
///
/// # Errors
/// Words for an address that can't be used, or a machine without TLS.
pub fn start(settings: TraceSettings) -> Result<SpanCollection, String> {
    let mut client = reqwest::blocking::Client::builder()
        .user_agent(concat!("candor/", env!("CARGO_PKG_VERSION")))
        .timeout(settings.timeout)
        // Its headers stay with the host that was configured.
        .redirect(reqwest::redirect::Policy::none());
    if !settings.endpoint.starts_with("https:") {
        client = client.no_proxy().tls_certs_only([]);
    }
    let client = client
        .build()
        .map_err(|_| "no TLS can be set up".to_owned())?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(client)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(&settings.endpoint)
        .with_timeout(settings.timeout)
        .with_headers(settings.headers.into_iter().collect::<HashMap<_, _>>())
        .build();
    let exporter = exporter.map_err(|_| "the address can't be used".to_owned())?;
    let resource = settings.resource.into_iter();
    let resource = resource.map(|(name, value)| KeyValue::new(name, value));
    let share = Sampler::TraceIdRatioBased(settings.share);
    let sampler = match settings.as_callers {
        true => Sampler::ParentBased(Box::new(share)),
        false => share,
    };
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(ExportComplaints {
            exporter,
            failing: AtomicBool::new(false),
        })
        .with_sampler(sampler)
        .with_resource(Resource::builder().with_attributes(resource).build())
        .build();
    // A second start would find the tracer of the first: there is one per process.
    let _ = TRACER.set(provider.tracer("candor"));
    Ok(SpanCollection(provider))
}

impl SpanCollection {
    /// Sends what is left, for `within` at most, and stops. Blocks.
    pub fn end(self, within: Duration) {
        if self.0.shutdown_with_timeout(within).is_err() {
            tracing::warn!("some spans did not reach the collector before the end");
        }
    }
}

/// Says once that the collector takes nothing, and once that it does again.
#[derive(Debug)]
struct ExportComplaints {
    exporter: SpanExporter,
    failing: AtomicBool,
}

impl opentelemetry_sdk::trace::SpanExporter for ExportComplaints {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let sent = self.exporter.export(batch).await;
        // The error names the address, which may hold a credential.
        let failed = sent.is_err();
        match (failed, self.failing.swap(failed, Ordering::Relaxed)) {
            (true, false) => tracing::warn!(spans, "the collector of traces takes no spans"),
            (false, true) => tracing::info!("the collector of traces takes spans again"),
            _ => {}
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}
