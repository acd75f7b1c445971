//! A server of whoever gives out tokens, on this machine; it can also fail, hang and lie.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Answer of the endpoint.
#[derive(Clone)]
pub enum Says {
    /// A status and a body.
    This(u16, String),
    /// An answer that says what a token is worth, by the token.
    Worth(fn(&str) -> String),
    /// Nothing, ever.
    Nothing,
}

/// One server, as long as the test.
pub struct Endpoint {
    pub url: String,
    says: Arc<Mutex<Says>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Endpoint {
    pub async fn start(says: Says) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/tokens", listener.local_addr().unwrap());
        let (says, asked) = (Arc::new(Mutex::new(says)), Arc::default());
        let shared: (Arc<Mutex<Says>>, Arc<Mutex<Vec<String>>>) =
            (Arc::clone(&says), Arc::clone(&asked));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, shared.clone()));
            }
        });
        Self { url, says, asked }
    }

    /// From now on.
    pub fn say(&self, says: Says) {
        *self.says.lock().unwrap() = says;
    }

    /// Every request so far, head and body.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

async fn answer(mut stream: TcpStream, (says, asked): (Arc<Mutex<Says>>, Arc<Mutex<Vec<String>>>)) {
    let request = read(&mut stream).await;
    let token = request.split("token=").nth(1).unwrap_or_default();
    let token = token.split('&').next().unwrap().to_owned();
    asked.lock().unwrap().push(request);
    let now = says.lock().unwrap().clone();
    let (status, body) = match now {
        Says::This(status, body) => (status, body),
        Says::Worth(worth) => (200, worth(&token)),
        Says::Nothing => return std::future::pending().await,
    };
    let head = "content-type: application/json\r\nlocation: /elsewhere\r\nconnection: close";
    let length = body.len();
    let answer = format!("HTTP/1.1 {status} X\r\n{head}\r\ncontent-length: {length}\r\n\r\n{body}");
    // Whoever does not read to the end is no fault of this side.
    let _ = stream.write_all(answer.as_bytes()).await;
}

async fn read(stream: &mut TcpStream) -> String {
    let (mut text, mut piece) = (String::new(), [0; 4_096]);
    loop {
        let count = stream.read(&mut piece).await.unwrap_or(0);
        text.push_str(&String::from_utf8_lossy(&piece[..count]));
        let body = text.split_once("\r\n\r\n").map(|(_, body)| body.len());
        let length = text.to_lowercase();
        let length = length.split("content-length: ").nth(1);
        let length = length.and_then(|rest| rest.lines().next()?.trim().parse().ok());
        if count == 0 || body.is_some_and(|read| read >= length.unwrap_or(0)) {
            return text;
        }
    }
}
