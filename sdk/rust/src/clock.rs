//! The one clock of a trial.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds of a second.
pub const SECOND: u64 = 1_000_000_000;

/// CLOCK_MONOTONIC in nanoseconds.
#[must_use]
pub fn now_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    // Neither part is ever negative on this clock.
    time.tv_sec.unsigned_abs() * SECOND + time.tv_nsec.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::{SECOND, now_ns};
    use std::time::{Duration, Instant};

    #[test]
    fn runs_as_the_clock_of_the_standard_library_does() {
        let first = now_ns();
        let inner = Instant::now();
        std::thread::sleep(Duration::from_millis(5));
        let elapsed = inner.elapsed();
        let last = now_ns();
        assert!(u128::from(last - first) >= elapsed.as_nanos());
        assert!(first > 0 && last - first < 3600 * SECOND);
    }
}
