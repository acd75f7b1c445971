//! Content of a disk when its power is cut: every byte that was synced, and of the others none,
//! some or all.
//!
//! The program runs with `powerloss.c` loaded before the C library, which writes down what is
//! done to the database's files and what is synced. After the kill, that log is played onto the
//! files as they were at the loss before. A file's name survives with its first sync, as ext4
//! has it; a removal with the next sync of its directory or of a new file of that name.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::dice::Dice;
use crate::shim::Shim;

/// Bytes that a disk writes wholly or not at all.
const SECTOR: usize = 512;

/// Where the shim writes what was done.
const LOG: &str = "powerloss.log";

/// One thing that was done to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Bytes from a place on.
    Write(usize, Vec<u8>),
    /// A new length.
    Truncate(usize),
    /// The file is not there any more.
    Remove,
}

/// A file, and what was done to it since it was last synced.
#[derive(Debug, Clone, Default)]
struct File {
    /// None while it is not there.
    synced: Option<Vec<u8>>,
    pending: Vec<Step>,
}

/// The disk under a database.
pub struct Disk {
    home: PathBuf,
    shim: Shim,
    image: Image,
}

/// Files, by name.
#[derive(Debug, Clone, Default)]
pub struct Image(BTreeMap<String, File>);

/// How many of the writes that were not synced survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mercy {
    /// None.
    Nothing,
    /// All.
    Everything,
    /// Some, each wholly.
    Writes,
    /// Some sectors of some.
    Sectors,
}

impl Disk {
    /// An empty disk, for a program that will run in `home`.
    pub fn new(home: &Path, shim: Shim) -> Self {
        Self {
            home: home.to_owned(),
            shim,
            image: Image::default(),
        }
    }

    /// Returns what the program has to be started with.
    pub fn variables(&self) -> [(String, String); 2] {
        let log = self.home.join(LOG);
        [
            ("LD_PRELOAD".to_owned(), self.shim.path().to_owned()),
            ("POWERLOSS_LOG".to_owned(), log.display().to_string()),
        ]
    }

    /// Cuts the power: the files become what the disk has of them. The program has to be dead.
    /// Gives the number of writes and the like that were not synced.
    ///
    /// # Errors
    /// When the files are not what the log says, so that something was written past the shim.
    pub fn lose_power(&mut self, dice: &mut Dice) -> Result<u64, String> {
        // It is not there when the program died before it did anything.
        let log = fs::read(self.home.join(LOG)).unwrap_or_default();
        let steps = parse(&log);
        let last = steps.len().saturating_sub(1);
        let mut before_last = self.image.clone();
        for (at, record) in steps.into_iter().enumerate() {
            if at == last {
                before_last = self.image.clone();
            }
            self.image.take(record);
        }
        self.compare(&before_last)?;
        let mercies = [
            Mercy::Nothing,
            Mercy::Nothing,
            Mercy::Everything,
            Mercy::Writes,
            Mercy::Sectors,
        ];
        let mercy = dice.pick(&mercies);
        let mut unsynced = 0;
        let names: Vec<_> = self.image.0.keys().cloned().collect();
        for name in names {
            let left = self.image.left(&name, mercy, dice);
            let file = self.image.0.entry(name).or_default();
            unsynced += file.pending.len() as u64;
            *file = File {
                synced: left,
                pending: Vec::new(),
            };
        }
        self.write();
        Ok(unsynced)
    }

    /// The files as they stand are the log played whole, but for its last step, which may have
    /// been done or not, or in part.
    fn compare(&self, before: &Image) -> Result<(), String> {
        for name in self.names() {
            let there = fs::read(self.home.join(&name)).ok();
            let there = there.filter(|bytes| !bytes.is_empty());
            let (last, earlier) = (self.image.now(&name), before.now(&name));
            if there == last || there == earlier {
                continue;
            }
            let (Some(there), Some(last)) = (&there, &last) else {
                return Err(format!("{name} was made or removed unseen"));
            };
            let earlier = earlier.unwrap_or_default();
            let differs = |at: usize| {
                let byte = there.get(at);
                byte != last.get(at) && byte != earlier.get(at)
            };
            let length = there.len().max(last.len());
            if let Some(at) = (0..length).find(|at| differs(*at)) {
                return Err(format!("byte {at} of {name} was written unseen"));
            }
        }
        Ok(())
    }

    /// The files that are there or were.
    fn names(&self) -> BTreeSet<String> {
        let known = self.image.0.keys().cloned();
        known.chain(self.there()).collect()
    }

