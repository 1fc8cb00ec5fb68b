//! Arrival of users on their boards, and their departure.

use std::cmp::Reverse;
use std::sync::Arc;

use wirelab_sdk::clock::now_ns;
use wirelab_sdk::recorder::Record;
use wirelab_sdk::status::Status;

use super::WebSocketShard;
use super::link::Link;
use super::lost::Lost;
use crate::protocol::records::Records;
use crate::websocket::keep_alive::{Due, LastActivity};

/// A user that lost its connection connects again after this.
const RECONNECT_NS: u64 = 200_000_000;
/// A join that was not answered is repeated after this, where the protocol needs it, and then
/// after twice as long each time: everybody on the board gets every join, and repeating them at
/// a steady rate would keep a slow server from ever catching up.
const INSIST_NS: u64 = 250_000_000;
/// Number of times that the time between two is doubled.
const DOUBLED: u32 = 3;

/// A user and its connection.
#[derive(Default)]
pub struct User {
    /// The connection.
    pub link: Link,
    /// The adapter's own.
    pub state: u8,
    /// Part of a record that has come, in protocols that have them.
    pub records: Records,
    /// Times at which each side has last said something.
    pub signs: LastActivity,
    /// What is read now may answer its join.
    pub asked: bool,
    /// On its board.
    pub joined: bool,
    /// Time since which it reads nothing more.
    pub silent_ns: Option<u64>,
    /// Counts connections, so that a deadline of an earlier one is known for what it is.
    attempt: u32,
    /// Joins sent on this connection beyond the first.
    insisted: u32,
    intended_ns: u64,
    start_ns: u64,
    /// The outcome of the first connection has been recorded.
    recorded: bool,
}

impl User {
    /// Hangs up without a word.
    pub fn leave(&mut self) {
        self.link = Link::None;
        self.joined = false;
        self.attempt += 1;
    }
}

/// Something to be done for a user at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimedTask {
    /// Connect for the first time.
    Join,
    /// Stop waiting for the board.
    GiveUp,
    /// Ask for the board again.
    Insist,
    /// Say that the user is still there, or find that the server is not.
    Beat,
    /// Connect again.
    Reconnect,
    /// Read nothing more.
    FallSilent,
}

/// Time, task, user, and the number of the user's connection; the earliest is on top.
pub type Planned = Reverse<(u64, TimedTask, usize, u32)>;

impl WebSocketShard {
    pub(super) fn plan_chore(&mut self, at_ns: u64, chore: TimedTask, index: usize) {
        self.chores
            .push(Reverse((at_ns, chore, index, self.users[index].attempt)));
        self.event_loop.wake_by(at_ns);
    }

    /// Does a chore that was due at `at_ns`; one of an earlier connection is none any more.
    pub(super) fn arrive(&mut self, at_ns: u64, chore: TimedTask, index: usize, attempt: u32) {
        let user = &self.users[index];
        let current = user.attempt == attempt;
        match chore {
            TimedTask::Join => self.dial(index, at_ns),
            TimedTask::Reconnect if current => self.dial(index, at_ns),
            TimedTask::GiveUp if current && !user.joined => {
                let message = "not on its board within the limit".to_owned();
                self.lose(index, &Lost::new(Status::Timeout, message));
            }
            TimedTask::Insist if current && !user.joined => self.insist(index),
            TimedTask::Beat if current && user.silent_ns.is_none() => self.beat(index),
            TimedTask::FallSilent => self.fall_silent(index, at_ns),
            _ => {}
        }
    }

    pub(super) fn dial(&mut self, index: usize, intended_ns: u64) {
        let (now, users) = (now_ns(), self.users.len());
        let user = &mut self.users[index];
        user.attempt += 1;
        user.insisted = 0;
        user.records = Records::default();
        (user.state, user.intended_ns, user.start_ns) = (0, intended_ns, now);
        let member = self.ledger.roster.member(index);
        // Nobody else has this name, nor has the user had it before.
        let name = format!("{:x}-{now:x}", member.user);
        let endpoint = self.plan.target.uri.to_string();
        let address = self.plan.adapter.address(endpoint, &name, member);
        match Link::dial(&self.plan, &address, (index, users), &mut self.shared) {
            Ok(link) => {
                user.link = link;
                let limit_ns = intended_ns + self.plan.terms.limit_ns;
                self.plan_chore(limit_ns, TimedTask::GiveUp, index);
            }
            Err(lost) => self.lose(index, &lost),
        }
    }

