//! What is broadcast in a closed loop, counted as it comes: of one phase at a time, by tenths of a
//! second.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use wirelab_sdk::clock::{SECOND, now_ns};
use wirelab_sdk::intervals::{Durations, Interval, Intervals};

use crate::messages::{Messages, head_of};
use crate::phase::{Came, Phase, lock};

/// Messages of a sender beyond those of its phase: it is only looked whether they came.
pub(crate) const PROMISED: u64 = 8;

/// A second this old is written; what still comes for it gets a line of its own.
const WRITTEN_AFTER: u64 = 1;

/// Seconds that are told of in tenths, as wirelab's engine does: an interval file has its bounds.
const FINE_SECONDS: u64 = 300;

/// A second after tick 0, and the tenth of it; none of a whole one.
type Slot = (u64, Option<u8>);

fn slot_of(elapsed_ns: u64) -> Slot {
    let second = elapsed_ns / SECOND;
    let tenth = u8::try_from(elapsed_ns % SECOND * 10 / SECOND).ok();
    (second, tenth.filter(|_| second < FINE_SECONDS))
}

/// What was delivered in a slot.
#[derive(Default)]
struct Tally {
    expected: u64,
    received: u64,
    duplicates: u64,
    reordered: u64,
    wrong: u64,
    bytes: u64,
    service: Durations,
}

/// Everything that comes to users.
pub(crate) struct Deliveries {
    messages: Arc<Messages>,
    tick0_ns: AtomicU64,
    phase: RwLock<Arc<Phase>>,
    expected: AtomicU64,
    received: AtomicU64,
    last_ns: AtomicU64,
    /// What came before anything counted belongs to what does so next.
    wrong_before: AtomicU64,
    /// Messages that somebody was promised, and got: receiver, sender and number.
    promises: Mutex<HashSet<(u32, u32, u64)>>,
    tallies: Mutex<BTreeMap<Slot, Tally>>,
    intervals: Mutex<Intervals>,
}

impl Deliveries {
    pub(crate) fn create(messages: Arc<Messages>, intervals: &Path) -> io::Result<Self> {
        let before = Phase { follows_whole: true, ..Phase::default() };
        Ok(Self {
            messages,
            tick0_ns: AtomicU64::new(0),
            phase: RwLock::new(Arc::new(before)),
            expected: AtomicU64::new(0),
            received: AtomicU64::new(0),
            last_ns: AtomicU64::new(0),
            wrong_before: AtomicU64::new(0),
            promises: Mutex::default(),
            tallies: Mutex::default(),
            intervals: Mutex::new(Intervals::create(intervals)?),
        })
    }