    /// The database's files that are there; what processes share of them in memory is no file
    /// of the disk.
    fn there(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.home).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let ours = |name: &String| name.contains(".db") && !name.ends_with("-shm");
        names.filter(ours).collect()
    }

    /// Puts the disk's state where the program will find it, and begins a new log.
    fn write(&self) {
        for entry in fs::read_dir(&self.home).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.contains(".db") || name == LOG {
                fs::remove_file(self.home.join(name)).unwrap();
            }
        }
        for (name, file) in &self.image.0 {
            if let Some(bytes) = &file.synced {
                fs::write(self.home.join(name), bytes).unwrap();
            }
        }
    }
}

impl Image {
    /// Plays one record of the log.
    pub fn take(&mut self, record: (Option<Step>, String)) {
        match record {
            (Some(step), name) => self.0.entry(name).or_default().pending.push(step),
            (None, name) if name.is_empty() => {
                for file in self.0.values_mut() {
                    file.sync_removals();
                }
            }
            (None, name) => self.0.entry(name).or_default().sync(),
        }
    }

    /// Returns what a loss of power now would leave of one file.
    pub fn left(&self, name: &str, mercy: Mercy, dice: &mut Dice) -> Option<Vec<u8>> {
        let mut file = self.0.get(name).cloned().unwrap_or_default();
        file.settle(mercy, dice);
        file.synced
    }

    /// The file as the program sees it; one that is empty is as good as none.
    fn now(&self, name: &str) -> Option<Vec<u8>> {
        let file = self.0.get(name).cloned()?;
        file.now().filter(|bytes| !bytes.is_empty())
    }
}

impl File {
    /// As the program sees it.
    fn now(self) -> Option<Vec<u8>> {
        let mut file = self;
        file.sync();
        file.synced
    }

    fn sync(&mut self) {
        for step in std::mem::take(&mut self.pending) {
            self.apply(step);
        }
    }

    fn sync_removals(&mut self) {
        let removed = self.pending.iter().rposition(|step| *step == Step::Remove);
        if let Some(at) = removed {
            self.pending.drain(..=at);
            self.synced = None;
        }
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Write(at, data) => {
                let bytes = self.synced.get_or_insert_default();
                let end = at + data.len();
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                bytes[at..end].copy_from_slice(&data);
            }
            Step::Truncate(length) => self.synced.get_or_insert_default().resize(length, 0),
            Step::Remove => self.synced = None,
        }
    }

    /// Keeps of what was not synced as much as `mercy` has it.
    fn settle(&mut self, mercy: Mercy, dice: &mut Dice) {
        for step in std::mem::take(&mut self.pending) {
            match (mercy, step) {
                (Mercy::Nothing, _) => {}
                (Mercy::Everything, step) => self.apply(step),
                (Mercy::Sectors, Step::Write(at, data)) => {
                    let first = SECTOR - at % SECTOR;
                    let (head, rest) = data.split_at(first.min(data.len()));
                    let mut here = at;
                    for part in std::iter::once(head).chain(rest.chunks(SECTOR)) {
                        if dice.percent(50) {
                            self.apply(Step::Write(here, part.to_vec()));
                        }
                        here += part.len();
                    }
                }
                // While the old file has the name, nothing of a new one can be found under it.
                (Mercy::Writes | Mercy::Sectors, Step::Remove) if dice.percent(50) => return,
                (Mercy::Writes | Mercy::Sectors, Step::Remove) => self.apply(Step::Remove),
                (Mercy::Writes | Mercy::Sectors, step) => {
                    if dice.percent(50) {
                        self.apply(step);
                    }
                }
            }
        }
    }
}

/// The records of a log; the last one may be cut. A record without a step is a sync.
pub fn parse(log: &[u8]) -> Vec<(Option<Step>, String)> {
    const HEAD: usize = 32;
    let mut records = Vec::new();
    let mut rest = log;
    while rest.len() >= HEAD {
        let number = |at: usize| {
            let bytes = rest[at * 8..at * 8 + 8].try_into().unwrap();
            usize::try_from(u64::from_ne_bytes(bytes)).unwrap()
        };
        let (kind, name, offset, length) = (number(0), number(1), number(2), number(3));
        if rest.len() < HEAD + name + length {
            break;
        }
        let data = &rest[HEAD + name..HEAD + name + length];
        let step = match kind {
            1 => Some(Step::Write(offset, data.to_vec())),
            2 => Some(Step::Truncate(offset)),
            3 => Some(Step::Remove),
            4 => None,
            _ => panic!("a record of kind {kind}"),
        };
        let name = String::from_utf8(rest[HEAD..HEAD + name].to_vec()).unwrap();
        records.push((step, name));
        rest = &rest[HEAD + length + records[records.len() - 1].1.len()..];
    }
    records
}
