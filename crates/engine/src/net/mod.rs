//! Sockets below the protocols.

pub mod connector;
pub mod dial;
pub mod wire;

use std::io::{self, ErrorKind, Write};

use mio::event::Event;
use mio::net::TcpStream;
use mio::{Interest, Registry, Token};
use wirelab_sdk::status::Status;

/// Token of a thread's timer.
pub const TIMER: Token = Token(0);
/// Token of what wakes a thread from another one.
pub const WAKER: Token = Token(1);
/// Token of the first connection.
pub const FIRST: usize = 2;

/// News of a socket.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    /// There is something to read, be it the end.
    pub readable: bool,
    /// It has been connected, or has room again.
    pub writable: bool,
    /// The peer has ended its side.
    pub hangup: bool,
}

impl Ready {
    /// Reads what an event tells of its socket.
    pub fn of(event: &Event) -> Self {
        let hangup = event.is_read_closed() || event.is_error();
        Self {
            readable: event.is_readable() || hangup,
            writable: event.is_writable(),
            hangup,
        }
    }
}

/// Has the event loop of `registry` tell from now on what happens to connection `number`.
pub fn register(registry: &Registry, socket: &mut TcpStream, number: usize) -> io::Result<()> {
    let both = Interest::READABLE | Interest::WRITABLE;
    registry.register(socket, Token(number + FIRST), both)
}

/// Status of an operation that ended by this error of its socket.
pub fn status_of(error: &io::Error) -> Status {
    match error.kind() {
        ErrorKind::ConnectionRefused => Status::Refused,
        ErrorKind::TimedOut => Status::Timeout,
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            Status::Disconnected
        }
        _ => Status::Error,
    }
}

/// Writes until everything is taken or the socket is full; the number of bytes taken.
pub fn push(socket: &mut TcpStream, bytes: &[u8]) -> io::Result<usize> {
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
