//! Parts of time that lines of the interval file are of.

use wirelab_sdk::clock::SECOND;

const TENTH: u64 = SECOND / 10;

/// Seconds that are told of in tenths. A file has at most 50,000 lines: so long, those of a dozen
/// operations are 36,000.
const FINE_SECONDS: u64 = 300;

/// A tenth of a second after tick 0, later a whole second. What others on the host disturb is left
/// out slot by slot, so that short ones lose less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// After tick 0.
    pub second: u64,
    /// None of a whole second.
    pub tenth: Option<u8>,
}

impl Slot {
    /// The slot of a time after tick 0.
    pub fn at(elapsed_ns: u64) -> Self {
        let second = elapsed_ns / SECOND;
        let tenth = (elapsed_ns % SECOND / TENTH) as u8;
        Self {
            second,
            tenth: (second < FINE_SECONDS).then_some(tenth),
        }
    }

    /// The first slot of a second.
    pub fn beginning(second: u64) -> Self {
        Self {
            second,
            tenth: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FINE_SECONDS, SECOND, Slot, TENTH};

    #[test]
    fn tenths_become_whole_seconds_when_there_would_be_too_many() {
        let told = |at| {
            let slot = Slot::at(at);
            (slot.second, slot.tenth)
        };
        assert_eq!(told(0), (0, Some(0)));
        assert_eq!(told(TENTH - 1), (0, Some(0)));
        assert_eq!(told(12 * SECOND + 9 * TENTH), (12, Some(9)));
        assert_eq!(told(FINE_SECONDS * SECOND - 1), (FINE_SECONDS - 1, Some(9)));
        assert_eq!(told(FINE_SECONDS * SECOND + TENTH), (FINE_SECONDS, None));
    }

    #[test]
    fn a_second_begins_before_its_tenths() {
        assert!(Slot::beginning(3) < Slot::at(3 * SECOND));
        assert!(Slot::at(3 * SECOND - 1) < Slot::beginning(3));
    }
}
