//! Exact counts and distributions by the slot of time in which messages were due.

use std::collections::BTreeMap;
use std::sync::Arc;

use wirelab_sdk::clock::SECOND;
use wirelab_sdk::intervals::Durations;

use crate::load::slot::Slot;
use crate::load::thread_messages::Line;

/// Slots are handed on when they are so many seconds old; what comes later makes a line of its own.
const SETTLED_SECONDS: u64 = 2;

/// Counts of the operation `delivery`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Members at the time of sending, the sender left out.
    pub expected: u64,
    /// First copies.
    pub received: u64,
    /// Further copies.
    pub duplicates: u64,
    /// First copies after a later message of the same sender.
    pub reordered: u64,
    /// First copies that had been held back until a later message left with them.
    pub held: u64,
    /// Copies that the server has said will not come.
    pub shed: u64,
    /// Another board, unknown, changed or not a message.
    pub wrong: u64,
    /// Payload of first copies.
    pub bytes: u64,
    /// Of what came in this slot: payload of first copies, the sender's own among them.
    pub payload: u64,
    /// Bytes that came from the sockets in this slot, to users on their boards.
    pub wire: u64,
    /// Bytes that sockets of users on their boards have taken in this slot.
    pub written: u64,
}

/// Users who have fallen silent, and what the server did about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SilentUsers {
    /// Users who fell silent.
    pub begun: u64,
    /// Silent users whose connection the server has ended.
    pub ended: u64,
    /// Milliseconds until then, of all of them.
    pub waited_ms: u64,
}

/// One slot.
#[derive(Debug, Default)]
pub struct SlotTotals {
    /// Of `delivery`.
    pub counts: Counts,
    /// Connections that ended without being asked to.
    pub dropped: u64,
    /// Of users who read nothing more.
    pub silent: SilentUsers,
    /// From handing over to delivery.
    pub service: Durations,
    /// From the intended time to delivery.
    pub response: Durations,
}

impl SlotTotals {
    /// Its lines of the interval file: of the operations that the scenario has.
    pub fn lines(self, slot: Slot, delivery: bool, connect: bool) -> Vec<Line> {
        let mut lines = Vec::new();
        let line = |operation: &str, counts| Line {
            slot,
            operation: operation.into(),
            step: "".into(),
            counts,
            service: None,
            response: None,
        };
        if delivery && self.counts != Counts::default() {
            let Counts {
                expected,
                received,
                duplicates,
                reordered,
                held,
                shed,
                wrong,
                bytes,
                payload,
                wire,
                written,
            } = self.counts;
            let mut counts = vec![
                ("expected", expected),
                ("received", received),
                ("duplicates", duplicates),
                ("reordered", reordered),
                ("held", held),
                ("wrong", wrong),
                ("bytes", bytes),
                ("payload", payload),
                ("wire", wire),
                ("written", written),
            ];
            if shed > 0 {
                counts.push(("shed", shed));
            }
            lines.push(Line {
                service: Some(Arc::new(self.service)),
                response: Some(Arc::new(self.response)),
                ..line("delivery", counts)
            });
        }
        if connect {
            // Nobody dropped is a count as well: what is not written was not looked at.
            let mut counts = vec![("dropped", self.dropped)];
            if self.silent != SilentUsers::default() {
                let SilentUsers {
                    begun,
                    ended,
                    waited_ms,
                } = self.silent;
                counts.extend([
                    ("silent", begun),
                    ("ended", ended),
                    ("waited_ms", waited_ms),
                ]);
            }
            lines.push(line("connect", counts));
        }
        lines
    }
}

/// The slots not handed on yet.
#[derive(Debug, Default)]
pub struct Tally {
    start_ns: u64,
    slots: BTreeMap<Slot, Box<SlotTotals>>,
}

impl Tally {
    /// Second 0 begins at `start_ns`; what was counted before belongs to nothing measured.
    pub fn begin(&mut self, start_ns: u64) {
        self.start_ns = start_ns;
        self.slots.clear();
    }

    /// The slot that `intended_ns` belongs to.
    pub fn at(&mut self, intended_ns: u64) -> &mut SlotTotals {
        let slot = Slot::at(intended_ns.saturating_sub(self.start_ns));
        self.slots.entry(slot).or_default()
    }

    /// Takes out the slots that are settled at `now_ns`.
    pub fn settled(&mut self, now_ns: u64) -> Vec<(Slot, Box<SlotTotals>)> {
        let now = now_ns.saturating_sub(self.start_ns) / SECOND;
        let open = Slot::beginning(now.saturating_sub(SETTLED_SECONDS));
        let open = self.slots.split_off(&open);
        std::mem::replace(&mut self.slots, open)
            .into_iter()
            .collect()
    }

    /// Takes out all of them.
    pub fn all(&mut self) -> Vec<(Slot, Box<SlotTotals>)> {
        std::mem::take(&mut self.slots).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{SECOND, Slot, Tally};

    #[test]
    fn late_deliveries_belong_to_the_slot_they_were_due_in() {
        let mut tally = Tally::default();
        tally.begin(10 * SECOND);
        tally.at(10 * SECOND).counts.expected += 2;
        tally.at(14 * SECOND).counts.expected += 1;
        let settled = tally.settled(14 * SECOND);
        assert_eq!(settled.len(), 1);
        let first = Slot::at(0);
        assert_eq!((settled[0].0, settled[0].1.counts.expected), (first, 2));
        tally.at(10 * SECOND + 1).counts.received += 1;
        let rest = tally.all();
        let lines: Vec<_> = rest
            .iter()
            .map(|(s, found)| (*s, found.counts.received))
            .collect();
        assert_eq!(lines, [(first, 1), (Slot::at(4 * SECOND), 0)]);
    }
}
