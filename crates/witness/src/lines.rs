//! Lines that end with CR LF, and bytes of a known number behind them: so RESP and memcached's text
//! protocol are built.

use crate::names::Hash;

/// Bytes of a line that are kept.
const HEAD: usize = 320;

/// The line at which a stream is.
#[derive(Default)]
pub struct Lines {
    head: Vec<u8>,
    passed_over: u64,
    name: Option<Hash>,
}

impl Lines {
    /// Takes bytes in, up to the end of a line at most: how many, and the first bytes of the line
    /// that has ended.
    pub fn take(&mut self, bytes: &[u8]) -> (usize, Option<Vec<u8>>) {
        if self.passed_over > 0 {
            let passed = self.passed_over.min(bytes.len() as u64);
            let of_data = passed.min(self.passed_over.saturating_sub(END));
            if let Some(name) = &mut self.name {
                bytes[..of_data as usize]
                    .iter()
                    .for_each(|byte| name.take(*byte));
            }
            self.passed_over -= passed;
            return (passed as usize, None);
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let taken = &bytes[..end.unwrap_or(bytes.len())];
        let room = HEAD - self.head.len();
        let line = taken.iter().filter(|byte| **byte != b'\r');
        self.head.extend(line.take(room));
        match end {
            None => (bytes.len(), None),
            Some(end) => (end + 1, Some(std::mem::take(&mut self.head))),
        }
    }

    /// Passes over data of so many bytes, and the line's end behind them.
    pub fn pass_over(&mut self, data: u64) {
        self.passed_over = data + END;
    }

    /// Passes over data that are a name, which `name` gives once all of it has been.
    pub fn pass_over_name(&mut self, data: u64) {
        self.pass_over(data);
        self.name = Some(Hash::EMPTY);
    }

    /// The name that was passed over last, once.
    pub fn name(&mut self) -> Option<Hash> {
        if self.is_past() {
            self.name.take()
        } else {
            None
        }
    }

    /// Tells whether all that was to be passed over has been.
    pub fn is_past(&self) -> bool {
        self.passed_over == 0
    }
}

/// A length or a number of things; None for what is none, or more than any message has.
pub fn number(digits: &[u8]) -> Option<u64> {
    let value = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (value <= MOST).then_some(value)
}

/// Bytes of a line's end.
const END: u64 = 2;

/// Most bytes that Redis takes for one value.
const MOST: u64 = 1 << 29;
