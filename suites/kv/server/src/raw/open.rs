//! The open loop: every call at its time, whatever has become of those before.

use std::sync::mpsc::Receiver;

use wirelab_sdk::clock::{SECOND, now_ns};
use wirelab_sdk::commands::Command;
use wirelab_sdk::schedule::Schedule;

use super::Failure;
use super::asking::{CallContext, Due};

/// Time that the core's `stop` may wait to be seen.
const LOOK_EVERY_NS: u64 = SECOND / 20;

/// Carries the schedule out, whose tick 0 is at `start_ns` of CLOCK_MONOTONIC.
pub fn drive(
    asking: &mut CallContext,
    schedule: &Schedule,
    start_ns: u64,
    inbox: &Receiver<Command>,
) -> Result<(), Failure> {
    let calls = calls(schedule, start_ns);
    let mut following = calls.iter().peekable();
    while following.peek().is_some() || asking.under_way() > 0 {
        let now = now_ns();
        while let Some((at_ns, tick, lane)) = following.next_if(|(at_ns, ..)| *at_ns <= now) {
            asking.ask(Due {
                tick: *tick,
                lane: *lane,
                intended_ns: Some(*at_ns),
            })?;
        }
        let next_ns = following.peek().map_or(u64::MAX, |(at_ns, ..)| *at_ns);
        asking.wait(next_ns.min(now + LOOK_EVERY_NS))?;
        asking.ended.clear();
        if asking.hear(inbox)? {
            return Ok(asking.give_all_up()?);
        }
        asking.progress();
    }
    Ok(())
}

/// All calls in the order of their times: when, tick, lane.
fn calls(schedule: &Schedule, start_ns: u64) -> Vec<(u64, u64, u64)> {
    let lanes: Vec<_> = (0..schedule.lanes())
        .map(|lane| schedule.lane(lane))
        .collect();
    let mut calls = Vec::new();
    for tick in 0..schedule.count {
        for lane in lanes.iter().filter(|lane| schedule.is_due(**lane, tick)) {
            calls.push((
                start_ns + schedule.offset_ns(*lane, tick),
                tick,
                lane.number,
            ));
        }
    }
    calls.sort_unstable();
    calls
}
