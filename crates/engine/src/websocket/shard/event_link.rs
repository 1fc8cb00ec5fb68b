//! One user of a server that speaks HTTP alone, as a browser has it: what comes are events of a response
//! that does not end, and what is drawn goes by requests on a second connection.

use std::io::{ErrorKind, Read, Write};

use tungstenite::http::Uri;
use wirelab_sdk::status::Status;

use super::link::{Heard, Progress};
use super::lost::Lost;
use super::posts::Posts;
use crate::http::response::{Response, Timings};
use crate::net::connector::Connector;
use crate::net::dial::is_connected;
use crate::net::wire::Wire;
use crate::websocket::event_stream::{EventStream, EventTooLong};

/// Bytes that are looked at once.
pub const CHUNK: usize = 4096;

/// A user's stream of events, and its requests.
pub struct EventLink {
    stream: Stream,
    posts: Posts,
}

impl EventLink {
    /// Begins to connect: by the first number for the events of `address`, by the second for
    /// requests to `endpoint`.
    pub fn dial(
        connector: &mut Connector,
        [first, second]: [usize; 2],
        address: &Uri,
        endpoint: &Uri,
    ) -> Result<Self, Lost> {
        Ok(Self {
            stream: Stream::dial(connector, first, address)?,
            posts: Posts::dial(connector, second, endpoint)?,
        })
    }

    /// Goes on after one of the sockets said that it is writable.
    pub fn writable(&mut self, is_second: bool) -> Result<(), Lost> {
        if is_second {
            self.posts.writable()
        } else {
            self.stream.writable()
        }
    }

    /// Reads what one of the sockets has. True: there may be more.
    pub fn fill(
        &mut self,
        is_second: bool,
        hangup: bool,
        connector: &mut Connector,
    ) -> Result<bool, Lost> {
        if is_second {
            self.posts.fill(hangup, connector)
        } else {
            self.stream.fill(hangup)
        }
    }

    /// Bytes that have come since this was asked last.
    pub fn take_received(&mut self) -> u64 {
        std::mem::take(&mut self.stream.received) + self.posts.take_received()
    }

    /// Bytes that the sockets have taken since this was asked last.
    pub fn take_written(&mut self) -> u64 {
        self.stream.wire.take_written() + self.posts.take_written()
    }

    /// Tells whether the stream has begun.
    pub fn advance(&mut self) -> Progress {
        let has_begun = self.stream.response.is_event_stream;
        match (self.stream.opened, has_begun) {
            (true, _) => Progress::Open,
            (false, false) => Progress::Waiting,
            (false, true) => {
                self.stream.opened = true;
                Progress::Opened
            }
        }
    }

    /// The next event, or how the next request has failed.
    pub fn hear(&mut self) -> Result<Heard, Lost> {
        match self.posts.take_refused() {
            Some(status) => Ok(Heard::Refused(status)),
            None => self.stream.hear(),
        }
    }

    /// Tells whether requests wait that should not become more.
    pub fn is_clogged(&self) -> bool {
        self.posts.is_clogged()
    }

    /// Sends a message as a request of its own, once those before it have been answered.
    pub fn send(&mut self, text: String, connector: &mut Connector) -> Result<(), Lost> {
        self.posts.send(text, connector)
    }
}

/// The response that does not end.
struct Stream {
    wire: Wire,
    /// Until it is connected.
    request: Option<String>,
    response: Response,
    events: EventStream,
    opened: bool,
    /// Its end, behind the events that have come.
    end: Option<Lost>,
    received: u64,
}

impl Stream {
    fn dial(connector: &mut Connector, number: usize, address: &Uri) -> Result<Self, Lost> {
        let request = format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\nCache-Control: no-store\r\n\r\n",
            path_of(address),
            host_of(address)
        );
        let mut response = Response::default();
        response.begin(false, true);
        Ok(Self {
            wire: connector
                .connect(number)
                .map_err(|error| Lost::io(&error))?,
            request: Some(request),
            response,
            events: EventStream::default(),
            opened: false,
            end: None,
            received: 0,
        })
    }

    fn writable(&mut self) -> Result<(), Lost> {
        let connected = self.request.is_none()
            || is_connected(&self.wire.socket).map_err(|error| Lost::io(&error))?;
        let sent = match self.request.take_if(|_| connected) {
            Some(request) => self.wire.write_all(request.as_bytes()),
            None => self.wire.resume(),
        };
        sent.map_err(|error| Lost::io(&error))
    }

    fn fill(&mut self, hangup: bool) -> Result<bool, Lost> {
        let more = self.wire.fill(hangup).map_err(|error| Lost::io(&error))?;
        self.received += self.wire.unread() as u64;
        let mut chunk = [0; CHUNK];
        while self.end.is_none() {
            let taken = match self.wire.read(&mut chunk) {
                Ok(0) => Err(ended()),
                Ok(size) => self.take(&chunk[..size]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => Err(Lost::io(&error)),
            };
            self.end = taken.err();
        }
        Ok(more)
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), Lost> {
        self.response
            .read(bytes, &[], &mut Timings::default())
            .map_err(Lost::wrong)?;
        match self.response.status {
            0 => return Ok(()),
            200 if self.response.is_event_stream => {}
            200 => {
                let message = "the answer is no stream of events".to_owned();
                return Err(Lost::new(Status::Error, message));
            }
            status => return Err(Lost::new(Status::Error, format!("HTTP {status}"))),
        }
        if let Some(content) = &mut self.response.kept {
            self.events.feed(content);
            content.clear();
        }
        if self.response.is_complete() {
            return Err(ended());
        }
        Ok(())
    }

    fn hear(&mut self) -> Result<Heard, Lost> {
        match self.events.next_event() {
            Ok(Some(text)) => Ok(Heard::Text(text.into())),
            Ok(None) => self.end.take().map_or(Ok(Heard::Nothing), Err),
            Err(EventTooLong) => Err(Lost::endless("an event")),
        }
    }
}

fn ended() -> Lost {
    Lost::new(
        Status::Disconnected,
        "the server has ended the stream of events".to_owned(),
    )
}

/// Path that a request asks for at this address.
pub fn path_of(address: &Uri) -> &str {
    address.path_and_query().map_or("/", |path| path.as_str())
}

/// Host that a request at this address is for.
pub fn host_of(address: &Uri) -> &str {
    address.authority().map_or("", |host| host.as_str())
}
