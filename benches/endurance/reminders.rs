//! Reminders: what it costs a server that many wait, and how late those are that are due at once,
//! beside turns that go on.

use std::fmt::Write as _;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use candor::app::bench::client::{self, Client};
use candor::app::bench::load::{self, Plan};
use candor::app::bench::processes::{ModelProcess, ServerProcess};
use candor::app::bench::report::{Latency, verdict};
use candor::app::bench::stage::Ground;
use candor::app::bench::verify::Agreement;
use candor::app::bench::{json, own};
use chrono::{DateTime, TimeDelta, Utc};
use clap::Args;
use serde::Serialize;
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use super::{Measuring, ProgressLine};

/// `endurance reminders`.
#[derive(Debug, Args)]
pub struct RemindersArgs {
    /// Reminders that wait, and are due much later
    #[arg(long, value_name = "N", default_value = "100000")]
    waiting: u32,
    /// Reminders that are due in one second
    #[arg(long, value_name = "N", default_value = "1000",
        value_parser = clap::value_parser!(u32).range(1..))]
    due: u32,
    /// How long the server is looked at while nobody asks it for anything
    #[arg(long, value_name = "SECONDS", default_value = "30",
        value_parser = clap::value_parser!(u16).range(1..))]
    idle: u16,
    /// Turns per second meanwhile, sent whether or not earlier ones were answered
    #[arg(long, value_name = "TURNS", default_value = "100")]
    rate: u32,
}

/// Share of a core that an idle server may take.
const IDLE: f64 = 0.01;
/// Milliseconds that 99 of 100 may be late which are due at once.
const LATE: u64 = 5_000;
/// Factor by which half of the turns may take longer meanwhile.
const WITHIN: f64 = 1.5;
/// Reminders of one user.
const EACH: u32 = 500;
/// Clients that talk.
const CLIENTS: usize = 8;
/// How long turns are measured alone, and from just before the reminders are due.
const MEASURED: Duration = Duration::from_secs(5);
/// Seconds from setting those that are due at once until they are.
const AHEAD: u64 = 20;
/// Longest time until all of them are delivered.
const PATIENCE: Duration = Duration::from_secs(60);
const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";

/// Outcome of a run.
#[derive(Debug, Serialize)]
struct Reminded {
    waiting: u32,
    due: u32,
    /// Share of a core; none where it can't be told.
    idle_share: Option<f64>,
    delivered: u64,
    late_p50_ms: u64,
    late_p99_ms: u64,
    late_max_ms: u64,
    alone: Latency,
    meanwhile: Latency,
    whole_p50_ratio: f64,
    wrong_replies: u64,
    agreement: Agreement,
    server_memory_mb: f64,
    sound: bool,
}

impl Reminded {
    /// Checks that waiting costs next to nothing, and that what is due is there soon, beside the turns.
    fn judge(&self) -> bool {
        let cheap = self.idle_share.is_none_or(|share| share < IDLE);
        let soon = self.delivered == u64::from(self.due) && self.late_p99_ms <= LATE;
        let unharmed = self.whole_p50_ratio <= WITHIN;
        cheap && soon && unharmed && self.wrong_replies == 0 && self.agreement.holds()
    }
}

