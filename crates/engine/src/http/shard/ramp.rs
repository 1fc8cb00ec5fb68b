//! A ramp: lanes come and go one after the other, at times that are known beforehand, and ask on
//! while others do. Its steps follow each other without a stop.

use std::collections::VecDeque;

use wirelab_sdk::clock::now_ns;
use wirelab_sdk::schedule::Step;

use super::closed::PAUSE_NS;
use super::lane::DueRequest;
use super::{HttpShard, Pace};
use crate::load::event_loop::LoopHandler;

/// A lane that comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    /// After the start.
    offset_ns: u64,
    lane: u64,
    comes: bool,
}

/// Part of a ramp that is still to come, on this thread.
pub struct Ramp {
    start_ns: u64,
    /// Changes of all lanes, in the order of their times.
    changes: VecDeque<Change>,
    /// End of each step, after the start, and its first tick.
    steps: Vec<(u64, u64)>,
    /// Lanes that wait after a lost connection, and until when.
    pausing: VecDeque<(u64, usize)>,
}

impl Ramp {
    /// The ramp of these steps, which begins at `start_ns`.
    pub fn new(steps: &[Step], start_ns: u64) -> Self {
        let mut end_ns = 0;
        let placed = steps.iter().map(|step| {
            end_ns += step.ramp_ns;
            (end_ns, step.first)
        });
        Self {
            start_ns,
            steps: placed.collect(),
            changes: changes(steps).into(),
            pausing: VecDeque::new(),
        }
    }

    /// Tells whether all lanes have gone.
    pub fn is_over(&self) -> bool {
        self.changes.is_empty()
    }

    /// Nobody comes any more.
    pub fn end(&mut self) {
        self.changes.clear();
        self.pausing.clear();
    }

    /// Time at which something has to be done that no event tells of.
    pub fn next_ns(&self) -> u64 {
        let change_ns = self.changes.front().map(|it| self.start_ns + it.offset_ns);
        let pause_ns = self.pausing.front().map(|(at_ns, _)| *at_ns);
        [change_ns, pause_ns]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(u64::MAX)
    }

    /// The first tick of the step that `now` is in.
    fn first_tick(&self, now: u64) -> u64 {
        let since_ns = now.saturating_sub(self.start_ns);
        let at = self
            .steps
            .partition_point(|(end_ns, _)| *end_ns <= since_ns);
        let last = self.steps.len().saturating_sub(1);
        self.steps.get(at.min(last)).map_or(0, |(_, first)| *first)
    }

    fn take_change(&mut self, now: u64) -> Option<Change> {
        let next = self.changes.front()?;
        (self.start_ns + next.offset_ns <= now)
            .then(|| self.changes.pop_front())
            .flatten()
    }

    fn take_paused(&mut self, now: u64) -> Option<usize> {
        let (at_ns, index) = *self.pausing.front()?;
        (at_ns <= now).then(|| {
            self.pausing.pop_front();
            index
        })
    }
}

impl HttpShard {
    /// Lanes come and go whose time it is; those that waited after a loss ask again.
    pub(super) fn advance_ramp(&mut self, now: u64) {
        while let Pace::Ramp(ramp) = &mut self.pace
            && let Some(change) = ramp.take_change(now)
        {
            let Some(index) = self.place(change.lane) else {
                continue;
            };
            self.lanes[index].until = if change.comes { u64::MAX } else { 0 };
            self.ask_on(index);
        }
        while let Pace::Ramp(ramp) = &mut self.pace
            && let Some(index) = ramp.take_paused(now)
        {
            self.ask_on(index);
        }
    }

    /// The next request of a lane that is there and has none under way: one that has come back may
    /// wait for the answer with which it was to go.
    fn ask_on(&mut self, index: usize) {
        let Pace::Ramp(ramp) = &self.pace else {
            return;
        };
        let first = ramp.first_tick(now_ns());
        let lane = &mut self.lanes[index];
        let tick = lane.tick.max(first);
        if tick >= lane.until || lane.exchange.is_some() || !lane.waiting.is_empty() {
            return;
        }
        lane.tick = tick + 1;
        let due = DueRequest {
            intended_ns: None,
            tick,
        };
        self.ask(index, due);
    }

    /// A request of a lane has ended; `lost`: its connection has, too.
    pub(super) fn performed_in_ramp(&mut self, index: usize, end_ns: u64, lost: bool) {
        if !lost {
            // Its own time may have come since anything was looked at.
            self.advance_ramp(now_ns());
            self.ask_on(index);
        } else if let Pace::Ramp(ramp) = &mut self.pace {
            ramp.pausing.push_back((end_ns + PAUSE_NS, index));
            self.event_loop().wake_by(end_ns + PAUSE_NS);
        }
    }
}

/// Times at which lanes come and go: of `n` lanes that a step adds the k-th comes after `k / n` of
/// it; of those that it takes the k-th, from the last one on, goes after `(k + 1) / n`; the rest
/// goes when all is over.
fn changes(steps: &[Step]) -> Vec<Change> {
    let mut found = Vec::new();
    let (mut begin_ns, mut known) = (0, 0);
    for step in steps {
        let (added, taken) = (
            step.lanes.saturating_sub(known),
            known.saturating_sub(step.lanes),
        );
        found.extend((0..added).map(|k| Change {
            offset_ns: begin_ns + part_ns(step.ramp_ns, k, added),
            lane: known + k,
            comes: true,
        }));
        found.extend((0..taken).map(|k| Change {
            offset_ns: begin_ns + part_ns(step.ramp_ns, k + 1, taken),
            lane: known - 1 - k,
            comes: false,
        }));
        (begin_ns, known) = (begin_ns + step.ramp_ns, step.lanes);
    }
    found.extend((0..known).map(|lane| Change {
        offset_ns: begin_ns,
        lane,
        comes: false,
    }));
    found
}

fn part_ns(whole_ns: u64, part: u64, of: u64) -> u64 {
    let ns = u128::from(whole_ns) * u128::from(part) / u128::from(of);
    // No more than the whole, which fits.
    u64::try_from(ns).unwrap_or(whole_ns)
}

#[cfg(test)]
mod tests {
    use super::{Ramp, changes};
    use wirelab_sdk::schedule::Step;

    fn step(first: u64, lanes: u64, ramp_ns: u64) -> Step {
        Step {
            name: "s".into(),
            first,
            count: 1_000,
            settle: 0,
            users: 4,
            lanes,
            join_ns: 0,
            ramp_ns,
            parameters: Default::default(),
        }
    }

    #[test]
    fn lanes_come_one_by_one_and_go_in_the_opposite_order() {
        let steps = [step(0, 2, 100), step(1_000, 4, 80), step(2_000, 1, 90)];
        let told: Vec<_> = changes(&steps)
            .iter()
            .map(|change| (change.offset_ns, change.lane, change.comes))
            .collect();
        let expected = [
            (0, 0, true),
            (50, 1, true),
            (100, 2, true),
            (140, 3, true),
            (210, 3, false),
            (240, 2, false),
            (270, 1, false),
            (270, 0, false),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_tick_is_one_of_the_step_that_time_has_come_to() {
        let ramp = Ramp::new(&[step(0, 2, 100), step(1_000, 4, 80)], 10);
        let firsts = [0, 10, 109, 110, 189, 190, 900].map(|now| ramp.first_tick(now));
        assert_eq!(firsts, [0, 0, 0, 1_000, 1_000, 1_000, 1_000]);
    }
}
