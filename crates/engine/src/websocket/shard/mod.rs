//! One thread's users: an event loop that never lets a due send wait for a burst of deliveries.
//!
//! After every message it looks at the clock, which it needs anyway, and sends what is due: how
//! far behind its schedule a message is sent does not depend on how much is being received.

mod arriving;
mod call_link;
mod connection;
mod event_link;
mod frames;
mod line;
mod link;
mod lost;
mod posts;
mod promises;
mod reading;
mod silent;
mod stream;
mod texts;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;

use mio::Poll;
use wirelab_sdk::answers::Phase;
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::status::Status;

use self::arriving::{Planned, TimedTask, User};
use self::link::{Link, Shared};
use self::promises::Promises;
use super::deflate::Deflater;
use super::ledger::Ledger;
use super::ledger::board_members::BoardMembers;
use super::ledger::tally::lines_of;
use super::plan::WebSocketPlan;
use crate::load::SETTLED_SECONDS;
use crate::load::event_loop::{EventLoop, LoopHandler};
use crate::load::findings::Findings;
use crate::load::send_schedule::SendSchedule;
use crate::load::shard_runner::ShardWork;
use crate::load::thread_messages::{IntervalLine, Totals};
use crate::net::Ready;
use crate::net::connector::Connector;

/// Connections that are still there after this have been asked to end in vain.
const CLOSING_NS: u64 = 300_000_000;

/// The users of one thread. Times are nanoseconds of CLOCK_MONOTONIC.
pub struct WebSocketShard {
    plan: WebSocketPlan,
    event_loop: EventLoop,
    shared: Shared,
    users: Vec<User>,
    chores: BinaryHeap<Planned>,
    agenda: Option<SendSchedule>,
    pending: usize,
    joined: usize,
    closing: bool,
    /// The schedule has begun.
    played: bool,
    promises: Promises,
    /// Deliveries, and what there is to write.
    pub ledger: Ledger,
}

impl WebSocketShard {
    /// A shard of these users, none of them connected.
    pub fn new(poll: Poll, plan: WebSocketPlan, numbers: &[u32]) -> io::Result<Self> {
        let event_loop = EventLoop::new(poll)?;
        Ok(Self {
            users: numbers.iter().map(|_| User::default()).collect(),
            shared: Shared {
                connector: Connector::new(&plan.target, event_loop.registry()?),
                deflater: Deflater::default(),
            },
            ledger: Ledger::new(plan.terms, BoardMembers::new(&plan.assignment, numbers)),
            event_loop,
            plan,
            chores: BinaryHeap::new(),
            agenda: None,
            pending: 0,
            joined: 0,
            closing: false,
            played: false,
            promises: Promises::default(),
        })
    }

    /// Users that have a connection of any kind.
    fn connections(&self) -> usize {
        self.users
            .iter()
            .filter(|user| !user.link.is_none())
            .count()
    }

    /// User `index` draws; what cannot be sent is recorded as such.
    pub fn send(&mut self, index: usize, intended_ns: u64, verified: Option<(Phase, u64)>) {
        let user = &mut self.users[index];
        if !user.joined || user.link.is_clogged() {
            let status = if user.joined {
                Status::Error
            } else {
                Status::Disconnected
            };
            self.ledger.not_sent(index, intended_ns, now_ns(), status);
            return;
        }
        let text = self.ledger.compose(index);
        let framed = self
            .plan
            .adapter
            .draw(self.ledger.roster.member(index).board, text.clone());
        let now = now_ns();
        user.signs.said_ns = now;
        self.ledger.sent(index, &text, intended_ns, now, verified);
        match user.link.send(framed, &mut self.shared) {
            Ok(()) => self.count_traffic(index, now),
            Err(lost) => self.lose(index, &lost),
        }
    }

    /// Says good-bye on all connections and waits until `until_ns` for them to end.
    pub fn close_by(&mut self, until_ns: u64) -> io::Result<()> {
        self.closing = true;
        self.chores.clear();
        self.end_silence();
        for user in &mut self.users {
            user.link.close();
        }
        while self.connections() > 0 && now_ns() < until_ns {
            self.turn(until_ns)?;
        }
        for user in &mut self.users {
            user.link = Link::None;
        }
        Ok(())
    }
}

