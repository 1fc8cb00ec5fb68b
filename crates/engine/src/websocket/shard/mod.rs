//! One thread's users: an event loop that never lets a due send wait for a burst of deliveries.
//!
//! After every message it looks at the clock, which it needs anyway, and sends what is due: how
//! far behind its schedule a message is sent does not depend on how much is being received.

mod arriving;
mod connection;
mod reading;

use std::cell::RefCell;
use std::collections::BinaryHeap;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use mio::{Events, Poll, Token};
use wirelab_sdk::answers::Phase;
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::status::Status;

use self::arriving::{Planned, User};
use super::ledger::Ledger;
use super::ledger::roster::Roster;
use super::ledger::tally::Second;
use super::plan::Plan;
use crate::load::agenda::Agenda;
use crate::load::notes::Line;
use crate::net::dial::Dialer;
use crate::net::timer::Timer;
use crate::net::wire::Inbox;
use crate::net::{FIRST, TIMER, WAKER};

const EVENTS: usize = 1024;

/// Between two looks for messages to be given up.
const EXPIRE_NS: u64 = 50_000_000;

/// The users of one thread. Times are nanoseconds of CLOCK_MONOTONIC.
pub struct Shard {
    plan: Plan,
    poll: Poll,
    events: Option<Events>,
    timer: Timer,
    inbox: Rc<RefCell<Inbox>>,
    dialer: Dialer,
    users: Vec<User>,
    /// Connections that had more than could be read in one turn, and whether they have ended.
    unfinished: Vec<(usize, bool)>,
    chores: BinaryHeap<Planned>,
    agenda: Option<Agenda>,
    start_ns: u64,
    next_due_ns: u64,
    next_expiry_ns: u64,
    looked_ns: u64,
    lag_ns: u64,
    pending: usize,
    joined: usize,
    closing: bool,
    /// Deliveries, and what there is to write.
    pub ledger: Ledger,
}

impl Shard {
    /// A shard of these users, none of them connected.
    pub fn new(poll: Poll, plan: Plan, numbers: &[u32]) -> io::Result<Self> {
        let timer = Timer::new(poll.registry(), TIMER)?;
        let now = now_ns();
        Ok(Self {
            users: numbers.iter().map(|_| User::default()).collect(),
            dialer: Dialer::new(&plan.target),
            ledger: Ledger::new(plan.terms, Roster::new(&plan.seating, numbers)),
            poll,
            timer,
            plan,
            events: Some(Events::with_capacity(EVENTS)),
            inbox: Inbox::shared(),
            unfinished: Vec::new(),
            chores: BinaryHeap::new(),
            agenda: None,
            start_ns: now,
            next_due_ns: now,
            next_expiry_ns: now,
            looked_ns: now,
            lag_ns: 0,
            pending: 0,
            joined: 0,
            closing: false,
        })
    }