/// Measures, and says whether all of it holds.
pub async fn run(
    server: &Path,
    args: &RemindersArgs,
    measuring: &Measuring,
    out: &mut impl Write,
) -> Result<bool> {
    let ground = Ground::new(measuring.database.as_deref()).await?;
    let receiver = receiver().await?;
    let webhook = format!("CANDOR_WEBHOOK_URL={receiver}\nCANDOR_WEBHOOK_SECRET={SECRET}\n");
    std::fs::write(ground.place.path().join(".env"), webhook)?;
    let model = ModelProcess::start(server)?;
    let server = ServerProcess::start(server, &ground, &model.base_url()).await?;
    let prefix = own("reminders");
    let progress = ProgressLine::new();
    let address = server.address;
    progress.tell("setting those that wait");
    let clock = format!("{prefix}-clock");
    let much_later = soon(address, &clock).await? + TimeDelta::days(300);
    set(
        address,
        &format!("{prefix}-later"),
        args.waiting,
        much_later,
    )
    .await?;
    progress.tell("the tree takes them in");
    grow_tree(address, &clock).await?;
    progress.tell("idle");
    let before = (server.cpu(), Instant::now());
    tokio::time::sleep(Duration::from_secs(args.idle.into())).await;
    let idle_share = (server.cpu().zip(before.0))
        .map(|(after, first)| (after - first) / before.1.elapsed().as_secs_f64());
    progress.tell("turns alone");
    let plan = Plan {
        address,
        rate: Some(args.rate),
        warm_up: Duration::from_secs(1),
        measured: MEASURED,
    };
    let alone = load::play(&plan, load::users(&prefix, CLIENTS)?).await?;
    let at = soon(address, &format!("{prefix}-first")).await?;
    let began = Instant::now();
    let soon = format!("{prefix}-soon");
    set(address, &soon, args.due - 1, at).await?;
    // One second before they are due, of which the warm-up takes the most.
    let left = Duration::from_secs(AHEAD - 1).checked_sub(began.elapsed());
    tokio::time::sleep(left.context("setting them took too long")?).await;
    progress.tell("turns beside those that are due");
    let meanwhile = load::play(&plan, alone.talks).await?;
    let mut users = vec![format!("{prefix}-first")];
    users.extend((0..(args.due - 1).div_ceil(EACH)).map(|number| format!("{soon}{number}")));
    let waited = Instant::now();
    let mut late = lateness(address, &users).await?;
    while late.len() < args.due as usize && waited.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(200)).await;
        late = lateness(address, &users).await?;
    }
    late.sort_unstable();
    let share = |of_hundred: usize| late.get(late.len() * of_hundred / 100).or(late.last());
    let of = |found: Option<&u64>| found.copied().unwrap_or(u64::MAX);
    let memory = server.figures().await?.memory;
    server.end().await?;
    progress.clear();
    let agreement = ground.agree(&meanwhile.talks).await?;
    let [alone_ms, meanwhile_ms] = [&alone.times, &meanwhile.times].map(Latency::of);
    let mut reminded = Reminded {
        waiting: args.waiting,
        due: args.due,
        idle_share,
        delivered: late.len() as u64,
        late_p50_ms: of(share(50)),
        late_p99_ms: of(share(99)),
        late_max_ms: of(late.last()),
        whole_p50_ratio: meanwhile_ms.whole_ms.p50 / alone_ms.whole_ms.p50,
        alone: alone_ms,
        meanwhile: meanwhile_ms,
        wrong_replies: alone.wrong + meanwhile.wrong,
        agreement,
        server_memory_mb: memory / 1e6,
        sound: false,
    };
    reminded.sound = reminded.judge();
    if measuring.json {
        json(out, &reminded)?;
    } else {
        tell(&reminded, out)?;
        verdict(
            out,
            alone.all + meanwhile.all,
            reminded.wrong_replies,
            agreement,
        )?;
    }
    Ok(reminded.sound)
}

fn tell(reminded: &Reminded, out: &mut impl Write) -> Result<()> {
    let Reminded { waiting, due, .. } = reminded;
    let idle = reminded
        .idle_share
        .map(|share| format!("{:.2} %", share * 100.0));
    let idle = idle.as_deref().unwrap_or("an unknown share");
    writeln!(
        out,
        "{waiting} wait: idle, the server takes {idle} of a core"
    )?;
    writeln!(
        out,
        "{due} due at once: {} delivered, late {} / {} / {} ms (p50 / p99 / max)",
        reminded.delivered, reminded.late_p50_ms, reminded.late_p99_ms, reminded.late_max_ms
    )?;
    for (name, latency) in [("alone", reminded.alone), ("beside", reminded.meanwhile)] {
        let Latency {
            turns,
            whole_ms,
            own_ms,
        } = latency;
        writeln!(
            out,
            "   {name:<7} {turns:>6} turns  whole {whole_ms}  own {own_ms}"
        )?;
    }
    let verdict = if reminded.sound { "holds" } else { "BROKEN" };
    let ratio = reminded.whole_p50_ratio;
    writeln!(
        out,
        "   {verdict}: p50 whole {ratio:.2} × (at most {WITHIN})"
    )?;
    Ok(())
}