    pub(crate) fn started(&self, tick0_ns: u64) {
        self.tick0_ns.store(tick0_ns, Ordering::Relaxed);
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
            self.tallied(now_ns, |tally| tally.wrong += wrong);
        }
    }

    /// A broadcast was handed over: so many users are to get it.
    pub(crate) fn sent(&self, due_ns: u64, receivers: u64) {
        self.expected.fetch_add(receivers, Ordering::Relaxed);
        if self.phase().counts {
            self.tallied(due_ns, |tally| tally.expected += receivers);
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
            if phase.counts && phase.follows_whole {
                self.tallied(now_ns, |tally| tally.duplicates += 1);
            }
            return;
        }
        let is_there = said.phase() == phase.number && (user as usize) < phase.receivers.len();
        let beyond = phase.each..phase.each + PROMISED;
        if is_there && u64::from(said.user) < phase.senders && beyond.contains(&said.number()) {
            lock(&self.promises).insert((user, said.user, said.number()));
        } else if is_there && phase.knows(&said) {
            let came = phase.take(user, &said, now_ns);
            self.last_ns.fetch_max(now_ns, Ordering::Relaxed);
            if came != Came::Again {
                self.received.fetch_add(1, Ordering::Relaxed);
            }
            if phase.counts {
                // Not the sender's own: a server knows who has sent a message, and could serve the
                // sender before the others.
                let timed = user != said.user || phase.receivers.len() == 1;
                let took_ns = timed.then_some(now_ns.saturating_sub(said.sent_ns));
                self.count(said.sent_ns, message.len() as u64, came, took_ns);
            }
        } else {
            self.wrong(&phase, now_ns);
        }
    }

    fn count(&self, sent_ns: u64, size: u64, came: Came, took_ns: Option<u64>) {
        self.tallied(sent_ns, |tally| {
            if came == Came::Again {
                tally.duplicates += 1;
                return;
            }
            tally.received += 1;
            tally.reordered += u64::from(came == Came::Late);
            tally.bytes += size;
            if let Some(ns) = took_ns {
                tally.service.add(ns);
            }
        });
    }

    fn wrong(&self, phase: &Phase, now_ns: u64) {
        if phase.counts {
            self.tallied(now_ns, |tally| tally.wrong += 1);
        } else {
            self.wrong_before.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether a user has got a message that was promised.
    pub(crate) fn came(&self, user: u32, sender: u32, number: u64) -> bool {
        lock(&self.promises).contains(&(user, sender, number))
    }

    /// Counts a user who did not get what it was promised, as of the last that came.
    pub(crate) fn promise_broken(&self) {
        self.tallied(self.last_ns(), |tally| tally.wrong += 1);
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.received.load(Ordering::Relaxed) >= self.expected.load(Ordering::Relaxed)
    }

    pub(crate) fn last_ns(&self) -> u64 {
        self.last_ns.load(Ordering::Relaxed)
    }

    fn tallied(&self, at_ns: u64, change: impl FnOnce(&mut Tally)) {
        let slot = slot_of(at_ns.saturating_sub(self.tick0_ns.load(Ordering::Relaxed)));
        change(lock(&self.tallies).entry(slot).or_default());
    }

    /// Writes slots that are old enough, or all of them.
    pub(crate) fn write(&self, everything: bool) -> io::Result<()> {
        let since_ns = now_ns().saturating_sub(self.tick0_ns.load(Ordering::Relaxed));
        let newest = (since_ns / SECOND).saturating_sub(WRITTEN_AFTER);
        let phase = self.phase();
        let mut intervals = lock(&self.intervals);
        let due = {
            let mut tallies = lock(&self.tallies);
            let left =
                if everything { BTreeMap::new() } else { tallies.split_off(&(newest, None)) };
            std::mem::replace(&mut *tallies, left)
        };
        for ((second, tenth), tally) in due {
            let counts = [
                ("expected", tally.expected),
                ("received", tally.received),
                ("duplicates", tally.duplicates),
                ("reordered", tally.reordered),
                ("held", 0),
                ("wrong", tally.wrong),
                ("bytes", tally.bytes),
            ];
            intervals.write(&Interval {
                second,
                tenth,
                operation: "delivery",
                step: &phase.step,
                counts: &counts,
                service: Some(&tally.service),
                response: None,
            })?;
        }
        intervals.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{Deliveries, FINE_SECONDS, slot_of};
    use crate::messages::{Messages, stamp};
    use crate::phase::Phase;
    use std::sync::Arc;
    use wirelab_sdk::clock::SECOND;

    const PHASE: u64 = 2 << 32;

    #[test]
    fn tenths_become_whole_seconds_when_there_would_be_too_many() {
        assert_eq!(slot_of(SECOND / 10 - 1), (0, Some(0)));
        assert_eq!(slot_of(12 * SECOND + SECOND * 9 / 10), (12, Some(9)));
        assert_eq!(slot_of(FINE_SECONDS * SECOND - 1), (FINE_SECONDS - 1, Some(9)));
        assert_eq!(slot_of(FINE_SECONDS * SECOND + SECOND / 2), (FINE_SECONDS, None));
        assert!((3, None) < slot_of(3 * SECOND) && slot_of(3 * SECOND - 1) < (3, None));
    }

    #[test]
    fn every_delivery_is_counted_as_what_it_is() {
        let folder = std::env::temp_dir().join(format!("wirelab-rust-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let messages = Arc::new(Messages::new(b"", 1));
        let file = folder.join("intervals");
        let deliveries = Deliveries::create(Arc::clone(&messages), &file).expect("a file");
        let step = "s".to_owned();
        let phase = Phase {
            number: 2,
            step,
            size: 100,
            each: 2,
            senders: 2,
            counts: true,
            ..Phase::default()
        };
        deliveries.begin(phase, 2);
        let phase = deliveries.phase();
        for (sender, number) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            phase.hands_over(sender, number, 7);
            deliveries.sent(7, 2);
        }
        let deliver = |user: u32, sender: u32, sequence: u64, sent_ns: u64| {
            let mut message = messages.compose(sender, sequence, 100);
            stamp(&mut message, sent_ns, sent_ns);
            deliveries.delivered(user, &message);
        };
        deliver(0, 0, PHASE | 1, 7);
        deliver(0, 0, PHASE, 7); // after a later one
        deliver(0, 0, PHASE, 7); // twice
        deliver(0, 0, 1 << 32, 7); // of settling, which is complete
        deliver(0, 1, PHASE | 10, 7); // one that is not sent
        deliver(0, 1, 3 << 32, 7); // one that is not sent yet
        deliver(0, 1, 0, 7); // one that was no broadcast
        deliver(0, 1, PHASE | 2, 7); // one that is promised
        deliver(0, 1, PHASE, 8); // with a time of which nobody knows
        deliveries.delivered(0, b"nonsense");
        assert!(deliveries.came(0, 1, 2) && !deliveries.came(1, 1, 2));
        assert!(phase.completed_ns(0).is_none());
        deliver(0, 1, PHASE, 7);
        deliver(0, 1, PHASE | 1, 7);
        assert!(phase.completed_ns(0).is_some() && !deliveries.is_complete());
        for (sender, number) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            deliver(1, sender, PHASE | number, 7);
        }
        assert!(deliveries.is_complete());
        deliveries.write(true).expect("lines");
        let mut found = std::collections::BTreeMap::<String, u64>::new();
        for line in std::fs::read_to_string(&file).expect("lines").lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("a line");
            assert_eq!(
                (line["operation"].as_str(), line["step"].as_str()),
                (Some("delivery"), Some("s"))
            );
            let second = line["second"].as_u64().expect("a second");
            assert_eq!(line["tenth"].is_u64(), second < FINE_SECONDS, "{line}");
            for (name, count) in line["counts"].as_object().expect("counts") {
                *found.entry(name.clone()).or_default() += count.as_u64().expect("a count");
            }
        }
        let expected = [
            ("bytes", 800),
            ("duplicates", 2),
            ("expected", 8),
            ("held", 0),
            ("received", 8),
            ("reordered", 1),
            ("wrong", 5),
        ];
        assert_eq!(found, expected.map(|(name, count)| (name.to_owned(), count)).into());
        std::fs::remove_dir_all(folder).expect("it is empty");
    }
}
