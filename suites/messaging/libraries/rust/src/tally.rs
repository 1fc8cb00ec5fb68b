//! What is counted of deliveries, by the second, and written down.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use wirelab_sdk::clock::{SECOND, now_ns};
use wirelab_sdk::intervals::{Durations, Interval, Intervals};

use crate::phase::lock;

/// A second this old is written; what still comes for it gets a line of its own.
const WRITTEN_AFTER: u64 = 4;

/// What was delivered in a second.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) expected: u64,
    pub(crate) received: u64,
    pub(crate) duplicates: u64,
    pub(crate) reordered: u64,
    pub(crate) held: u64,
    pub(crate) wrong: u64,
    pub(crate) bytes: u64,
    pub(crate) service: Durations,
    /// From when it was due, in an open loop.
    pub(crate) response: Durations,
}

/// Every second of a trial.
pub(crate) struct Tallies {
    tick0_ns: AtomicU64,
    /// By the second after tick 0.
    by_second: Mutex<BTreeMap<u64, Tally>>,
    intervals: Mutex<Intervals>,
}

impl Tallies {
    pub(crate) fn create(intervals: &Path) -> io::Result<Self> {
        Ok(Self {
            tick0_ns: AtomicU64::new(0),
            by_second: Mutex::default(),
            intervals: Mutex::new(Intervals::create(intervals)?),
        })
    }

    pub(crate) fn started(&self, tick0_ns: u64) {
        self.tick0_ns.store(tick0_ns, Ordering::Relaxed);
    }

    fn second_of(&self, at_ns: u64) -> u64 {
        at_ns.saturating_sub(self.tick0_ns.load(Ordering::Relaxed)) / SECOND
    }

    /// Changes what is counted of the second of a time.
    pub(crate) fn at(&self, at_ns: u64, change: impl FnOnce(&mut Tally)) {
        change(lock(&self.by_second).entry(self.second_of(at_ns)).or_default());
    }

    /// Writes seconds that are a few old, or all of them; an open loop has no step.
    pub(crate) fn write(&self, everything: bool, step: &str) -> io::Result<()> {
        let newest = self.second_of(now_ns()).saturating_sub(WRITTEN_AFTER);
        let mut intervals = lock(&self.intervals);
        let due = {
            let mut tallies = lock(&self.by_second);
            let left = if everything { BTreeMap::new() } else { tallies.split_off(&newest) };
            std::mem::replace(&mut *tallies, left)
        };
        for (second, tally) in due {
            let counts = [
                ("expected", tally.expected),
                ("received", tally.received),
                ("duplicates", tally.duplicates),
                ("reordered", tally.reordered),
                ("held", tally.held),
                ("wrong", tally.wrong),
                ("bytes", tally.bytes),
            ];
            intervals.write(&Interval {
                second,
                tenth: None,
                operation: "delivery",
                step,
                counts: &counts,
                service: Some(&tally.service),
                response: Some(&tally.response),
            })?;
        }
        intervals.flush()
    }
}
