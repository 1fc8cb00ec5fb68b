//! The steps of a closed loop, which all shards begin and end together.

use std::sync::Arc;

use wirelab_sdk::clock::now_ns;
use wirelab_sdk::schedule::Step;

/// A step that has ended, by CLOCK_MONOTONIC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The step.
    pub name: Arc<str>,
    /// Before its first operation that counts.
    pub begin_ns: u64,
    /// Not before the end of its last one.
    pub end_ns: u64,
}

/// Progress of the shards: settling in a step, or measured in it.
pub struct Steps {
    names: Vec<Arc<str>>,
    shards: usize,
    at: usize,
    begin_ns: Option<u64>,
    reached: usize,
    last_ns: u64,
}

impl Steps {
    /// All of `shards` shards are about to settle in the first step.
    pub fn new(steps: &[Step], shards: usize) -> Self {
        Self {
            names: steps.iter().map(|step| step.name.as_str().into()).collect(),
            shards,
            at: 0,
            begin_ns: None,
            reached: 0,
            last_ns: 0,
        }
    }

    /// A shard has come to the end of settling, or of the step, at `at_ns`. Some: all have and
    /// are to go on; within it the step that has ended by that.
    pub fn reached(&mut self, at_ns: u64) -> Option<Option<Ended>> {
        self.reached += 1;
        self.last_ns = self.last_ns.max(at_ns);
        if self.reached < self.shards {
            return None;
        }
        self.reached = 0;
        let Some(begin_ns) = self.begin_ns.take() else {
            self.begin_ns = Some(now_ns());
            return Some(None);
        };
        let ended = self.names.get(self.at).map(|name| Ended {
            name: Arc::clone(name),
            begin_ns,
            // A step in which no lane is due takes no time, but an end is after its beginning.
            end_ns: self.last_ns.max(begin_ns + 1),
        });
        self.at += 1;
        Some(ended)
    }
}

#[cfg(test)]
mod tests {
    use super::Steps;
    use wirelab_sdk::schedule::Step;

    fn step(name: &str) -> Step {
        Step {
            name: name.to_owned(),
            first: 0,
            count: 1,
            settle: 0,
            users: 1,
            lanes: 1,
            join_ns: 0,
            ramp_ns: 0,
            parameters: Default::default(),
        }
    }

    #[test]
    fn the_last_shard_begins_a_step_and_ends_it() {
        let mut steps = Steps::new(&[step("a"), step("b")], 2);
        for name in ["a", "b"] {
            assert_eq!(steps.reached(1), None);
            assert_eq!(steps.reached(1), Some(None));
            let far = u64::MAX - 7;
            assert_eq!(steps.reached(far), None);
            let ended = steps.reached(5).flatten().expect("a step has ended");
            assert_eq!(&*ended.name, name);
            assert!(ended.begin_ns > 0 && ended.end_ns == far);
        }
    }
}
