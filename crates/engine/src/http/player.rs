//! A shard's thread: connects, waits for the start, plays the schedule, hands over what it found.

use std::io;

use wirelab_sdk::clock::{SECOND, now_ns};

use super::plan::Plan;
use super::shard::Shard;
use crate::load::desk::{Desk, HAND_OVER_NS};
use crate::load::notes::{Note, Order};

/// The last moment for everything is the limit of operations and this.
const GRACE_NS: u64 = SECOND / 2;
/// As `nice` counts.
const PRIORITY: i32 = -10;

/// A shard with its ways to and from the other threads.
pub struct Player<'a> {
    shard: Shard,
    plan: &'a Plan,
    desk: &'a mut Desk,
}

impl<'a> Player<'a> {
    /// A player of the shard's lanes.
    pub fn new(shard: Shard, plan: &'a Plan, desk: &'a mut Desk) -> Self {
        Self { shard, plan, desk }
    }

    /// Plays until everything due has ended, or until told to stop.
    pub fn play(mut self) -> io::Result<()> {
        come_first();
        let connected = if self.plan.schedule.steps.is_empty() {
            self.connect_all()?
        } else {
            Ok(())
        };
        let go_on = connected.is_ok();
        self.desk.tell(Note::Connected(connected));
        if go_on && let Some(start_ns) = self.wait_for_start()? {
            self.play_schedule(start_ns)?;
        }
        self.shard.close();
        self.hand_over(true);
        Ok(())
    }

    /// Connects all users; in words why not.
    fn connect_all(&mut self) -> io::Result<Result<(), String>> {
        let by_ns = now_ns() + self.plan.ready_ns / 2;
        for index in 0..self.shard.users() {
            self.shard.plan_join(index, now_ns());
        }
        while self.shard.joining() > 0 && now_ns() < by_ns {
            if matches!(self.desk.order(), Some(Order::Stop)) {
                return Ok(Err(String::new()));
            }
            self.shard.turn(now_ns() + HAND_OVER_NS)?;
        }
        let (connected, users) = (self.shard.connected(), self.shard.users());
        if connected == users {
            return Ok(Ok(()));
        }
        let why = self.shard.findings.errors.first();
        let why = why.map_or("no answer", |error| error.message.as_str());
        Ok(Err(format!(
            "{connected} of {users} users could connect: {why}"
        )))
    }

    fn wait_for_start(&mut self) -> io::Result<Option<u64>> {
        loop {
            match self.desk.order() {
                Some(Order::Start(start_ns)) => return Ok(Some(start_ns)),
                Some(Order::Stop) => return Ok(None),
                _ => self.shard.turn(now_ns() + SECOND)?,
            }
        }
    }

    fn play_schedule(&mut self, start_ns: u64) -> io::Result<()> {
        self.shard.start(start_ns);
        self.desk.open();
        let end_ns = self.ends_by_ns(start_ns);
        while !self.shard.is_finished() && now_ns() < end_ns {
            self.shard.turn(self.desk.next_hand_over_ns())?;
            if let Some(at_ns) = self.shard.take_reached() {
                self.desk.tell(Note::Reached(at_ns));
            }
            if now_ns() >= self.desk.next_hand_over_ns() {
                self.hand_over(false);
            }
            match self.desk.order() {
                Some(Order::Stop) => break,
                Some(Order::Go) => self.shard.go(),
                _ => {}
            }
        }
        self.shard.give_up();
        Ok(())
    }

    /// A schedule of times ends; that of a closed loop has a limit in each step.
    fn ends_by_ns(&self, start_ns: u64) -> u64 {
        let schedule = &self.plan.schedule;
        if schedule.kind == wirelab_sdk::schedule::Loop::Closed {
            return u64::MAX;
        }
        let ticks_ns = (schedule.count + 1).saturating_mul(schedule.period_ns);
        start_ns
            .saturating_add(schedule.first_ns)
            .saturating_add(ticks_ns)
            .saturating_add(self.plan.limit_ns + GRACE_NS)
    }

    /// Hands over what was found; at the `last` time everything.
    fn hand_over(&mut self, last: bool) {
        if self.desk.hand_over(&mut self.shard.findings) || last {
            let lines = self.shard.lines(last);
            let connected = self.shard.connected() as u64;
            let lag_ns = self.shard.take_lag_ns();
            self.desk
                .tell_figures(lines, self.shard.totals, connected, lag_ns);
        }
    }
}

/// Users are elsewhere and wait for no processor of the server's, so a generator on the same host
/// comes first as far as the host allows it: by the session (each role is one) and by the thread.
fn come_first() {
    let _ = std::fs::write("/proc/self/autogroup", PRIORITY.to_string());
    let _ = rustix::process::nice(PRIORITY);
}
