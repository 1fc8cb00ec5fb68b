//! HTTP/1.1 (RFC 9112): requests and responses, in the order in which they follow each other, and the
//! frames of WebSocket behind a switch of protocols.
//!
//! Responses to HEAD, and those that end with their connection, are not followed.

use std::marker::PhantomData;

use httparse::{EMPTY_HEADER, Header, Status};

use crate::lines::Lines;
use crate::marks::Marks;
use crate::message::{Dissector, Message, READ};
use crate::names::{Hash, Names};
use crate::websocket::WebSocketFrames;

/// Bytes and lines of a head that are read.
const LONGEST_HEAD: usize = 1 << 16;
const MOST_HEADERS: usize = 128;
const HEAD_ENDS: &[u8] = b"\r\n\r\n";
/// More is in no chunk.
const LARGEST_CHUNK: u64 = 1 << 40;

/// Messages that clients send.
pub type Requests = Messages<OfClient>;
/// Messages that servers send.
pub type Responses = Messages<OfServer>;

/// The messages of one direction.
pub struct Messages<S> {
    side: PhantomData<S>,
    at: HttpPart,
    head: Vec<u8>,
    lines: Lines,
    begin: u64,
    number: u32,
    present: Head,
    frames: WebSocketFrames,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum HttpPart {
    Head,
    /// Before so many bytes of a body.
    Body(u64),
    Chunks,
    /// Lines behind the last chunk.
    Trailer,
    Frames,
}

/// Facts that a head tells of its message.
#[derive(Default)]
pub struct Head {
    is_chunked: bool,
    length: u64,
    /// Another response to the same request follows.
    is_interim: bool,
    /// Frames follow, or, where a client asks for it, may follow.
    upgrades: bool,
    service: u32,
    names: u32,
}

/// One end of a connection.
pub trait Side {
    /// True where its frames are masked.
    const MASKED: bool;

    /// Reads a head; None where it is none, or what follows it is not known.
    fn read(head: &[u8]) -> Option<Head>;
}

/// Clients.
pub struct OfClient;
/// Servers.
pub struct OfServer;

impl Side for OfClient {
    const MASKED: bool = true;

    fn read(bytes: &[u8]) -> Option<Head> {
        let mut headers = [EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let Ok(Status::Complete(_)) = request.parse(bytes) else {
            return None;
        };
        if matches!(request.method?, "HEAD" | "CONNECT") {
            return None;
        }
        let mut target = Names::default();
        target.take(Hash::of(request.path?.as_bytes()));
        let (is_chunked, length) = body_of(request.headers)?;
        Some(Head {
            is_chunked,
            length: length.unwrap_or(0),
            upgrades: named(request.headers, "upgrade").is_some(),
            service: READ,
            names: target.digest(),
            ..Head::default()
        })
    }
}

impl Side for OfServer {
    const MASKED: bool = false;

    fn read(bytes: &[u8]) -> Option<Head> {
        let mut headers = [EMPTY_HEADER; MOST_HEADERS];
        let mut response = httparse::Response::new(&mut headers);
        let Ok(Status::Complete(_)) = response.parse(bytes) else {
            return None;
        };
        let status = response.code?;
        let (is_chunked, length) = match status {
            100..=199 | 204 | 304 => (false, Some(0)),
            _ => body_of(response.headers)?,
        };
        Some(Head {
            is_chunked,
            length: if is_chunked { 0 } else { length? },
            is_interim: (100..=199).contains(&status) && status != 101,
            upgrades: status == 101,
            ..Head::default()
        })
    }
}

/// Tells whether a body comes in chunks, and else its length, where that is said.
fn body_of(headers: &[Header<'_>]) -> Option<(bool, Option<u64>)> {
    if let Some(coding) = named(headers, "transfer-encoding") {
        let last = coding.rsplit(|byte| *byte == b',').next()?.trim_ascii();
        return last
            .eq_ignore_ascii_case(b"chunked")
            .then_some((true, None));
    }
    let length = match named(headers, "content-length") {
        None => None,
        Some(digits) => Some(std::str::from_utf8(digits).ok()?.trim().parse().ok()?),
    };
    Some((false, length))
}

fn named<'a>(headers: &[Header<'a>], name: &str) -> Option<&'a [u8]> {
    let found = headers
        .iter()
        .find(|one| one.name.eq_ignore_ascii_case(name));
    found.map(|one| one.value)
}

