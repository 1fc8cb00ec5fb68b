//! A shard's thread: connects, waits for the start, plays the schedule, hands over what it found.

use std::io;

use wirelab_sdk::clock::{SECOND, now_ns};

use super::plan::Plan;
use super::shard::Shard;
use crate::load::desk::{Desk, HAND_OVER_NS};
use crate::load::notes::{Note, Order};

/// Connections made at a time before the start, so that no server's queue overflows.
const WAVE: usize = 100;
/// The last moment for everything is the limit of operations and this.
const GRACE_NS: u64 = SECOND / 2;
/// Connections that are still there after this have been asked to end in vain.
const CLOSING_NS: u64 = 300_000_000;

/// A shard with its ways to and from the other threads.
pub struct Player<'a> {
    shard: Shard,
    users: usize,
    desk: &'a mut Desk,
    connects_first: bool,
    connected_by_ns: u64,
    /// From the start until the last send has been given up.
    longest_ns: u64,
}

impl<'a> Player<'a> {
    /// A player of `users` users.
    pub fn new(shard: Shard, plan: &Plan, users: usize, desk: &'a mut Desk) -> Self {
        let schedule = &plan.schedule;
        let ticks_ns = schedule.first_ns + schedule.count * schedule.period_ns;
        Self {
            shard,
            users,
            desk,
            connects_first: schedule.steps.is_empty(),
            connected_by_ns: now_ns() + plan.ready_ns / 2,
            longest_ns: ticks_ns + plan.terms.limit_ns + GRACE_NS,
        }
    }

    /// Plays until everything due has ended, or until told to stop.
    pub fn play(mut self) -> io::Result<()> {
        let connected = if self.connects_first {
            self.connect_all()?
        } else {
            Ok(())
        };
        let go_on = connected.is_ok();
        self.desk.tell(Note::Connected(connected));
        if go_on && let Some(start_ns) = self.wait_for_start()? {
            self.play_schedule(start_ns)?;
        }
        // What servers still have to say before their good-bye is counted, too.
        self.shard.close(now_ns() + CLOSING_NS)?;
        self.hand_over(true);
        Ok(())
    }

    /// Connects all users; in words why not.
    fn connect_all(&mut self) -> io::Result<Result<(), String>> {
        let mut next = 0;
        while self.shard.joined() < self.users {
            while next < self.users && next < self.shard.joined() + WAVE {
                self.shard.plan_join(next, now_ns());
                next += 1;
            }
            let failed = next == self.users && self.shard.is_settled();
            if now_ns() > self.connected_by_ns || (failed && self.shard.joined() < self.users) {
                let errors = &self.shard.ledger.findings.errors;
                let why = errors
                    .first()
                    .map_or("no answer", |error| error.message.as_str());
                let joined = self.shard.joined();
                return Ok(Err(format!(
                    "{joined} of {} users could join: {why}",
                    self.users
                )));
            }
            if matches!(self.desk.order(), Some(Order::Stop)) {
                return Ok(Err(String::new()));
            }
            self.shard.turn(now_ns() + HAND_OVER_NS)?;
        }
        Ok(Ok(()))
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
        let end_ns = start_ns + self.longest_ns;
        self.desk.open();
        let mut stopped = false;
        while !self.shard.is_finished() && !stopped && now_ns() < end_ns {
            self.shard.turn(self.desk.next_hand_over_ns())?;
            if now_ns() >= self.desk.next_hand_over_ns() {
                self.hand_over(false);
                stopped = matches!(self.desk.order(), Some(Order::Stop));
            }
        }
        self.shard.give_up();
        Ok(())
    }

    /// Hands over what was found; at the `last` time everything.
    fn hand_over(&mut self, last: bool) {
        let ledger = &mut self.shard.ledger;
        if self.desk.hand_over(&mut ledger.findings) || last {
            let seconds = if last {
                ledger.tally.all()
            } else {
                ledger.tally.settled(now_ns())
            };
            let lines = self.shard.lines(seconds);
            let totals = self.shard.ledger.totals;
            let connected = self.shard.joined() as u64;
            let lag_ns = self.shard.take_lag_ns();
            self.desk.tell_figures(lines, totals, connected, lag_ns);
        }
    }
}
