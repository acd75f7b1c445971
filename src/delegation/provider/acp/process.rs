//! The program of an agent: started as a group of processes of its own, heard a line at a time,
//! and killed with all it began.
//!
//! The library of the protocol keeps every line until it has looked at it. So it gets one only
//! while somebody listens, and no endless one: a program that never stops talking waits at its
//! pipe, and what ends its run is seen to between two lines.

use std::io;
use std::pin::Pin;
use std::process::Stdio;
use std::time::Duration;

use agent_client_protocol::{Error, Lines};
use futures_util::{Sink, SinkExt, Stream, StreamExt, stream};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::codec::{FramedRead, FramedWrite, LinesCodec, LinesCodecError};

use super::client::AcpEvent;

/// The longest line an agent may write, in bytes: an update with a whole file in it fits.
const LINE: usize = 4 << 20;
/// Length of what is kept of its standard error, in bytes: the end of it.
const COMPLAINT: usize = 2 << 10;
/// Longest time that it may take to hear what a program wrote before it ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Lines on their way to a program.
pub(super) type InputLines = Pin<Box<dyn Sink<String, Error = io::Error> + Send>>;
/// Lines that come from it.
pub(super) type OutputLines = Pin<Box<dyn Stream<Item = io::Result<String>> + Send>>;

/// A program that was started. Dropping it kills its whole group: a launcher (`npx`, `uvx`)
/// would leave the agent itself behind.
#[derive(Debug)]
pub(super) struct ProgramProcess {
    child: Child,
    /// The group has the number of its first process.
    #[cfg(unix)]
    group: Option<rustix::process::Pid>,
    complaints: ChildStderr,
}

impl ProgramProcess {
    /// Starts it; what it says goes to `happens`, and is read only while there is room.
    pub(super) fn start(
        command: &mut Command,
        happens: mpsc::Sender<AcpEvent>,
    ) -> io::Result<(Self, Lines<InputLines, OutputLines>)> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("a pipe of the program is missing");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let complaints = child.stderr.take().ok_or_else(missing)?;
        let told = FramedWrite::new(input, LinesCodec::new());
        let told = SinkExt::<String>::sink_map_err(told, fault);
        let process = Self {
            #[cfg(unix)]
            group: child
                .id()
                .and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())),
            child,
            complaints,
        };
        let heard = Box::pin(lines(output, LINE, happens));
        Ok((process, Lines::new(Box::pin(told), heard)))
    }

    /// Awaits the conversation; a program that ends before it is heard out.
    pub(super) async fn during(
        &mut self,
        conversation: impl Future<Output = Result<(), Error>>,
    ) -> Result<(), Error> {
        let mut conversation = std::pin::pin!(conversation);
        let mut kept = Vec::new();
        let ended = {
            let complaining = tail(&mut self.complaints, &mut kept);
            let mut complaining = std::pin::pin!(complaining);
            let mut silent = false;
            loop {
                tokio::select! {
                    ended = &mut conversation => break ended,
                    _ = self.child.wait() => {
                        // Something that it began may hold its pipe open for ever.
                        let heard = timeout(LAST_WORDS, &mut conversation).await;
                        break heard.unwrap_or_else(|_| Err(Error::internal_error()));
                    }
                    () = &mut complaining, if !silent => silent = true,
                }
            }
        };
        // For the operator's log alone, in one line: it may hold anything.
        let complaint = String::from_utf8_lossy(&kept);
        ended.map_err(|error| {
            let status = self.child.try_wait().ok().flatten();
            tracing::info!(?error, ?status, ?complaint, "an agent's program said why");
            error
        })
    }
}

impl Drop for ProgramProcess {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group {
            // Gone already: what it began may still be there, or there was nothing to kill.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

/// Its lines, each when there is room for what it comes to.
fn lines(
    output: impl AsyncRead + Send + Unpin + 'static,
    longest: usize,
    happens: mpsc::Sender<AcpEvent>,
) -> impl Stream<Item = io::Result<String>> + Send + 'static {
    let lines = FramedRead::new(output, LinesCodec::new_with_max_length(longest));
    stream::unfold((lines, happens), async |(mut lines, happens)| {
        // Closed: nobody listens any more, and the end of the run is near.
        drop(happens.reserve().await);
        // Whoever reads these never waits while there are any: the deadline has its turn.
        tokio::task::yield_now().await;
        let line = lines.next().await?;
        Some((line.map_err(fault), (lines, happens)))
    })
}

fn fault(error: LinesCodecError) -> io::Error {
    match error {
        LinesCodecError::Io(error) => error,
        LinesCodecError::MaxLineLengthExceeded => io::Error::new(
            io::ErrorKind::InvalidData,
            format!("a line is longer than {LINE} bytes"),
        ),
    }
}

/// Reads to the end, and keeps the last of it.
async fn tail(from: &mut (impl AsyncRead + Unpin), kept: &mut Vec<u8>) {
    let mut some = [0; 512];
    while let Ok(count @ 1..) = from.read(&mut some).await {
        kept.extend(some.iter().take(count));
        let over = kept.len().saturating_sub(COMPLAINT);
        kept.drain(..over);
    }
}

#[cfg(test)]
mod tests;
