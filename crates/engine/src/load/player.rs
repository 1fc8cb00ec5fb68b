//! A shard's thread: connects, waits for the start, plays the schedule, hands over what it found.

use std::io;
use std::sync::mpsc::{Receiver, Sender};

use wirelab_sdk::clock::{SECOND, now_ns};

use super::notes::{Figures, Note, Order};
use super::plan::Plan;
use super::shard::Shard;

/// Between two hand-overs to the thread that writes.
const HAND_OVER_NS: u64 = 100_000_000;
/// Connections made at a time before the start, so that no server's queue overflows.
const WAVE: usize = 100;
/// The last moment for everything is the limit of operations and this.
const GRACE_NS: u64 = SECOND / 2;
/// Connections that are still there after this have been asked to end in vain.
const CLOSING_NS: u64 = 300_000_000;

/// A shard with its ways to and from the other threads.
pub struct Player {
    number: usize,
    shard: Shard,
    users: usize,
    notes: Sender<Note>,
    /// The shard's waker tells that there is something.
    orders: Receiver<Order>,
    connects_first: bool,
    connected_by_ns: u64,
    /// From the start until the last send has been given up.
    longest_ns: u64,
    next_hand_over_ns: u64,
    next_figures_ns: u64,
}

impl Player {
    /// A player of `users` users.
    pub fn new(
        number: usize,
        shard: Shard,
        plan: &Plan,
        users: usize,
        notes: Sender<Note>,
        orders: Receiver<Order>,
    ) -> Self {
        let schedule = &plan.schedule;
        let ticks_ns = schedule.first_ns + schedule.count * schedule.period_ns;
        Self {
            number,
            shard,
            users,
            notes,
            orders,
            connects_first: schedule.steps.is_empty(),
            connected_by_ns: now_ns() + plan.ready_ns / 2,
            longest_ns: ticks_ns + plan.terms.limit_ns + GRACE_NS,
            next_hand_over_ns: 0,
            next_figures_ns: 0,
        }
    }

    /// Plays until everything due has ended, or until told to stop.
    pub fn play(mut self) {
        let note = match self.run() {
            Ok(()) => Note::Finished,
            Err(error) => Note::Failed(error.to_string()),
        };
        let _ = self.notes.send(note);
    }

    fn run(&mut self) -> io::Result<()> {
        let connected = if self.connects_first {
            self.connect_all()?
        } else {
            Ok(())
        };
        let go_on = connected.is_ok();
        self.tell(Note::Connected(connected));
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
            if matches!(self.orders.try_recv(), Ok(Order::Stop)) {
                return Ok(Err(String::new()));
            }
            self.shard.turn(now_ns() + HAND_OVER_NS)?;
        }
        Ok(Ok(()))
    }

    fn wait_for_start(&mut self) -> io::Result<Option<u64>> {
        loop {
            match self.orders.try_recv() {
                Ok(Order::Start(start_ns)) => return Ok(Some(start_ns)),
                Ok(Order::Stop) => return Ok(None),
                Err(_) => self.shard.turn(now_ns() + SECOND)?,
            }
        }
    }

    fn play_schedule(&mut self, start_ns: u64) -> io::Result<()> {
        self.shard.start(start_ns);
        let end_ns = start_ns + self.longest_ns;
        self.next_hand_over_ns = now_ns() + HAND_OVER_NS;
        self.next_figures_ns = now_ns() + SECOND;
        let mut stopped = false;
        while !self.shard.is_finished() && !stopped && now_ns() < end_ns {
            self.shard.turn(self.next_hand_over_ns)?;
            if now_ns() >= self.next_hand_over_ns {
                self.hand_over(false);
                stopped = matches!(self.orders.try_recv(), Ok(Order::Stop));
            }
        }
        self.shard.give_up();
        Ok(())
    }

    /// Hands over what was found; at the `last` time everything.
    fn hand_over(&mut self, last: bool) {
        let now = now_ns();
        let findings = &mut self.shard.ledger.findings;
        let records = std::mem::take(&mut findings.records);
        let answers = std::mem::take(&mut findings.answers);
        let errors = std::mem::take(&mut findings.errors);
        if !records.is_empty() {
            self.tell(Note::Records(records));
        }
        if !answers.is_empty() {
            self.tell(Note::Answers(answers));
        }
        if !errors.is_empty() {
            self.tell(Note::Errors(errors));
        }
        self.next_hand_over_ns = now + HAND_OVER_NS;
        if last || now >= self.next_figures_ns {
            self.next_figures_ns = now + SECOND;
            let tally = &mut self.shard.ledger.tally;
            let seconds = if last {
                tally.all()
            } else {
                tally.settled(now)
            };
            self.tell(Note::Seconds(seconds));
            let figures = Figures {
                shard: self.number,
                totals: self.shard.ledger.totals,
                connected: self.shard.joined() as u64,
                lag_ns: self.shard.take_lag_ns(),
            };
            self.tell(Note::Figures(figures));
        }
    }

    fn tell(&self, note: Note) {
        // The writer ends after all shards have; if it has failed, nobody is left to tell.
        let _ = self.notes.send(note);
    }
}
