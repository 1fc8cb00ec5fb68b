//! Sockets and timers below the protocols.

pub mod dial;
pub mod timer;
pub mod wire;

use std::io::{self, ErrorKind, Write};

use mio::Token;
use mio::net::TcpStream;

/// Of a thread's timer.
pub const TIMER: Token = Token(0);
/// Of what wakes a thread from another one.
pub const WAKER: Token = Token(1);
/// Of the first connection.
pub const FIRST: usize = 2;

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
