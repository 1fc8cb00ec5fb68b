//! One user's connection, from the socket to the open WebSocket.

use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::rc::Rc;

use tungstenite::client::{ClientRequestBuilder, client_with_config};
use tungstenite::error::ProtocolError;
use tungstenite::handshake::client::ClientHandshake;
use tungstenite::handshake::{HandshakeError, MidHandshake};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket};
use wirelab_sdk::status::Status;

use crate::load::event_loop::EventLoop;
use crate::net::dial::{Dialer, Target, is_connected};
use crate::net::status_of;
use crate::net::wire::{BACKLOG_BYTES, Inbox, Wire};

/// Enough for the messages of a burst; whatever is larger makes it grow.
const READ_BUFFER: usize = 512;

/// Nothing in the suite is near this long.
const LARGEST_MESSAGE: usize = 1024 * 1024;

/// How a connection ended, or why there is none.
#[derive(Debug)]
pub struct Lost {
    /// For the record.
    pub status: Status,
    /// For the error event.
    pub message: String,
    /// The class of what the server sent, when that was no message.
    pub wrong: Option<&'static str>,
}

impl Lost {
    /// Ended, but not by something that was no message.
    pub fn new(status: Status, message: String) -> Self {
        Self {
            status,
            message,
            wrong: None,
        }
    }

    /// Ended by a record without an end.
    pub fn endless() -> Self {
        Self {
            status: Status::Error,
            message: "a record without an end".to_owned(),
            wrong: Some("OversizedFrame"),
        }
    }

    fn io(error: &io::Error) -> Self {
        Self::new(status_of(error), error.to_string())
    }

    fn library(error: &Error) -> Self {
        let wrong = match error {
            Error::Io(error) => return Self::io(error),
            Error::ConnectionClosed
            | Error::AlreadyClosed
            | Error::Protocol(
                ProtocolError::ResetWithoutClosingHandshake | ProtocolError::HandshakeIncomplete,
            ) => return Self::new(Status::Disconnected, error.to_string()),
            Error::Http(answer) => {
                return Self::new(Status::Error, format!("HTTP {}", answer.status()));
            }
            Error::Capacity(_) => Some("OversizedFrame"),
            Error::Protocol(_) | Error::Utf8(_) => Some("Garbage"),
            _ => None,
        };
        Self {
            status: Status::Error,
            message: error.to_string(),
            wrong,
        }
    }
}

/// What reading has brought.
pub enum Heard {
    /// A text message.
    Text(tungstenite::Utf8Bytes),
    /// A message of a kind that the suite does not have.
    Foreign(String),
    /// Nothing more for now.
    Nothing,
}

/// How far a connection is.
#[derive(Default)]
pub enum Link {
    /// There is none.
    #[default]
    None,
    /// The socket connects.
    Dialing(Wire),
    /// The server has been asked to speak WebSocket.
    Shaking(MidHandshake<ClientHandshake<Wire>>),
    /// Messages can be sent and received.
    Open(WebSocket<Wire>),
}

/// What an event of the socket has led to.
#[derive(Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing to do yet.
    Waiting,
    /// The WebSocket has just been opened.
    Opened,
    /// It was open before.
    Open,
}

impl Link {
    /// Begins to connect.
    pub fn dial(
        dialer: &mut Dialer,
        event_loop: &EventLoop,
        index: usize,
        inbox: &Rc<RefCell<Inbox>>,
    ) -> Result<Self, Lost> {
        let mut socket = dialer.connect().map_err(|error| Lost::io(&error))?;
        event_loop
            .add(&mut socket, index)
            .map_err(|error| Lost::io(&error))?;
        Ok(Self::Dialing(Wire::new(socket, index, Rc::clone(inbox))))
    }

    /// The socket below, if there is one.
    fn wire(&mut self) -> Option<&mut Wire> {
        match self {
            Self::None => None,
            Self::Dialing(wire) => Some(wire),
            Self::Shaking(shaking) => Some(shaking.get_mut().get_mut()),
            Self::Open(socket) => Some(socket.get_mut()),
        }
    }

