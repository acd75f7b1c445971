//! Tests of what is read of a program, and when.

use std::cell::Cell;

use tokio::io::repeat;

use super::*;

#[tokio::test]
async fn a_program_is_read_only_while_somebody_listens() {
    let (happens, mut events) = mpsc::channel(1);
    happens.try_send(AcpEvent::Ready).unwrap();
    let endless = repeat(b'\n');
    let lines = lines(endless, LINE, happens);
    let heard = Cell::new(0);
    let mut listening = std::pin::pin!(lines.for_each(async |line| {
        assert_eq!(line.unwrap(), "");
        heard.set(heard.get() + 1);
    }));
    // Looked at 200 times: of as many lines as it likes, one each time.
    let mut look = async || {
        for _ in 0..100 {
            tokio::select! {
                biased;
                () = &mut listening => panic!("it has no end"),
                () = tokio::task::yield_now() => {}
            }
        }
        heard.get()
    };
    assert_eq!(look().await, 0);
    events.recv().await.unwrap();
    let once = look().await;
    assert!((1..=200).contains(&once), "{once}");
    drop(events);
    // Whoever is gone is no reason to wait: the conversation is about to end.
    assert!(look().await > once);
}

#[tokio::test]
async fn a_line_without_an_end_is_not_kept() {
    let (happens, _events) = mpsc::channel(1);
    let mut lines = std::pin::pin!(lines(repeat(b'a'), 1000, happens));
    let fault = lines.next().await.unwrap().unwrap_err();
    assert_eq!(fault.kind(), io::ErrorKind::InvalidData);
}

#[tokio::test]
async fn the_end_of_a_complaint_is_kept() {
    let written = [vec![b'a'; COMPLAINT], b"no such model".to_vec()].concat();
    let mut kept = Vec::new();
    tail(&mut written.as_slice(), &mut kept).await;
    assert_eq!(kept.len(), COMPLAINT);
    assert!(kept.ends_with(b"ano such model"));
}
