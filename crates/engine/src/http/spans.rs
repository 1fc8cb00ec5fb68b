//! Durations of spans by slot of time, and by step in a closed loop.

use std::collections::BTreeMap;
use std::sync::Arc;

use wirelab_sdk::intervals::Durations;
use wirelab_sdk::slots::{BySlot, Slot};

use crate::load::SETTLED_SECONDS;
use crate::load::thread_messages::Line;

/// By step; within it by name.
type ByStep = BTreeMap<usize, Vec<Durations>>;

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

    /// The slot of a request that was due at `intended_ns`: durations by operation.
    pub fn at(&mut self, intended_ns: u64, step: usize) -> &mut [Durations] {
        let count = self.names.len();
        self.durations
            .at(intended_ns)
            .entry(step)
            .or_insert_with(|| vec![Durations::default(); count])
    }

    /// Takes out the slots that are settled at `now_ns`; `step_names` is empty unless lines name
    /// their step.
    pub fn settled(&mut self, now_ns: u64, step_names: &[Arc<str>]) -> Vec<Line> {
        let settled = self.durations.settled(now_ns, SETTLED_SECONDS);
        self.lines(settled, step_names)
    }

    /// Takes out all of them.
    pub fn all(&mut self, step_names: &[Arc<str>]) -> Vec<Line> {
        let all = self.durations.all();
        self.lines(all, step_names)
    }

    fn lines(&self, slots: BTreeMap<Slot, ByStep>, step_names: &[Arc<str>]) -> Vec<Line> {
        let steps = |(slot, own): (Slot, ByStep)| own.into_iter().map(move |one| (slot, one));
        let mut lines = Vec::new();
        for (slot, (step, found)) in slots.into_iter().flat_map(steps) {
            for (name, durations) in self.names.iter().zip(found) {
                let count = durations.count();
                if count == 0 {
                    continue;
                }
                // It is its own service and its own response. A span that a request did not
                // have is no loss: expected is what was received.
                let durations = Arc::new(durations);
                lines.push(Line {
                    slot,
                    operation: Arc::clone(name),
                    step: step_names.get(step).map_or_else(|| "".into(), Arc::clone),
                    counts: vec![("expected", count), ("received", count)],
                    service: Some(Arc::clone(&durations)),
                    response: Some(durations),
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
        let rest = spans.all(&[]);
        assert_eq!(
            (rest.len(), rest[0].slot.second, &*rest[0].step),
            (1, 4, "")
        );
    }
}
