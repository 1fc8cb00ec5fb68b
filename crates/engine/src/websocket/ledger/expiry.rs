//! Giving up: everything ends, and memory stays bounded.

use wirelab_sdk::clock::SECOND;
use wirelab_sdk::status::Status;

use super::entry::{OwnCopy, State};
use super::{Deadline, Ledger};

/// Time for which a message that was given up is kept, to tell late copies from further ones.
pub(super) const FADING_NS: u64 = 30 * SECOND;
/// And how many of them at most.
const FADING: usize = 1 << 17;

impl Ledger {
    /// Gives up what is due to be given up at `now_ns`.
    pub fn expire(&mut self, now_ns: u64) {
        while self
            .open
            .front()
            .is_some_and(|deadline| deadline.at_ns <= now_ns)
        {
            self.give_up_first(now_ns);
        }
        while let Some(deadline) = self.fading.front() {
            if deadline.at_ns > now_ns && self.fading.len() <= FADING {
                break;
            }
            self.senders[deadline.sender].evict(deadline.seq);
            self.fading.pop_front();
        }
    }

    /// Gives up everything.
    pub fn give_up(&mut self, now_ns: u64) {
        while !self.open.is_empty() {
            self.give_up_first(now_ns);
        }
    }

    fn give_up_first(&mut self, now_ns: u64) {
        let Some(Deadline { sender, seq, .. }) = self.open.pop_front() else {
            return;
        };
        let Some(entry) = self.senders[sender].entry(seq) else {
            return;
        };
        if entry.state != State::Open {
            return;
        }
        entry.state = State::GeneratorError;
        if entry.own == OwnCopy::Awaited {
            entry.own = OwnCopy::Failed;
            self.record(sender, seq, now_ns, Status::Timeout);
        }
        self.answer(sender, seq);
        self.outstanding -= 1;
        self.fading.push_back(Deadline {
            at_ns: now_ns + FADING_NS,
            sender,
            seq,
        });
    }
}
