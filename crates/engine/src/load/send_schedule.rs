//! The sends of a thread's lanes, in the order of their intended times.

use wirelab_sdk::schedule::{Lane, Schedule};

/// One send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueSend {
    /// Time at which it is due, by CLOCK_MONOTONIC.
    pub intended_ns: u64,
    /// Its tick.
    pub tick: u64,
    /// Its lane, which is its user.
    pub lane: u32,
}

/// A walk over all ticks, and over the lanes of each by their phase.
pub struct SendSchedule {
    schedule: Schedule,
    start_ns: u64,
    lanes: Vec<Lane>,
    tick: u64,
    at: usize,
    next: Option<DueSend>,
}

impl SendSchedule {
    /// The sends of `lanes`, where tick 0 is at `start_ns`.
    pub fn new(schedule: Schedule, start_ns: u64, lanes: impl IntoIterator<Item = u32>) -> Self {
        let mut lanes: Vec<_> = lanes.into_iter().map(|n| schedule.lane(n.into())).collect();
        lanes.sort_by_key(|lane| (lane.phase_ns, lane.number));
        let mut agenda = Self {
            schedule,
            start_ns,
            lanes,
            tick: 0,
            at: 0,
            next: None,
        };
        agenda.advance();
        agenda
    }

    /// Time at which the next send is due; never, when there are no more.
    pub fn next_ns(&self) -> u64 {
        self.next.map_or(u64::MAX, |due| due.intended_ns)
    }

    /// Tells whether there are no more sends.
    pub fn is_over(&self) -> bool {
        self.next.is_none()
    }

    /// The next send, if it is due at `now` or before; the one after it is the next then.
    pub fn take_due(&mut self, now: u64) -> Option<DueSend> {
        let due = self.next.filter(|due| due.intended_ns <= now)?;
        self.advance();
        Some(due)
    }

    /// Goes on to the send after the next. Lanes lie within a period, so ticks never overlap.
    fn advance(&mut self) {
        self.next = None;
        while self.tick < self.schedule.count {
            while let Some(lane) = self.lanes.get(self.at) {
                self.at += 1;
                if self.schedule.is_due(*lane, self.tick) {
                    let offset_ns = self.schedule.offset_ns(*lane, self.tick);
                    let intended_ns = self.start_ns + offset_ns;
                    // Lanes are users, whose numbers are of this type.
                    let number = u32::try_from(lane.number).unwrap_or(u32::MAX);
                    self.next = Some(DueSend {
                        intended_ns,
                        tick: self.tick,
                        lane: number,
                    });
                    return;
                }
            }
            self.tick += 1;
            self.at = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::SendSchedule;
    use serde_json::Value;
    use wirelab_sdk::schedule::{Cycle, Loop, Schedule, Step};

    const START_NS: u64 = 1_000_000;

    fn step(first: u64, count: u64, settle: u64, lanes: u64) -> Step {
        Step {
            name: String::new(),
            first,
            count,
            settle,
            users: lanes,
            lanes,
            join_ns: 0,
            ramp_ns: 0,
            parameters: Default::default(),
        }
    }

    #[test]
    fn every_due_lane_once_and_in_order() {
        let schedule = Schedule {
            kind: Loop::Open,
            first_ns: 5,
            period_ns: 1_000,
            count: 60,
            warmup: 0,
            cycle: Cycle {
                length: 7,
                active: 3,
            },
            steps: vec![step(0, 20, 4, 9), step(20, 20, 2, 30), step(40, 20, 5, 3)],
        };
        let mut expected = Vec::new();
        for tick in 0..60 {
            for lane in (0..30)
                .map(|n| schedule.lane(n))
                .filter(|l| schedule.is_due(*l, tick))
            {
                let intended_ns = START_NS + schedule.offset_ns(lane, tick);
                expected.push((intended_ns, tick, lane.number as u32));
            }
        }
        expected.sort_unstable();
        let mut agenda = SendSchedule::new(schedule, START_NS, 0..30);
        let mut seen = Vec::new();
        while !agenda.is_over() {
            let next_ns = agenda.next_ns();
            assert_eq!(agenda.take_due(next_ns - 1), None);
            let due = agenda.take_due(next_ns).expect("it is due");
            seen.push((due.intended_ns, due.tick, due.lane));
        }
        assert!(seen.len() > 100);
        seen.sort_by_key(|(intended_ns, ..)| *intended_ns);
        let mut sorted = seen.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected);
    }

    #[test]
    fn the_vectors_of_the_contract() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../sdk/vectors/schedule.json"
        );
        let text = std::fs::read_to_string(path).expect("vectors");
        let cases: Value = serde_json::from_str(&text).expect("JSON");
        let timed = cases["timed"].as_array().expect("schedules of times");
        let mut seen = 0;
        for case in timed {
            let schedule: Schedule = serde_json::from_value(case["schedule"].clone()).unwrap();
            let mut expected: BTreeMap<u32, Vec<(u64, u64)>> = BTreeMap::new();
            for lane in case["lanes"].as_array().expect("lanes") {
                let number = serde_json::from_value(lane["lane"].clone()).unwrap();
                let due = serde_json::from_value(lane["due"].clone()).unwrap();
                expected.insert(number, due);
            }
            let mut found: BTreeMap<u32, Vec<(u64, u64)>> =
                expected.keys().map(|lane| (*lane, Vec::new())).collect();
            let mut agenda = SendSchedule::new(schedule, 0, expected.keys().copied());
            while let Some(due) = agenda.take_due(u64::MAX) {
                let lane = found.entry(due.lane).or_default();
                lane.push((due.tick, due.intended_ns));
                seen += 1;
            }
            assert_eq!(found, expected, "{}", case["name"]);
        }
        assert_eq!((timed.len(), seen), (9, 126));
    }

    #[test]
    fn nothing_is_due_without_ticks() {
        let schedule = Schedule {
            kind: Loop::Open,
            first_ns: 0,
            period_ns: 0,
            count: 0,
            warmup: 0,
            cycle: Cycle::default(),
            steps: vec![],
        };
        let mut agenda = SendSchedule::new(schedule, START_NS, 0..1);
        assert!(agenda.is_over());
        assert_eq!(
            (agenda.next_ns(), agenda.take_due(u64::MAX)),
            (u64::MAX, None)
        );
    }
}
