//! Cost of reading one message: folding, intents, dates and prose, in every script, on the
//! short messages that turns are made of, and on texts that ask the most of a reader.
//!
//! `cargo bench --bench readers`. To hold, in µs at the 99th percentile on an idle machine: 50 for a short
//! message, 1000 for 2 kB, 8000 for 16 kB; the costliest script at most three times the cheapest, the costliest text at
//! most ten times the median. Times vary with the machine, the two ratios hardly do.
//!
//! Of each script many texts are read, one after the other and again from the first, as messages
//! come: a processor that is given one text over and over learns its every turn, and takes two
//! thirds of the time. A percentile is one over all texts and rounds; the sum is what one text took
//! in all three readers.

#[path = "support/scripts.rs"]
mod scripts;

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use candor::domain::Lang;
use candor::domain::text::Text;
use candor::guard::talk::judge;
use candor::{intent, temporal};
use chrono::NaiveDate;
use mimalloc::MiMalloc;
use scripts::SCRIPTS;

/// The program's own.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Messages that most turns are made of.
const SHORT: [&str; 8] = [
    "add buy milk",
    "delete Read book",
    "mark the dentist call as done",
    "what's left for today?",
    "remind me to call Sam tomorrow at 5pm",
    "push the report to next friday and add eggs",
    "füge Milch kaufen hinzu",
    "thanks, that's all for now",
];

/// Each again and again.
const UNITS: [&str; 44] = [
    "and ",
    "add ",
    "add milk and ",
    "delete ",
    "delete milk, ",
    "1 ",
    "1.",
    "1. ",
    ".",
    ",",
    ", ",
    "milk, ",
    "with note ",
    "priority high ",
    "high ",
    "the ",
    "is ",
    "done ",
    "can you ",
    "please ",
    "i want to ",
    "mark x as done and ",
    "don't ",
    "every monday and ",
    "tomorrow ",
    "in the next ",
    "3 days and ",
    "'",
    "add \"x\" and ",
    "yes ",
    "thanks ",
    "show ",
    "except ",
    "all ",
    "then ",
    "a ",
    "é",
    "que ",
    "y ",
    "5 p.m. ",
    "@",
    "+",
    "a@",
    "x",
];

fn main() -> io::Result<()> {
    intent::prepare();
    for (bytes, texts, rounds) in [(2_048, 100, 20), (16_384, 20, 10)] {
        line(&format!(
            "\n{bytes} bytes, {texts} texts {rounds} times, µs: median and 99th percentile"
        ))?;
        let mut medians = Vec::new();
        for (script, sentences) in SCRIPTS {
            let texts: Vec<String> = (1..=texts).map(|n| text(sentences, bytes, n)).collect();
            medians.push(row(script, &texts, rounds)?);
        }
        medians.sort_by(f64::total_cmp);
        let of = |place: usize| medians.get(place).copied().unwrap_or(f64::NAN);
        line(&format!(
            "costliest script over cheapest: {:.1}",
            of(medians.len() - 1) / of(0)
        ))?;
    }
    line("\nshort messages, µs: median and 99th percentile")?;
    for message in SHORT {
        row(message, &[message.to_owned()], 5_000)?;
    }
    line("\n2048 bytes of one unit, µs: median and 99th percentile")?;
    let mut medians = Vec::new();
    for unit in UNITS {
        medians.push(row(&format!("{unit:?}"), &[fill(unit, 2_048)], 200)?);
    }
    medians.sort_by(f64::total_cmp);
    let of = |place: usize| medians.get(place).copied().unwrap_or(f64::NAN);
    let ratio = of(medians.len() - 1) / of(medians.len() / 2);
    line(&format!("costliest text over median: {ratio:.1}"))
}

/// Measures each reader on all of `texts`, so many rounds of them; gives the median of their sums.
fn row(name: &str, texts: &[String], rounds: usize) -> io::Result<f64> {
    let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap_or_default();
    let mut times: [Vec<f64>; 5] = Default::default();
    // A tenth as many to warm up.
    for round in 0..rounds + rounds.div_ceil(10) {
        for raw in texts {
            let (text, fold) = timed(|| Text::new(raw));
            let (_, intent) = timed(|| intent::read(raw, today, Lang::En));
            let (_, dates) = timed(|| temporal::scan(&text, today, Lang::En));
            let (_, prose) = timed(|| judge(raw));
            if round >= rounds.div_ceil(10) {
                let took = [fold, intent, dates, prose, intent + dates + prose];
                for (times, took) in times.iter_mut().zip(took) {
                    times.push(took);
                }
            }
        }
    }
    let mut out = format!("{name:22}");
    let mut median = 0.0;
    for (reader, mut times) in ["text", "intent", "dates", "prose", "sum"]
        .iter()
        .zip(times)
    {
        times.sort_by(f64::total_cmp);
        median = percentile(&times, 50);
        out += &format!(" | {reader} {median:6.1} {:7.1}", percentile(&times, 99));
    }
    line(&out)?;
    Ok(median)
}

/// Result of `work`, and the µs that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let done = black_box(work());
    (done, start.elapsed().as_secs_f64() * 1e6)
}

/// The time that `percent` % of `times`, which ascend, stay below.
fn percentile(times: &[f64], percent: usize) -> f64 {
    let place = times.len() * percent / 100;
    times.get(place).or(times.last()).copied().unwrap_or(0.0)
}

fn line(text: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{text}")
}

/// A text of at most `bytes`, the `number`th of those that `sentences` make.
fn text(sentences: &[&str], bytes: usize, number: u64) -> String {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut text = String::with_capacity(bytes + 512);
    let mut last = usize::MAX;
    while text.len() < bytes {
        // Marsaglia's xorshift, by its upper bits.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let next = (state >> 33) as usize % sentences.len();
        if next != last {
            text += sentences.get(next).copied().unwrap_or_default();
            last = next;
        }
    }
    cut(text, bytes)
}

/// `unit` again and again, at most `bytes` long.
fn fill(unit: &str, bytes: usize) -> String {
    cut(unit.repeat(bytes / unit.len() + 1), bytes)
}

/// The first `bytes` of `text`, never cut inside a character.
fn cut(mut text: String, bytes: usize) -> String {
    let end = (0..=bytes).rev().find(|end| text.is_char_boundary(*end));
    text.truncate(end.unwrap_or(0));
    text
}
