//! The tools of one run, offered to an agent's program over MCP.
//!
//! Bound to the loopback address and to a token drawn for this run: whoever can't show it in
//! its first line is cut off before a word of MCP. A call is not done here; it goes to whoever
//! plays the run, which makes it between two receipts under the run's lease. When the run ends,
//! the link is dropped, and with it the token and every connection.

use std::sync::Arc;
use std::time::Duration;

use rand_core::RngCore;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use subtle::ConstantTimeEq;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::{LINK, TOKEN};
use crate::llm::ToolSpec;

/// Time that somebody who connects has to show the token.
const GREETING: Duration = Duration::from_secs(5);
/// Connections at once: an agent may start its tools anew, and may not flood them.
const CONNECTIONS: usize = 8;

/// A call that came in; what it came to is sent to `answer`, as an envelope.
#[derive(Debug)]
pub struct LinkCall {
    /// The tool, as the agent named it.
    pub name: String,
    /// The arguments, JSON.
    pub arguments: String,
    /// Channel that the envelope goes to.
    pub answer: oneshot::Sender<Value>,
}

/// The tools of one run. Dropping it ends them.
#[derive(Debug)]
pub struct ToolLink {
    address: String,
    token: String,
    calls: mpsc::Receiver<LinkCall>,
    /// Ended with it.
    _doors: JoinSet<()>,
}

impl ToolLink {
    /// Offers `tools` to whoever has the token.
    ///
    /// # Errors
    /// No port is free, or the system has no randomness.
    pub async fn open(tools: &[ToolSpec]) -> std::io::Result<Self> {
        let mut drawn = [0_u8; 32];
        rand_core::OsRng
            .try_fill_bytes(&mut drawn)
            .map_err(|_| std::io::Error::other("no randomness"))?;
        let token = crate::audit::hex(&drawn);
        let door = TcpListener::bind("127.0.0.1:0").await?;
        let address = door.local_addr()?.to_string();
        let (sender, calls) = mpsc::channel(1);
        let offered = OfferedTools {
            tools: tools.iter().map(tool).collect(),
            calls: sender,
        };
        let mut doors = JoinSet::new();
        doors.spawn(receive(door, token.clone(), offered));
        Ok(Self {
            address,
            token,
            calls,
            _doors: doors,
        })
    }

    /// The next call.
    pub async fn call(&mut self) -> Option<LinkCall> {
        self.calls.recv().await
    }

    /// Returns what the relay must find in its environment.
    pub fn environment(&self) -> [(&'static str, &str); 2] {
        [(LINK, &self.address), (TOKEN, &self.token)]
    }
}

/// Lets in who has the token.
async fn receive(door: TcpListener, token: String, offered: OfferedTools) {
    let mut inside = JoinSet::new();
    loop {
        let came = tokio::select! {
            came = door.accept() => came,
            Some(_) = inside.join_next(), if !inside.is_empty() => continue,
        };
        let Ok((stream, _)) = came else {
            // Out of descriptors, say: it passes, and a tight loop would not help.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        if inside.len() < CONNECTIONS {
            inside.spawn(serve(stream, token.clone(), offered.clone()));
        }
    }
}

async fn serve(mut stream: TcpStream, token: String, offered: OfferedTools) {
    let shown = timeout(GREETING, greeting(&mut stream, token.len())).await;
    let shown = shown.ok().and_then(Result::ok).unwrap_or_default();
    if !bool::from(shown.as_slice().ct_eq(token.as_bytes())) {
        tracing::warn!("somebody without a token came to the tools of a run");
        return;
    }
    let (read, write) = stream.into_split();
    match rmcp::serve_server(offered, (read, write)).await {
        Ok(running) => drop(running.waiting().await),
        Err(error) => tracing::debug!(%error, "an agent's tools were not begun"),
    }
}

/// The first line, without reading a byte beyond it.
async fn greeting(
    stream: &mut (impl AsyncRead + Unpin),
    length: usize,
) -> std::io::Result<Vec<u8>> {
    let mut line = vec![0_u8; length + 1];
    stream.read_exact(&mut line).await?;
    let ends = line.pop() == Some(b'\n');
    Ok(if ends { line } else { Vec::new() })
}

/// The run's tools as an MCP server.
#[derive(Debug, Clone)]
struct OfferedTools {
    tools: Arc<[Tool]>,
    calls: mpsc::Sender<LinkCall>,
}

impl ServerHandler for OfferedTools {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("candor", env!("CARGO_PKG_VERSION")))
            .with_instructions(
                "The tools of this run. Call report_result exactly once when you are done: text \
                 alone does not count.",
            )
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (answer, answered) = oneshot::channel();
        let arguments = request.arguments.map_or_else(|| json!({}), Value::Object);
        let call = LinkCall {
            name: request.name.into_owned(),
            arguments: arguments.to_string(),
            answer,
        };
        let over = || ErrorData::internal_error("The run is over", None);
        self.calls.send(call).await.map_err(|_| over())?;
        let envelope = answered.await.map_err(|_| over())?;
        let content = vec![ContentBlock::text(envelope.to_string())];
        let well = envelope.get("ok").and_then(Value::as_bool) == Some(true);
        let result = match well {
            true => CallToolResult::success(content),
            false => CallToolResult::error(content),
        };
        Ok(result.into())
    }
}

fn tool(spec: &ToolSpec) -> Tool {
    let schema = spec.parameters.as_object().cloned().unwrap_or_default();
    Tool::new(spec.name, spec.description.clone(), schema)
}