    pub(super) fn opened(&mut self, index: usize) -> Result<(), Lost> {
        let adapter = Arc::clone(&self.plan.adapter);
        if let Some(hello) = adapter.hello(self.ledger.roster.member(index)) {
            self.users[index].link.send(hello, &mut self.shared)?;
        }
        if adapter.insists() {
            self.plan_chore(now_ns() + INSIST_NS, TimedTask::Insist, index);
        }
        let now = now_ns();
        self.users[index].signs = LastActivity {
            said_ns: now,
            heard_ns: now,
        };
        if self.plan.keep_alive.is_some() {
            self.plan_chore(now, TimedTask::Beat, index);
        }
        Ok(())
    }

    /// Says what keeps a connection, or gives it up, and plans when to look again.
    fn beat(&mut self, index: usize) {
        let Some(keep_alive) = self.plan.keep_alive else {
            return;
        };
        let now = now_ns();
        let user = &mut self.users[index];
        let again_ns = match keep_alive.due(user.signs, now) {
            Due::Lost => {
                return self.lose(index, &Lost::new(Status::Timeout, keep_alive.lost()));
            }
            Due::Ping => {
                user.signs.said_ns = now;
                let ping = keep_alive.ping.to_owned();
                if let Err(lost) = user.link.send(ping, &mut self.shared) {
                    return self.lose(index, &lost);
                }
                now
            }
            Due::Later(at_ns) => at_ns,
        };
        self.plan_chore(again_ns, TimedTask::Beat, index);
    }

    fn insist(&mut self, index: usize) {
        let again = self
            .plan
            .adapter
            .insist(self.ledger.roster.member(index), self.users[index].state);
        if let Some(again) = again
            && let Err(lost) = self.users[index].link.send(again, &mut self.shared)
        {
            self.lose(index, &lost);
            return;
        }
        let user = &mut self.users[index];
        user.insisted += 1;
        let pause_ns = INSIST_NS << user.insisted.min(DOUBLED);
        self.plan_chore(now_ns() + pause_ns, TimedTask::Insist, index);
    }

    pub(super) fn join(&mut self, index: usize, now: u64) {
        if !self.users[index].joined {
            self.users[index].joined = true;
            self.joined += 1;
            if !self.falls_silent(index) {
                self.ledger.join(index);
            }
            self.record_connect(index, now, Status::Ok);
            self.welcome(index);
        }
    }

    /// The user has no connection any more, or could not get one.
    pub(super) fn lose(&mut self, index: usize, lost: &Lost) {
        let now = now_ns();
        self.note_end(index, lost);
        let user = &mut self.users[index];
        user.link = Link::None;
        user.silent_ns = None;
        user.attempt += 1;
        let was_joined = std::mem::replace(&mut user.joined, false);
        if self.closing {
            return;
        }
        let number = self.ledger.roster.place(index).user;
        let (class, operation) = match (was_joined, lost.status) {
            (true, _) => ("ConnectionLost", "rtt"),
            (false, Status::Refused) => ("ConnectRefused", "connect"),
            (false, Status::Timeout) => ("ConnectTimeout", "connect"),
            (false, _) => ("ConnectFailed", "connect"),
        };
        self.ledger
            .findings
            .error(class, lost.status, operation, || {
                format!("user {number}: {}", lost.message)
            });
        if let Some(class) = lost.wrong {
            self.ledger.wrong(index, class, &lost.message, now);
        }
        if was_joined {
            self.joined -= 1;
            self.ledger.leave(index, now);
            self.ledger.tally.at(now).dropped += 1;
        } else {
            self.record_connect(index, now, lost.status);
        }
        if self.plan.reconnect {
            self.plan_chore(now + RECONNECT_NS, TimedTask::Reconnect, index);
        }
    }

    /// Records how the first connection of the user went; later ones are not asked for.
    fn record_connect(&mut self, index: usize, end_ns: u64, status: Status) {
        let lane = self.ledger.roster.place(index).user as u16;
        let user = &mut self.users[index];
        if std::mem::replace(&mut user.recorded, true) {
            return;
        }
        self.pending -= 1;
        let (intended_ns, start_ns) = (user.intended_ns, user.start_ns);
        if let Some(op) = self.plan.connect {
            let record = Record {
                intended_ns,
                start_ns,
                end_ns,
                size: 0,
                op,
                status,
                lane,
            };
            self.ledger.findings.records.push(record);
        }
    }

    /// Gives up the connections that are being made, and those that are still to be.
    pub(super) fn give_up_connecting(&mut self) {
        let now = now_ns();
        self.chores.clear();
        for index in 0..self.users.len() {
            let user = &self.users[index];
            if !user.link.is_none() && !user.joined {
                self.record_connect(index, now, Status::Timeout);
            }
        }
        self.pending = 0;
    }
}
