//! Exact counts and distributions by the slot of time in which messages were due.

use std::sync::Arc;

use wirelab_sdk::intervals::Durations;
use wirelab_sdk::slots::{BySlot, Slot};

use crate::load::thread_messages::IntervalLine;

/// `delivery` and `connect`.
pub const OPERATIONS: usize = 2;

/// The slots not handed on yet.
pub type Tally = BySlot<Box<SlotTotals>>;

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
    /// Payload of first copies that came in this slot, the sender's own among them.
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

/// Things that a server does, none of which is wrong, with what users have tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Pings that were answered with what they said.
    pub quoted: u64,
    /// Pings that were answered with something else.
    pub misquoted: u64,
    /// Texts that are none, for which the connection was ended by the code for that.
    pub named: u64,
    /// Those for which it was ended in another way.
    pub ended: u64,
    /// Those for which it was not.
    pub kept: u64,
    /// Those that were passed on to others.
    pub spread: u64,
}

/// One slot.
#[derive(Debug, Default)]
pub struct SlotTotals {
    /// Counts of `delivery`.
    pub counts: Counts,
    /// Connections that ended without being asked to.
    pub dropped: u64,
    /// Counts of users who read nothing more.
    pub silent: SilentUsers,
    /// Counts of what was tried when nothing was due any more.
    pub tried: Tried,
    /// From handing over to delivery.
    pub service: Durations,
    /// From the intended time to delivery.
    pub response: Durations,
}

/// Lines of the interval file, of the operations that the scenario has. That nobody was dropped is
/// told once a second: what is not written was not looked at.
pub fn lines_of(
    slots: impl IntoIterator<Item = (Slot, Box<SlotTotals>)>,
    delivery: bool,
    connect: bool,
) -> Vec<IntervalLine> {
    let mut second = None;
    let mut lines = Vec::new();
    for (slot, totals) in slots {
        let is_first = second.replace(slot.second) != Some(slot.second);
        let connect = connect && (is_first || totals.has_connections());
        lines.extend(totals.lines(slot, delivery, connect));
    }
    lines
}

impl SlotTotals {
    /// Tells whether anything happened to connections.
    fn has_connections(&self) -> bool {
        let is_silent = self.silent != SilentUsers::default();
        self.dropped > 0 || is_silent || self.tried != Tried::default()
    }

    fn lines(self, slot: Slot, delivery: bool, connect: bool) -> Vec<IntervalLine> {
        let mut lines = Vec::new();
        let line = |operation: &str, counts| IntervalLine {
            slot,
            operation: operation.into(),
            step: "".into(),
            counts,
            service: None,
            response: None,
        };
        // Whoever has no line of connections is told of in that of deliveries, which nobody owes to
        // who was dropped.
        let dropped = if connect { 0 } else { self.dropped };
        if delivery && (self.counts != Counts::default() || dropped > 0) {
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
            if dropped > 0 {
                counts.push(("dropped", dropped));
            }
            lines.push(IntervalLine {
                service: Some(Arc::new(self.service)),
                response: Some(Arc::new(self.response)),
                ..line("delivery", counts)
            });
        }
        if connect {
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
            if self.tried != Tried::default() {
                let Tried {
                    quoted,
                    misquoted,
                    named,
                    ended,
                    kept,
                    spread,
                } = self.tried;
                counts.extend([
                    ("pings_quoted", quoted),
                    ("pings_misquoted", misquoted),
                    ("invalid_named", named),
                    ("invalid_ended", ended),
                    ("invalid_kept", kept),
                    ("invalid_spread", spread),
                ]);
            }
            lines.push(line("connect", counts));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use wirelab_sdk::clock::SECOND;
    use wirelab_sdk::slots::Slots;

    use super::{IntervalLine, OPERATIONS, SlotTotals, Tally, lines_of};
    use crate::load::SETTLED_SECONDS;

    #[test]
    fn late_deliveries_belong_to_the_slot_they_were_due_in() {
        let mut tally = Tally::of(OPERATIONS);
        tally.begin(10 * SECOND);
        tally.at(10 * SECOND).counts.expected += 2;
        tally.at(14 * SECOND).counts.expected += 1;
        let settled = tally.settled(14 * SECOND, SETTLED_SECONDS);
        let told: Vec<_> = settled
            .iter()
            .map(|(slot, found)| (slot.second, slot.tenth, found.counts.expected))
            .collect();
        assert_eq!(told, [(0, Some(0), 2)]);
        tally.at(10 * SECOND + 1).counts.received += 1;
        let rest = tally.all();
        let told: Vec<_> = rest
            .iter()
            .map(|(slot, found)| (slot.second, slot.tenth, found.counts.received))
            .collect();
        assert_eq!(told, [(0, Some(0), 1), (4, Some(0), 0)]);
    }

    #[test]
    fn nobody_dropped_is_told_once_a_second_and_somebody_always() {
        let slots = Slots::of(OPERATIONS);
        let totals = |ns, dropped| {
            let found = SlotTotals {
                dropped,
                ..SlotTotals::default()
            };
            (slots.at(ns), Box::new(found))
        };
        let tenth = SECOND / 10;
        let found = [
            totals(3 * tenth, 0),
            totals(4 * tenth, 0),
            totals(5 * tenth, 2),
            totals(SECOND, 0),
        ];
        let lines = lines_of(found, true, true);
        let told = |line: &IntervalLine| (line.slot.second, line.slot.tenth, line.counts[0]);
        let expected = [
            (0, Some(3), ("dropped", 0)),
            (0, Some(5), ("dropped", 2)),
            (1, Some(0), ("dropped", 0)),
        ];
        assert_eq!(lines.iter().map(told).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn whoever_has_no_line_of_connections_is_told_of_with_the_deliveries() {
        let dropped = |delivery, connect| {
            let totals = SlotTotals {
                dropped: 2,
                ..SlotTotals::default()
            };
            let slot = Slots::of(2).at(SECOND);
            let lines = lines_of([(slot, Box::new(totals))], delivery, connect);
            let counted = |line: &IntervalLine| line.counts.contains(&("dropped", 2));
            let told = lines.iter().filter(|line| counted(line));
            told.map(|line| line.operation.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(dropped(true, true), ["connect"]);
        assert_eq!(dropped(true, false), ["delivery"]);
        assert!(dropped(false, false).is_empty());
    }
}
