//! As much of HTTP/1.1 as load takes: whole messages with a length, on connections that stay.

use std::net::SocketAddr;

use anyhow::{Result, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A message as it came in: a request or an answer.
pub struct Message {
    /// Its first line and headers.
    pub head: String,
    /// The bytes after them.
    pub body: Vec<u8>,
}

impl Message {
    /// The status, of an answer.
    pub fn status(&self) -> u16 {
        let word = self.head.split(' ').nth(1);
        word.and_then(|word| word.parse().ok()).unwrap_or_default()
    }

    /// A header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(':'));
        let found = lines.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    }
}

/// The next message of a connection; none when its other side has closed it.
pub async fn message(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<Option<Message>> {
    let at = loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(buffer.get(..at).unwrap_or_default()).into_owned();
    let mut message = Message {
        head,
        body: Vec::new(),
    };
    let length: usize = match message.header("content-length") {
        Some(length) => length.parse()?,
        None => 0,
    };
    while buffer.len() < at + length {
        if stream.read_buf(buffer).await? == 0 {
            bail!("a message was cut off");
        }
    }
    message.body = buffer.drain(..at + length).skip(at).collect();
    Ok(Some(message))
}

/// A connection to a server.
pub struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub async fn connect(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::new(),
        })
    }

    /// Sends a request and waits for its answer.
    pub async fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<Message> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        match message(&mut self.stream, &mut self.buffer).await? {
            Some(answer) => Ok(answer),
            None => bail!("the server closed the connection"),
        }
    }
}
