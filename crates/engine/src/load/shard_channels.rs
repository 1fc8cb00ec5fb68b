//! A shard's thread and the one that writes: what is handed over, and what is ordered.

use std::sync::mpsc::{Receiver, Sender};

use wirelab_sdk::clock::{SECOND, now_ns};

use super::findings::Findings;
use super::thread_messages::{Figures, IntervalLine, ToShard, ToWriter, Totals};

/// Between two hand-overs to the thread that writes.
pub const HAND_OVER_NS: u64 = 100_000_000;

/// A shard's ways to and from the other threads.
pub struct ShardChannels {
    number: usize,
    notes: Sender<ToWriter>,
    /// The shard's waker tells that there is something.
    orders: Receiver<ToShard>,
    next_hand_over_ns: u64,
    next_figures_ns: u64,
}

impl ShardChannels {
    /// Channels of shard `number`.
    pub fn new(number: usize, notes: Sender<ToWriter>, orders: Receiver<ToShard>) -> Self {
        Self {
            number,
            notes,
            orders,
            next_hand_over_ns: 0,
            next_figures_ns: 0,
        }
    }

    /// Takes an order, if one has come.
    pub fn order(&self) -> Option<ToShard> {
        self.orders.try_recv().ok()
    }

    /// Time at which [`Self::hand_over`] is due again.
    pub fn next_hand_over_ns(&self) -> u64 {
        self.next_hand_over_ns
    }

    /// The schedule begins: hands over from now on.
    pub fn open(&mut self) {
        let now = now_ns();
        self.next_hand_over_ns = now + HAND_OVER_NS;
        self.next_figures_ns = now + SECOND;
    }

    /// Hands over what was found. True, once a second: figures and lines are due as well.
    pub fn hand_over(&mut self, findings: &mut Findings) -> bool {
        let now = now_ns();
        let records = std::mem::take(&mut findings.records);
        let answers = std::mem::take(&mut findings.answers);
        let errors = std::mem::take(&mut findings.errors);
        if !records.is_empty() {
            self.tell(ToWriter::Records(records));
        }
        if !answers.is_empty() {
            self.tell(ToWriter::Answers(answers));
        }
        if !errors.is_empty() {
            self.tell(ToWriter::Errors(errors));
        }
        self.next_hand_over_ns = now + HAND_OVER_NS;
        let due = now >= self.next_figures_ns;
        if due {
            self.next_figures_ns = now + SECOND;
        }
        due
    }

    /// Tells lines of the interval file, and how far the shard is.
    pub fn tell_figures(
        &self,
        lines: Vec<IntervalLine>,
        totals: Totals,
        connected: u64,
        lag_ns: u64,
    ) {
        if !lines.is_empty() {
            self.tell(ToWriter::Lines(lines));
        }
        self.tell(ToWriter::Figures(Figures {
            shard: self.number,
            totals,
            connected,
            lag_ns,
        }));
    }

    /// Tells the thread that writes.
    pub fn tell(&self, note: ToWriter) {
        // The writer ends after all shards have; if it has failed, nobody is left to tell.
        let _ = self.notes.send(note);
    }
}
