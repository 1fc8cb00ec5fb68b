//! Frames of WebSocket (RFC 6455), and the messages of a suite's own in them.
//!
//! Frames of control, and messages without a mark, are passed over. What an extension has compressed
//! is not read.

use crate::marks::{Mark, Marks};
use crate::message::{Dissector, MARKED, Message};

const FINAL: u8 = 0x80;
const COMPRESSED: u8 = 0x40;
const RESERVED: u8 = 0x30;
const CONTINUES: u8 = 0;
const MASKED: u8 = 0x80;
const MASK: usize = 4;
const LONGEST: u64 = u64::MAX >> 1;
const LONGEST_CONTROL: u64 = 125;

/// The frames of one direction.
pub struct WebSocketFrames {
    masked: bool,
    marks: Option<Marks>,
    header: Vec<u8>,
    frame: Option<WebSocketFrame>,
    message: Option<Begun>,
}

/// A frame whose header has ended.
struct WebSocketFrame {
    is_control: bool,
    is_final: bool,
    mask: [u8; MASK],
    missing: u64,
    at: usize,
}

/// A message whose first frame has begun.
struct Begun {
    position: u64,
    is_readable: bool,
}

impl WebSocketFrames {
    /// Frames that have to be masked, as those of clients, or must not be; of `marks` none are
    /// looked for where there are none.
    pub fn new(masked: bool, marks: Option<Marks>) -> Self {
        Self {
            masked,
            marks,
            header: Vec::new(),
            frame: None,
            message: None,
        }
    }

    /// Takes a byte of a header in at `position`; None where it is of none.
    fn take_header(&mut self, position: u64, byte: u8) -> Option<()> {
        self.header.push(byte);
        let [first, second, ..] = self.header[..] else {
            return Some(());
        };
        let more = match second & !MASKED {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        let masked = second & MASKED != 0;
        let mask = if masked { MASK } else { 0 };
        if masked != self.masked || first & RESERVED != 0 {
            return None;
        }
        if self.header.len() < 2 + more + mask {
            return Some(());
        }
        let length = match more {
            0 => u64::from(second & !MASKED),
            _ => self.header[2..2 + more]
                .iter()
                .fold(0_u64, |length, byte| length << 8 | u64::from(*byte)),
        };
        if length > LONGEST {
            return None;
        }
        let frame = WebSocketFrame {
            is_control: first & 0x08 != 0,
            is_final: first & FINAL != 0,
            mask: self.header[2 + more..].try_into().unwrap_or([0; MASK]),
            missing: length,
            at: 0,
        };
        let begin = position + 1 - self.header.len() as u64;
        self.header.clear();
        self.begin(first, begin, &frame)?;
        self.frame = Some(frame);
        Some(())
    }

    /// Begins a message with its first frame; None where no frame of that kind may come.
    fn begin(&mut self, first: u8, position: u64, frame: &WebSocketFrame) -> Option<()> {
        match first & 0x0f {
            8..=10 => {
                let is_whole = frame.is_final && frame.missing <= LONGEST_CONTROL;
                return (is_whole && first & COMPRESSED == 0).then_some(());
            }
            CONTINUES => return self.message.as_ref().map(|_| ()),
            1 | 2 if self.message.is_none() => {}
            _ => return None,
        }
        self.message = Some(Begun {
            position,
            is_readable: first & COMPRESSED == 0,
        });
        Some(())
    }

    /// Ends the present frame at `end` of the stream, and its message where that was the last one.
    fn end(&mut self, end: u64, found: &mut Vec<Message>) {
        let Some(frame) = self.frame.take() else {
            return;
        };
        if frame.is_control || !frame.is_final {
            return;
        }
        let Some(message) = self.message.take() else {
            return;
        };
        let marks = self.marks.as_mut().map(Marks::ended).unwrap_or_default();
        if !message.is_readable {
            found.push(Message {
                readable: false,
                ..Message::numbered(0, message.position, end)
            });
            return;
        }
        found.extend(marks.iter().map(|mark| marked(mark, message.position, end)));
    }

    fn take_payload(&mut self, bytes: &[u8]) -> usize {
        let Some(frame) = self.frame.as_mut() else {
            return 0;
        };
        let taken = frame.missing.min(bytes.len() as u64) as usize;
        if let Some(marks) = &mut self.marks
            && !frame.is_control
            && self.message.as_ref().is_some_and(|one| one.is_readable)
        {
            for (at, byte) in (frame.at..).zip(&bytes[..taken]) {
                marks.take(byte ^ frame.mask[at % MASK]);
            }
        }
        frame.at = (frame.at + taken) % MASK;
        frame.missing -= taken as u64;
        taken
    }
}

fn marked(mark: &Mark, begin: u64, end: u64) -> Message {
    Message {
        kind: mark.who.to_le_bytes(),
        service: MARKED,
        items: 1,
        // Apart from the numbers of requests of HTTP on the same connection.
        ..Message::numbered(mark.which as u32 | 1 << 31, begin, end)
    }
}

impl Dissector for WebSocketFrames {
    fn take(&mut self, mut position: u64, mut bytes: &[u8], found: &mut Vec<Message>) -> bool {
        while !bytes.is_empty() {
            let taken = if self.frame.is_none() {
                if self.take_header(position, bytes[0]).is_none() {
                    return false;
                }
                1
            } else {
                self.take_payload(bytes)
            };
            position += taken as u64;
            bytes = &bytes[taken..];
            if self.frame.as_ref().is_some_and(|frame| frame.missing == 0) {
                self.end(position, found);
            }
        }
        true
    }

    fn goes_on(&mut self, _bytes: &[u8]) -> bool {
        false // where a frame begins is not known
    }
}

#[cfg(test)]
#[path = "websocket_tests.rs"]
mod tests;
