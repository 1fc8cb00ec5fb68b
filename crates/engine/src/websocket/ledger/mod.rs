//! Ledger of who was to get what, and who got it.
//!
//! Every message is an entry of its sender until everybody expected has it, or until it is
//! given up. Whoever is on the board when a message is handed over is expected to get it; who
//! joins later is not, whatever arrives. A copy that comes after its message was given up is not
//! counted as received: every message has the same time, whenever in the trial it was sent.
//!
//! Own copies are records of `rtt`. A further or reordered own copy counts with those of
//! `delivery`, because there is no other place to tell it.

pub mod board_members;
mod delivery;
mod entry;
mod expiry;
mod form;
mod held;
mod members;
mod message;
mod pad;
mod shed;
pub mod tally;

use std::collections::VecDeque;

use serde_json::json;
use wirelab_sdk::answers::{Answer, Phase};
use wirelab_sdk::recorder::Record;
use wirelab_sdk::status::Status;

use self::board_members::{BoardMembers, Place};
use self::entry::{Entry, OwnCopy, Sender, SenderHistory, State, Verified};
use self::held::Arrival;
use self::members::Members;
pub use self::pad::Pad;
use self::tally::{OPERATIONS, Tally};
use crate::load::findings::Findings;
use crate::load::thread_messages::Totals;

/// Facts of the trial that the ledger needs.
#[derive(Clone, Copy, Debug)]
pub struct LedgerSettings {
    /// Drawn for the trial, and told to no server: the messages follow from it.
    pub key: u128,
    /// Length of a message.
    pub message_bytes: usize,
    /// Filling up to that length.
    pub pad: Pad,
    /// A message is given up this long after its intended time.
    pub limit_ns: u64,
    /// Code of the operation `rtt`.
    pub rtt: u8,
}

/// A message that is to be looked at later.
struct Deadline {
    at_ns: u64,
    sender: usize,
    seq: u32,
}

/// The ledger of a thread's boards.
pub struct Ledger {
    terms: LedgerSettings,
    /// Places of the users.
    pub roster: BoardMembers,
    senders: Vec<Sender>,
    open: VecDeque<Deadline>,
    fading: VecDeque<Deadline>,
    outstanding: usize,
    last_due_ns: u64,
    /// Arrivals of the read that is under way.
    arrivals: Vec<Arrival>,
    /// By second.
    pub tally: Tally,
    /// For the writer.
    pub findings: Findings,
    /// For `progress`.
    pub totals: Totals,
}

impl Ledger {
    /// An empty ledger; nobody is on a board yet.
    pub fn new(terms: LedgerSettings, roster: BoardMembers) -> Self {
        Self {
            terms,
            senders: (0..roster.users()).map(|_| Sender::default()).collect(),
            roster,
            open: VecDeque::new(),
            fading: VecDeque::new(),
            outstanding: 0,
            last_due_ns: 0,
            arrivals: Vec::new(),
            tally: Tally::of(OPERATIONS),
            findings: Findings::default(),
            totals: Totals::default(),
        }
    }

    /// Messages that are neither complete nor given up.
    pub fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// Time at which the last message was due that could be handed over.
    pub fn last_due_ns(&self) -> u64 {
        self.last_due_ns
    }

    /// The user is on its board from now on.
    pub fn join(&mut self, index: usize) {
        let Place { board, place, .. } = self.roster.place(index);
        let board = &mut self.roster.boards[board];
        board.members.add(place);
        for other in board.users() {
            let sender = &mut self.senders[other];
            if let Some(past) = sender.past.get_mut(place) {
                past.from = sender.next;
            }
        }
    }

    /// The user's connection has ended: its own copies will not come.
    pub fn leave(&mut self, index: usize, now_ns: u64) {
        let Place { board, place, .. } = self.roster.place(index);
        if !self.roster.boards[board].members.remove(place) {
            return;
        }
        for seq in self.senders[index].kept() {
            let Some(entry) = self.senders[index].entry(seq) else {
                continue;
            };
            if entry.own == OwnCopy::Awaited {
                entry.own = OwnCopy::Failed;
                self.record(index, seq, now_ns, Status::Disconnected);
                self.conclude(index, seq);
            }
        }
    }

