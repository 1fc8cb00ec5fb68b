//! A lane: its connection, the request under way, and those that wait behind it.

use std::collections::VecDeque;
use std::io;

use mio::net::TcpStream;

use crate::http::response::Response;
use crate::net::push;

/// A request that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueRequest {
    /// Time at which it is due; None in a closed loop: when it starts.
    pub intended_ns: Option<u64>,
    /// Its tick.
    pub tick: u64,
}

/// A request under way.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// Time at which it was due.
    pub intended_ns: u64,
    /// Time at which its first byte was handed to the socket.
    pub start_ns: u64,
    /// Its tick.
    pub tick: u64,
    /// Its answer is asked for.
    pub verified: bool,
}

/// State of a connection.
#[derive(Default)]
pub enum LaneLink {
    /// There is none.
    #[default]
    None,
    /// The socket connects.
    Dialing(TcpStream),
    /// Requests can be sent.
    Open(TcpStream),
}

/// A first connection that is being made.
#[derive(Clone, Copy, Debug)]
pub struct Join {
    /// Time at which it was due; in a closed loop when it started.
    pub intended_ns: u64,
    /// Time at which it started.
    pub start_ns: u64,
}

/// A user, which is a lane where its step has it send.
pub struct Lane {
    /// The user's number.
    pub user: u32,
    /// Its connection.
    pub link: LaneLink,
    /// The request under way.
    pub exchange: Option<Exchange>,
    /// Requests that are due, in the order in which they were.
    pub waiting: VecDeque<DueRequest>,
    /// The response to the request under way.
    pub response: Response,
    /// The first connection, until its outcome is known.
    pub join: Option<Join>,
    /// In a closed loop: the next tick.
    pub tick: u64,
    /// In a closed loop: the tick that is not done any more.
    pub until: u64,
    /// Time at which its last connection began to be made.
    pub dialed_ns: u64,
    /// Bytes of the request under way that the socket did not take.
    unsent: Vec<u8>,
}

impl Lane {
    /// The lane of `user`, not connected.
    pub fn new(user: u32) -> Self {
        Self {
            user,
            link: LaneLink::None,
            exchange: None,
            waiting: VecDeque::new(),
            response: Response::default(),
            join: None,
            tick: 0,
            until: 0,
            dialed_ns: 0,
            unsent: Vec::new(),
        }
    }

    /// Hands a request to the socket, and keeps what that does not take.
    pub fn send(&mut self, request: &[u8]) -> io::Result<()> {
        if let LaneLink::Open(socket) = &mut self.link {
            let taken = push(socket, request)?;
            self.unsent.extend_from_slice(&request[taken..]);
        }
        Ok(())
    }

    /// Hands over what the socket did not take before.
    pub fn resume(&mut self) -> io::Result<()> {
        if let LaneLink::Open(socket) = &mut self.link
            && !self.unsent.is_empty()
        {
            let taken = push(socket, &self.unsent)?;
            self.unsent.drain(..taken);
        }
        Ok(())
    }

    /// Ends the connection, if there is one; whether it was open.
    pub fn hang_up(&mut self) -> bool {
        self.unsent.clear();
        matches!(std::mem::take(&mut self.link), LaneLink::Open(_))
    }
}