/// Address of somebody who takes everything at once.
async fn receiver() -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(async move { drop(take(stream).await) });
        }
    });
    Ok(format!("http://{address}/reminders"))
}

async fn take(mut stream: TcpStream) -> Result<()> {
    let mut buffer = Vec::new();
    while client::message(&mut stream, &mut buffer).await?.is_some() {
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        stream.write_all(answer).await?;
    }
    Ok(())
}

/// Sets so many reminders of that time, for users of this name.
async fn set(address: SocketAddr, name: &str, number: u32, at: DateTime<Utc>) -> Result<()> {
    let mut client = Client::connect(address).await?;
    let at = at.format("%Y%m%dT%H%M%SZ");
    for user in 0..number.div_ceil(EACH) {
        let tasks = EACH.min(number - user * EACH);
        let mut calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n".to_owned();
        for task in 0..tasks {
            write!(
                calendar,
                "BEGIN:VTODO\r\nUID:errand-{task}\r\nSUMMARY:errand {task}\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\n\
                 TRIGGER;VALUE=DATE-TIME:{at}\r\nEND:VALARM\r\nEND:VTODO\r\n"
            )?;
        }
        calendar.push_str("END:VCALENDAR\r\n");
        let path = format!("/api/{name}{user}/import?format=ics");
        let answer = client.ask("POST", &path, &calendar).await?;
        let report: Value = serde_json::from_slice(&answer.body)?;
        let added = report.get("added").and_then(Value::as_u64);
        ensure!(added == Some(tasks.into()), "{path}: {report}");
    }
    Ok(())
}

/// Sets one that is due soon, and says when that is.
async fn soon(address: SocketAddr, user: &str) -> Result<DateTime<Utc>> {
    let mut client = Client::connect(address).await?;
    let body = format!(r#"{{"title":"errand","remind":"in {AHEAD} seconds"}}"#);
    let answer = client
        .ask("POST", &format!("/api/{user}/tasks"), &body)
        .await?;
    let task: Value = serde_json::from_slice(&answer.body)?;
    let at = task.pointer("/reminders/0/at").and_then(Value::as_str);
    Ok(at.ok_or_else(|| anyhow!("{task}"))?.parse()?)
}

/// Lets the audit log's tree take in all events, as whoever asks for the proof of a receipt does: it is
/// filled in the background, and what that costs is no cost of waiting.
async fn grow_tree(address: SocketAddr, user: &str) -> Result<()> {
    let mut client = Client::connect(address).await?;
    let path = format!("/api/{user}/audit?kind=receipt&limit=1");
    let answer = client.ask("GET", &path, "").await?;
    let page: Value = serde_json::from_slice(&answer.body)?;
    let receipt = page.pointer("/events/0/payload/id").and_then(Value::as_str);
    let receipt = receipt.ok_or_else(|| anyhow!("no receipt: {page}"))?;
    let path = format!("/api/{user}/audit/receipts/{receipt}/proof");
    let answer = client.ask("GET", &path, "").await?;
    let proof: Value = serde_json::from_slice(&answer.body)?;
    let grown = proof.get("proof").is_some_and(Value::is_object);
    ensure!(grown, "{path}: {proof}");
    Ok(())
}

/// Milliseconds by which each reminder of these users was late that was delivered.
async fn lateness(address: SocketAddr, users: &[String]) -> Result<Vec<u64>> {
    let mut client = Client::connect(address).await?;
    let mut late = Vec::new();
    for user in users {
        let path = format!("/api/{user}/audit?kind=reminder&limit=1000");
        let answer = client.ask("GET", &path, "").await?;
        let page: Value = serde_json::from_slice(&answer.body)?;
        let events = page.get("events").and_then(Value::as_array);
        let told = events.context("no events")?.iter();
        let told = told.filter_map(|event| event.get("payload"));
        let delivered = told.filter(|told| told.get("outcome").is_some_and(|it| it == "delivered"));
        late.extend(delivered.filter_map(|told| told.get("late_ms")?.as_u64()));
    }
    Ok(late)
}
