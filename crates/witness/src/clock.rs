//! Both clocks at one moment: the kernel stamps packets with the time of day.

use rustix::time::{ClockId, clock_gettime};

/// The two clocks, in ns; `spread` is how long reading them took, and bounds the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    pub realtime_ns: u64,
    pub monotonic_ns: u64,
    pub spread_ns: u64,
}

const TRIES: usize = 5;

impl Pair {
    /// Reads both: the best of a few tries, because a thread may be set aside between two of them.
    pub fn now() -> Self {
        let tries = std::array::from_fn::<Self, TRIES, _>(|_| Self::read());
        tries[1..].iter().fold(tries[0], |best, one| {
            if one.spread_ns < best.spread_ns {
                *one
            } else {
                best
            }
        })
    }

    fn read() -> Self {
        let before = ns(ClockId::Monotonic);
        let realtime_ns = ns(ClockId::Realtime);
        let after = ns(ClockId::Monotonic);
        Self {
            realtime_ns,
            monotonic_ns: before + (after - before) / 2,
            spread_ns: after - before,
        }
    }
}

/// A clock of this machine, in ns.
fn ns(clock: ClockId) -> u64 {
    let now = clock_gettime(clock);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_one_clock_keep_their_distance() {
        let (first, second) = (Pair::now(), Pair::now());
        let distance = |pair: Pair| pair.realtime_ns as i64 - pair.monotonic_ns as i64;
        let spread = (first.spread_ns + second.spread_ns) as i64;
        assert!(second.monotonic_ns > first.monotonic_ns);
        assert!((distance(first) - distance(second)).abs() <= spread);
    }
}
