//! Broadcasts, counted as they come: of one phase at a time, by tenths of a second.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use wirelab_sdk::clock::now_ns;

use crate::messages::{Head, Messages, head_of};
use crate::phase::{Came, Phase, lock};
use crate::silences::{HandingOver, Silences};
use crate::tally::Tallies;

/// Messages of a sender beyond those of its phase: it is only looked whether they came.
pub(crate) const PROMISED: u64 = 8;

/// Everything that comes to users.
pub(crate) struct Deliveries {
    messages: Arc<Messages>,
    is_open: bool,
    phase: RwLock<Arc<Phase>>,
    expected: AtomicU64,
    received: AtomicU64,
    last_ns: AtomicU64,
    /// Wrong messages in phases that do not count. They count with the next one that does: nobody
    /// would be told of a library that is wrong in settling alone.
    wrong_before: AtomicU64,
    /// Messages that somebody was promised, and got: receiver, sender and number.
    promises: Mutex<HashSet<(u32, u32, u64)>>,
    silences: Silences,
    tallies: Tallies,
}

impl Deliveries {
    pub(crate) fn create(
        messages: Arc<Messages>,
        intervals: &Path,
        is_open: bool,
    ) -> io::Result<Self> {
        let before = Phase { follows_whole: true, per_tick: 1, ..Phase::default() };
        Ok(Self {
            messages,
            is_open,
            phase: RwLock::new(Arc::new(before)),
            expected: AtomicU64::new(0),
            received: AtomicU64::new(0),
            last_ns: AtomicU64::new(0),
            wrong_before: AtomicU64::new(0),
            promises: Mutex::default(),
            silences: Silences::default(),
            tallies: Tallies::create(intervals)?,
        })
    }

    pub(crate) fn started(&self, tick0_ns: u64) {
        self.tallies.started(tick0_ns);
    }

    pub(crate) fn phase(&self) -> Arc<Phase> {
        Arc::clone(&self.phase.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets the messages of a phase count from here on, or in settling only pass.
    pub(crate) fn begin(&self, next: Phase, users: u64) {
        let (was_whole, now_ns) = (self.phase().follows_whole && self.is_complete(), now_ns());
        let next = Phase { follows_whole: was_whole, ..next.prepared(users) };
        let counts = next.counts;
        self.expected.store(0, Ordering::Relaxed);
        self.received.store(0, Ordering::Relaxed);
        self.last_ns.store(now_ns, Ordering::Relaxed);
        *self.phase.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(next);
        if counts {
            let wrong = self.wrong_before.swap(0, Ordering::Relaxed);
            self.tallies.at(now_ns, |tally| tally.wrong += wrong);
        }
    }

    /// Notes the times of the messages of a tick, which a call begins to hand over.
    pub(crate) fn hands_over(
        &self,
        sender: u32,
        first: u64,
        sent_ns: u64,
        due_ns: u64,
    ) -> HandingOver<'_> {
        self.phase().hands_over(sender, first, sent_ns, due_ns);
        self.silences.hands_over()
    }

    /// Messages were handed over: so many are to come to users.
    pub(crate) fn sent(&self, due_ns: u64, deliveries: u64) {
        self.expected.fetch_add(deliveries, Ordering::Relaxed);
        if self.phase().counts {
            self.tallies.at(due_ns, |tally| tally.expected += deliveries);
        }
    }

    /// Takes what a user has got.
    pub(crate) fn delivered(&self, user: u32, message: &[u8]) {
        let now_ns = now_ns();
        let phase = self.phase();
        let said = head_of(message)
            .filter(|it| self.messages.is_intact(message, it.user, it.sequence, phase.size));
        let Some(said) = said else {
            return self.wrong(&phase, now_ns);
        };
        if said.phase() > 0 && said.phase() < phase.number {
            // Where all of the phases before had come, it comes again; elsewhere it may be late.
            if phase.counts && phase.follows_whole {
                self.tallies.at(now_ns, |tally| tally.duplicates += 1);
            }
            return;
        }
        let is_there = said.phase() == phase.number && (user as usize) < phase.receivers.len();
        let beyond = phase.each..phase.each + PROMISED;
        if is_there && u64::from(said.user) < phase.senders && beyond.contains(&said.number()) {
            lock(&self.promises).insert((user, said.user, said.number()));
        } else if is_there && phase.knows(&said) {
            if u64::from(user) >= phase.owed.to(said.number()) {
                self.silences.ended_by(now_ns);
                return; // it was still joining, and may get this or not
            }
            let came = phase.take(user, &said, now_ns);
            self.last_ns.fetch_max(now_ns, Ordering::Relaxed);
            if came != Came::Again {
                self.received.fetch_add(1, Ordering::Relaxed);
            }
            if phase.counts {
                self.count(&phase, user, &said, message.len() as u64, came, now_ns);
            }
        } else {
            self.wrong(&phase, now_ns);
        }
    }

    fn count(&self, phase: &Phase, user: u32, said: &Head, size: u64, came: Came, now_ns: u64) {
        let silence_ns = self.is_open.then(|| self.silences.ended_by(now_ns));
        let held = match silence_ns {
            Some(ended_ns) if came != Came::Again => phase.held_for(user, said, now_ns, ended_ns),
            _ => 0,
        };
        let from_ns = if self.is_open { said.due_ns } else { said.sent_ns };
        self.tallies.at(from_ns, |tally| {
            if came == Came::Again {
                tally.duplicates += 1;
                return;
            }
            tally.received += 1;
            tally.reordered += u64::from(came == Came::Late);
            tally.held += held;
            tally.bytes += size;
            // Not the sender's own: a server knows who has sent a message, and could serve the
            // sender before the others.
            if user != said.user || phase.receivers.len() == 1 {
                tally.service.add(now_ns.saturating_sub(said.sent_ns));
                if self.is_open {
                    tally.response.add(now_ns.saturating_sub(said.due_ns));
                }
            }
        });
    }

    fn wrong(&self, phase: &Phase, now_ns: u64) {
        if phase.counts {
            self.tallies.at(now_ns, |tally| tally.wrong += 1);
        } else {
            self.wrong_before.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Tells whether a user has got a message that was promised.
    pub(crate) fn came(&self, user: u32, sender: u32, number: u64) -> bool {
        lock(&self.promises).contains(&(user, sender, number))
    }

    /// Counts a user who did not get what it was promised, as of the last that came.
    pub(crate) fn promise_broken(&self) {
        self.tallies.at(self.last_ns(), |tally| tally.wrong += 1);
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.received.load(Ordering::Relaxed) >= self.expected.load(Ordering::Relaxed)
    }

    pub(crate) fn last_ns(&self) -> u64 {
        self.last_ns.load(Ordering::Relaxed)
    }

    /// Writes seconds that are a few old, or all of them.
    pub(crate) fn write(&self, everything: bool) -> io::Result<()> {
        self.tallies.write(everything, &self.phase().step)
    }
}

#[cfg(test)]
mod tests;
