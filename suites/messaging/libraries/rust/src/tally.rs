//! Counts of deliveries by tenths of a second, and the lines that are written of them.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use wirelab_sdk::clock::{SECOND, now_ns};
use wirelab_sdk::intervals::{Durations, Interval, Intervals};

use crate::phase::lock;

/// A second this old is written, so that memory does not grow with the trial and figures are there
/// while it goes on; what still comes for it gets a line of its own.
const WRITTEN_AFTER: u64 = 1;

/// Seconds that are told of in tenths, as wirelab's engine does: an interval file has its bounds.
const FINE_SECONDS: u64 = 300;

/// A second after tick 0, and the tenth of it; none of a whole one.
type Slot = (u64, Option<u8>);

fn slot_of(elapsed_ns: u64) -> Slot {
    let second = elapsed_ns / SECOND;
    let tenth = u8::try_from(elapsed_ns % SECOND * 10 / SECOND).ok();
    (second, tenth.filter(|_| second < FINE_SECONDS))
}

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
    tick0_ns: AtomicU64,
    by_slot: Mutex<BTreeMap<Slot, Tally>>,
    intervals: Mutex<Intervals>,
}

impl Tallies {
    pub(crate) fn create(intervals: &Path) -> io::Result<Self> {
        Ok(Self {
            tick0_ns: AtomicU64::new(0),
            by_slot: Mutex::default(),
            intervals: Mutex::new(Intervals::create(intervals)?),
        })
    }

    pub(crate) fn started(&self, tick0_ns: u64) {
        self.tick0_ns.store(tick0_ns, Ordering::Relaxed);
    }

    fn slot_at(&self, at_ns: u64) -> Slot {
        slot_of(at_ns.saturating_sub(self.tick0_ns.load(Ordering::Relaxed)))
    }

    /// Changes what is counted of the slot of a time.
    pub(crate) fn at(&self, at_ns: u64, change: impl FnOnce(&mut Tally)) {
        change(lock(&self.by_slot).entry(self.slot_at(at_ns)).or_default());
    }

    /// Writes slots that are old enough, or all of them; an open loop has no step.
    pub(crate) fn write(&self, everything: bool, step: &str) -> io::Result<()> {
        let newest = self.slot_at(now_ns()).0.saturating_sub(WRITTEN_AFTER);
        let mut intervals = lock(&self.intervals);
        // Taken out first: deliveries are not to wait for the disk.
        let due = {
            let mut tallies = lock(&self.by_slot);
            let left =
                if everything { BTreeMap::new() } else { tallies.split_off(&(newest, None)) };
            std::mem::replace(&mut *tallies, left)
        };
        for ((second, tenth), tally) in due {
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
                tenth,
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

#[cfg(test)]
mod tests {
    use super::{FINE_SECONDS, slot_of};
    use wirelab_sdk::clock::SECOND;

    #[test]
    fn tenths_become_whole_seconds_when_there_would_be_too_many() {
        assert_eq!(slot_of(SECOND / 10 - 1), (0, Some(0)));
        assert_eq!(slot_of(12 * SECOND + SECOND * 9 / 10), (12, Some(9)));
        assert_eq!(slot_of(FINE_SECONDS * SECOND - 1), (FINE_SECONDS - 1, Some(9)));
        assert_eq!(slot_of(FINE_SECONDS * SECOND + SECOND / 2), (FINE_SECONDS, None));
        assert!((3, None) < slot_of(3 * SECOND) && slot_of(3 * SECOND - 1) < (3, None));
    }
}
