//! One user's WebSocket, from the socket to the open connection.

use std::io::ErrorKind;

use tungstenite::client::{ClientRequestBuilder, client_with_config};
use tungstenite::handshake::client::{ClientHandshake, Response};
use tungstenite::handshake::{HandshakeError, MidHandshake};
use tungstenite::http::Uri;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::protocol::frame::{Frame, FrameHeader};
use tungstenite::{Error, Message, WebSocket};
use wirelab_sdk::status::Status;

use super::line::Line;
use super::link::{Heard, Progress};
use super::lost::Lost;
use crate::net::connector::Connector;
use crate::net::dial::is_connected;
use crate::net::wire::BACKLOG_BYTES;
use crate::websocket::deflate::{Deflater, OFFER, agreed};

/// Enough for the messages of a burst; whatever is larger makes it grow.
const READ_BUFFER: usize = 512;

/// Nothing in the suite is near this long.
const LARGEST_MESSAGE: usize = 1024 * 1024;

/// Content of a ping.
const PINGED: &str = "still there?";

/// State of a connection.
#[derive(Default)]
pub enum Connection {
    /// It has failed.
    #[default]
    Failed,
    /// The socket connects, for this request.
    Dialing(Line, ClientRequestBuilder),
    /// The server has been asked to speak WebSocket.
    Shaking(MidHandshake<ClientHandshake<Line>>),
    /// Messages can be sent and received.
    Open(WebSocket<Line>),
}

impl Connection {
    /// Begins to connect, as connection `number` of the thread.
    pub fn dial(
        connector: &mut Connector,
        number: usize,
        address: Uri,
        subprotocol: Option<&'static str>,
        compressed: bool,
    ) -> Result<Self, Lost> {
        let wire = connector
            .connect(number)
            .map_err(|error| Lost::io(&error))?;
        let mut request = ClientRequestBuilder::new(address);
        if let Some(name) = subprotocol {
            request = request.with_sub_protocol(name);
        }
        if compressed {
            request = request.with_header("Sec-WebSocket-Extensions", OFFER);
        }
        Ok(Self::Dialing(Line::new(wire, compressed), request))
    }

    /// Line below, if there is a connection.
    fn line(&mut self) -> Option<&mut Line> {
        match self {
            Self::Failed => None,
            Self::Dialing(line, _) => Some(line),
            Self::Shaking(shaking) => Some(shaking.get_mut().get_mut()),
            Self::Open(socket) => Some(socket.get_mut()),
        }
    }

    /// Goes on after the socket said that it is writable: connected, or room for more.
    pub fn writable(&mut self) -> Result<(), Lost> {
        let Some(line) = self.line() else {
            return Ok(());
        };
        line.wire_mut().resume().map_err(|error| Lost::io(&error))?;
        let Self::Dialing(line, _) = self else {
            return Ok(());
        };
        if !is_connected(&line.wire().socket).map_err(|error| Lost::io(&error))? {
            return Ok(());
        }
        let Self::Dialing(line, request) = std::mem::take(self) else {
            return Ok(());
        };
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

    /// Bytes that the socket has taken since this was asked last.
    pub fn take_written(&mut self) -> u64 {
        self.line().map_or(0, |line| line.wire_mut().take_written())
    }

    /// Goes on with what [`Connection::fill`] has read.
    pub fn advance(&mut self) -> Result<Progress, Lost> {
        match std::mem::take(self) {
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
                    let code = frame.as_ref().map(|frame| frame.code.into());
                    let why = frame.map_or_else(String::new, |frame| format!(": {frame}"));
                    let message = format!("closed by the server{why}");
                    Err(Lost::new(Status::Disconnected, message).by_code(code))
                }
                Ok(Message::Pong(said)) => Ok(Heard::Pong {
                    is_quoted: said.as_ref() == PINGED.as_bytes(),
                }),
                Ok(Message::Ping(_) | Message::Frame(_)) => continue,
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    Ok(Heard::Nothing)
                }
                Err(error) => Err(Lost::library(&error)),
            };
        }
    }

    /// Tells whether the peer reads so little that nothing more should be handed over.
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

    /// Hands a text message to the library in two frames, and a ping between them. False: messages
    /// are compressed, or there is no connection yet.
    pub fn send_split(&mut self, mut text: String) -> Result<bool, Lost> {
        let Self::Open(socket) = self else {
            return Ok(false);
        };
        if socket.get_ref().offers() {
            return Ok(false);
        }
        let rest = text.split_off(text.len() / 2);
        let frame = |part: String, kind, is_final| {
            let header = FrameHeader {
                is_final,
                opcode: OpCode::Data(kind),
                ..FrameHeader::default()
            };
            Message::Frame(Frame::from_payload(header, part.into()))
        };
        let messages = [
            frame(text, Data::Text, false),
            Message::Ping(PINGED.into()),
            frame(rest, Data::Continue, true),
        ];
        for message in messages {
            socket
                .send(message)
                .map_err(|error| Lost::library(&error))?;
        }
        Ok(true)
    }

    /// Hands over the bytes of a text message as they are. False: messages are compressed, or there
    /// is no connection yet.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) -> Result<bool, Lost> {
        match self {
            Self::Open(socket) if !socket.get_ref().offers() => {
                let header = FrameHeader {
                    opcode: OpCode::Data(Data::Text),
                    ..FrameHeader::default()
                };
                let message = Message::Frame(Frame::from_payload(header, bytes.into()));
                let sent = socket.send(message);
                sent.map_err(|error| Lost::library(&error)).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// Says good-bye, which whoever does not answer is left without. False: there was nobody yet to
    /// say it to.
    pub fn close(&mut self) -> bool {
        let Self::Open(socket) = self else {
            return false;
        };
        let _ = socket.close(None);
        true
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