    /// Goes on after the socket said that it is writable: connected, or room for more.
    pub fn writable(&mut self, target: &Target, subprotocol: Option<&str>) -> Result<(), Lost> {
        let Some(wire) = self.wire() else {
            return Ok(());
        };
        wire.resume().map_err(|error| Lost::io(&error))?;
        let Self::Dialing(wire) = self else {
            return Ok(());
        };
        if !is_connected(&wire.socket).map_err(|error| Lost::io(&error))? {
            return Ok(());
        }
        let Self::Dialing(wire) = std::mem::replace(self, Self::None) else {
            return Ok(());
        };
        let mut request = ClientRequestBuilder::new(target.uri.clone());
        if let Some(name) = subprotocol {
            request = request.with_sub_protocol(name);
        }
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_write_buffer_size(BACKLOG_BYTES)
            .max_message_size(Some(LARGEST_MESSAGE))
            .max_frame_size(Some(LARGEST_MESSAGE));
        self.shaken(client_with_config(request, wire, Some(config)))
    }

    fn shaken(
        &mut self,
        result: Result<
            (WebSocket<Wire>, tungstenite::handshake::client::Response),
            HandshakeError<ClientHandshake<Wire>>,
        >,
    ) -> Result<(), Lost> {
        *self = match result {
            Ok((socket, _)) => Self::Open(socket),
            Err(HandshakeError::Interrupted(shaking)) => Self::Shaking(shaking),
            Err(HandshakeError::Failure(error)) => return Err(Lost::library(&error)),
        };
        Ok(())
    }

    /// Reads what the socket has. `hangup`: the peer has ended its side. True: there may be more.
    pub fn fill(&mut self, hangup: bool) -> Result<bool, Lost> {
        match self.wire() {
            Some(wire) => wire.fill(hangup).map_err(|error| Lost::io(&error)),
            None => Ok(false),
        }
    }

    /// Goes on with what [`Link::fill`] has read.
    pub fn advance(&mut self) -> Result<Progress, Lost> {
        match std::mem::replace(self, Self::None) {
            Self::Shaking(shaking) => {
                self.shaken(shaking.handshake())?;
                let opened = matches!(self, Self::Open(_));
                Ok(if opened {
                    Progress::Opened
                } else {
                    Progress::Waiting
                })
            }
            other => {
                let open = matches!(other, Self::Open(_));
                *self = other;
                Ok(if open {
                    Progress::Open
                } else {
                    Progress::Waiting
                })
            }
        }
    }

    /// The next message of what has been read.
    pub fn hear(&mut self) -> Result<Heard, Lost> {
        let Self::Open(socket) = self else {
            return Ok(Heard::Nothing);
        };
        loop {
            return match socket.read() {
                Ok(Message::Text(text)) => Ok(Heard::Text(text)),
                Ok(Message::Binary(bytes)) => Ok(Heard::Foreign(format!(
                    "binary message of {} bytes",
                    bytes.len()
                ))),
                Ok(Message::Close(frame)) => {
                    // The answer to it; a peer that has gone does not need it.
                    let _ = socket.flush();
                    let why = frame.map_or_else(String::new, |frame| format!(": {frame}"));
                    let message = format!("closed by the server{why}");
                    Err(Lost::new(Status::Disconnected, message))
                }
                Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => continue,
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    Ok(Heard::Nothing)
                }
                Err(error) => Err(Lost::library(&error)),
            };
        }
    }

    /// Whether the peer reads so little that nothing more should be handed over.
    pub fn is_clogged(&self) -> bool {
        matches!(self, Self::Open(socket) if socket.get_ref().backlog() > BACKLOG_BYTES / 2)
    }

    /// Hands a text message to the library.
    pub fn send(&mut self, text: String) -> Result<(), Lost> {
        match self {
            Self::Open(socket) => socket
                .send(Message::text(text))
                .map_err(|error| Lost::library(&error)),
            _ => Err(Lost::new(Status::Disconnected, "not connected".to_owned())),
        }
    }

    /// Says good-bye; whoever does not answer is left without.
    pub fn close(&mut self) {
        if let Self::Open(socket) = self {
            let _ = socket.close(None);
        } else {
            *self = Self::None;
        }
    }

    /// Whether there is a connection, or one is being made.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}
