//! Durations of spans by slot of time, and by step in a closed loop.

use std::collections::BTreeMap;
use std::sync::Arc;

use wirelab_sdk::intervals::Durations;
use wirelab_sdk::slots::{BySlot, Slot};

use crate::load::SETTLED_SECONDS;
use crate::load::thread_messages::IntervalLine;

/// Durations of a span, and the number of those that have none because it would be negative.
#[derive(Clone, Default)]
pub struct SpanCounts {
    durations: Durations,
    refused: u64,
}

impl SpanCounts {
    /// Counts a duration.
    pub fn add(&mut self, ns: u64) {
        self.durations.add(ns);
    }

    /// Counts a span that cannot be as long as it is said to be.
    pub fn refuse(&mut self) {
        self.refused += 1;
    }
}

/// By step; within it by name.
type ByStep = BTreeMap<usize, Vec<SpanCounts>>;

/// Durations that have not been handed on.
pub struct Spans {
    names: Vec<Arc<str>>,
    durations: BySlot<ByStep>,
}

impl Spans {
    /// Spans of the operations `names`.
    pub fn new(names: &[Arc<str>]) -> Self {
        Self {
            names: names.to_vec(),
            durations: BySlot::of(names.len()),
        }
    }

    /// Second 0 begins at `start_ns`.
    pub fn begin(&mut self, start_ns: u64) {
        self.durations.begin(start_ns);
    }

    /// The slot of a request that was due at `intended_ns`: counts by operation.
    pub fn at(&mut self, intended_ns: u64, step: usize) -> &mut [SpanCounts] {
        let count = self.names.len();
        self.durations
            .at(intended_ns)
            .entry(step)
            .or_insert_with(|| vec![SpanCounts::default(); count])
    }

    /// Takes out the slots that are settled at `now_ns`; `step_names` is empty unless lines name
    /// their step.
    pub fn settled(&mut self, now_ns: u64, step_names: &[Arc<str>]) -> Vec<IntervalLine> {
        let settled = self.durations.settled(now_ns, SETTLED_SECONDS);
        self.lines(settled, step_names)
    }

    /// Takes out all of them.
    pub fn all(&mut self, step_names: &[Arc<str>]) -> Vec<IntervalLine> {
        let all = self.durations.all();
        self.lines(all, step_names)
    }

    fn lines(&self, slots: BTreeMap<Slot, ByStep>, step_names: &[Arc<str>]) -> Vec<IntervalLine> {
        let steps = |(slot, own): (Slot, ByStep)| own.into_iter().map(move |one| (slot, one));
        let mut lines = Vec::new();
        for (slot, (step, found)) in slots.into_iter().flat_map(steps) {
            for (name, own) in self.names.iter().zip(found) {
                let count = own.durations.count();
                let expected = count + own.refused;
                if expected == 0 {
                    continue;
                }
                // It is its own service and its own response. A span that a request did not
                // have is no loss; one that was refused is expected, and not received.
                let durations = (count > 0).then(|| Arc::new(own.durations));
                lines.push(IntervalLine {
                    slot,
                    operation: Arc::clone(name),
                    step: step_names.get(step).map_or_else(|| "".into(), Arc::clone),
                    counts: vec![("expected", expected), ("received", count)],
                    service: durations.clone(),
                    response: durations,
                });
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use wirelab_sdk::clock::SECOND;

    use super::Spans;

    #[test]
    fn slots_and_steps_have_lines_of_their_own() {
        let mut spans = Spans::new(&["keys".into(), "client".into()]);
        spans.begin(10 * SECOND);
        spans.at(10 * SECOND, 0)[0].add(5_000);
        spans.at(10 * SECOND + 1, 1)[0].add(5_000);
        spans.at(10 * SECOND + 1, 1)[1].add(7_000);
        spans.at(14 * SECOND, 1)[1].add(7_000);
        let names = ["a".into(), "b".into()];
        let lines = spans.settled(14 * SECOND, &names);
        let told: Vec<_> = lines
            .iter()
            .map(|line| {
                (
                    line.slot.second,
                    &*line.operation,
                    &*line.step,
                    line.counts[1].1,
                )
            })
            .collect();
        let expected = [
            (0, "keys", "a", 1),
            (0, "keys", "b", 1),
            (0, "client", "b", 1),
        ];
        assert_eq!(told, expected);
        spans.at(14 * SECOND, 1)[0].refuse();
        let rest = spans.all(&[]);
        let rest: Vec<_> = rest
            .iter()
            .map(|line| {
                let counts = line.counts.iter().map(|(_, count)| *count).collect();
                (
                    line.slot.second,
                    &*line.operation,
                    counts,
                    line.service.is_some(),
                )
            })
            .collect();
        // What was refused is expected, and has no duration.
        let expected: [(_, _, Vec<u64>, _); 2] = [
            (4, "keys", vec![1, 0], false),
            (4, "client", vec![1, 1], true),
        ];
        assert_eq!(rest, expected);
    }
}