    /// Tick 0 is at `start_ns`.
    pub fn start(&mut self, start_ns: u64) {
        self.start_ns = start_ns;
        self.ledger
            .tally
            .begin(start_ns + self.plan.schedule.first_ns);
        let lanes = self.plan.schedule.lanes();
        let own = (0..self.users.len()).map(|index| self.ledger.roster.place(index).user);
        let own = own.filter(|user| u64::from(*user) < lanes);
        self.agenda = Some(Agenda::new(self.plan.schedule.clone(), own));
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

    /// Whether everything due has ended or been given up.
    pub fn is_finished(&self) -> bool {
        let agenda = self
            .agenda
            .as_ref()
            .is_some_and(|agenda| agenda.next().is_none());
        agenda && self.pending == 0 && self.ledger.outstanding() == 0
    }

    /// Whether all users that were to connect have, or have failed to.
    pub fn is_settled(&self) -> bool {
        self.pending == 0
    }

    /// Users on their boards.
    pub fn joined(&self) -> usize {
        self.joined
    }

    /// Users that have a connection of any kind.
    pub fn connections(&self) -> usize {
        self.users
            .iter()
            .filter(|user| !user.link.is_none())
            .count()
    }

    /// Lines of the interval file for these seconds.
    pub fn lines(&self, seconds: Vec<(u64, Box<Second>)>) -> Vec<Line> {
        let (delivery, connect) = (self.plan.delivery, self.plan.connect.is_some());
        seconds
            .into_iter()
            .flat_map(|(number, second)| second.lines(number, delivery, connect))
            .collect()
    }

    /// The longest time without a look at the clock since this was last asked.
    pub fn take_lag_ns(&mut self) -> u64 {
        std::mem::take(&mut self.lag_ns)
    }

    /// Waits for events until `until_ns` at most, and does everything they ask for.
    pub fn turn(&mut self, until_ns: u64) -> io::Result<()> {
        let wake_ns = self.next_due_ns.min(until_ns);
        self.timer.wake_at(wake_ns)?;
        let mut events = self
            .events
            .take()
            .unwrap_or_else(|| Events::with_capacity(EVENTS));
        let unfinished = std::mem::take(&mut self.unfinished);
        let patience = (!unfinished.is_empty()).then_some(Duration::ZERO);
        match self.poll.poll(&mut events, patience) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
        let now = now_ns();
        // Waiting is no lag, but waking late is.
        self.looked_ns = if now > wake_ns {
            wake_ns.max(self.looked_ns)
        } else {
            now
        };
        self.look(now);
        for event in &events {
            match event.token() {
                TIMER => self.timer.woke(),
                WAKER => {}
                Token(token) => {
                    let hangup = event.is_read_closed() || event.is_error();
                    let readable = event.is_readable() || hangup;
                    self.happened(token - FIRST, readable, event.is_writable(), hangup);
                    self.look(now_ns());
                }
            }
        }
        self.events = Some(events);
        for (index, hangup) in unfinished {
            self.happened(index, true, false, hangup);
            self.look(now_ns());
        }
        Ok(())
    }

    /// Looks whether anything is due at `now_ns`, and does it.
    fn look(&mut self, now: u64) {
        self.lag_ns = self.lag_ns.max(now.saturating_sub(self.looked_ns));
        self.looked_ns = now;
        if now < self.next_due_ns {
            return;
        }
        self.send_due(now);
        // A connection takes a while to begin: sends come between any two.
        while self.do_first_chore() {
            self.send_due(now_ns());
        }
        if now >= self.next_expiry_ns {
            self.ledger.expire(now);
            self.next_expiry_ns = now + EXPIRE_NS;
        }
        self.note_next_due();
    }

    fn note_next_due(&mut self) {
        let send = self.agenda.as_ref().and_then(Agenda::next);
        let send = send.map_or(u64::MAX, |due| self.start_ns + due.offset_ns);
        let chore = self.chores.peek().map_or(u64::MAX, |planned| planned.0.0);
        self.next_due_ns = send.min(chore).min(self.next_expiry_ns);
    }

    fn send_due(&mut self, mut now: u64) {
        while let Some(due) = self.agenda.as_ref().and_then(Agenda::next) {
            let intended_ns = self.start_ns + due.offset_ns;
            if intended_ns > now {
                return;
            }
            if let Some(index) = self.ledger.roster.index(due.lane) {
                let asked = self.plan.verified.contains(&due.tick)
                    && due.tick % self.plan.schedule.lanes_at(due.tick) == u64::from(due.lane);
                self.send(
                    index,
                    intended_ns,
                    asked.then_some((Phase::Measure, due.tick)),
                );
            }
            if let Some(agenda) = &mut self.agenda {
                agenda.advance();
            }
            now = now_ns();
        }
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
            .draw(self.ledger.roster.seat(index).board, text.clone());
        self.ledger
            .sent(index, &text, intended_ns, now_ns(), verified);
        if let Err(lost) = user.link.send(framed) {
            self.lose(index, &lost);
        }
    }

    /// Gives up everything that is under way or still to come.
    pub fn give_up(&mut self) {
        self.ledger.give_up(now_ns());
        self.give_up_connecting();
        self.agenda = None;
    }

    /// Says good-bye on all connections and waits until `until_ns` for them to end.
    pub fn close(&mut self, until_ns: u64) -> io::Result<()> {
        self.closing = true;
        self.chores.clear();
        for user in &mut self.users {
            user.link.close();
        }
        while self.connections() > 0 && now_ns() < until_ns {
            self.turn(until_ns)?;
        }
        for user in &mut self.users {
            user.link = connection::Link::None;
        }
        Ok(())
    }
}
