//! Judgement of a delivery: the message of a sender on the receiver's board, or something wrong.

use wirelab_sdk::status::Status;

use super::entry::{OwnCopy, State};
use super::held::Arrival;
use super::{Ledger, LedgerSettings, message};
use crate::load::findings::quote;

/// Reason for which a delivery is not what it should be.
struct Wrong {
    class: &'static str,
    intended_ns: Option<u64>,
}

impl Wrong {
    const fn because(class: &'static str) -> Self {
        Self {
            class,
            intended_ns: None,
        }
    }
}

impl Ledger {
    /// `text` has come to user `index`, decoded at `now_ns`.
    pub fn delivered(&mut self, index: usize, text: &str, now_ns: u64) {
        match self.identify(index, text) {
            Ok((sender, seq)) => self.count(index, sender, seq, text, now_ns),
            Err(Wrong { class, intended_ns }) => {
                self.wrong(index, class, text, intended_ns.unwrap_or(now_ns));
            }
        }
    }

    /// Counts and reports something that user `index` should not have got.
    pub fn wrong(&mut self, index: usize, class: &'static str, text: &str, at_ns: u64) {
        self.tally.at(at_ns).counts.wrong += 1;
        let member = self.roster.member(index);
        self.findings
            .error(class, Status::WrongAnswer, "delivery", || {
                let quoted = quote(text);
                format!(
                    "to user {} on board {}: {quoted}",
                    member.user, member.board
                )
            });
    }

    /// Sender and number of the message that `text` is.
    fn identify(&mut self, receiver: usize, text: &str) -> Result<(usize, u32), Wrong> {
        let board = self.roster.place(receiver).board;
        if let Some((user, seq)) = message::locate(text)
            && let Some(sender) = self.roster.index(user)
            && self.roster.place(sender).board == board
            && let Some(entry) = self.senders[sender].entry(seq)
            && entry.is(text)
        {
            return Ok((sender, seq));
        }
        let (claim, value) = message::parse(text).ok_or(Wrong::because("Garbage"))?;
        if claim.board != self.roster.boards[board].name {
            return Err(Wrong::because("WrongBoard"));
        }
        let sender = self
            .roster
            .index(claim.user)
            .filter(|sender| self.roster.place(*sender).board == board)
            .filter(|sender| claim.seq < self.senders[*sender].next)
            .ok_or(Wrong::because("UnknownMessage"))?;
        let LedgerSettings {
            key,
            message_bytes,
            pad,
            ..
        } = self.terms;
        let member = self.roster.member(sender);
        let sent = message::text(key, member, claim.seq, message_bytes, pad);
        let entry = self.senders[sender].entry(claim.seq);
        if message::parse(&sent).is_none_or(|(_, sent)| sent != value) {
            let intended_ns = entry.map(|entry| entry.intended_ns);
            return Err(Wrong {
                class: "ChangedContent",
                intended_ns,
            });
        }
        if let Some(entry) = entry {
            entry.rewritten = Some(text.into());
        }
        Ok((sender, claim.seq))
    }

    /// Counts a right copy.
    fn count(&mut self, receiver: usize, sender: usize, seq: u32, text: &str, now_ns: u64) {
        let place = self.roster.place(receiver).place;
        if !self.roster.board(receiver).members.has(place) {
            // Still joining: the server may know this user before the user knows.
            return;
        }
        let messages = &mut self.senders[sender];
        let Some(past) = messages.past.get(place).copied() else {
            return;
        };
        let unclear = seq < messages.unclear_below;
        let Some(entry) = messages.entry(seq) else {
            match (seq < past.from, unclear) {
                (true, _) => {}
                (false, true) => self.late(text),
                (false, false) => self.tally.at(now_ns).counts.duplicates += 1,
            }
            return;
        };
        if seq < past.from || !entry.expected.has(place) {
            return;
        }
        let slot = self.tally.at(entry.intended_ns);
        let counts = &mut slot.counts;
        if !entry.seen.add(place) {
            counts.duplicates += 1;
            return;
        }
        entry.note_copy(text);
        if entry.state == State::GeneratorError {
            self.late(text);
            return;
        }
        if seq < past.next {
            counts.reordered += 1;
        }
        self.arrivals.push(Arrival {
            start_ns: entry.start_ns,
            intended_ns: entry.intended_ns,
            counts: receiver != sender,
        });
        let length = text.len() as u64;
        if receiver == sender {
            entry.own = OwnCopy::Seen(now_ns);
        } else {
            entry.missing -= 1;
            counts.received += 1;
            counts.bytes += length;
            slot.service.add(now_ns.saturating_sub(entry.start_ns));
            slot.response.add(now_ns.saturating_sub(entry.intended_ns));
            self.totals.received += 1;
        }
        self.tally.at(now_ns).counts.payload += length;
        messages.past[place].next = past.next.max(seq + 1);
        if receiver == sender {
            self.record(sender, seq, now_ns, Status::Ok);
        }
        self.conclude(sender, seq);
    }

    fn late(&mut self, text: &str) {
        self.findings
            .error("Late", Status::Timeout, "delivery", || {
                format!("after its message was given up: {}", quote(text))
            });
    }
}
