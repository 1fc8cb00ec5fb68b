//! Lines of the interval file, of all shards: one for each slot, operation and step, whatever the
//! number of shards.

use std::collections::BTreeMap;
use std::mem::take;
use std::sync::Arc;

use wirelab_sdk::clock::SECOND;
use wirelab_sdk::intervals::Durations;
use wirelab_sdk::slots::Slot;

use super::thread_messages::IntervalLine;

/// Every shard hands over once a second: so long after the first one, all have told of a slot.
const HELD_NS: u64 = 2 * SECOND;

/// Time for which lines of a slot that has been written are gathered. A server that is late by
/// seconds would else have a line of every slot each second.
const LATE_HELD_NS: u64 = 10 * SECOND;

/// One slot of an operation and a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SlotPlace {
    slot: Slot,
    operation: Arc<str>,
    step: Arc<str>,
}

/// Counts and durations that shards have told of one place.
#[derive(Debug)]
struct HeldLine {
    until_ns: u64,
    counts: Vec<(&'static str, u64)>,
    service: Few,
    response: Few,
}

impl HeldLine {
    fn until(until_ns: u64) -> Self {
        Self {
            until_ns,
            counts: Vec::new(),
            service: Few::default(),
            response: Few::default(),
        }
    }

    fn add(&mut self, line: &IntervalLine) {
        for &(name, count) in &line.counts {
            match self.counts.iter_mut().find(|(known, _)| *known == name) {
                Some((_, total)) => *total += count,
                None => self.counts.push((name, count)),
            }
        }
        self.service.add(line.service.as_deref());
        self.response.add(line.response.as_deref());
    }

    fn line(self, place: SlotPlace) -> IntervalLine {
        let service = self.service.durations();
        // What has no intended time of its own is encoded once.
        let response = if self.response == self.service {
            service.clone()
        } else {
            self.response.durations()
        };
        IntervalLine {
            slot: place.slot,
            operation: place.operation,
            step: place.step,
            counts: self.counts,
            service,
            response,
        }
    }
}

/// A distribution without the room for what was not found: a hundredth of it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Few(BTreeMap<u64, u32>);

impl Few {
    fn add(&mut self, durations: Option<&Durations>) {
        for (ns, times) in durations.iter().flat_map(|found| found.recorded()) {
            let known = self.0.entry(ns).or_default();
            *known = known.saturating_add(times);
        }
    }

    fn durations(&self) -> Option<Arc<Durations>> {
        let mut durations = Durations::default();
        for (&ns, &times) in &self.0 {
            durations.add_times(ns, times);
        }
        (!self.0.is_empty()).then(|| Arc::new(durations))
    }
}

/// Lines until all shards have told of their slots.
#[derive(Debug, Default)]
pub struct HeldLines {
    held: BTreeMap<SlotPlace, HeldLine>,
    written: Option<Slot>,
}

impl HeldLines {
    /// Adds what a shard tells at `now_ns`.
    pub fn add(&mut self, line: &IntervalLine, now_ns: u64) {
        let is_late = self.written.is_some_and(|written| line.slot <= written);
        let until_ns = now_ns + if is_late { LATE_HELD_NS } else { HELD_NS };
        let place = SlotPlace {
            slot: line.slot,
            operation: Arc::clone(&line.operation),
            step: Arc::clone(&line.step),
        };
        self.held
            .entry(place)
            .or_insert_with(|| HeldLine::until(until_ns))
            .add(line);
    }

    /// Takes out the lines that are due at `now_ns`.
    pub fn due(&mut self, now_ns: u64) -> Vec<IntervalLine> {
        let is_due = |(_, held): &(SlotPlace, HeldLine)| held.until_ns <= now_ns;
        let (due, held): (Vec<_>, _) = take(&mut self.held).into_iter().partition(is_due);
        self.held = held.into_iter().collect();
        let newest = due.iter().map(|(place, _)| place.slot).max();
        self.written = self.written.max(newest);
        due.into_iter()
            .map(|(place, held)| held.line(place))
            .collect()
    }

