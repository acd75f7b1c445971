//! Cost of finding one task among ten thousand when its title is mistyped, and how often it is found.
//!
//! `cargo bench --bench resolver`. To hold: at least 99 % first, at most 1 ms at the 99th
//! percentile, and never one task picked that is not the one meant.

mod support;

use std::io;

use candor::domain::{Task, TaskId, Title, UserId};
use candor::resolver::{Among, Context, ReferenceResolver, Resolution, TaskList};
use chrono::DateTime;
use support::{Times, line};
use uuid::Uuid;

const VERBS: [&str; 20] = [
    "repair",
    "collect",
    "return",
    "photograph",
    "polish",
    "measure",
    "replace",
    "deliver",
    "inspect",
    "catalogue",
    "borrow",
    "translate",
    "assemble",
    "compare",
    "varnish",
    "register",
    "transport",
    "decorate",
    "sharpen",
    "insure",
];
const THINGS: [&str; 25] = [
    "bicycle",
    "telescope",
    "passport",
    "umbrella",
    "accordion",
    "lawnmower",
    "keyboard",
    "wardrobe",
    "saucepan",
    "greenhouse",
    "projector",
    "suitcase",
    "typewriter",
    "chandelier",
    "skateboard",
    "thermostat",
    "microwave",
    "headphones",
    "dictionary",
    "calendar",
    "sculpture",
    "trampoline",
    "generator",
    "aquarium",
    "printer",
];
const PLACES: [&str; 20] = [
    "kitchen",
    "attic",
    "garage",
    "library",
    "workshop",
    "hallway",
    "balcony",
    "basement",
    "bedroom",
    "studio",
    "pavilion",
    "terrace",
    "laundry",
    "pantry",
    "nursery",
    "courtyard",
    "classroom",
    "warehouse",
    "orchard",
    "harbour",
];
const COUNT: usize = 10_000;
const LOOKUPS: usize = 2_000;

fn main() -> io::Result<()> {
    let tasks: Vec<Task> = (0..COUNT).filter_map(task).collect();
    let list: TaskList = tasks.iter().cloned().collect();
    let resolver = ReferenceResolver::new(&list, Context::default());
    for typos in 1..=2 {
        let asked: Vec<(usize, String)> = (0..LOOKUPS)
            .map(|nth| {
                let meant = nth * 7_919 % COUNT;
                (meant, mistyped(&title(meant), typos, nth))
            })
            .collect();
        let (mut first, mut wrong) = (0, 0);
        for (meant, words) in &asked {
            let id = tasks.get(*meant).map(|task| task.id);
            match resolver.resolve(words, Among::All) {
                Resolution::One(found) if Some(found) == id => first += 1,
                Resolution::One(_) => wrong += 1,
                Resolution::Many(several) => {
                    first += usize::from(several.first().map(|one| one.id) == id);
                }
                Resolution::None { .. } => {}
            }
        }
        let times = Times::of(LOOKUPS, |run| {
            let words = asked.get(run).map_or("", |(_, words)| words);
            resolver.resolve(words, Among::All)
        });
        line(&format!(
            "{typos} typo(s) among {} titles: first {:.2} %, wrong picks {wrong}, µs {:.1} median, {:.1} at 99 %",
            tasks.len(),
            100.0 * f64::from(first_of(first)) / f64::from(first_of(LOOKUPS)),
            times.at(50),
            times.at(99),
        ))?;
    }
    Ok(())
}

fn first_of(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn title(nth: usize) -> String {
    let of = |all: &[&'static str], at: usize| all.get(at % all.len()).copied().unwrap_or_default();
    format!(
        "{} the {} in the {}",
        of(&VERBS, nth),
        of(&THINGS, nth / VERBS.len()),
        of(&PLACES, nth / VERBS.len() / THINGS.len()),
    )
}

fn task(nth: usize) -> Option<Task> {
    let at = DateTime::UNIX_EPOCH;
    Some(Task::new(
        TaskId::new(Uuid::from_u128(nth as u128 + 1)),
        UserId::parse("me").ok()?,
        Title::parse(&title(nth)).ok()?,
        at,
    ))
}

/// `title` with letters left out, doubled or swapped, each in another word that has five or more.
fn mistyped(title: &str, typos: usize, seed: usize) -> String {
    let mut words: Vec<String> = title.split(' ').map(str::to_owned).collect();
    let long: Vec<usize> = (0..words.len())
        .filter(|at| words.get(*at).is_some_and(|word| word.len() >= 5))
        .collect();
    for typo in 0..typos {
        let Some(word) = long
            .get((seed + typo) % long.len().max(1))
            .and_then(|at| words.get_mut(*at))
        else {
            continue;
        };
        let mut letters: Vec<char> = word.chars().collect();
        let at = 1 + (seed / 3 + typo) % (letters.len() - 2);
        match seed % 3 {
            0 => drop(letters.remove(at)),
            1 => letters.insert(at, letters.get(at).copied().unwrap_or('e')),
            _ => letters.swap(at, at + 1),
        }
        *word = letters.into_iter().collect();
    }
    words.join(" ")
}
