//! One connection's bytes as the WebSocket library sees them: unpacked, where compression is spoken.

use std::io::{self, Read, Write};

use crate::net::wire::Wire;
use crate::websocket::deflate::{Agreement, InflateError, Unpacked};

/// End of the head of an answer of HTTP.
const HEAD_ENDS: &[u8] = b"\r\n\r\n";

const CHUNK: usize = 4096;

/// Reason for which nothing more can be read.
#[derive(Debug)]
pub enum Fault {
    /// A fault of the socket.
    Io(io::Error),
    /// A fault of what came.
    InflateError(InflateError),
}

/// A wire, and what stands between it and the library.
pub struct Line {
    wire: Wire,
    packed: Option<Box<Packed>>,
    received: u64,
}

/// State of a connection on which compression was offered.
struct Packed {
    /// None until the handshake is over.
    frames: Option<Unpacked>,
    /// Bytes of [`HEAD_ENDS`] that came last in the head; all of them: it is complete.
    head: usize,
    /// Bytes that came behind the head before it was known what was agreed on.
    early: Vec<u8>,
    plain: Vec<u8>,
    at: usize,
}

impl Line {
    /// A line over `wire`; `packed`: compression is offered.
    pub fn new(wire: Wire, packed: bool) -> Self {
        let packed = packed.then(|| {
            Box::new(Packed {
                frames: None,
                head: 0,
                early: Vec::new(),
                plain: Vec::new(),
                at: 0,
            })
        });
        Self {
            wire,
            packed,
            received: 0,
        }
    }

    /// The socket below.
    pub fn wire(&self) -> &Wire {
        &self.wire
    }

    /// The socket below, to go on with.
    pub fn wire_mut(&mut self) -> &mut Wire {
        &mut self.wire
    }

    /// Tells whether compression was offered.
    pub fn offers(&self) -> bool {
        self.packed.is_some()
    }

    /// Bytes that have come from the socket since this was asked last.
    pub fn take_received(&mut self) -> u64 {
        std::mem::take(&mut self.received)
    }

    /// Reads once. True: there may be more, fill again when it is used up.
    pub fn fill(&mut self, hangup: bool) -> Result<bool, Fault> {
        let more = self.wire.fill(hangup).map_err(Fault::Io)?;
        self.received += self.wire.unread() as u64;
        if let Some(packed) = &mut self.packed {
            packed.restart();
            let mut chunk = [0; CHUNK];
            // Nothing more and the end are told again to the library, which reads after this.
            while let Ok(size @ 1..) = self.wire.read(&mut chunk) {
                packed.take(&chunk[..size]).map_err(Fault::InflateError)?;
            }
        }
        Ok(more)
    }

    /// The handshake has ended with this.
    pub fn agree(&mut self, agreement: Agreement) -> Result<(), Fault> {
        let Some(packed) = &mut self.packed else {
            return Ok(());
        };
        packed.frames = Some(Unpacked::new(agreement));
        let early = std::mem::take(&mut packed.early);
        packed.take(&early).map_err(Fault::InflateError)
    }
}

impl Packed {
    /// Forgets what the library has read.
    fn restart(&mut self) {
        self.plain.drain(..self.at);
        self.at = 0;
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), InflateError> {
        if let Some(frames) = &mut self.frames {
            return frames.feed(bytes, &mut self.plain);
        }
        let mut rest = bytes;
        while let Some((byte, later)) = rest.split_first()
            && self.head < HEAD_ENDS.len()
        {
            self.plain.push(*byte);
            self.head = match *byte {
                byte if byte == HEAD_ENDS[self.head] => self.head + 1,
                b'\r' => 1,
                _ => 0,
            };
            rest = later;
        }
        self.early.extend_from_slice(rest);
        Ok(())
    }
}

impl Read for Line {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(packed) = &mut self.packed
            && packed.at < packed.plain.len()
        {
            let size = (&packed.plain[packed.at..]).read(into)?;
            packed.at += size;
            return Ok(size);
        }
        self.wire.read(into)
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wire.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.wire.flush()
    }
}
