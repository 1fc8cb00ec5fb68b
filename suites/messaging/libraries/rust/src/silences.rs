//! Messages that were held back in order to leave together, told apart from those that left as they
//! were sent.
//!
//! A client that has nothing to do for 1 ms gets what comes at once. If several messages come to one
//! user at the end of such a silence, and one of them had been handed over 1 ms before another, then it
//! had waited for that one. What comes while others come, or while messages are handed over, may have
//! waited for the client, and tells nothing.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use wirelab_sdk::clock::now_ns;

const LONG_NS: u64 = 1_000_000;

/// Times at which nothing came to anybody, and nobody was handing anything over.
#[derive(Default)]
pub(crate) struct Silences {
    active_ns: AtomicU64,
    ended_ns: AtomicU64,
    under_way: AtomicU64,
}

/// A call that hands messages over; it ends with this, also where it is given up.
pub(crate) struct HandingOver<'a>(&'a Silences);

impl Drop for HandingOver<'_> {
    fn drop(&mut self) {
        self.0.handed_over(now_ns());
    }
}

impl Silences {
    /// Begins to hand messages over.
    pub(crate) fn hands_over(&self) -> HandingOver<'_> {
        self.under_way.fetch_add(1, Ordering::AcqRel);
        HandingOver(self)
    }

    fn handed_over(&self, now_ns: u64) {
        self.active_ns.fetch_max(now_ns, Ordering::AcqRel);
        self.under_way.fetch_sub(1, Ordering::AcqRel);
    }

    /// The end of the last silence, which a message that comes now may be.
    pub(crate) fn ended_by(&self, now_ns: u64) -> u64 {
        let nobody = self.under_way.load(Ordering::Acquire) == 0;
        let active_ns = self.active_ns.fetch_max(now_ns, Ordering::AcqRel);
        if nobody && now_ns.saturating_sub(active_ns) >= LONG_NS {
            self.ended_ns.store(now_ns, Ordering::Release);
        }
        self.ended_ns.load(Ordering::Acquire)
    }
}

/// Messages that came to one user at the end of a silence.
#[derive(Default)]
pub(crate) struct Together {
    ended_ns: u64,
    first_ns: u64,
    sent_ns: VecDeque<u64>,
}

impl Together {
    /// Messages that had waited for this one.
    pub(crate) fn held_for(&mut self, ended_ns: u64, sent_ns: u64, now_ns: u64) -> u64 {
        if ended_ns != self.ended_ns {
            (self.ended_ns, self.first_ns) = (ended_ns, now_ns);
            self.sent_ns.clear();
        }
        if now_ns.saturating_sub(self.first_ns) > LONG_NS || sent_ns > ended_ns {
            return 0;
        }
        let mut held = 0;
        while self.sent_ns.front().is_some_and(|earlier| earlier + LONG_NS <= sent_ns) {
            self.sent_ns.pop_front();
            held += 1;
        }
        if sent_ns + LONG_NS <= ended_ns {
            self.sent_ns.push_back(sent_ns);
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use super::{LONG_NS as MS, Silences, Together};

    /// Messages that were held, of two that came at these times and were sent at those.
    fn held(silences: &Silences, came: [u64; 2], sent: [u64; 2]) -> u64 {
        let mut together = Together::default();
        came.into_iter()
            .zip(sent)
            .map(|(now_ns, sent_ns)| together.held_for(silences.ended_by(now_ns), sent_ns, now_ns))
            .sum()
    }

    #[test]
    fn messages_that_waited_for_others_are_told_from_those_that_came_as_they_were_sent() {
        let (sent, together) = ([MS, 3 * MS], [8 * MS, 8 * MS + 9]);
        for (what, handed_over, came, sent, expected) in [
            ("together after 5 ms", [MS, 3 * MS], together, sent, 1),
            ("as they were sent", [MS, 3 * MS], [2 * MS, 8 * MS], sent, 0),
            ("sent together", [MS, MS], together, [MS, MS], 0),
            ("while the client sends", [MS, 8 * MS - 9], together, sent, 0),
            ("one by one", [MS, 3 * MS], [8 * MS, 10 * MS], sent, 0),
        ] {
            let silences = Silences::default();
            for at_ns in handed_over {
                std::mem::forget(silences.hands_over());
                silences.handed_over(at_ns);
            }
            assert_eq!(held(&silences, came, sent), expected, "{what}");
        }
    }

    #[test]
    fn what_comes_in_a_call_tells_nothing_and_a_call_that_is_given_up_has_ended() {
        let (silences, sent) = (Silences::default(), [MS, 3 * MS]);
        let call = silences.hands_over();
        assert_eq!(held(&silences, [8 * MS, 8 * MS + 9], sent), 0);
        drop(call);
        // Its end is a time of this machine's clock: what comes long after it ends a silence.
        let later = wirelab_sdk::clock::now_ns() + 8 * MS;
        let sent = [later - 5 * MS, later - 3 * MS];
        assert_eq!(held(&silences, [later, later + 9], sent), 1);
    }
}
