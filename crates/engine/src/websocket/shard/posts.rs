//! Requests of a user of a server without WebSocket: one for each message, one after the other on a
//! connection that is kept.
//!
//! The next request waits for the answer to the one before it, so that messages keep their order;
//! browsers do not send two at a time on one connection either.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};

use tungstenite::http::Uri;
use wirelab_sdk::status::Status;

use super::event_link::{CHUNK, host_of, path_of};
use super::lost::Lost;
use crate::http::response::{Response, Timings};
use crate::net::connector::Connector;
use crate::net::dial::is_connected;
use crate::net::wire::{BACKLOG_BYTES, Wire};

/// The requests of one user.
pub struct Posts {
    number: usize,
    /// Head of each request, up to the length of its body.
    head: String,
    /// None: the server has ended it while nothing was asked.
    wire: Option<Wire>,
    connected: bool,
    /// A request has been sent and not been answered.
    under_way: bool,
    response: Response,
    waiting: VecDeque<String>,
    waiting_bytes: usize,
    refused: VecDeque<u16>,
    received: u64,
    /// On connections that are no more.
    written: u64,
}

impl Posts {
    /// Begins to connect, as connection `number` of the thread.
    pub fn dial(connector: &mut Connector, number: usize, endpoint: &Uri) -> Result<Self, Lost> {
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: ",
            path_of(endpoint),
            host_of(endpoint)
        );
        let mut posts = Self {
            number,
            head,
            wire: None,
            connected: false,
            under_way: false,
            response: Response::default(),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            refused: VecDeque::new(),
            received: 0,
            written: 0,
        };
        posts.connect(connector)?;
        Ok(posts)
    }

    /// Sends a message, once those before it have been answered.
    pub fn send(&mut self, text: String, connector: &mut Connector) -> Result<(), Lost> {
        self.waiting_bytes += text.len();
        self.waiting.push_back(text);
        if self.wire.is_none() {
            self.connect(connector)?;
        }
        self.send_next()
    }

    /// Tells whether so much waits that nothing more should be handed over.
    pub fn is_clogged(&self) -> bool {
        self.waiting_bytes > BACKLOG_BYTES / 2
    }

    /// Bytes that have come since this was asked last.
    pub fn take_received(&mut self) -> u64 {
        std::mem::take(&mut self.received)
    }

    /// Bytes that the sockets have taken since this was asked last.
    pub fn take_written(&mut self) -> u64 {
        std::mem::take(&mut self.written) + self.wire.as_mut().map_or(0, Wire::take_written)
    }

    /// The status of the next request that was refused.
    pub fn take_refused(&mut self) -> Option<u16> {
        self.refused.pop_front()
    }

    /// Goes on after the socket said that it is writable.
    pub fn writable(&mut self) -> Result<(), Lost> {
        let Some(wire) = &mut self.wire else {
            return Ok(());
        };
        if self.connected {
            return wire.resume().map_err(|error| Lost::io(&error));
        }
        self.connected = is_connected(&wire.socket).map_err(|error| Lost::io(&error))?;
        self.send_next()
    }

    /// Reads what the socket has. True: there may be more.
    pub fn fill(&mut self, hangup: bool, connector: &mut Connector) -> Result<bool, Lost> {
        let Some(wire) = &mut self.wire else {
            return Ok(false);
        };
        let more = match wire.fill(hangup) {
            // Who asks nothing misses nothing.
            Err(_) if self.connected && !self.under_way => {
                self.hang_up();
                return Ok(false);
            }
            filled => filled.map_err(|error| Lost::io(&error))?,
        };
        self.received += wire.unread() as u64;
        let mut chunk = [0; CHUNK];
        while let Some(wire) = &mut self.wire {
            match wire.read(&mut chunk) {
                Ok(0) => self.end()?,
                Ok(size) => self.take(&chunk[..size])?,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(Lost::io(&error)),
            }
        }
        if self.wire.is_none() && !self.waiting.is_empty() {
            self.connect(connector)?;
        }
        Ok(more && self.wire.is_some())
    }

    fn hang_up(&mut self) {
        if let Some(mut wire) = self.wire.take() {
            self.written += wire.take_written();
        }
    }

    fn connect(&mut self, connector: &mut Connector) -> Result<(), Lost> {
        self.connected = false;
        self.wire = Some(
            connector
                .connect(self.number)
                .map_err(|error| Lost::io(&error))?,
        );
        Ok(())
    }

    /// Sends what waits next, unless an answer is waited for.
    fn send_next(&mut self) -> Result<(), Lost> {
        let Some(wire) = self
            .wire
            .as_mut()
            .filter(|_| self.connected && !self.under_way)
        else {
            return Ok(());
        };
        let Some(text) = self.waiting.pop_front() else {
            return Ok(());
        };
        self.waiting_bytes -= text.len();
        self.under_way = true;
        self.response.begin(false, false);
        let request = format!("{}{}\r\n\r\n{text}", self.head, text.len());
        wire.write_all(request.as_bytes())
            .map_err(|error| Lost::io(&error))
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), Lost> {
        let mut rest = bytes;
        while !rest.is_empty() {
            if !self.under_way {
                return Err(Lost::wrong((
                    "Garbage",
                    "an answer came although no request was under way".to_owned(),
                )));
            }
            let used = self
                .response
                .read(rest, &[], &mut Timings::default())
                .map_err(Lost::wrong)?;
            rest = &rest[used..];
            if self.response.is_complete() {
                self.answered()?;
            }
        }
        Ok(())
    }

    fn answered(&mut self) -> Result<(), Lost> {
        self.under_way = false;
        if !(200..300).contains(&self.response.status) {
            self.refused.push_back(self.response.status);
        }
        if !self.response.keeps {
            self.hang_up();
        }
        self.send_next()
    }

    /// The server has ended the connection, which it may while nothing is asked.
    fn end(&mut self) -> Result<(), Lost> {
        if self.under_way && self.response.end() {
            self.answered()?;
        }
        self.hang_up();
        if self.under_way {
            let message = "the server has ended a request without an answer".to_owned();
            return Err(Lost::new(Status::Disconnected, message));
        }
        Ok(())
    }
}
