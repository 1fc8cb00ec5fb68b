//! PostgreSQL's protocol, version 3, as <https://www.postgresql.org/docs/current/protocol.html> has it:
//! a message is a letter, its length and a body; only the first one of a client has no letter.
//!
//! A request is all that leads to an Execute, or a simple Query. It has the number of its query
//! cycle, which the server ends with ReadyForQuery, and its place in the cycle: so pipelines are
//! followed, and an error leaves those behind it in the cycle without an answer. What is asked for
//! are the names among the parameters that were bound, or among the constants of a Query.

use crate::message::{Dissector, Message, READ};
use crate::statement::{AskedNames, asked_by_bind, asked_by_query};

/// Bytes of a message that are looked at.
const HEAD: usize = 1 << 18;
/// A message has no more (`PQ_LARGE_MESSAGE_LIMIT` of the sources).
const LONGEST: u32 = 0x3fff_fffe;
/// Nor has the first one (`MAX_STARTUP_PACKET_LENGTH`).
const LONGEST_STARTUP: u32 = 10_000;
/// Bytes of a length, which counts itself.
const LENGTH: usize = 4;
/// A query cycle has no more requests that are told apart.
const PLACES: u32 = 1 << 12;

const CANCEL: u32 = 80_877_102;
const WITH_TLS: u32 = 80_877_103;
const WITH_GSS: u32 = 80_877_104;
/// The major version.
const VERSION: u32 = 3;

/// Place of a request or an answer in its stream, and its query cycle.
#[derive(Default)]
struct QueryPlace {
    /// Position of its first byte.
    begin: u64,
    cycle: u32,
    in_cycle: u32,
}

impl QueryPlace {
    fn message(&self, end: u64) -> Message {
        let number = self.cycle.wrapping_mul(PLACES) + self.in_cycle.min(PLACES - 1);
        Message::numbered(number, self.begin, end)
    }

    fn next(&mut self, end: u64) {
        self.in_cycle = self.in_cycle.saturating_add(1);
        self.begin = end;
    }

    fn next_cycle(&mut self, end: u64) {
        *self = Self {
            begin: end,
            cycle: self.cycle.wrapping_add(1),
            in_cycle: 0,
        };
    }
}

/// Requests that a client sends.
#[derive(Default)]
pub struct PostgresqlRequests {
    reading: MessageReading,
    place: QueryPlace,
    /// It has said which version it speaks.
    begun: bool,
    bound: Option<AskedNames>,
    secured: bool,
}

impl PostgresqlRequests {
    /// Reads a message that ends at `end`; None where it is none of the protocol.
    fn read(&mut self, message: &Typed, end: u64, found: &mut Vec<Message>) -> Option<()> {
        if !self.begun {
            return self.begin(&message.body, end);
        }
        match message.letter {
            b'B' => self.bound = Some(asked_by_bind(&message.body)),
            b'E' => {
                // Who executes again what was bound before asks for nothing new.
                let asked = self
                    .bound
                    .take()
                    .unwrap_or(AskedNames { items: 0, names: 0 });
                found.push(self.request(&asked, end));
                self.place.next(end);
            }
            b'Q' => {
                found.push(self.request(&asked_by_query(&message.body), end));
                self.place.next_cycle(end);
            }
            b'S' | b'F' => self.place.next_cycle(end),
            b'H' => self.place.begin = end,
            b'P' | b'D' | b'C' | b'X' | b'd' | b'c' | b'f' | b'p' => {}
            _ => return None,
        }
        Some(())
    }

    /// Reads a message before the first one with a letter.
    fn begin(&mut self, body: &[u8], end: u64) -> Option<()> {
        let code = u32::from_be_bytes(body.get(..LENGTH)?.try_into().ok()?);
        match code {
            CANCEL | WITH_TLS | WITH_GSS => {}
            _ if code >> 16 == VERSION => {
                self.begun = true;
                self.place.next_cycle(end);
            }
            _ => return None,
        }
        Some(())
    }

    fn request(&self, asked: &AskedNames, end: u64) -> Message {
        Message {
            kind: asked.names.to_le_bytes(),
            service: READ,
            items: asked.items,
            ..self.place.message(end)
        }
    }
}

impl Dissector for PostgresqlRequests {
    fn take(&mut self, mut position: u64, mut bytes: &[u8], found: &mut Vec<Message>) -> bool {
        if self.secured {
            return encrypted(position, bytes, found);
        }
        while !bytes.is_empty() {
            let kept = |letter: u8| b"BQ\0".contains(&letter);
            let Some((taken, message)) = self.reading.take(bytes, self.begun, kept) else {
                return false;
            };
            position += taken as u64;
            bytes = &bytes[taken..];
            if message.is_some_and(|message| self.read(&message, position, found).is_none()) {
                return false;
            }
        }
        true
    }

    fn goes_on(&mut self, _bytes: &[u8]) -> bool {
        false // which cycle it is is not known
    }