impl LoopHandler for WebSocketShard {
    const EXPIRE_NS: u64 = 50_000_000;

    fn event_loop(&mut self) -> &mut EventLoop {
        &mut self.event_loop
    }

    fn next_ns(&self) -> u64 {
        let send_ns = self.agenda.as_ref().map_or(u64::MAX, SendSchedule::next_ns);
        let chore_ns = self.chores.peek().map_or(u64::MAX, |planned| planned.0.0);
        send_ns.min(chore_ns)
    }

    fn is_timed(&self) -> bool {
        true
    }

    fn do_due(&mut self, mut now: u64) {
        while let Some(due) = self.agenda.as_mut().and_then(|agenda| agenda.take_due(now)) {
            if let Some(index) = self.ledger.roster.index(due.lane) {
                let asked = self.plan.verified.contains(&due.tick)
                    && due.tick % self.plan.schedule.lanes_at(due.tick) == u64::from(due.lane);
                self.send(
                    index,
                    due.intended_ns,
                    asked.then_some((Phase::Measure, due.tick)),
                );
            }
            now = now_ns();
        }
    }

    fn do_first_chore(&mut self) -> bool {
        let Some(Reverse((at_ns, chore, index, attempt))) = self.chores.peek().copied() else {
            return false;
        };
        if at_ns > now_ns() {
            return false;
        }
        self.chores.pop();
        self.arrive(at_ns, chore, index, attempt);
        true
    }

    fn expire(&mut self, now: u64) {
        self.ledger.expire(now);
    }

    fn happened(&mut self, number: usize, ready: Ready) {
        self.listen(number, ready);
    }
}

impl ShardWork for WebSocketShard {
    /// So that no server's queue overflows.
    const WAVE: usize = 100;

    fn users(&self) -> usize {
        self.users.len()
    }

    /// Number of users on their boards.
    fn connected(&self) -> usize {
        self.joined
    }

    fn joining(&self) -> usize {
        self.pending
    }

    fn plan_join(&mut self, index: usize, at_ns: u64) {
        self.pending += 1;
        self.plan_chore(at_ns, TimedTask::Join, index);
    }

    fn start(&mut self, start_ns: u64) {
        self.played = true;
        self.ledger
            .tally
            .begin(start_ns + self.plan.schedule.first_ns);
        let lanes = self.plan.schedule.lanes();
        let own = (0..self.users.len()).map(|index| self.ledger.roster.place(index).user);
        let own = own.filter(|user| u64::from(*user) < lanes);
        self.agenda = Some(SendSchedule::new(self.plan.schedule.clone(), start_ns, own));
        self.plan_silence(start_ns);
        for join in self.plan.schedule.joins() {
            if let Some(index) = u32::try_from(join.user)
                .ok()
                .and_then(|user| self.ledger.roster.index(user))
            {
                self.plan_join(index, start_ns + join.offset_ns);
            }
        }
        self.note_next_due();
    }

    fn is_finished(&self) -> bool {
        let agenda = self.agenda.as_ref().is_some_and(SendSchedule::is_over);
        agenda && self.pending == 0 && self.ledger.outstanding() == 0
    }

    fn give_up(&mut self) {
        self.ledger.give_up(now_ns());
        self.give_up_connecting();
        self.agenda = None;
    }

    /// Closes all connections; what servers still have to say before their good-bye is counted,
    /// too.
    fn close(&mut self) -> io::Result<()> {
        self.try_promises()?;
        self.close_by(now_ns() + CLOSING_NS)
    }

    fn findings(&mut self) -> &mut Findings {
        &mut self.ledger.findings
    }

    fn lines(&mut self, all: bool) -> Vec<IntervalLine> {
        let slots = if all {
            self.ledger.tally.all()
        } else {
            self.ledger.tally.settled(now_ns(), SETTLED_SECONDS)
        };
        let (delivery, connect) = (self.plan.delivery, self.plan.connect.is_some());
        lines_of(slots, delivery, connect)
    }

    fn totals(&self) -> Totals {
        self.ledger.totals
    }
}
