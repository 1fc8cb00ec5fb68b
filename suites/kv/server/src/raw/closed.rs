//! The closed loop: a lane's next call when its last one has ended, or, with a barrier, when
//! those of all lanes have.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use wirelab_sdk::clock::{SECOND, now_ns};
use wirelab_sdk::commands::Command;
use wirelab_sdk::events::Events;
use wirelab_sdk::schedule::Step;
use wirelab_sdk::spec::Spec;

use super::Failure;
use super::asking::{CallContext, Due};

/// Time that the core's `stop` may wait to be seen.
const LOOK_EVERY_NS: u64 = SECOND / 20;

/// Carries all steps out from `start_ns` of CLOCK_MONOTONIC on, and says when each has ended.
pub fn drive(
    asking: &mut CallContext,
    spec: &Spec,
    start_ns: u64,
    events: &Events,
    inbox: &Receiver<Command>,
) -> Result<(), Failure> {
    let barrier: bool = spec.parameter("barrier", false)?;
    std::thread::sleep(Duration::from_nanos(start_ns.saturating_sub(now_ns())));
    for step in &spec.schedule.steps {
        let settled = step.first + step.settle;
        let mut ticks = Ticks {
            asking,
            step,
            barrier,
            inbox,
        };
        if !ticks.perform(step.first, settled)? {
            return Ok(());
        }
        let begin_ns = now_ns();
        if !ticks.perform(settled, step.first + step.count)? {
            return Ok(());
        }
        events.step(&step.name, begin_ns, now_ns());
    }
    Ok(())
}

struct Ticks<'a> {
    asking: &'a mut CallContext,
    step: &'a Step,
    barrier: bool,
    inbox: &'a Receiver<Command>,
}

impl Ticks<'_> {
    /// Performs the ticks from `begin` to before `end` on every lane; false when told to stop.
    fn perform(&mut self, begin: u64, end: u64) -> Result<bool, Failure> {
        let lanes = self.step.lanes;
        if begin == end {
            return Ok(true);
        }
        self.asking.ended.clear();
        let mut next = vec![begin + 1; lanes as usize];
        for lane in 0..lanes {
            self.ask(begin, lane)?;
        }
        let mut left = lanes * (end - begin);
        let mut ended_of_round = 0;
        while left > 0 {
            self.asking.wait(now_ns() + LOOK_EVERY_NS)?;
            self.asking.progress();
            for lane in std::mem::take(&mut self.asking.ended) {
                left -= 1;
                ended_of_round += 1;
                if !self.barrier {
                    self.go_on(lane, &mut next, end)?;
                } else if ended_of_round == lanes {
                    ended_of_round = 0;
                    for lane in 0..lanes {
                        self.go_on(lane, &mut next, end)?;
                    }
                }
            }
            if self.asking.hear(self.inbox)? {
                self.asking.give_all_up()?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn go_on(&mut self, lane: u64, next: &mut [u64], end: u64) -> Result<(), Failure> {
        let tick = next[lane as usize];
        if tick < end {
            next[lane as usize] += 1;
            self.ask(tick, lane)?;
        }
        Ok(())
    }

    fn ask(&mut self, tick: u64, lane: u64) -> Result<(), Failure> {
        let intended_ns = None;
        Ok(self.asking.ask(Due {
            tick,
            lane,
            intended_ns,
        })?)
    }
}