    fn secure(&mut self) {
        self.secured = true;
    }
}

/// Answers that the server sends.
#[derive(Default)]
pub struct PostgresqlAnswers {
    reading: MessageReading,
    place: QueryPlace,
    /// It has answered with a message, and no longer with a letter alone.
    begun: bool,
    /// Requests of this cycle are bound, and each of them ends.
    is_bound: bool,
    failed: bool,
    secured: bool,
}

impl PostgresqlAnswers {
    /// Reads a message that ends at `end`; None where it is none of the protocol.
    fn read(&mut self, letter: u8, end: u64, found: &mut Vec<Message>) -> Option<()> {
        match letter {
            b'2' => self.is_bound = true,
            // The statements of a simple Query have one number: it is answered by the last one.
            b'C' | b'I' | b's' | b'E' => {
                if !self.failed {
                    found.push(self.place.message(end));
                }
                self.failed = letter == b'E';
                if self.is_bound {
                    self.place.next(end);
                }
            }
            b'Z' => {
                self.place.next_cycle(end);
                (self.is_bound, self.failed) = (false, false);
            }
            b'1' | b'3' | b'A' | b'D' | b'G' | b'H' | b'K' | b'N' | b'R' | b'S' | b'T' | b'V'
            | b'W' | b'c' | b'd' | b'n' | b't' | b'v' => {}
            _ => return None,
        }
        Some(())
    }
}

impl Dissector for PostgresqlAnswers {
    fn take(&mut self, mut position: u64, mut bytes: &[u8], found: &mut Vec<Message>) -> bool {
        while !bytes.is_empty() {
            if self.secured {
                return encrypted(position, bytes, found);
            }
            // Who asks whether there is encryption is answered with a letter and nothing else.
            let (taken, message) = match bytes[0] {
                b'N' if !self.begun => (1, None),
                b'S' | b'G' if !self.begun => {
                    self.secured = true;
                    (1, None)
                }
                _ => {
                    self.begun = true;
                    let Some(read) = self.reading.take(bytes, true, |_| false) else {
                        return false;
                    };
                    read
                }
            };
            position += taken as u64;
            bytes = &bytes[taken..];
            let letter = message.map(|message| message.letter);
            if letter.is_some_and(|letter| self.read(letter, position, found).is_none()) {
                return false;
            }
        }
        true
    }

    fn goes_on(&mut self, _bytes: &[u8]) -> bool {
        false
    }

    fn secured(&self) -> bool {
        self.secured
    }

    fn secure(&mut self) {
        self.secured = true;
    }
}

fn encrypted(position: u64, bytes: &[u8], found: &mut Vec<Message>) -> bool {
    found.push(Message {
        readable: false,
        ..Message::numbered(0, position, position + bytes.len() as u64)
    });
    true
}

/// A message that has ended.
struct Typed {
    /// 0: it has none.
    letter: u8,
    /// The part of it that is looked at.
    body: Vec<u8>,
}

/// The message at which a stream is.
#[derive(Default)]
struct MessageReading {
    header: Vec<u8>,
    body: Vec<u8>,
    missing: u64,
}

impl MessageReading {
    /// Takes bytes in, up to the end of a message at most: how many, and what has ended with them;
    /// None where they begin no message. Bodies are kept of the letters that `is_kept` names.
    fn take(
        &mut self,
        bytes: &[u8],
        has_letter: bool,
        is_kept: impl Fn(u8) -> bool,
    ) -> Option<(usize, Option<Typed>)> {
        let before_length = usize::from(has_letter);
        let header = before_length + LENGTH;
        let letter = |header: &[u8]| if has_letter { header[0] } else { 0 };
        let taken = if self.header.len() < header {
            let taken = bytes.len().min(header - self.header.len());
            self.header.extend_from_slice(&bytes[..taken]);
            if self.header.len() < header {
                return Some((taken, None));
            }
            let length = self.header[before_length..].try_into().ok()?;
            let length = u32::from_be_bytes(length);
            let longest = if has_letter { LONGEST } else { LONGEST_STARTUP };
            if !(LENGTH as u32..=longest).contains(&length) {
                return None;
            }
            self.missing = u64::from(length) - LENGTH as u64;
            taken
        } else {
            let taken = self.missing.min(bytes.len() as u64) as usize;
            if is_kept(letter(&self.header)) {
                let room = taken.min(HEAD - self.body.len());
                self.body.extend_from_slice(&bytes[..room]);
            }
            self.missing -= taken as u64;
            taken
        };
        if self.missing > 0 {
            return Some((taken, None));
        }
        let ended = Typed {
            letter: letter(&self.header),
            body: std::mem::take(&mut self.body),
        };
        self.header.clear();
        Some((taken, Some(ended)))
    }
}

#[cfg(test)]
#[path = "postgresql_tests.rs"]
mod tests;
