//! Frames that a server has sent, without compression.
//!
//! Frames that are not compressed go through as they came, whatever they are: the library judges
//! them. A compressed message becomes one frame when its last frame has come.

use flate2::{Decompress, FlushDecompress, Status};

use super::Agreement;
use super::deflater::TAIL;

/// Nothing in the suite is near this long, and a few bytes can be made to become gigabytes.
pub const LARGEST: usize = 1024 * 1024;

/// Two bytes, a length of eight and a mask.
const LONGEST_HEADER: usize = 14;

/// Bytes by which the room for a message grows.
const ROOM: usize = 4096;

const FINAL: u8 = 0x80;
const COMPRESSED: u8 = 0x40;
const OPCODE: u8 = 0x0f;
const CONTINUATION: u8 = 0;
const FIRST_CONTROL: u8 = 8;
const MASKED: u8 = 0x80;

/// Reason for which what came cannot be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InflateError {
    /// Not compressed data, or not in frames.
    Garbage,
    /// A message that is too long once it is unpacked.
    Oversized,
}

/// Place of the next byte in a frame.
enum At {
    /// In a header.
    Header,
    /// In the payload of a frame that goes through, with so much to come.
    Through(u64),
    /// In the payload of a compressed frame, with so much to come; the flag: it is the last one.
    Packed(u64, bool),
}

/// One connection's stream of frames.
pub struct Unpacked {
    inflate: Decompress,
    fresh: bool,
    at: At,
    header: [u8; LONGEST_HEADER],
    /// Bytes of the header that have come.
    told: usize,
    /// The opcode of the compressed message under way.
    opcode: Option<u8>,
    message: Vec<u8>,
    /// The compressed message has said its last block, whatever of it may follow.
    over: bool,
}

impl Unpacked {
    /// A stream that begins behind the handshake.
    pub fn new(agreement: Agreement) -> Self {
        Self {
            inflate: Decompress::new(false),
            fresh: agreement.fresh,
            at: At::Header,
            header: [0; LONGEST_HEADER],
            told: 0,
            opcode: None,
            message: Vec::new(),
            over: false,
        }
    }

    /// Adds what `bytes` end to `plain`.
    pub fn feed(&mut self, mut bytes: &[u8], plain: &mut Vec<u8>) -> Result<(), InflateError> {
        while !bytes.is_empty() {
            match &mut self.at {
                At::Header => {
                    self.header[self.told] = bytes[0];
                    self.told += 1;
                    bytes = &bytes[1..];
                    if let Some(length) = payload_length(&self.header[..self.told]) {
                        let told = std::mem::take(&mut self.told);
                        self.begin(told, length, plain)?;
                    }
                }
                At::Through(left) => {
                    let (now, later) = cut(bytes, left);
                    plain.extend_from_slice(now);
                    bytes = later;
                    if *left == 0 {
                        self.at = At::Header;
                    }
                }
                At::Packed(left, last) => {
                    let (now, later) = cut(bytes, left);
                    let ended = (*left == 0).then_some(*last);
                    bytes = later;
                    self.inflate(now)?;
                    self.ended(ended, plain)?;
                }
            }
        }
        Ok(())
    }

    /// Goes on after a header that is complete, of so many bytes.
    fn begin(&mut self, told: usize, length: u64, plain: &mut Vec<u8>) -> Result<(), InflateError> {
        let first = self.header[0];
        let (opcode, last) = (first & OPCODE, first & FINAL != 0);
        let compressed = first & COMPRESSED != 0;
        let packed = match (opcode, self.opcode) {
            (FIRST_CONTROL.., _) => false,
            // Further frames of a message do not say again that it is compressed.
            (CONTINUATION, under_way) => under_way.is_some() && !compressed,
            (_, None) => compressed,
            (_, Some(_)) => return Err(InflateError::Garbage),
        };
        if !packed {
            plain.extend_from_slice(&self.header[..told]);
            if length > 0 {
                self.at = At::Through(length);
            }
            return Ok(());
        }
        if self.header[1] & MASKED != 0 {
            return Err(InflateError::Garbage);
        }
        if length > LARGEST as u64 {
            return Err(InflateError::Oversized);
        }
        if opcode != CONTINUATION {
            self.opcode = Some(opcode);
        }
        self.at = At::Packed(length, last);
        self.ended((length == 0).then_some(last), plain)
    }

    /// Goes on after a compressed frame; `ended` says of one that is complete whether it is the last.
    fn ended(&mut self, ended: Option<bool>, plain: &mut Vec<u8>) -> Result<(), InflateError> {
        let Some(last) = ended else {
            return Ok(());
        };
        self.at = At::Header;
        if !last {
            return Ok(());
        }
        self.inflate(&TAIL)?;
        // Behind a last block a stream begins anew (RFC 7692, 7.2.3.4).
        if std::mem::take(&mut self.over) || self.fresh {
            self.inflate.reset(false);
        }
        let opcode = self.opcode.take().ok_or(InflateError::Garbage)?;
        frame(opcode, &self.message, plain);
        self.message.clear();
        Ok(())
    }

    fn inflate(&mut self, mut packed: &[u8]) -> Result<(), InflateError> {
        while !self.over {
            self.message.reserve(ROOM);
            let (taken, made) = (self.inflate.total_in(), self.message.len());
            let status = self
                .inflate
                .decompress_vec(packed, &mut self.message, FlushDecompress::Sync)
                .map_err(|_| InflateError::Garbage)?;
            if self.message.len() > LARGEST {
                return Err(InflateError::Oversized);
            }
            packed = &packed[(self.inflate.total_in() - taken) as usize..];
            self.over = status == Status::StreamEnd;
            let moved = self.inflate.total_in() > taken || self.message.len() > made;
            let has_room = self.message.len() < self.message.capacity();
            match (packed.is_empty(), moved) {
                (true, false) => break,
                (true, true) if has_room => break,
                (false, false) if !self.over => return Err(InflateError::Garbage),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Cuts `bytes` into what belongs to a payload of which `left` is to come, and what follows it.
fn cut<'a>(bytes: &'a [u8], left: &mut u64) -> (&'a [u8], &'a [u8]) {
    let size = usize::try_from(*left).map_or(bytes.len(), |left| left.min(bytes.len()));
    *left -= size as u64;
    bytes.split_at(size)
}

/// The length that a complete header tells; None while bytes of it are missing.
fn payload_length(header: &[u8]) -> Option<u64> {
    let second = *header.get(1)?;
    let extended = match second & !MASKED {
        126 => 2,
        127 => 8,
        _ => 0,
    };
    let mask = if second & MASKED == 0 { 0 } else { 4 };
    if header.len() < 2 + extended + mask {
        return None;
    }
    let told = &header[2..2 + extended];
    Some(if extended == 0 {
        u64::from(second & !MASKED)
    } else {
        told.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    })
}

/// Adds a final frame as servers send it, not masked.
fn frame(opcode: u8, payload: &[u8], plain: &mut Vec<u8>) {
    plain.push(FINAL | opcode);
    match payload.len() {
        short @ 0..=125 => plain.push(short as u8),
        middle @ 126..=0xffff => {
            plain.push(126);
            plain.extend_from_slice(&(middle as u16).to_be_bytes());
        }
        long => {
            plain.push(127);
            plain.extend_from_slice(&(long as u64).to_be_bytes());
        }
    }
    plain.extend_from_slice(payload);
}

#[cfg(test)]
#[path = "unpacked_tests.rs"]
mod tests;
