//! Durations of spans by second, and by step in a closed loop.

use std::collections::BTreeMap;
use std::sync::Arc;

use wirelab_sdk::clock::SECOND;
use wirelab_sdk::intervals::Durations;

use crate::load::thread_messages::Line;

/// Seconds are handed on when they are this old; what comes later makes a line of its own.
const SETTLED_SECONDS: u64 = 2;

/// Durations that have not been handed on.
pub struct Spans {
    names: Vec<Arc<str>>,
    start_ns: u64,
    /// By second and step; within it by name.
    seconds: BTreeMap<(u64, usize), Vec<Durations>>,
}

impl Spans {
    /// Of the operations `names`.
    pub fn new(names: &[Arc<str>]) -> Self {
        Self {
            names: names.to_vec(),
            start_ns: 0,
            seconds: BTreeMap::new(),
        }
    }

    /// Second 0 begins at `start_ns`.
    pub fn begin(&mut self, start_ns: u64) {
        self.start_ns = start_ns;
    }

    /// The second of a request that was due at `intended_ns`: durations by operation.
    pub fn at(&mut self, intended_ns: u64, step: usize) -> &mut [Durations] {
        let second = intended_ns.saturating_sub(self.start_ns) / SECOND;
        let count = self.names.len();
        self.seconds
            .entry((second, step))
            .or_insert_with(|| vec![Durations::default(); count])
    }

    /// Takes out the seconds that are settled at `now_ns`; `step_names` is empty unless lines name
    /// their step.
    pub fn settled(&mut self, now_ns: u64, step_names: &[Arc<str>]) -> Vec<Line> {
        let now = now_ns.saturating_sub(self.start_ns) / SECOND;
        let open = (now.saturating_sub(SETTLED_SECONDS), 0);
        let open = self.seconds.split_off(&open);
        let settled = std::mem::replace(&mut self.seconds, open);
        self.lines(settled, step_names)
    }

    /// Takes out all of them.
    pub fn all(&mut self, step_names: &[Arc<str>]) -> Vec<Line> {
        let all = std::mem::take(&mut self.seconds);
        self.lines(all, step_names)
    }

    fn lines(
        &self,
        seconds: BTreeMap<(u64, usize), Vec<Durations>>,
        step_names: &[Arc<str>],
    ) -> Vec<Line> {
        let mut lines = Vec::new();
        for ((second, step), found) in seconds {
            for (name, durations) in self.names.iter().zip(found) {
                let count = durations.count();
                if count == 0 {
                    continue;
                }
                // It is its own service and its own response. A span that a request did not
                // have is no loss: expected is what was received.
                let durations = Arc::new(durations);
                lines.push(Line {
                    second,
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
    use super::{SECOND, Spans};

    #[test]
    fn seconds_and_steps_have_lines_of_their_own() {
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
            .map(|line| (line.second, &*line.operation, &*line.step, line.counts[1].1))
            .collect();
        let expected = [
            (0, "keys", "a", 1),
            (0, "keys", "b", 1),
            (0, "client", "b", 1),
        ];
        assert_eq!(told, expected);
        let rest = spans.all(&[]);
        assert_eq!((rest.len(), rest[0].second, &*rest[0].step), (1, 4, ""));
    }
}
