//! Parts of time that lines of the interval file are of, and what is counted in each of them.

use std::collections::BTreeMap;

use crate::clock::SECOND;

const TENTH: u64 = SECOND / 10;

/// Most lines of a file that is read (`MOST_LINES` of `src/wirelab/samples/intervals.py`).
const MOST_LINES: u64 = 50_000;

/// Seconds that are told of in tenths at the most.
const MOST_FINE_SECONDS: u64 = 300;

/// A tenth of a second after tick 0, later a whole second. What others on the host disturb is left
/// out slot by slot, so that short ones lose less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// After tick 0.
    pub second: u64,
    /// None of a whole second.
    pub tenth: Option<u8>,
}

impl Slot {
    /// The first slot of a second.
    #[must_use]
    pub fn beginning(second: u64) -> Self {
        Self {
            second,
            tenth: None,
        }
    }
}

/// The slots of a schedule.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    start_ns: u64,
    fine_seconds: u64,
}

impl Slots {
    /// For lines of so many operations. A third of a file is for its tenths, one for what comes to
    /// them later, and one for the seconds after them.
    #[must_use]
    pub fn of(operations: usize) -> Self {
        let lines_a_second = 10 * operations.max(1) as u64;
        Self {
            start_ns: 0,
            fine_seconds: MOST_FINE_SECONDS.min(MOST_LINES / 3 / lines_a_second),
        }
    }

    /// Second 0 begins at `start_ns`.
    pub fn begin(&mut self, start_ns: u64) {
        self.start_ns = start_ns;
    }

    /// The slot of a time.
    #[must_use]
    pub fn at(&self, ns: u64) -> Slot {
        let elapsed_ns = ns.saturating_sub(self.start_ns);
        let second = elapsed_ns / SECOND;
        let tenth = (elapsed_ns % SECOND / TENTH) as u8;
        Slot {
            second,
            tenth: (second < self.fine_seconds).then_some(tenth),
        }
    }
}

/// Counts by slot, until they are taken out to be written. What comes to a slot after that makes
/// lines of its own.
#[derive(Debug)]
pub struct BySlot<T> {
    slots: Slots,
    counts: BTreeMap<Slot, T>,
}

impl<T: Default> BySlot<T> {
    /// For lines of so many operations.
    #[must_use]
    pub fn of(operations: usize) -> Self {
        Self {
            slots: Slots::of(operations),
            counts: BTreeMap::new(),
        }
    }

    /// Second 0 begins at `start_ns`; what was counted before belongs to nothing measured.
    pub fn begin(&mut self, start_ns: u64) {
        self.slots.begin(start_ns);
        self.counts.clear();
    }

    /// The counts of the slot of a time.
    pub fn at(&mut self, ns: u64) -> &mut T {
        self.counts.entry(self.slots.at(ns)).or_default()
    }

    /// Takes out the slots that are `seconds` old at `now_ns`.
    pub fn settled(&mut self, now_ns: u64, seconds: u64) -> BTreeMap<Slot, T> {
        let second = self.slots.at(now_ns).second.saturating_sub(seconds);
        let open = self.counts.split_off(&Slot::beginning(second));
        std::mem::replace(&mut self.counts, open)
    }

    /// Takes out all of them.
    pub fn all(&mut self) -> BTreeMap<Slot, T> {
        std::mem::take(&mut self.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::{BySlot, MOST_FINE_SECONDS, MOST_LINES, SECOND, Slot, Slots, TENTH};

    fn told(slots: &Slots, elapsed_ns: u64) -> (u64, Option<u8>) {
        let slot = slots.at(7 + elapsed_ns);
        (slot.second, slot.tenth)
    }

    #[test]
    fn tenths_become_whole_seconds_when_there_would_be_too_many() {
        for operations in [1, 2] {
            let mut slots = Slots::of(operations);
            slots.begin(7);
            let last = MOST_FINE_SECONDS - 1;
            assert_eq!(told(&slots, 0), (0, Some(0)));
            assert_eq!(told(&slots, TENTH - 1), (0, Some(0)));
            assert_eq!(told(&slots, 12 * SECOND + 9 * TENTH), (12, Some(9)));
            assert_eq!(told(&slots, (last + 1) * SECOND - 1), (last, Some(9)));
            assert_eq!(told(&slots, (last + 1) * SECOND + TENTH), (last + 1, None));
        }
    }

    #[test]
    fn many_operations_have_tenths_for_a_shorter_time() {
        let operations = 12;
        let mut slots = Slots::of(operations);
        slots.begin(7);
        let fine = (0..MOST_FINE_SECONDS)
            .filter(|second| told(&slots, second * SECOND).1.is_some())
            .count();
        assert_eq!(fine, 138);
        assert!(2 * 10 * operations * fine < MOST_LINES as usize);
    }

    #[test]
    fn a_second_begins_before_its_tenths() {
        let slots = Slots::of(1);
        assert!(Slot::beginning(3) < slots.at(3 * SECOND));
        assert!(slots.at(3 * SECOND - 1) < Slot::beginning(3));
    }

    #[test]
    fn slots_are_taken_out_once_they_are_old_enough() {
        let mut counts = BySlot::<u32>::of(1);
        *counts.at(SECOND) += 1;
        counts.begin(10 * SECOND);
        *counts.at(10 * SECOND) += 2;
        *counts.at(14 * SECOND) += 4;
        assert_eq!(counts.settled(11 * SECOND, 2).len(), 0);
        let settled: Vec<_> = counts.settled(14 * SECOND, 2).into_values().collect();
        assert_eq!(settled, [2]);
        *counts.at(10 * SECOND + 1) += 8;
        let rest = counts.all().into_iter();
        let rest: Vec<_> = rest.map(|(slot, count)| (slot.second, count)).collect();
        assert_eq!(rest, [(0, 8), (4, 4)]);
        assert_eq!(counts.all().len(), 0);
    }
}