impl<S: Side> Messages<S> {
    /// Messages, and those of WebSocket that have marks.
    pub fn new(marks: Option<Marks>) -> Self {
        Self {
            side: PhantomData,
            at: HttpPart::Head,
            head: Vec::new(),
            lines: Lines::default(),
            begin: 0,
            number: 0,
            present: Head::default(),
            frames: WebSocketFrames::new(S::MASKED, marks),
        }
    }

    /// Takes bytes in at `position`: how many; None where they are none of the protocol's.
    fn step(&mut self, position: u64, bytes: &[u8], found: &mut Vec<Message>) -> Option<usize> {
        let taken = match self.at {
            HttpPart::Head => return self.take_head(position, bytes, found),
            HttpPart::Frames => {
                return self
                    .frames
                    .take(position, bytes, found)
                    .then_some(bytes.len());
            }
            HttpPart::Body(missing) => {
                let taken = missing.min(bytes.len() as u64);
                self.at = HttpPart::Body(missing - taken);
                taken as usize
            }
            HttpPart::Chunks | HttpPart::Trailer => {
                let (taken, line) = self.lines.take(bytes);
                if let Some(line) = line {
                    self.at = self.after_line(&line)?;
                }
                taken
            }
        };
        if self.at == HttpPart::Body(0) {
            self.end(position + taken as u64, found);
        }
        Some(taken)
    }

    /// Takes bytes in, up to the end of a head at most.
    fn take_head(
        &mut self,
        position: u64,
        bytes: &[u8],
        found: &mut Vec<Message>,
    ) -> Option<usize> {
        if self.head.is_empty() {
            if self.present.upgrades && is_of_frame(bytes[0]) {
                self.at = HttpPart::Frames;
                return Some(0);
            }
            self.begin = position;
        }
        let mut taken = 0;
        for byte in bytes {
            taken += 1;
            self.head.push(*byte);
            if self.head.ends_with(HEAD_ENDS) {
                break;
            }
        }
        if !self.head.ends_with(HEAD_ENDS) {
            return (self.head.len() <= LONGEST_HEAD).then_some(taken);
        }
        self.present = S::read(&std::mem::take(&mut self.head))?;
        self.at = if self.present.is_chunked {
            HttpPart::Chunks
        } else {
            HttpPart::Body(self.present.length)
        };
        if self.at == HttpPart::Body(0) {
            self.end(position + taken as u64, found);
        }
        Some(taken)
    }

    /// Reads a line before a chunk or behind the last one; what comes next. None where it is no
    /// such line.
    fn after_line(&mut self, line: &[u8]) -> Option<HttpPart> {
        if self.at == HttpPart::Trailer {
            return Some(if line.is_empty() {
                HttpPart::Body(0)
            } else {
                HttpPart::Trailer
            });
        }
        if line.is_empty() {
            return None;
        }
        let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
        let size = u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        if size == 0 {
            return Some(HttpPart::Trailer);
        }
        self.lines.pass_over(size.min(LARGEST_CHUNK));
        (size <= LARGEST_CHUNK).then_some(HttpPart::Chunks)
    }

    fn end(&mut self, end: u64, found: &mut Vec<Message>) {
        self.at = HttpPart::Head;
        if self.present.is_interim {
            return;
        }
        found.push(Message {
            kind: self.present.names.to_le_bytes(),
            service: self.present.service,
            items: 1,
            ..Message::numbered(self.number, self.begin, end)
        });
        self.number = self.number.wrapping_add(1);
    }
}

/// Tells whether a frame may begin with a byte, rather than the name of a method.
fn is_of_frame(byte: u8) -> bool {
    // A and B begin a fragment that is compressed.
    !(b'C'..=b'Z').contains(&byte)
}

impl<S: Side> Dissector for Messages<S> {
    fn take(&mut self, mut position: u64, mut bytes: &[u8], found: &mut Vec<Message>) -> bool {
        while !bytes.is_empty() {
            let Some(taken) = self.step(position, bytes, found) else {
                return false;
            };
            position += taken as u64;
            bytes = &bytes[taken..];
        }
        true
    }

    fn goes_on(&mut self, _bytes: &[u8]) -> bool {
        false // how many messages there were is not known
    }
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
