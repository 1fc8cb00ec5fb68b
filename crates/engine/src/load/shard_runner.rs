//! A shard's thread: connects, waits for the start, plays the schedule, hands over what it found.

use std::io;

use wirelab_sdk::clock::{SECOND, now_ns};
use wirelab_sdk::schedule::{Loop, Schedule};

use super::event_loop::LoopHandler;
use super::findings::Findings;
use super::shard_channels::{HAND_OVER_NS, ShardChannels};
use super::thread_messages::{IntervalLine, ToShard, ToWriter, Totals};

/// The last moment for everything is the limit of operations and this.
const GRACE_NS: u64 = SECOND / 2;

/// Users of one thread, whom a player plays. Times are nanoseconds of CLOCK_MONOTONIC.
pub trait ShardWork: LoopHandler {
    /// Connections made at a time before the start.
    const WAVE: usize;

    /// Number of users.
    fn users(&self) -> usize;

    /// Users that can be served.
    fn connected(&self) -> usize;

    /// First connections that are due and have neither been made nor failed.
    fn joining(&self) -> usize;

    /// Connects user `index` for the first time, at `at_ns`; not before those that were planned
    /// before.
    fn plan_join(&mut self, index: usize, at_ns: u64);

    /// Tick 0 is at `start_ns`.
    fn start(&mut self, start_ns: u64);

    /// Tells whether everything due has ended or been given up.
    fn is_finished(&self) -> bool;

    /// In a closed loop: when all lanes had settled, or ended the step, if that is new.
    fn take_reached(&mut self) -> Option<u64> {
        None
    }

    /// In a closed loop: all shards have settled, or ended the step, and go on.
    fn go(&mut self) {}

    /// Gives up everything that is under way or still to come.
    fn give_up(&mut self);

    /// Ends all connections.
    fn close(&mut self) -> io::Result<()>;

    /// Findings that are to be written.
    fn findings(&mut self) -> &mut Findings;

    /// Lines of the interval file: of the seconds that are settled, or of `all`.
    fn lines(&mut self, all: bool) -> Vec<IntervalLine>;

    /// For `progress`.
    fn totals(&self) -> Totals;
}

/// A shard with its ways to and from the other threads.
pub struct ShardRunner<'a, S> {
    shard: S,
    channels: &'a mut ShardChannels,
    connects_first: bool,
    connected_by_ns: u64,
    /// From the start until the last operation has been given up.
    longest_ns: u64,
}

impl<'a, S: ShardWork> ShardRunner<'a, S> {
    /// A player of a shard that has `ready_ns` to be ready, and `limit_ns` for an operation.
    pub fn new(
        shard: S,
        schedule: &Schedule,
        ready_ns: u64,
        limit_ns: u64,
        channels: &'a mut ShardChannels,
    ) -> Self {
        Self {
            shard,
            channels,
            connects_first: schedule.steps.is_empty(),
            connected_by_ns: now_ns() + ready_ns / 2,
            longest_ns: longest_ns(schedule, limit_ns),
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
        self.channels.tell(ToWriter::Connected(connected));
        if go_on && let Some(start_ns) = self.wait_for_start()? {
            self.play_schedule(start_ns)?;
        }
        self.shard.close()?;
        self.hand_over(true);
        Ok(())
    }

    /// Connects all users; in words why not.
    fn connect_all(&mut self) -> io::Result<Result<(), String>> {
        let users = self.shard.users();
        let mut next = 0;
        while self.shard.connected() < users {
            while next < users && next - self.shard.connected() < S::WAVE {
                self.shard.plan_join(next, now_ns());
                next += 1;
            }
            let failed = next == users && self.shard.joining() == 0;
            if failed || now_ns() > self.connected_by_ns {
                return Ok(Err(self.why_not_connected()));
            }
            if matches!(self.channels.order(), Some(ToShard::Stop)) {
                return Ok(Err(String::new()));
            }
            self.shard.turn(now_ns() + HAND_OVER_NS)?;
        }
        Ok(Ok(()))
    }

    fn why_not_connected(&mut self) -> String {
        let (connected, users) = (self.shard.connected(), self.shard.users());
        let why = self.shard.findings().errors.first();
        let why = why.map_or("no answer", |error| error.message.as_str());
        format!("{connected} of {users} users could connect: {why}")
    }

    fn wait_for_start(&mut self) -> io::Result<Option<u64>> {
        loop {
            match self.channels.order() {
                Some(ToShard::Start(start_ns)) => return Ok(Some(start_ns)),
                Some(ToShard::Stop) => return Ok(None),
                _ => self.shard.turn(now_ns() + SECOND)?,
            }
        }
    }

    fn play_schedule(&mut self, start_ns: u64) -> io::Result<()> {
        self.shard.start(start_ns);
        self.channels.open();
        let end_ns = start_ns.saturating_add(self.longest_ns);
        while !self.shard.is_finished() && now_ns() < end_ns {
            self.shard.turn(self.channels.next_hand_over_ns())?;
            if let Some(at_ns) = self.shard.take_reached() {
                self.channels.tell(ToWriter::Reached(at_ns));
            }
            if now_ns() >= self.channels.next_hand_over_ns() {
                self.hand_over(false);
            }
            match self.channels.order() {
                Some(ToShard::Stop) => break,
                Some(ToShard::Go) => self.shard.go(),
                _ => {}
            }
        }
        self.shard.give_up();
        Ok(())
    }

    /// Hands over what was found; at the `last` time everything.
    fn hand_over(&mut self, last: bool) {
        if self.channels.hand_over(self.shard.findings()) || last {
            let lines = self.shard.lines(last);
            let connected = self.shard.connected() as u64;
            let lag_ns = self.shard.event_loop().take_lag_ns();
            self.channels
                .tell_figures(lines, self.shard.totals(), connected, lag_ns);
        }
    }
}

/// A schedule of times ends; a closed loop has a limit in each of its steps.
fn longest_ns(schedule: &Schedule, limit_ns: u64) -> u64 {
    if schedule.kind == Loop::Closed {
        return u64::MAX;
    }
    let ticks_ns = (schedule.count + 1).saturating_mul(schedule.period_ns);
    ticks_ns
        .saturating_add(schedule.first_ns)
        .saturating_add(limit_ns + GRACE_NS)
}
