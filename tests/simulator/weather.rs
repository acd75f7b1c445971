//! The store's bad days: which commits and reads fail, drawn from the world's seed.

#![cfg(test)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use candor::store::faults::{CommitEnd, FaultPlan};

use super::dice::Dice;

/// Draws faults while a turn runs.
#[derive(Debug)]
pub struct Weather {
    dice: Mutex<Dice>,
    stormy: bool,
    acked_only: bool,
    armed: AtomicBool,
    struck: Mutex<Vec<String>>,
}

impl Weather {
    /// `stormy` worlds have faults; `acked_only` plants a store that answers before it writes.
    pub fn new(dice: Dice, stormy: bool, acked_only: bool) -> Self {
        Self {
            dice: Mutex::new(dice),
            stormy,
            acked_only,
            armed: AtomicBool::new(false),
            struck: Mutex::new(Vec::new()),
        }
    }

    /// From now on a turn runs, or none does.
    pub fn arm(&self, armed: bool) {
        self.armed.store(armed, Ordering::SeqCst);
    }

    /// Returns what has struck since this was last asked.
    pub fn struck(&self) -> Vec<String> {
        std::mem::take(&mut *self.struck.lock().unwrap())
    }

    fn strikes(&self, percent: usize) -> bool {
        self.stormy
            && self.armed.load(Ordering::SeqCst)
            && self.dice.lock().unwrap().percent(percent)
    }

    fn note<T: std::fmt::Debug>(&self, what: &T) {
        self.struck.lock().unwrap().push(format!("{what:?}"));
    }
}

impl FaultPlan for Weather {
    fn commit(&self) -> CommitEnd {
        if !self.strikes(15) {
            return CommitEnd::Sound;
        }
        let ends = [
            CommitEnd::Refused,
            CommitEnd::Overtaken,
            CommitEnd::WrittenUnknown,
            CommitEnd::LostUnknown,
        ];
        let end = if self.acked_only {
            CommitEnd::AckedOnly
        } else {
            self.dice.lock().unwrap().pick(&ends)
        };
        self.note(&end);
        end
    }

    fn settle(&self) -> bool {
        let strikes = self.strikes(40);
        if strikes {
            self.note(&"the look-up failed");
        }
        strikes
    }

    fn read(&self) -> bool {
        let strikes = self.strikes(3);
        if strikes {
            self.note(&"a read failed");
        }
        strikes
    }
}
