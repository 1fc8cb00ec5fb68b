//! The sends of a thread's lanes, in the order of their intended times.

use wirelab_sdk::schedule::{Lane, Schedule};

/// One send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// Nanoseconds after the start.
    pub offset_ns: u64,
    /// Its tick.
    pub tick: u64,
    /// Its lane, which is its user.
    pub lane: u32,
}

/// A walk over all ticks, and over the lanes of each by their phase.
pub struct Agenda {
    schedule: Schedule,
    lanes: Vec<Lane>,
    tick: u64,
    at: usize,
    next: Option<Due>,
}

impl Agenda {
    /// The sends of `lanes`.
    pub fn new(schedule: Schedule, lanes: impl IntoIterator<Item = u32>) -> Self {
        let mut lanes: Vec<_> = lanes.into_iter().map(|n| schedule.lane(n.into())).collect();
        lanes.sort_by_key(|lane| (lane.phase_ns, lane.number));
        let mut agenda = Self {
            schedule,
            lanes,
            tick: 0,
            at: 0,
            next: None,
        };
        agenda.advance();
        agenda
    }

    /// The next send.
    pub fn next(&self) -> Option<Due> {
        self.next
    }

    /// Goes on to the send after it. Lanes lie within a period, so ticks never overlap.
    pub fn advance(&mut self) {
        self.next = None;
        while self.tick < self.schedule.count {
            while let Some(lane) = self.lanes.get(self.at) {
                self.at += 1;
                if self.schedule.is_due(*lane, self.tick) {
                    let offset_ns = self.schedule.offset_ns(*lane, self.tick);
                    // Lanes are users, whose numbers are of this type.
                    let number = u32::try_from(lane.number).unwrap_or(u32::MAX);
                    self.next = Some(Due {
                        offset_ns,
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
    use super::Agenda;
    use wirelab_sdk::schedule::{Cycle, Loop, Schedule, Step};

    fn step(first: u64, count: u64, settle: u64, lanes: u64) -> Step {
        Step {
            name: String::new(),
            first,
            count,
            settle,
            users: lanes,
            lanes,
            join_ns: 0,
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
                expected.push((schedule.offset_ns(lane, tick), tick, lane.number as u32));
            }
        }
        expected.sort_unstable();
        let mut agenda = Agenda::new(schedule, 0..30);
        let mut seen = Vec::new();
        while let Some(due) = agenda.next() {
            seen.push((due.offset_ns, due.tick, due.lane));
            agenda.advance();
        }
        assert!(seen.len() > 100);
        seen.sort_by_key(|(offset, ..)| *offset);
        let mut sorted = seen.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected);
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
        assert_eq!(Agenda::new(schedule, 0..1).next(), None);
    }
}