    /// The text that the user sends next.
    pub fn compose(&self, index: usize) -> String {
        self.compose_later(index, 0)
    }

    /// The text that the user sends after so many others.
    pub fn compose_later(&self, index: usize, others: u32) -> String {
        let seq = self.senders[index].next + others;
        let LedgerSettings {
            key,
            message_bytes,
            pad,
            ..
        } = self.terms;
        message::text(key, self.roster.member(index), seq, message_bytes, pad)
    }

    /// A text of [`Ledger::compose`] is being handed over; `verified` asks for its answer.
    pub fn sent(
        &mut self,
        index: usize,
        text: &str,
        intended_ns: u64,
        start_ns: u64,
        verified: Option<(Phase, u64)>,
    ) {
        let Place { place, .. } = self.roster.place(index);
        let board = self.roster.board(index);
        let mut expected = board.members.clone();
        expected.add(place);
        let missing = expected.count() - 1;
        let sender = &mut self.senders[index];
        if sender.past.is_empty() {
            sender.past = vec![SenderHistory::default(); board.size()];
        }
        self.open.push_back(Deadline {
            at_ns: intended_ns + self.terms.limit_ns,
            sender: index,
            seq: sender.next,
        });
        sender.push(Entry {
            intended_ns,
            start_ns,
            text: text.into(),
            rewritten: None,
            seen: Members::none_of(board.size()),
            expected,
            missing,
            own: OwnCopy::Awaited,
            state: State::Open,
            verified: verified.map(|(phase, tick)| {
                Box::new(Verified {
                    phase,
                    tick,
                    copies: Vec::new(),
                })
            }),
        });
        self.outstanding += 1;
        self.last_due_ns = self.last_due_ns.max(intended_ns);
        self.totals.sent += 1;
        self.totals.expected += u64::from(missing);
        self.tally.at(intended_ns).counts.expected += u64::from(missing);
    }

    /// A message could not be handed over at all.
    pub fn not_sent(&mut self, index: usize, intended_ns: u64, now_ns: u64, status: Status) {
        self.findings.records.push(Record {
            intended_ns,
            start_ns: now_ns,
            end_ns: now_ns,
            size: 0,
            op: self.terms.rtt,
            status,
            lane: self.roster.place(index).user as u16,
        });
    }

    /// Retires the message if nobody is waited for.
    fn conclude(&mut self, sender: usize, seq: u32) {
        let Some(entry) = self.senders[sender].entry(seq) else {
            return;
        };
        if entry.state == State::Open && entry.is_complete() {
            entry.state = State::Complete;
            self.outstanding -= 1;
            self.answer(sender, seq);
            self.senders[sender].retire();
        }
    }

    fn record(&mut self, sender: usize, seq: u32, end_ns: u64, status: Status) {
        let Some(entry) = self.senders[sender].entry(seq) else {
            return;
        };
        self.findings.records.push(Record {
            intended_ns: entry.intended_ns,
            start_ns: entry.start_ns,
            end_ns,
            size: entry.text.len() as u32,
            op: self.terms.rtt,
            status,
            lane: self.roster.place(sender).user as u16,
        });
    }

    /// Writes the answer of a verified message; one that failed has none.
    fn answer(&mut self, sender: usize, seq: u32) {
        let Place { user, board, .. } = self.roster.place(sender);
        let Some(entry) = self.senders[sender].entry(seq) else {
            return;
        };
        let (Some(verified), OwnCopy::Seen(end_ns)) = (entry.verified.take(), entry.own) else {
            return;
        };
        let answer = json!({
            "board": self.roster.boards[board].name,
            "user": user,
            "seq": seq,
            "key": format!("{:032x}", self.terms.key),
            "members": self.roster.numbers(board, &entry.expected),
            "receivers": self.roster.numbers(board, &entry.seen),
            "text": entry.text,
            "copies": verified.copies,
        });
        self.findings.answers.push(Answer {
            phase: verified.phase,
            operation: "rtt",
            tick: verified.tick,
            start_ns: entry.start_ns,
            end_ns,
            answer,
        });
    }
}

#[cfg(test)]
mod tests;