    /// Takes out all of them.
    pub fn all(&mut self) -> Vec<IntervalLine> {
        self.due(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wirelab_sdk::clock::SECOND;
    use wirelab_sdk::intervals::Durations;
    use wirelab_sdk::slots::Slots;

    use super::{HELD_NS, HeldLines, IntervalLine, LATE_HELD_NS};

    /// Line of a shard for the operation `delivery`: one that was received after `ns`.
    fn one(elapsed_ns: u64, operation: &str, step: &str, ns: u64) -> IntervalLine {
        let mut durations = Durations::default();
        durations.add(ns);
        let durations = Arc::new(durations);
        IntervalLine {
            slot: Slots::of(1).at(elapsed_ns),
            operation: operation.into(),
            step: step.into(),
            counts: vec![("expected", 2), ("received", 1)],
            service: Some(Arc::clone(&durations)),
            response: Some(durations),
        }
    }

    fn told(lines: &[IntervalLine]) -> Vec<(u64, &str, &str, u64, u64)> {
        let counted = |line: &IntervalLine| line.service.as_ref().map_or(0, |found| found.count());
        lines
            .iter()
            .map(|line| {
                (
                    line.slot.second,
                    &*line.operation,
                    &*line.step,
                    line.counts[1].1,
                    counted(line),
                )
            })
            .collect()
    }

    #[test]
    fn shards_share_a_line() {
        let mut held = HeldLines::default();
        for shard in 0..64 {
            held.add(&one(0, "keys", "a", 5_000 + 100_000 * shard), shard);
            held.add(&one(0, "keys", "b", 5_000), shard);
            held.add(&one(0, "client", "a", 5_000), shard);
            held.add(&one(SECOND, "keys", "a", 5_000), shard);
        }
        assert!(held.due(HELD_NS - 1).is_empty());
        let lines = held.due(HELD_NS);
        let expected = [
            (0, "client", "a", 64, 64),
            (0, "keys", "a", 64, 64),
            (0, "keys", "b", 64, 64),
            (1, "keys", "a", 64, 64),
        ];
        assert_eq!(told(&lines), expected);
        assert_eq!(lines[1].counts[0], ("expected", 128));
        let found = lines[1].service.as_ref().expect("durations").recorded();
        assert_eq!(found.count(), 64, "each in its own bucket");
        assert!(held.all().is_empty());
    }

    #[test]
    fn what_is_late_again_and_again_is_gathered() {
        let mut held = HeldLines::default();
        held.add(&one(0, "delivery", "", 5_000), 0);
        assert_eq!(held.due(HELD_NS).len(), 1);
        for second in 0..10 {
            held.add(
                &one(0, "delivery", "", 3 * SECOND),
                HELD_NS + second * SECOND,
            );
            assert!(held.due(HELD_NS + second * SECOND).is_empty());
        }
        let lines = held.due(HELD_NS + LATE_HELD_NS);
        assert_eq!(told(&lines), [(0, "delivery", "", 10, 10)]);
    }

    #[test]
    fn counts_without_durations_add_up_and_service_and_response_stay_apart() {
        let mut held = HeldLines::default();
        let counts = |name| IntervalLine {
            counts: vec![(name, 1)],
            service: None,
            response: None,
            ..one(0, "connect", "", 0)
        };
        held.add(&counts("dropped"), 0);
        held.add(&counts("silent"), 0);
        held.add(&counts("dropped"), 0);
        let mut waited = Durations::default();
        waited.add(70_000);
        let response = Some(Arc::new(waited));
        held.add(
            &IntervalLine {
                response,
                ..one(0, "delivery", "", 5_000)
            },
            0,
        );
        let lines = held.all();
        assert_eq!(lines[0].counts, [("dropped", 2), ("silent", 1)]);
        assert!(lines[0].service.is_none() && lines[0].response.is_none());
        let each = |found: &Option<Arc<Durations>>| {
            let found = found.as_ref().expect("durations");
            found
                .recorded()
                .map(|(ns, _)| ns / 5_000)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (each(&lines[1].service), each(&lines[1].response)),
            (vec![1], vec![14])
        );
    }
}
