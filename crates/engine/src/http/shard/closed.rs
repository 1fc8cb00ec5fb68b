//! The closed loop: a lane's next request waits for the result of its last one.

use std::collections::VecDeque;
use std::sync::Arc;

use wirelab_sdk::clock::now_ns;

use super::lane::DueRequest;
use super::{HttpShard, Pace};
use crate::load::event_loop::LoopHandler;

/// After a lost connection a lane waits this long, so that a server that is gone is not asked
/// thousands of times a second.
pub(super) const PAUSE_NS: u64 = 10_000_000;

/// State of the lanes of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Tick 0 has not come.
    Start,
    /// The users that the step adds connect, one after the other.
    Joining,
    /// Every lane performs the ticks that do not count.
    Settling,
    /// Settled; other shards may not be.
    Settled,
    /// Every lane performs the ticks that count.
    Measuring,
    /// All ticks have ended; those of other shards may not have.
    Ended,
    /// There are no more steps.
    Over,
}

/// Progress of a closed loop through its steps, on this thread.
pub struct Closed {
    start_ns: u64,
    step: usize,
    phase: Phase,
    /// Lanes that have ticks left in this phase.
    busy: usize,
    /// Users before this one have connected, or failed to.
    next_join: u64,
    /// End of the last operation of the phase.
    last_end_ns: u64,
    /// The phase is given up at this time.
    give_up_ns: u64,
    /// Lanes that wait after a lost connection, and until when.
    pausing: VecDeque<(u64, usize)>,
    /// The phase has ended at this time, which has not been told yet.
    reached_ns: Option<u64>,
}

impl Closed {
    /// Before the first step, which begins at `start_ns`.
    pub fn new(start_ns: u64) -> Self {
        Self {
            start_ns,
            step: 0,
            phase: Phase::Start,
            busy: 0,
            next_join: 0,
            last_end_ns: 0,
            give_up_ns: 0,
            pausing: VecDeque::new(),
            reached_ns: None,
        }
    }

    /// Tells whether all steps have ended.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Tells whether what is asked now counts.
    pub fn is_measuring(&self) -> bool {
        self.phase == Phase::Measuring
    }

    /// Takes the time at which all lanes had settled, or ended the step, if that is new.
    pub fn take_reached(&mut self) -> Option<u64> {
        self.reached_ns.take()
    }

    /// Ends without the steps that are left.
    pub fn end(&mut self) {
        self.phase = Phase::Over;
        self.pausing.clear();
    }

    /// Time at which something has to be done that no event tells of.
    pub fn next_ns(&self) -> u64 {
        match self.phase {
            Phase::Start => self.start_ns,
            Phase::Settling | Phase::Measuring => {
                let pause_ns = self.pausing.front().map_or(u64::MAX, |(at_ns, _)| *at_ns);
                pause_ns.min(self.give_up_ns)
            }
            _ => u64::MAX,
        }
    }
}

impl HttpShard {
    /// All shards have settled, or ended the step, and go on.
    pub(super) fn go_on_closed(&mut self) {
        let Pace::Closed(closed) = &mut self.pace else {
            return;
        };
        match closed.phase {
            Phase::Settled => self.perform(Phase::Measuring),
            Phase::Ended => {
                closed.step += 1;
                if closed.step == self.plan.schedule.steps.len() {
                    closed.phase = Phase::Over;
                } else {
                    closed.phase = Phase::Joining;
                    self.join_next();
                }
            }
            _ => {}
        }
        self.note_next_due();
    }

    /// Does what time asks for: the first step, the end of pauses and of patience.
    pub(super) fn advance_closed(&mut self, now: u64) {
        let Pace::Closed(closed) = &mut self.pace else {
            return;
        };
        if closed.phase == Phase::Start && now >= closed.start_ns {
            closed.phase = Phase::Joining;
            self.join_next();
            return;
        }
        if !matches!(closed.phase, Phase::Settling | Phase::Measuring) {
            return;
        }
        if now >= closed.give_up_ns {
            self.give_up_all(now);
            self.end_phase(now);
            return;
        }
        while let Pace::Closed(closed) = &mut self.pace
            && let Some((at_ns, index)) = closed.pausing.front().copied()
            && at_ns <= now
        {
            closed.pausing.pop_front();
            self.perform_next(index);
        }
    }

    /// Connects the users that the step adds, each after the one before; settles after the last.
    pub(super) fn join_next(&mut self) {
        loop {
            let Pace::Closed(closed) = &mut self.pace else {
                return;
            };
            if closed.phase != Phase::Joining || self.joining > 0 {
                return;
            }
            let user = closed.next_join;
            if user >= self.plan.schedule.steps[closed.step].users {
                self.perform(Phase::Settling);
                return;
            }
            closed.next_join += 1;
            if let Some(index) = self.place(user) {
                self.joining += 1;
                self.join(index, now_ns());
            }
        }
    }

    /// Every lane begins with the ticks of a phase.
    fn perform(&mut self, phase: Phase) {
        let plan = Arc::clone(&self.plan);
        let Pace::Closed(closed) = &mut self.pace else {
            return;
        };
        let step = &plan.schedule.steps[closed.step];
        let settled = step.first + step.settle.min(step.count);
        let ticks = if phase == Phase::Settling {
            step.first..settled
        } else {
            settled..step.first + step.count
        };
        let now = now_ns();
        let count = ticks.end - ticks.start;
        closed.phase = phase;
        closed.last_end_ns = now;
        closed.give_up_ns = now.saturating_add(plan.schedule.at_most_ns(count, plan.limit_ns));
        let own = self.lanes.iter().map(|lane| u64::from(lane.user));
        closed.busy = own.filter(|user| *user < step.lanes).count();
        if count == 0 || closed.busy == 0 {
            self.end_phase(now);
            return;
        }
        for index in 0..self.lanes.len() {
            let lane = &mut self.lanes[index];
            if u64::from(lane.user) < step.lanes {
                (lane.tick, lane.until) = (ticks.start, ticks.end);
                self.perform_next(index);
            }
        }
        self.note_next_due();
    }

    fn perform_next(&mut self, index: usize) {
        let lane = &mut self.lanes[index];
        if lane.tick >= lane.until {
            return;
        }
        let tick = lane.tick;
        lane.tick += 1;
        let due = DueRequest {
            intended_ns: None,
            tick,
        };
        self.ask(index, due);
    }

    /// A request of a lane has ended; `lost`: its connection has, too.
    pub(super) fn performed_in_step(&mut self, index: usize, end_ns: u64, lost: bool) {
        let Pace::Closed(closed) = &mut self.pace else {
            return;
        };
        closed.last_end_ns = closed.last_end_ns.max(end_ns);
        if !matches!(closed.phase, Phase::Settling | Phase::Measuring) {
            return;
        }
        if self.lanes[index].tick < self.lanes[index].until {
            if lost {
                closed.pausing.push_back((end_ns + PAUSE_NS, index));
                self.event_loop.wake_by(end_ns + PAUSE_NS);
            } else {
                self.perform_next(index);
            }
            return;
        }
        closed.busy -= 1;
        if closed.busy == 0 {
            let last_ns = closed.last_end_ns;
            self.end_phase(last_ns);
        }
    }

    fn end_phase(&mut self, at_ns: u64) {
        let Pace::Closed(closed) = &mut self.pace else {
            return;
        };
        closed.phase = match closed.phase {
            Phase::Settling => Phase::Settled,
            Phase::Measuring => Phase::Ended,
            other => other,
        };
        closed.pausing.clear();
        closed.reached_ns = Some(at_ns);
    }
}
