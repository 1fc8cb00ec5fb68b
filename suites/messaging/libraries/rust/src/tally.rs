//! Counts of deliveries by tenths of a second, and the lines that are written of them.

use std::io;
use std::path::Path;
use std::sync::Mutex;

use wirelab_sdk::clock::now_ns;
use wirelab_sdk::intervals::{Durations, Interval, Intervals};
use wirelab_sdk::slots::BySlot;

use crate::phase::lock;

/// A second this old is written, so that memory does not grow with the trial and figures are there
/// while it goes on; what still comes for it gets a line of its own.
const WRITTEN_AFTER: u64 = 1;

/// `delivery` alone.
const OPERATIONS: usize = 1;

/// Counts of what was delivered in a slot.
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
    /// Durations since it was due, in an open loop.
    pub(crate) response: Durations,
}

/// Every slot of a trial.
pub(crate) struct Tallies {
    by_slot: Mutex<BySlot<Tally>>,
    intervals: Mutex<Intervals>,
}

impl Tallies {
    pub(crate) fn create(intervals: &Path) -> io::Result<Self> {
        Ok(Self {
            by_slot: Mutex::new(BySlot::of(OPERATIONS)),
            intervals: Mutex::new(Intervals::create(intervals)?),
        })
    }

    pub(crate) fn started(&self, tick0_ns: u64) {
        lock(&self.by_slot).begin(tick0_ns);
    }

    /// Changes what is counted of the slot of a time.
    pub(crate) fn at(&self, at_ns: u64, change: impl FnOnce(&mut Tally)) {
        change(lock(&self.by_slot).at(at_ns));
    }

    /// Writes slots that are old enough, or all of them; an open loop has no step.
    pub(crate) fn write(&self, everything: bool, step: &str) -> io::Result<()> {
        let mut intervals = lock(&self.intervals);
        // Taken out first: deliveries are not to wait for the disk.
        let due = {
            let mut tallies = lock(&self.by_slot);
            if everything { tallies.all() } else { tallies.settled(now_ns(), WRITTEN_AFTER) }
        };
        for (slot, tally) in due {
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
                second: slot.second,
                tenth: slot.tenth,
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
