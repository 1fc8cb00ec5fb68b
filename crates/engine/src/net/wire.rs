//! A socket as the WebSocket library sees it: never short of room, never read more than needed.
//!
//! All connections of a thread are read through one large [`Inbox`], so one `read` takes
//! whatever a socket has and a connection needs hardly any buffer of its own. A read that does
//! not fill the inbox has emptied the socket: the event loop is edge-triggered and says when
//! there is more, which saves the second `read` that would only be told "nothing".
//!
//! What a socket does not take stays in the wire's backlog, so a slow peer delays nobody.

use std::cell::RefCell;
use std::io::{self, ErrorKind, Read, Write};
use std::rc::Rc;

use mio::net::TcpStream;

use super::push;

const INBOX_BYTES: usize = 64 * 1024;

/// Bytes that may wait for a peer that does not read.
pub const BACKLOG_BYTES: usize = 16 * 1024 * 1024;

/// Bytes that the last `read` of a thread has brought, and their owner.
pub struct Inbox {
    bytes: Box<[u8]>,
    at: usize,
    end: usize,
    owner: usize,
    at_end: bool,
}

impl Inbox {
    /// An empty one, shared by the wires of a thread.
    pub fn shared() -> Rc<RefCell<Self>> {
        let bytes = vec![0; INBOX_BYTES].into_boxed_slice();
        Rc::new(RefCell::new(Self {
            bytes,
            at: 0,
            end: 0,
            owner: usize::MAX,
            at_end: false,
        }))
    }
}

/// One connection's socket.
pub struct Wire {
    /// The socket itself.
    pub socket: TcpStream,
    owner: usize,
    inbox: Rc<RefCell<Inbox>>,
    backlog: Vec<u8>,
    written: u64,
}

impl Wire {
    /// Wraps `socket`; `owner` is unlike those of the thread's other wires.
    pub fn new(socket: TcpStream, owner: usize, inbox: Rc<RefCell<Inbox>>) -> Self {
        {
            // What an earlier connection of the same owner has left is not this one's.
            let mut inbox = inbox.borrow_mut();
            if inbox.owner == owner {
                inbox.owner = usize::MAX;
            }
        }
        Self {
            socket,
            owner,
            inbox,
            backlog: Vec::new(),
            written: 0,
        }
    }

    /// Reads once into the inbox. True: there may be more, fill again when it is used up.
    ///
    /// `hangup` says that the peer has ended its side: then the end is read for, too.
    pub fn fill(&mut self, hangup: bool) -> io::Result<bool> {
        let inbox = &mut *self.inbox.borrow_mut();
        (inbox.at, inbox.end, inbox.owner, inbox.at_end) = (0, 0, self.owner, false);
        loop {
            match self.socket.read(&mut inbox.bytes) {
                Ok(0) => inbox.at_end = true,
                Ok(size) => inbox.end = size,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            return Ok(inbox.end == inbox.bytes.len() || (hangup && inbox.end > 0));
        }
    }

    /// Writes what the socket did not take before.
    pub fn resume(&mut self) -> io::Result<()> {
        if self.backlog.is_empty() {
            return Ok(());
        }
        let taken = push(&mut self.socket, &self.backlog)?;
        self.written += taken as u64;
        self.backlog.drain(..taken);
        if self.backlog.is_empty() {
            self.backlog = Vec::new();
        }
        Ok(())
    }

    /// Bytes that the last [`Wire::fill`] has brought, and nobody has read.
    pub fn unread(&self) -> usize {
        let inbox = self.inbox.borrow();
        if inbox.owner == self.owner {
            inbox.end - inbox.at
        } else {
            0
        }
    }

    /// Bytes that the socket has taken since this was asked last.
    pub fn take_written(&mut self) -> u64 {
        std::mem::take(&mut self.written)
    }

    /// Bytes that wait for the peer.
    pub fn backlog(&self) -> usize {
        self.backlog.len()
    }
}

impl Read for Wire {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let inbox = &mut *self.inbox.borrow_mut();
        if inbox.owner != self.owner {
            return Err(ErrorKind::WouldBlock.into());
        }
        let size = into.len().min(inbox.end - inbox.at);
        if size == 0 {
            return if inbox.at_end {
                Ok(0)
            } else {
                Err(ErrorKind::WouldBlock.into())
            };
        }
        into[..size].copy_from_slice(&inbox.bytes[inbox.at..inbox.at + size]);
        inbox.at += size;
        Ok(size)
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.backlog.len() + bytes.len() > BACKLOG_BYTES {
            return Err(io::Error::other(
                "the peer does not read: 16 MiB are waiting for it",
            ));
        }
        let taken = if self.backlog.is_empty() {
            push(&mut self.socket, bytes)?
        } else {
            0
        };
        self.written += taken as u64;
        self.backlog.extend_from_slice(&bytes[taken..]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
