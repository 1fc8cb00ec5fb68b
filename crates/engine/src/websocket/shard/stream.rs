//! Messages of the server in a response of HTTP that does not end, or in one after another: whenever one
//! has ended, as it does after the first message or after so many bytes, the next is asked for.

use std::io::{ErrorKind, Read, Write};

use tungstenite::http::Uri;
use wirelab_sdk::status::Status;

use super::event_link::{CHUNK, host_of, path_of};
use super::link::{Heard, Progress};
use super::lost::Lost;
use crate::http::response::{Response, Timings};
use crate::net::connector::Connector;
use crate::net::dial::is_connected;
use crate::net::wire::Wire;
use crate::protocol::StreamForm;
use crate::websocket::event_stream::{EventStream, EventTooLong};
use crate::websocket::line_stream::{LineStream, LineTooLong};

/// The responses to one user, of which one is under way.
pub struct Stream {
    number: usize,
    wire: Wire,
    request: String,
    /// The request has been handed over on this connection.
    is_asked: bool,
    response: Response,
    content: Content,
    renews: bool,
    begun: bool,
    opened: bool,
    /// Its end, behind the messages that have come.
    end: Option<Lost>,
    received: u64,
    /// On connections that are no more.
    written: u64,
}

/// Messages in the bytes of a response.
enum Content {
    Events(EventStream),
    Lines(LineStream),
}

impl Stream {
    /// Begins to connect, as connection `number` of the thread.
    pub fn dial(
        connector: &mut Connector,
        number: usize,
        address: &Uri,
        (form, renews): (StreamForm, bool),
    ) -> Result<Self, Lost> {
        let (path, host) = (path_of(address), host_of(address));
        let (request, content) = match form {
            StreamForm::Events => (
                format!(
                    "GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n\
                     Cache-Control: no-store\r\n\r\n"
                ),
                Content::Events(EventStream::default()),
            ),
            StreamForm::Lines => (
                format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n"),
                Content::Lines(LineStream::default()),
            ),
        };
        let mut response = Response::default();
        response.begin(false, true);
        Ok(Self {
            number,
            wire: connected(connector, number)?,
            request,
            is_asked: false,
            response,
            content,
            renews,
            begun: false,
            opened: false,
            end: None,
            received: 0,
            written: 0,
        })
    }

    /// Goes on after the socket said that it is writable.
    pub fn writable(&mut self) -> Result<(), Lost> {
        let sent = if self.is_asked {
            self.wire.resume()
        } else if is_connected(&self.wire.socket).map_err(|error| Lost::io(&error))? {
            self.is_asked = true;
            self.wire.write_all(self.request.as_bytes())
        } else {
            Ok(())
        };
        sent.map_err(|error| Lost::io(&error))
    }

    /// Reads what the socket has. True: there may be more.
    pub fn fill(&mut self, hangup: bool, connector: &mut Connector) -> Result<bool, Lost> {
        let more = self.wire.fill(hangup).map_err(|error| Lost::io(&error))?;
        self.received += self.wire.unread() as u64;
        let mut chunk = [0; CHUNK];
        while self.end.is_none() {
            let taken = match self.wire.read(&mut chunk) {
                Ok(0) if self.response.end() => self.renew(connector),
                Ok(0) => Err(ended()),
                Ok(size) => self.take(&chunk[..size], connector),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => Err(Lost::io(&error)),
            };
            self.end = taken.err();
        }
        // Of a connection that is new nothing is known yet.
        Ok(more && self.is_asked)
    }

    /// Bytes that have come since this was asked last.
    pub fn take_received(&mut self) -> u64 {
        std::mem::take(&mut self.received)
    }

    /// Bytes that the sockets have taken since this was asked last.
    pub fn take_written(&mut self) -> u64 {
        std::mem::take(&mut self.written) + self.wire.take_written()
    }

    /// Tells whether the first response has begun.
    pub fn advance(&mut self) -> Progress {
        Progress::of(&mut self.opened, self.begun)
    }

    /// The next message.
    pub fn hear(&mut self) -> Result<Heard, Lost> {
        let next = match &mut self.content {
            Content::Events(events) => events
                .next_event()
                .map_err(|EventTooLong| Lost::endless("an event")),
            Content::Lines(lines) => lines
                .next_line()
                .map_err(|LineTooLong| Lost::endless("a line")),
        };
        match next? {
            Some(text) => Ok(Heard::Text(text.into())),
            None => self.end.take().map_or(Ok(Heard::Nothing), Err),
        }
    }

    fn take(&mut self, bytes: &[u8], connector: &mut Connector) -> Result<(), Lost> {
        let used = self
            .response
            .read(bytes, &[], &mut Timings::default())
            .map_err(Lost::wrong)?;
        match self.response.status {
            0 => return Ok(()),
            200 if self.response.is_event_stream || matches!(self.content, Content::Lines(_)) => {}
            200 => {
                let message = "the answer is no stream of events".to_owned();
                return Err(Lost::new(Status::Error, message));
            }
            status => return Err(Lost::new(Status::Error, format!("HTTP {status}"))),
        }
        self.begun = true;
        if let Some(content) = &mut self.response.kept {
            match &mut self.content {
                Content::Events(events) => events.feed(content),
                Content::Lines(lines) => lines.feed(content),
            }
            content.clear();
        }
        if !self.response.is_complete() {
            return Ok(());
        }
        if self.renews && used < bytes.len() {
            let message = "more came behind the end of a response".to_owned();
            return Err(Lost::wrong(("Garbage", message)));
        }
        self.renew(connector)
    }

    /// A response has ended: asks for the next one, on a new connection where this one has ended too.
    fn renew(&mut self, connector: &mut Connector) -> Result<(), Lost> {
        if !self.renews {
            return Err(ended());
        }
        let keeps = self.response.keeps;
        self.response.begin(false, true);
        if keeps {
            return self
                .wire
                .write_all(self.request.as_bytes())
                .map_err(|error| Lost::io(&error));
        }
        self.written += self.wire.take_written();
        self.wire = connected(connector, self.number)?;
        self.is_asked = false;
        Ok(())
    }
}

fn connected(connector: &mut Connector, number: usize) -> Result<Wire, Lost> {
    connector.connect(number).map_err(|error| Lost::io(&error))
}

fn ended() -> Lost {
    Lost::new(
        Status::Disconnected,
        "the server has ended the stream of events".to_owned(),
    )
}
