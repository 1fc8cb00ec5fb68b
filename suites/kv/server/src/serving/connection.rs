//! One connection: requests are answered one after the other, each when it is due.

use std::io::{self, ErrorKind, Read, Write};

use mio::net::TcpStream;

use crate::service::Service;
use crate::wire::frame;

/// Bytes that an empty buffer may keep for the next request.
const KEPT: usize = 256 * 1024;
/// Bytes of a read: a batch of 500 keys at once, and what a larger one still lacks.
const READ_AT_LEAST: usize = 16 * 1024;
const READ_AT_MOST: usize = 64 * 1024;
/// Reads after which others get their turn.
const READS_A_TURN: usize = 8;

/// A client's connection to a node.
pub struct ClientConnection {
    socket: TcpStream,
    /// The node it was accepted by.
    pub node: usize,
    inbox: Vec<u8>,
    /// Bytes of the inbox that are answered.
    answered: usize,
    outbox: Vec<u8>,
    sent: usize,
    waiting: Option<Waiting>,
    /// The socket may have more to read.
    readable: bool,
    /// The client has said that nothing follows: the end is read for, too.
    closed: bool,
    ends_when_sent: bool,
}

enum Waiting {
    /// The reply that is in the outbox is not sent before.
    ToSend(u64),
    /// The request that is in the inbox is not answered before.
    ToAnswer(u64),
}

/// Next state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It says when there is more.
    Idle,
    /// It has more to do at once.
    Again,
    /// It has to be woken at this time of CLOCK_MONOTONIC.
    At(u64),
    /// It has ended.
    End,
}

impl ClientConnection {
    /// A new connection to `node`.
    ///
    /// # Errors
    /// When it has gone already.
    pub fn new(socket: TcpStream, node: usize) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        Ok(Self {
            socket,
            node,
            inbox: Vec::new(),
            answered: 0,
            outbox: Vec::new(),
            sent: 0,
            waiting: None,
            readable: true,
            closed: false,
            ends_when_sent: false,
        })
    }

    /// The socket, to be registered.
    pub fn socket(&mut self) -> &mut TcpStream {
        &mut self.socket
    }

    /// Its socket has something to read, or has come to its end.
    pub fn has_more(&mut self, closed: bool) {
        self.readable = true;
        self.closed |= closed;
    }

    /// Goes on with whatever can be done. `began` is called when the first batch of all has come.
    pub fn proceed(&mut self, service: &Service, now: fn() -> u64, began: &dyn Fn()) -> Next {
        self.work(service, now, began).unwrap_or(Next::End)
    }

    fn work(
        &mut self,
        service: &Service,
        now: fn() -> u64,
        began: &dyn Fn(),
    ) -> Result<Next, Box<dyn std::error::Error>> {
        for _ in 0..READS_A_TURN {
            if let Some(next) = self.wait(service, now())? {
                return Ok(next);
            }
            if !self.send()? {
                return Ok(Next::Idle);
            }
            if self.ends_when_sent {
                return Ok(Next::End);
            }
            while self.answer(service, now, began)? {
                if self.waiting.is_some() || !self.send()? {
                    break;
                }
                if self.ends_when_sent {
                    return Ok(Next::End);
                }
            }
            if self.waiting.is_some() || self.has_unsent() {
                continue;
            }
            if !self.readable {
                return Ok(Next::Idle);
            }
            if !self.read()? {
                return Ok(Next::End);
            }
        }
        Ok(Next::Again)
    }

    /// Waits for what is not due yet, or for a node that is stalled to go on.
    fn wait(&mut self, service: &Service, now_ns: u64) -> io::Result<Option<Next>> {
        let due_ns = match self.waiting {
            None => return Ok(None),
            Some(Waiting::ToSend(due_ns) | Waiting::ToAnswer(due_ns)) => due_ns,
        };
        if now_ns < due_ns {
            return Ok(Some(Next::At(due_ns)));
        }
        let stalled = service
            .faults
            .stalled_until(self.node, &service.cluster, now_ns);
        if let Some(until_ns) = stalled {
            self.waiting = match self.waiting {
                Some(Waiting::ToSend(_)) => Some(Waiting::ToSend(until_ns)),
                _ => Some(Waiting::ToAnswer(until_ns)),
            };
            return Ok(Some(Next::At(until_ns)));
        }
        self.waiting = None;
        Ok(None)
    }

    /// Answers the first request of the inbox into the empty outbox; false when none is whole.
    fn answer(
        &mut self,
        service: &Service,
        now: fn() -> u64,
        began: &dyn Fn(),
    ) -> Result<bool, Box<dyn std::error::Error>> {
        let asked = &self.inbox[self.answered..];
        let Some((kind, length)) = frame::heading(asked)? else {
            return Ok(false);
        };
        let Some(body) = asked.get(frame::HEADER..length) else {
            return Ok(false);
        };
        let now_ns = now();
        if let Some(until_ns) = service
            .faults
            .stalled_until(self.node, &service.cluster, now_ns)
        {
            self.waiting = Some(Waiting::ToAnswer(until_ns));
            return Ok(true);
        }
        let sending = service.answer(self.node, kind, body, now_ns, &mut self.outbox)?;
        self.answered += length;
        if sending.first {
            began();
        }
        if sending.cut_off {
            self.outbox.truncate(self.outbox.len() / 2);
            self.ends_when_sent = true;
        }
        if sending.delay_ns > 0 {
            self.waiting = Some(Waiting::ToSend(now_ns.saturating_add(sending.delay_ns)));
        }
        Ok(true)
    }

    fn has_unsent(&self) -> bool {
        self.sent < self.outbox.len()
    }

    /// Sends what is in the outbox; false when the socket takes no more.
    fn send(&mut self) -> io::Result<bool> {
        while self.has_unsent() {
            match self.socket.write(&self.outbox[self.sent..]) {
                Ok(size) => self.sent += size,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        self.sent = 0;
        self.outbox.clear();
        if self.outbox.capacity() > KEPT {
            self.outbox = Vec::new();
        }
        Ok(true)
    }

    /// Reads once, behind what is not answered yet; false at the end.
    fn read(&mut self) -> io::Result<bool> {
        self.inbox.drain(..self.answered);
        self.answered = 0;
        if self.inbox.is_empty() && self.inbox.capacity() > KEPT {
            self.inbox = Vec::new();
        }
        let begin = self.inbox.len();
        // A request that is on its way in parts says how long it will be.
        let lacking = match frame::heading(&self.inbox) {
            Ok(Some((_, length))) => length.saturating_sub(begin),
            _ => 0,
        };
        let asked = lacking.clamp(READ_AT_LEAST, READ_AT_MOST);
        self.inbox.resize(begin + asked, 0);
        let result = self.socket.read(&mut self.inbox[begin..]);
        self.inbox
            .truncate(begin + result.as_ref().map_or(0, |size| *size));
        match result {
            Ok(0) => Ok(false),
            Ok(size) => {
                // The event loop is edge-triggered: after a short read it says when there is more.
                self.readable = size == asked || self.closed;
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(true),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                self.readable = false;
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }
}
