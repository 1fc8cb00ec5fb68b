//! Messages that were held back in order to leave together, told apart from those that left as they came.
//!
//! What one read of a socket brings may have come together because the server wrote it together, or
//! because nobody had looked for a while. A message was held back by the server if it had not come
//! by a look long after it was handed over, and then came together with one that was handed over
//! long after it.

use super::Ledger;

/// Long: by far more than two messages in a row are apart in a server that passes them on.
const LONG_NS: u64 = 1_000_000;

/// A first copy, of a read of one socket.
pub struct Arrival {
    pub start_ns: u64,
    pub intended_ns: u64,
    /// Not the sender's own.
    pub counts: bool,
}

impl Ledger {
    /// A socket is about to be read.
    pub fn begin_read(&mut self) {
        self.arrivals.clear();
    }

    /// A socket has been read: nothing of it had come by `absent_ns`.
    pub fn end_read(&mut self, absent_ns: u64) {
        if self.arrivals.len() < 2 {
            return;
        }
        let starts = self.arrivals.iter().map(|arrival| arrival.start_ns);
        let held_until_ns = starts.max().unwrap_or(0).min(absent_ns);
        for arrival in std::mem::take(&mut self.arrivals) {
            if arrival.counts && arrival.start_ns + LONG_NS <= held_until_ns {
                self.tally.at(arrival.intended_ns).counts.held += 1;
            }
        }
    }
}
