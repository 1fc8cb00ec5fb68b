//! OPC UA over TCP: the chunks of a stream, and what their headers say.
//!
//! OPC 10000-6, "UA Connection Protocol" and "UA Secure Conversation": a chunk begins with three
//! letters, whether it is the final one, and its size. What a channel with a security policy
//! encrypts or signs is not read: of it there is type and size.

use crate::message::{Dissector, Message, UNKNOWN};

/// Bytes of a chunk that are looked at.
const HEAD: usize = 512;
const HEADER: usize = 8;
const LARGEST: u32 = 1 << 24;
const TYPES: [&[u8; 3]; 7] = [b"HEL", b"ACK", b"ERR", b"RHE", b"OPN", b"MSG", b"CLO"];

const READ_REQUEST: u32 = 631;
const READ_RESPONSE: u32 = 634;
const WRITE_REQUEST: u32 = 673;
const WRITE_RESPONSE: u32 = 676;
const PUBLISH_RESPONSE: u32 = 829;
const DATA_CHANGES: u32 = 811;

/// The chunks of one direction of a connection.
#[derive(Default)]
pub struct Chunks {
    head: Vec<u8>,
    /// Bytes of the present chunk that are still to come, once its header is known.
    missing: u64,
    position: u64,
    /// The last chunk was not final.
    continues: bool,
    /// The channel has a security policy other than None.
    secured: bool,
}

impl Dissector for Chunks {
    fn take(&mut self, mut position: u64, mut bytes: &[u8], found: &mut Vec<Message>) -> bool {
        while !bytes.is_empty() {
            if self.head.is_empty() {
                self.position = position;
            }
            let wanted = if self.head.len() < HEADER {
                HEADER - self.head.len()
            } else {
                self.missing as usize
            };
            let (taken, rest) = bytes.split_at(wanted.min(bytes.len()));
            let room = HEAD.saturating_sub(self.head.len());
            self.head.extend_from_slice(&taken[..taken.len().min(room)]);
            position += taken.len() as u64;
            bytes = rest;
            if self.missing > 0 {
                self.missing -= taken.len() as u64;
            } else if self.head.len() == HEADER {
                let Some(size) = size_of(&self.head) else {
                    return false;
                };
                self.missing = u64::from(size) - HEADER as u64;
            } else {
                continue;
            }
            if self.missing == 0 {
                found.push(self.ended());
            }
        }
        true
    }

    /// Chunks begin where segments do, mostly, and say by themselves whose they are.
    fn goes_on(&mut self, bytes: &[u8]) -> bool {
        *self = Self {
            secured: self.secured,
            ..Self::default()
        };
        size_of(bytes).is_some()
    }

    fn secured(&self) -> bool {
        self.secured
    }

    fn secure(&mut self) {
        self.secured = true;
    }
}

impl Chunks {
    fn ended(&mut self) -> Message {
        let head = std::mem::take(&mut self.head);
        let mut message = Message {
            position: self.position,
            size: size_of(&head).unwrap_or_default(),
            kind: [head[0], head[1], head[2], head[3]],
            request: 0,
            service: 0,
            items: UNKNOWN,
            readable: false,
        };
        if &head[..3] == b"OPN" {
            self.secured = !has_policy_none(&head[HEADER..]);
        }
        if &head[..3] == b"MSG" && !self.secured {
            self.read(&head[HEADER..], &mut message);
            self.continues = head[3] == b'C';
        }
        message
    }

    /// Channel, token, number of the sequence, request; then the service in a first chunk.
    fn read(&self, body: &[u8], message: &mut Message) {
        let mut fields = OpcFields(body);
        let Some(request) = fields.skip(12).and_then(OpcFields::word) else {
            return;
        };
        (message.request, message.readable) = (request, true);
        if self.continues {
            return;
        }
        message.service = fields.node().unwrap_or(0);
        let items = match message.service {
            READ_REQUEST => fields
                .request_header()
                .and_then(|it| it.skip(12))
                .and_then(OpcFields::word),
            WRITE_REQUEST => fields.request_header().and_then(OpcFields::word),
            READ_RESPONSE | WRITE_RESPONSE => fields.response_header().and_then(OpcFields::word),
            PUBLISH_RESPONSE => fields.response_header().and_then(OpcFields::notifications),
            _ => None,
        };
        message.items = items.unwrap_or(UNKNOWN);
    }
}

/// The size of a chunk by its header; None for what is no header.
fn size_of(head: &[u8]) -> Option<u32> {
    let known = TYPES.iter().any(|kind| head.starts_with(*kind)) && b"FCA".contains(head.get(3)?);
    let size = u32::from_le_bytes(head.get(4..HEADER)?.try_into().ok()?);
    (known && (HEADER as u32..=LARGEST).contains(&size)).then_some(size)
}

/// Tells whether an OPN is without security: after the channel comes the policy's name.
fn has_policy_none(body: &[u8]) -> bool {
    let mut fields = OpcFields(body);
    let name = fields.skip(4).and_then(OpcFields::text);
    name.is_some_and(|name| name.ends_with(b"#None"))
}

/// Fields of OPC UA's binary encoding, one after the other.
struct OpcFields<'a>(&'a [u8]);

impl<'a> OpcFields<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn skip(&mut self, count: usize) -> Option<&mut Self> {
        self.bytes(count)?;
        Some(self)
    }

    fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|one| one[0])
    }

    fn word(&mut self) -> Option<u32> {
        self.bytes(4)
            .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    }

    /// A string or byte string: its length, −1 for none, then its bytes.
    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.word()?;
        self.bytes(if length == u32::MAX {
            0
        } else {
            length as usize
        })
    }

    /// A NodeId; its number, 0 where it has none.
    fn node(&mut self) -> Option<u32> {
        match self.byte()? {
            0 => self.byte().map(u32::from),
            1 => {
                let rest = self.bytes(3)?;
                Some(u32::from(u16::from_le_bytes([rest[1], rest[2]])))
            }
            2 => self.skip(2)?.word(),
            3 | 5 => self.skip(2)?.text().map(|_| 0),
            4 => self.skip(18).map(|_| 0),
            _ => None,
        }
    }

    fn extension(&mut self) -> Option<&mut Self> {
        self.node()?;
        if self.byte()? != 0 {
            self.text()?;
        }
        Some(self)
    }

    /// Reads a publishing: the changes of values in its first notification, none in one without.
    /// Subscription, numbers that may be asked for again, whether more follow; number, time.
    fn notifications(&mut self) -> Option<u32> {
        let again = self.skip(4)?.word()?;
        let numbers = if again == u32::MAX { 0 } else { again };
        let kinds = self.skip(4 * numbers as usize + 1 + 12)?.word()?;
        if kinds == 0 || kinds == u32::MAX || self.node()? != DATA_CHANGES {
            return Some(0);
        }
        self.skip(5)?.word()
    }

    /// Token, time, handle, wanted diagnostics, audit entry, timeout, additional header.
    fn request_header(&mut self) -> Option<&mut Self> {
        self.node()?;
        self.skip(16)?.text()?;
        self.skip(4)?.extension()
    }

    /// Time, handle, result, diagnostics, texts of those, additional header.
    fn response_header(&mut self) -> Option<&mut Self> {
        self.skip(16)?;
        if self.byte()? != 0 {
            return None;
        }
        let texts = self.word()?;
        for _ in 0..if texts == u32::MAX { 0 } else { texts } {
            self.text()?;
        }
        self.extension()
    }
}

#[cfg(test)]
#[path = "opc_tcp_tests.rs"]
mod tests;
