//! One user's connection, from the socket to the open WebSocket.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::rc::Rc;

use tungstenite::client::{ClientRequestBuilder, client_with_config};
use tungstenite::handshake::client::{ClientHandshake, Response};
use tungstenite::handshake::{HandshakeError, MidHandshake};
use tungstenite::http::Uri;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::protocol::frame::{Frame, FrameHeader};
use tungstenite::{Error, Message, WebSocket};
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::status::Status;

use super::line::Line;
use super::lost::Lost;
use crate::load::event_loop::EventLoop;
use crate::net::dial::{Dialer, Target, is_connected};
use crate::net::wire::{BACKLOG_BYTES, Inbox, Wire};
use crate::protocol::Adapter;
use crate::websocket::deflate::{Deflater, OFFER, agreed};

/// Enough for the messages of a burst; whatever is larger makes it grow.
const READ_BUFFER: usize = 512;

/// Nothing in the suite is near this long.
const LARGEST_MESSAGE: usize = 1024 * 1024;

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
    Dialing(Line),
    /// The server has been asked to speak WebSocket.
    Shaking(MidHandshake<ClientHandshake<Line>>),
    /// Messages can be sent and received.
    Open(WebSocket<Line>),
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
        compressed: bool,
    ) -> Result<Self, Lost> {
        let mut socket = dialer.connect().map_err(|error| Lost::io(&error))?;
        event_loop
            .add(&mut socket, index)
            .map_err(|error| Lost::io(&error))?;
        let wire = Wire::new(socket, index, Rc::clone(inbox));
        Ok(Self::Dialing(Line::new(wire, compressed)))
    }

    /// What is below, if there is a connection.
    fn line(&mut self) -> Option<&mut Line> {
        match self {
            Self::None => None,
            Self::Dialing(line) => Some(line),
            Self::Shaking(shaking) => Some(shaking.get_mut().get_mut()),
            Self::Open(socket) => Some(socket.get_mut()),
        }
    }

    /// Goes on after the socket said that it is writable: connected, or room for more.
    pub fn writable(
        &mut self,
        target: &Target,
        adapter: &dyn Adapter,
        user: u32,
    ) -> Result<(), Lost> {
        let Some(line) = self.line() else {
            return Ok(());
        };
        line.wire_mut().resume().map_err(|error| Lost::io(&error))?;
        let Self::Dialing(line) = self else {
            return Ok(());
        };
        if !is_connected(&line.wire().socket).map_err(|error| Lost::io(&error))? {
            return Ok(());
        }
        let Self::Dialing(line) = std::mem::replace(self, Self::None) else {
            return Ok(());
        };
        // Nobody else has this name, nor has the user had it before.
        let name = format!("{user:x}-{:x}", now_ns());
        let uri: Uri = adapter
            .address(target.uri.to_string(), &name)
            .parse()
            .map_err(|_| Lost::new(Status::Error, "not an address".to_owned()))?;
        let mut request = ClientRequestBuilder::new(uri);
        if let Some(name) = adapter.subprotocol() {
            request = request.with_sub_protocol(name);
        }
        if line.offers() {
            request = request.with_header("Sec-WebSocket-Extensions", OFFER);
        }
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_write_buffer_size(BACKLOG_BYTES)
            .max_message_size(Some(LARGEST_MESSAGE))
            .max_frame_size(Some(LARGEST_MESSAGE));
        self.shaken(client_with_config(request, line, Some(config)))
    }

    fn shaken(
        &mut self,
        result: Result<(WebSocket<Line>, Response), HandshakeError<ClientHandshake<Line>>>,
    ) -> Result<(), Lost> {
        *self = match result {
            Ok((socket, response)) => Self::Open(extended(socket, &response)?),
            Err(HandshakeError::Interrupted(shaking)) => Self::Shaking(shaking),
            Err(HandshakeError::Failure(error)) => return Err(Lost::library(&error)),
        };
        Ok(())
    }

    /// Reads what the socket has. `hangup`: the peer has ended its side. True: there may be more.
    pub fn fill(&mut self, hangup: bool) -> Result<bool, Lost> {
        match self.line() {
            Some(line) => line.fill(hangup).map_err(|fault| Lost::fault(&fault)),
            None => Ok(false),
        }
    }

    /// Bytes that have come from the socket since this was asked last.
    pub fn take_received(&mut self) -> u64 {
        self.line().map_or(0, Line::take_received)
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
        matches!(self, Self::Open(socket) if socket.get_ref().wire().backlog() > BACKLOG_BYTES / 2)
    }

    /// Hands a text message to the library, compressed where that is spoken.
    pub fn send(&mut self, text: String, deflater: &mut Deflater) -> Result<(), Lost> {
        match self {
            Self::Open(socket) => {
                let message = if socket.get_ref().offers() {
                    Message::Frame(compressed(&text, deflater))
                } else {
                    Message::text(text)
                };
                socket.send(message).map_err(|error| Lost::library(&error))
            }
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

/// The opened `socket` with the extension that was agreed on, if any was offered.
fn extended(mut socket: WebSocket<Line>, response: &Response) -> Result<WebSocket<Line>, Lost> {
    let fields = response.headers().get_all("Sec-WebSocket-Extensions");
    let fields = fields.iter().map(|field| field.to_str().unwrap_or("?"));
    let agreement = agreed(socket.get_ref().offers(), fields)
        .map_err(|message| Lost::new(Status::Error, message))?;
    if let Some(agreement) = agreement {
        let agreed = socket.get_mut().agree(agreement);
        agreed.map_err(|fault| Lost::fault(&fault))?;
    }
    Ok(socket)
}

fn compressed(text: &str, deflater: &mut Deflater) -> Frame {
    let header = FrameHeader {
        is_final: true,
        rsv1: true,
        opcode: OpCode::Data(Data::Text),
        ..FrameHeader::default()
    };
    Frame::from_payload(header, deflater.deflate(text.as_bytes()).into())
}
