//! Number of different records that a batch asks for.

use std::cell::RefCell;

use crate::wire::Digest;

/// Slots for each row, so that few rows meet another one's slot.
const ROOM: usize = 2;
const LEAST_SLOTS: usize = 64;

/// The digests of one batch, each known by eight of its bytes. Two digests of a batch of 200 have
/// them in common once in 10^15 batches.
#[derive(Default)]
struct Seen {
    slots: Vec<(u64, u32)>,
    /// Number of the batch: what others have left in the slots is not removed.
    batch: u32,
}

thread_local! {
    static SEEN: RefCell<Seen> = RefCell::default();
}

/// Counts the different records of a batch on this thread, one batch at a time.
#[derive(Debug)]
pub struct Different {
    count: u64,
}

impl Different {
    /// None so far, of a batch of `rows`.
    #[must_use]
    pub fn of(rows: u32) -> Self {
        SEEN.with_borrow_mut(|seen| seen.begin(rows as usize));
        Self { count: 0 }
    }

    /// Takes note of a row.
    pub fn add(&mut self, digest: &Digest) {
        self.count += u64::from(SEEN.with_borrow_mut(|seen| seen.is_new(digest)));
    }

    /// Different records so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Seen {
    fn begin(&mut self, rows: usize) {
        let wanted = (ROOM * rows).next_power_of_two().max(LEAST_SLOTS);
        self.batch = self.batch.wrapping_add(1);
        if self.slots.len() < wanted || self.batch == 0 {
            self.slots = vec![(0, 0); wanted.max(self.slots.len())];
            self.batch = 1;
        }
    }

    fn is_new(&mut self, digest: &Digest) -> bool {
        let [part @ .., _, _, _, _, _, _, _, _, _, _, _, _] = digest.0;
        let key = u64::from_le_bytes(part);
        let last = self.slots.len() - 1;
        // The first bytes say the partition, and with it the node: others spread better.
        let mut at = (key >> 24) as usize & last;
        loop {
            let slot = &mut self.slots[at];
            if slot.1 != self.batch {
                *slot = (key, self.batch);
                return true;
            }
            if slot.0 == key {
                return false;
            }
            at = (at + 1) & last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(keys: &[u32]) -> u64 {
        let mut different = Different::of(keys.len() as u32);
        for key in keys {
            different.add(&Digest::of_string("set", &key.to_string()));
        }
        different.count()
    }

    #[test]
    fn repeated_records_count_once() {
        assert_eq!(counted(&[7; 200]), 1);
        assert_eq!(counted(&[1, 2, 1, 3, 2]), 3);
    }

    #[test]
    fn each_batch_is_counted_by_itself() {
        let keys: Vec<u32> = (0..5000).collect();
        assert_eq!(counted(&keys), 5000);
        assert_eq!(counted(&keys[..200]), 200);
        assert_eq!(counted(&[]), 0);
    }
}
