//! Deliveries to users in a phase of a broadcast: a bit for each message.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::messages::Head;
use crate::owed::Owed;
use crate::silences::Together;

/// Phase that is under way: settling, what counts, or all of an open loop.
#[derive(Default)]
pub(crate) struct Phase {
    /// Number that messages carry, by which one of an earlier phase is known: odd in settling, even
    /// in what counts; 0 before the first one, and in an open loop.
    pub(crate) number: u64,
    pub(crate) step: String,
    pub(crate) size: usize,
    /// Messages of each sender.
    pub(crate) each: u64,
    /// Messages of a tick.
    pub(crate) per_tick: u64,
    pub(crate) senders: u64,
    pub(crate) counts: bool,
    /// True where everything of the phases before it has come.
    pub(crate) follows_whole: bool,
    pub(crate) receivers: Vec<Mutex<Receiver>>,
    /// Of an open loop; who joins in a closed one does so before anything is sent.
    pub(crate) owed: Owed,
    /// Times of each tick of each sender, kept here: those in a message went through the server,
    /// which could have put later ones in their place.
    pub(crate) times: Vec<Times>,
}

/// Times at which the messages of a tick were handed over, and due.
#[derive(Default)]
pub(crate) struct Times {
    sent_ns: AtomicU64,
    due_ns: AtomicU64,
}

/// Messages that one user has got.
#[derive(Default)]
pub(crate) struct Receiver {
    seen: Vec<u64>,
    /// By sender: messages up to the latest one.
    latest: Vec<u64>,
    pub(crate) distinct: u64,
    pub(crate) last_ns: u64,
    together: Together,
}

/// Place of a message among those that its receiver has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    First,
    /// After a later one of its sender.
    Late,
    Again,
}

impl Phase {
    /// With room for what users get.
    pub(crate) fn prepared(mut self, users: u64) -> Self {
        let all = usize::try_from(self.senders * self.each).unwrap_or_default();
        let of_one = || {
            Mutex::new(Receiver {
                seen: vec![0; all.div_ceil(64)],
                latest: vec![0; self.senders as usize],
                ..Receiver::default()
            })
        };
        self.receivers = (0..users).map(|_| of_one()).collect();
        self.times.resize_with(all / self.per_tick as usize, Times::default);
        self
    }

    /// Notes when the messages of a sender's tick are handed over, and due.
    pub(crate) fn hands_over(&self, sender: u32, first: u64, sent_ns: u64, due_ns: u64) {
        if let Some(times) = self.times_of(sender, first) {
            times.sent_ns.store(sent_ns, Ordering::Relaxed);
            times.due_ns.store(due_ns, Ordering::Relaxed);
        }
    }

    fn times_of(&self, sender: u32, number: u64) -> Option<&Times> {
        self.times.get(self.place(sender, number) / self.per_tick as usize)
    }

    /// Tells whether a message that says this of itself was sent to everybody.
    pub(crate) fn knows(&self, said: &Head) -> bool {
        let are_its = |times: &Times| {
            times.sent_ns.load(Ordering::Relaxed) == said.sent_ns
                && times.due_ns.load(Ordering::Relaxed) == said.due_ns
        };
        u64::from(said.user) < self.senders
            && said.number() < self.each
            && self.times_of(said.user, said.number()).is_some_and(are_its)
    }

    /// Keeps that a message has come to a user.
    pub(crate) fn take(&self, user: u32, said: &Head, now_ns: u64) -> Came {
        let (at, sender) = (self.place(said.user, said.number()), said.user as usize);
        let mut got = lock(&self.receivers[user as usize]);
        got.last_ns = now_ns;
        let (word, bit) = (at / 64, 1 << (at % 64));
        if got.seen[word] & bit != 0 {
            return Came::Again;
        }
        got.seen[word] |= bit;
        got.distinct += 1;
        let (number, latest) = (said.number() + 1, got.latest[sender]);
        got.latest[sender] = latest.max(number);
        if number < latest { Came::Late } else { Came::First }
    }

    /// Messages of a user that had waited for this one, which came when a silence had ended.
    pub(crate) fn held_for(&self, user: u32, said: &Head, now_ns: u64, ended_ns: u64) -> u64 {
        let mut got = lock(&self.receivers[user as usize]);
        got.together.held_for(ended_ns, said.sent_ns, now_ns)
    }

    /// Time at which a user had got every message, each of them once; none: it has not.
    pub(crate) fn completed_ns(&self, user: u16) -> Option<u64> {
        let got = lock(self.receivers.get(usize::from(user))?);
        (got.distinct >= self.each * self.senders).then_some(got.last_ns)
    }

    fn place(&self, sender: u32, number: u64) -> usize {
        usize::try_from(u64::from(sender) * self.each + number).unwrap_or(usize::MAX)
    }
}

/// A lock that is held for a moment, and in which nothing fails.
pub(crate) fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
