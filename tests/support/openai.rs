//! A scripted OpenAI-compatible server on a loopback socket.
//!
//! It records what it was asked and plays what it was told: answers, refusals, and every way
//! a connection can fail half-way, which no HTTP mock offers. Knows nothing of todos.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// Reaction of the server to one request.
#[derive(Debug, Clone)]
pub enum Step {
    /// A whole answer.
    Answer {
        /// Text that the model says.
        text: Option<String>,
        /// The calls it proposes: tool and arguments.
        calls: Vec<(String, Value)>,
    },
    /// Any JSON with status 200.
    Json(Value),
    /// A refusal: status, headers and an error object for a body.
    Status(u16, Vec<(&'static str, String)>),
    /// Anything; `content-length` is added unless `headers` frame the body themselves.
    Raw {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: Vec<u8>,
    },
    /// Announces the whole of `Step`'s response, sends so many bytes of its body, closes.
    Cut(usize, Box<Step>),
    /// The same, but goes silent instead of closing.
    Hang(usize, Box<Step>),
    /// Sends the body of `Step`'s response byte by byte, with this pause before each.
    Drip(Duration, Box<Step>),
    /// Sends the head of `Step`'s response at once, and its body after this pause.
    Late(Duration, Box<Step>),
    /// Waits, then plays the step.
    After(Duration, Box<Step>),
    /// Reads the request and says nothing, ever.
    Silence,
    /// Reads the request and closes the connection.
    CloseAtOnce,
    /// Waits until [`Gate::open`], then plays the step.
    Held(Gate, Box<Step>),
}

/// Holds answers back until it is opened; then it stays open.
#[derive(Debug, Clone)]
pub struct Gate(Arc<tokio::sync::Semaphore>);

impl Gate {
    /// A closed one.
    pub fn closed() -> Self {
        Self(Arc::new(tokio::sync::Semaphore::new(0)))
    }

    /// Lets everything pass.
    pub fn open(&self) {
        self.0.add_permits(1000);
    }

    async fn passed(&self) {
        if let Ok(permit) = self.0.acquire().await {
            permit.forget();
        }
    }
}

impl Step {
    /// A model that only talks.
    pub fn say(text: &str) -> Self {
        Self::Answer {
            text: Some(text.to_owned()),
            calls: Vec::new(),
        }
    }

    /// A model that proposes calls and says nothing.
    pub fn calls(calls: Vec<(&str, Value)>) -> Self {
        Self::Answer {
            text: None,
            calls: calls
                .into_iter()
                .map(|(tool, arguments)| (tool.to_owned(), arguments))
                .collect(),
        }
    }

    /// A 200 with this body, called `content_type`.
    pub fn body(content_type: &str, body: &str) -> Self {
        Self::Raw {
            status: 200,
            headers: vec![("content-type", content_type.to_owned())],
            body: body.as_bytes().to_vec(),
        }
    }

    /// A refusal with this error message and code.
    pub fn refusal(status: u16, message: &str, code: &str) -> Self {
        Self::Raw {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            body: json!({"error": {"message": message, "code": code}})
                .to_string()
                .into_bytes(),
        }
    }
}

/// One request as it came in.
#[derive(Debug, Clone)]
pub struct Received {
    /// `POST`.
    pub method: String,
    /// `/v1/chat/completions`.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body's bytes as text.
    pub raw: String,
    /// The body as JSON; null when it is none.
    pub body: Value,
}

impl Received {
    /// The first header of that name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

type Script = Box<dyn FnMut(&Value) -> Step + Send>;

struct State {
    queue: VecDeque<Step>,
    otherwise: Script,
    received: Vec<Received>,
    left: usize,
}

/// The server; it stops when dropped, and its connections with it.
pub struct ScriptedModel {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    accepting: JoinHandle<()>,
}

impl ScriptedModel {
    /// Starts one on a free port. Asked more than it was told, it answers 500.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State {
            queue: VecDeque::new(),
            otherwise: Box::new(|_| Step::Status(500, Vec::new())),
            received: Vec::new(),
            left: 0,
        }));
        let accepting = tokio::spawn(accept(listener, Arc::clone(&state)));
        Self {
            address,
            state,
            accepting,
        }
    }

    /// Returns what to configure as `OPENAI_BASE_URL`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Queues a step.
    pub fn then(&self, step: Step) -> &Self {
        self.state().queue.push_back(step);
        self
    }

    /// Queues an answer of text alone.
    pub fn say(&self, text: &str) -> &Self {
        self.then(Step::say(text))
    }

    /// Queues an answer of one call.
    pub fn call(&self, tool: &str, arguments: Value) -> &Self {
        self.then(Step::calls(vec![(tool, arguments)]))
    }

    /// Queues an answer of several calls.
    pub fn calls(&self, calls: Vec<(&str, Value)>) -> &Self {
        self.then(Step::calls(calls))
    }

    /// Sets what to do whenever the queue is empty.
    pub fn otherwise(&self, step: Step) -> &Self {
        self.otherwise_with(move |_| step.clone())
    }

    /// Sets what to do whenever the queue is empty, by the body of the request.
    pub fn otherwise_with(&self, script: impl FnMut(&Value) -> Step + Send + 'static) -> &Self {
        self.state().otherwise = Box::new(script);
        self
    }

    /// The bodies of all requests so far, oldest first.
    pub fn requests(&self) -> Vec<Value> {
        let state = self.state();
        state.received.iter().map(|it| it.body.clone()).collect()
    }

    /// All requests so far with their heads, oldest first.
    pub fn received(&self) -> Vec<Received> {
        self.state().received.clone()
    }

    /// How many clients went away while they were kept waiting.
    pub fn left(&self) -> usize {
        self.state().left
    }

    /// How many steps are still queued.
    pub fn unplayed(&self) -> usize {
        self.state().queue.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, state: Arc<Mutex<State>>) {
    // Dropped with this task, and every connection with it.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let state = Arc::clone(&state);
        connections.spawn(async move {
            // A client that goes away is nothing to report: the tests look at its side.
            let _ = serve(stream, &state).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

/// Serves one connection until a step or the client ends it.
async fn serve(mut stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();
    while let Some(received) = receive(&mut stream, &mut buffer).await? {
        // Somebody looks whether it is there: no question to a model, and no step of a script.
        if received.method == "GET" && received.path.ends_with("/models") {
            let list = Step::body("application/json", r#"{"object":"list","data":[]}"#);
            if !play(&mut stream, list).await? {
                break;
            }
            continue;
        }
        let mut step = {
            let mut state = state.lock().unwrap();
            let queued = state.queue.pop_front();
            let step = queued.unwrap_or_else(|| (state.otherwise)(&received.body));
            state.received.push(received);
            step
        };
        let step = loop {
            step = match step {
                Step::After(pause, then) => {
                    if !stays(&stream, tokio::time::sleep(pause), state).await {
                        return Ok(());
                    }
                    *then
                }
                Step::Held(gate, then) => {
                    if !stays(&stream, gate.passed(), state).await {
                        return Ok(());
                    }
                    *then
                }
                Step::Silence => {
                    stays(&stream, std::future::pending(), state).await;
                    return Ok(());
                }
                step => break step,
            };
        };
        if !play(&mut stream, step).await? {
            break;
        }
    }
    stream.shutdown().await
}

/// Waits; false when the client goes away meanwhile.
async fn stays(
    stream: &TcpStream,
    wait: impl std::future::Future<Output = ()>,
    state: &Mutex<State>,
) -> bool {
    let gone = async {
        // It has said all it had to say: what can be read now is its end.
        while !matches!(stream.peek(&mut [0]).await, Ok(0) | Err(_)) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        () = wait => true,
        () = gone => {
            state.lock().unwrap().left += 1;
            false
        }
    }
}

async fn receive(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
) -> std::io::Result<Option<Received>> {
    let head_end = loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&buffer[..head_end]).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default().split(' ');
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.map_or(0, |(_, length)| length.parse().unwrap());
    while buffer.len() < head_end + length {
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
    let body: Vec<u8> = buffer.drain(..head_end + length).skip(head_end).collect();
    Ok(Some(Received {
        method: first.next().unwrap_or_default().to_owned(),
        path: first.next().unwrap_or_default().to_owned(),
        headers,
        raw: String::from_utf8_lossy(&body).into_owned(),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    }))
}

/// Plays one step; `false` when the connection is over after it.
async fn play(stream: &mut TcpStream, step: Step) -> std::io::Result<bool> {
    match step {
        Step::Cut(bytes, whole) => {
            let (head, body) = response(*whole);
            stream.write_all(&head).await?;
            stream.write_all(&body[..bytes.min(body.len())]).await?;
            stream.flush().await?;
            Ok(false)
        }
        Step::Hang(bytes, whole) => {
            let (head, body) = response(*whole);
            stream.write_all(&head).await?;
            stream.write_all(&body[..bytes.min(body.len())]).await?;
            stream.flush().await?;
            std::future::pending().await
        }
        Step::Drip(pause, whole) => {
            let (head, body) = response(*whole);
            stream.write_all(&head).await?;
            for byte in body {
                tokio::time::sleep(pause).await;
                stream.write_all(&[byte]).await?;
            }
            Ok(true)
        }
        Step::Late(pause, whole) => {
            let (head, body) = response(*whole);
            stream.write_all(&head).await?;
            stream.flush().await?;
            tokio::time::sleep(pause).await;
            stream.write_all(&body).await?;
            Ok(true)
        }
        Step::CloseAtOnce => Ok(false),
        Step::Silence | Step::Held(..) => unreachable!("they were waited for"),
        Step::Answer { .. }
        | Step::Json(_)
        | Step::Status(..)
        | Step::Raw { .. }
        | Step::After(..) => {
            let (head, body) = response(step);
            stream.write_all(&[head, body].concat()).await?;
            Ok(true)
        }
    }
}

/// Head and body of what a step answers.
fn response(step: Step) -> (Vec<u8>, Vec<u8>) {
    let json = |value: Value| {
        let headers = vec![("content-type", "application/json".to_owned())];
        (200, headers, value.to_string().into_bytes())
    };
    let (status, mut headers, body) = match step {
        Step::Answer { text, calls } => json(completion(text.as_deref(), calls)),
        Step::Json(value) => json(value),
        Step::Status(status, mut headers) => {
            headers.push(("content-type", "application/json".to_owned()));
            let body = json!({"error": {"message": "scripted", "type": "scripted"}});
            (status, headers, body.to_string().into_bytes())
        }
        Step::Raw {
            status,
            headers,
            body,
        } => (status, headers, body),
        other => panic!("{other:?} has no response of its own"),
    };
    let framed = |name: &str| matches!(name, "content-length" | "transfer-encoding" | "connection");
    if !headers.iter().any(|(name, _)| framed(name)) {
        headers.push(("content-length", body.len().to_string()));
    }
    let mut head = format!("HTTP/1.1 {status} Scripted\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    (head.into_bytes(), body)
}

/// A chat completion in full dress.
fn completion(text: Option<&str>, calls: Vec<(String, Value)>) -> Value {
    let reason = if calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    let calls: Vec<Value> = calls
        .into_iter()
        .enumerate()
        .map(|(at, (tool, arguments))| {
            json!({
                "id": format!("call_{}", at + 1),
                "type": "function",
                "function": {"name": tool, "arguments": arguments.to_string()},
            })
        })
        .collect();
    let mut message = json!({"role": "assistant", "content": text, "refusal": null});
    if !calls.is_empty() {
        message["tool_calls"] = Value::Array(calls);
    }
    json!({
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1_770_508_800,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": null}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
    })
}

/// Names everything above once: see the head of `support`.
const _: fn() = || {
    let _ = (Step::say, Step::calls, Step::body, Step::refusal);
    let _ = [Step::Silence, Step::CloseAtOnce, Step::Json(Value::Null)];
    let _ = |step: Step, pause: Duration| {
        let step = Step::Late(pause, Box::new(Step::Drip(pause, Box::new(step))));
        let step = Step::After(pause, Box::new(step));
        Step::Hang(0, Box::new(Step::Cut(0, Box::new(step))))
    };
    let _ = |it: Received| (it.method, it.path, it.headers, it.raw, it.body);
    let _ = (
        Received::header,
        ScriptedModel::start,
        ScriptedModel::base_url,
    );
    let _ = (ScriptedModel::then, ScriptedModel::say, ScriptedModel::call);
    let _ = (
        ScriptedModel::calls,
        ScriptedModel::otherwise,
        ScriptedModel::requests,
    );
    let _ = (
        ScriptedModel::received,
        ScriptedModel::unplayed,
        ScriptedModel::left,
    );
    let _ = |step: Step| Step::Held(Gate::closed(), Box::new(step));
    let _ = Gate::open;
};
