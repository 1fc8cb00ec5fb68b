//! Events of a stream as browsers read them (WHATWG HTML, 9.2.6): lines, and an empty one after each
//! event.
//!
//! Only events without a type of their own, or of the type `message`, are given: those that
//! `EventSource.onmessage` would be called for.

use std::ops::Range;

use memchr::memchr2;

/// Bytes of an event that may come before its end.
const LONGEST: usize = 1024 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An event that has no end, or one that is too far away.
#[derive(Debug, PartialEq, Eq)]
pub struct EventTooLong;

/// A stream of which bytes come bit by bit.
#[derive(Debug, Default)]
pub struct EventStream {
    bytes: Vec<u8>,
    /// Offset of the line that is read next.
    at: usize,
    /// No line ends between its beginning and here.
    searched: usize,
    /// The last line ended with a carriage return: a line feed may belong to its end.
    returned: bool,
    begun: bool,
    /// Lines of data of the event under way, each with its end.
    data: Vec<u8>,
    /// It has a type of its own.
    named: bool,
}

impl EventStream {
    /// Takes what has come.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at);
        self.searched -= self.at;
        self.at = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The data of the next event that is complete.
    pub fn next_event(&mut self) -> Result<Option<String>, EventTooLong> {
        while let Some(line) = self.next_line() {
            if line.is_empty() {
                let mut data = std::mem::take(&mut self.data);
                let named = std::mem::take(&mut self.named);
                // Without a line of data it is none.
                if data.pop().is_some() && !named {
                    return Ok(Some(text(data)));
                }
                continue;
            }
            let (field, value) = field(&self.bytes[line]);
            match field {
                b"data" => {
                    self.data.extend_from_slice(value);
                    self.data.push(b'\n');
                }
                b"event" => self.named = !matches!(value, b"" | b"message"),
                // Comments have no name. Where to begin after a loss is of no use here: what came
                // meanwhile is lost.
                _ => {}
            }
            if self.data.len() > LONGEST {
                return Err(EventTooLong);
            }
        }
        if self.bytes.len() - self.at > LONGEST {
            return Err(EventTooLong);
        }
        Ok(None)
    }

    /// Range of the next line that has come as a whole.
    fn next_line(&mut self) -> Option<Range<usize>> {
        if self.returned {
            if *self.bytes.get(self.at)? == b'\n' {
                self.at += 1;
            }
            self.returned = false;
        }
        let mut from = self.at;
        let Some(length) = memchr2(b'\r', b'\n', &self.bytes[from.max(self.searched)..]) else {
            self.searched = self.bytes.len();
            return None;
        };
        let end = from.max(self.searched) + length;
        self.returned = self.bytes[end] == b'\r';
        (self.at, self.searched) = (end + 1, end + 1);
        if !self.begun {
            self.begun = true;
            if self.bytes[from..end].starts_with(BYTE_ORDER_MARK) {
                from += BYTE_ORDER_MARK.len();
            }
        }
        Some(from..end)
    }
}

/// Name and value of a line; one space before the value belongs to neither.
fn field(line: &[u8]) -> (&[u8], &[u8]) {
    match line.iter().position(|byte| *byte == b':') {
        Some(colon) => {
            let value = &line[colon + 1..];
            (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
        }
        None => (line, b""),
    }
}

/// Text of the data; what is no UTF-8 is replaced, as browsers do.
fn text(data: Vec<u8>) -> String {
    String::from_utf8(data)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
#[path = "event_stream_tests.rs"]
mod tests;
