//! Aerospike's protocol, as its own clients speak it: a frame is a version, a kind, the length of its
//! body in 6 bytes, and that; a body is a message of one record or of several, or text. Frames are
//! answered in their order.
//!
//! What is asked for are records, each known by a digest. Whoever asks whether they are there and not
//! for their bins, writes, scans or queries, reads none of them. Compressed frames are not followed,
//! nor are those of users who log in.

mod asked;
mod header;

use self::asked::AskedRecords;
use self::header::{Header, MESSAGE};
use crate::fields::Fields;
use crate::message::{Dissector, Message};

const HEADER: usize = 8;
const VERSION: u8 = 2;
const TEXT: u8 = 1;
const MESSAGES: u8 = 3;
/// Longest body of a request; of an answer any is taken.
const LONGEST: u64 = 1 << 22;

/// In byte 3 of a message's header.
const LAST: u8 = 1;

/// Requests that clients send.
#[derive(Default)]
pub struct AerospikeRequests {
    frame: AerospikeFrame,
    body: Vec<u8>,
    begin: u64,
    number: u32,
}

impl Dissector for AerospikeRequests {
    fn take(&mut self, mut position: u64, mut bytes: &[u8], found: &mut Vec<Message>) -> bool {
        while !bytes.is_empty() {
            let Some((taken, body)) = self.frame.take(bytes, LONGEST) else {
                return false;
            };
            self.body.extend_from_slice(body);
            position += taken as u64;
            bytes = &bytes[taken..];
            let Some(kind) = self.frame.ended() else {
                continue;
            };
            let asked = if kind == MESSAGES {
                AskedRecords::by(&self.body)
            } else {
                Some(AskedRecords::NOTHING)
            };
            let Some(asked) = asked else {
                return false;
            };
            found.push(Message {
                kind: asked.names.to_le_bytes(),
                service: asked.service,
                items: asked.items,
                ..Message::numbered(self.number, self.begin, position)
            });
            self.number = self.number.wrapping_add(1);
            self.begin = position;
            self.body.clear();
        }
        true
    }

    fn goes_on(&mut self, _bytes: &[u8]) -> bool {
        false // how many requests there were is not known
    }
}

/// Answers that the server sends.
#[derive(Default)]
pub struct AerospikeAnswers {
    frame: AerospikeFrame,
    messages: MessageWalk,
    begin: u64,
    number: u32,
}

impl AerospikeAnswers {
    /// Tells whether an answer ends with a frame of this kind; None where that is not whole.
    ///
    /// A batch is answered by messages of which the last one says so, in any number of frames; a
    /// single record by one that does not.
    fn ends_with(&self, kind: u8) -> Option<bool> {
        let messages = &self.messages;
        match kind {
            TEXT => Some(true),
            _ if messages.is_between() => Some(messages.is_last || messages.count == 1),
            _ => None,
        }
    }
}

impl Dissector for AerospikeAnswers {
    fn take(&mut self, mut position: u64, mut bytes: &[u8], found: &mut Vec<Message>) -> bool {
        while !bytes.is_empty() {
            let Some((taken, body)) = self.frame.take(bytes, u64::MAX) else {
                return false;
            };
            if self.frame.kind() == Some(MESSAGES) && self.messages.take(body).is_none() {
                return false;
            }
            position += taken as u64;
            bytes = &bytes[taken..];
            let Some(kind) = self.frame.ended() else {
                continue;
            };
            match self.ends_with(kind) {
                None => return false,
                Some(false) => {}
                Some(true) => {
                    found.push(Message::numbered(self.number, self.begin, position));
                    self.number = self.number.wrapping_add(1);
                    self.begin = position;
                    self.messages = MessageWalk::default();
                }
            }
        }
        true
    }

    fn goes_on(&mut self, _bytes: &[u8]) -> bool {
        false // how many answers there were is not known
    }
}

/// The frame at which a stream is.
#[derive(Default)]
struct AerospikeFrame {
    header: Vec<u8>,
    missing: u64,
}

impl AerospikeFrame {
    /// Takes bytes in, of a header or of a body: how many, and those of the body; None where they
    /// begin no frame, or one that is longer.
    fn take<'a>(&mut self, bytes: &'a [u8], longest: u64) -> Option<(usize, &'a [u8])> {
        if self.header.len() == HEADER {
            let taken = self.missing.min(bytes.len() as u64) as usize;
            self.missing -= taken as u64;
            return Some((taken, &bytes[..taken]));
        }
        let taken = bytes.len().min(HEADER - self.header.len());
        self.header.extend_from_slice(&bytes[..taken]);
        if self.header.len() == HEADER {
            let [version, kind, length @ ..] = &self.header[..] else {
                return None;
            };
            if *version != VERSION || ![TEXT, MESSAGES].contains(kind) {
                return None;
            }
            let so_far = |so_far, byte: &u8| so_far << 8 | u64::from(*byte);
            self.missing = length.iter().fold(0, so_far);
            if self.missing > longest {
                return None;
            }
        }
        Some((taken, &[]))
    }

    /// Once its header is there.
    fn kind(&self) -> Option<u8> {
        (self.header.len() == HEADER).then(|| self.header[1])
    }

    /// Its kind, once all of it is there; from then on the next one begins.
    fn ended(&mut self) -> Option<u8> {
        let kind = self.kind().filter(|_| self.missing == 0)?;
        self.header.clear();
        Some(kind)
    }
}

/// Place of a stream among messages, one behind the other.
#[derive(Default)]
struct MessageWalk {
    count: u32,
    /// The last one of them says that none follows.
    is_last: bool,
    head: Vec<u8>,
    /// Fields and operations that are still to come, and bytes of the one that has begun.
    parts: u32,
    missing: u32,
}

impl MessageWalk {
    /// Takes bytes in; None where they are none of a message.
    fn take(&mut self, mut bytes: &[u8]) -> Option<()> {
        while !bytes.is_empty() {
            if self.missing > 0 {
                let passed = bytes.len().min(self.missing as usize);
                self.missing -= passed as u32;
                bytes = &bytes[passed..];
                continue;
            }
            let wanted = if self.parts > 0 { 4 } else { MESSAGE };
            let taken = bytes.len().min(wanted - self.head.len());
            self.head.extend_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            if self.head.len() < wanted {
                return Some(());
            }
            let mut head = Fields(&self.head);
            if self.parts > 0 {
                self.parts -= 1;
                self.missing = head.word()?;
            } else {
                let header = Header::read(&mut head)?;
                self.count = self.count.saturating_add(1);
                self.is_last = header.info[2] & LAST != 0;
                self.parts = header.fields + header.operations;
            }
            self.head.clear();
        }
        Some(())
    }

    fn is_between(&self) -> bool {
        self.count > 0 && self.head.is_empty() && self.parts == 0 && self.missing == 0
    }
}

#[cfg(test)]
#[path = "aerospike_tests.rs"]
mod tests;
