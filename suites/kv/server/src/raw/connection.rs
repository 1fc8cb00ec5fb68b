//! A socket to a node. Requests may follow each other; replies come in their order.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};

use mio::net::TcpStream;

use crate::wire::frame;

const READ: usize = 64 * 1024;

/// A lane's connection to a node.
pub struct LaneConnection {
    socket: TcpStream,
    inbox: Vec<u8>,
    /// Bytes of the inbox that have come.
    filled: usize,
    outbox: Vec<u8>,
    sent: usize,
    /// The calls that replies belong to.
    pub waiting: VecDeque<usize>,
}

impl LaneConnection {
    /// Takes a connected socket over.
    pub fn new(socket: TcpStream) -> Self {
        Self {
            socket,
            inbox: Vec::new(),
            filled: 0,
            outbox: Vec::new(),
            sent: 0,
            waiting: VecDeque::new(),
        }
    }

    /// The socket, to be registered.
    pub fn socket(&mut self) -> &mut TcpStream {
        &mut self.socket
    }

    /// Sends a request, now or when the socket takes it.
    pub fn ask(&mut self, request: &[u8], call: usize) -> io::Result<()> {
        self.waiting.push_back(call);
        if self.sent < self.outbox.len() {
            self.outbox.extend_from_slice(request);
            return Ok(());
        }
        let taken = push(&mut self.socket, request)?;
        self.outbox.clear();
        self.sent = 0;
        self.outbox.extend_from_slice(&request[taken..]);
        Ok(())
    }

    /// Goes on with what the socket did not take.
    pub fn resume(&mut self) -> io::Result<()> {
        self.sent += push(&mut self.socket, &self.outbox[self.sent..])?;
        Ok(())
    }

    /// Reads until the socket is empty, and gives each whole reply with its call to `each`.
    pub fn read(&mut self, mut each: impl FnMut(usize, &[u8]) -> io::Result<()>) -> io::Result<()> {
        loop {
            if self.inbox.len() - self.filled < READ {
                self.inbox.resize(self.filled + READ, 0);
            }
            let room = self.inbox.len() - self.filled;
            match self.socket.read(&mut self.inbox[self.filled..]) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(size) => {
                    self.filled += size;
                    self.replies(&mut each)?;
                    if size < room {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    fn replies(&mut self, each: &mut impl FnMut(usize, &[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut at = 0;
        while let Some((_, length)) =
            frame::heading(&self.inbox[at..self.filled]).map_err(io::Error::other)?
        {
            let Some(reply) = self.inbox[at..self.filled].get(frame::HEADER..length) else {
                break;
            };
            let call = self.waiting.pop_front();
            each(
                call.ok_or_else(|| io::Error::other("a reply came although nothing was asked"))?,
                reply,
            )?;
            at += length;
        }
        self.inbox.copy_within(at..self.filled, 0);
        self.filled -= at;
        Ok(())
    }
}

/// Writes until everything is taken or the socket is full; the number of bytes taken.
fn push(socket: &mut TcpStream, bytes: &[u8]) -> io::Result<usize> {
    let mut taken = 0;
    while taken < bytes.len() {
        match socket.write(&bytes[taken..]) {
            Ok(size) => taken += size,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    Ok(taken)
}
