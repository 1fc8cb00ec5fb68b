//! One user's way to the server and back, by whatever carries the messages.

use tungstenite::Utf8Bytes;
use tungstenite::http::Uri;
use wirelab_sdk::status::Status;

use super::call_link::CallLink;
use super::connection::Connection;
use super::event_link::EventLink;
use super::lost::Lost;
use crate::net::connector::Connector;
use crate::protocol::{Carrier, StreamForm};
use crate::websocket::deflate::Deflater;
use crate::websocket::plan::WebSocketPlan;

/// Something that reading has brought.
pub enum Heard {
    /// A text message.
    Text(Utf8Bytes),
    /// A message of a kind that the suite does not have.
    Foreign(String),
    /// A ping was answered.
    Pong {
        /// With what it said.
        is_quoted: bool,
    },
    /// A message to the server was refused, with this status of HTTP.
    Refused(u16),
    /// Nothing more for now.
    Nothing,
}

/// Result of an event of the socket.
#[derive(Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing to do yet.
    Waiting,
    /// Messages can come from now on.
    Opened,
    /// They could before.
    Open,
}

impl Progress {
    /// Of a link whose messages can come once it has `begun`; notes in `opened` that they can.
    pub fn of(opened: &mut bool, begun: bool) -> Self {
        match (*opened, begun) {
            (true, _) => Self::Open,
            (false, false) => Self::Waiting,
            (false, true) => {
                *opened = true;
                Self::Opened
            }
        }
    }
}

/// Things that the links of a thread are made with, and send with.
pub struct Shared {
    /// Makes their connections.
    pub connector: Connector,
    /// Compresses what they send, where that is spoken.
    pub deflater: Deflater,
}

/// Socket of a user that is read, of those that it has: numbers of connections count all first
/// sockets of a thread's users, and then all second ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Index among the thread's users.
    pub index: usize,
    /// True for the one that only takes what the user sends.
    pub is_second: bool,
}

impl Side {
    /// The socket of a number, on a thread of so many users.
    pub fn of(number: usize, users: usize) -> Self {
        Self {
            index: number % users,
            is_second: number >= users,
        }
    }
}

/// Way in which a user is connected.
#[derive(Default)]
pub enum Link {
    /// Not at all.
    #[default]
    None,
    /// By a WebSocket.
    WebSocket(Box<Connection>),
    /// By responses of HTTP, and requests.
    Events(Box<EventLink>),
    /// By a call of gRPC.
    Call(Box<CallLink>),
}

impl Link {
    /// Begins to connect user `index` of `users`, to `address`.
    pub fn dial(
        plan: &WebSocketPlan,
        address: &str,
        (index, users): (usize, usize),
        shared: &mut Shared,
    ) -> Result<Self, Lost> {
        let sends_to = plan.adapter.sends_to(address).map(|to| uri(&to));
        let sends_to = sends_to.unwrap_or_else(|| Ok(plan.target.uri.clone()));
        let address = uri(address)?;
        let connector = &mut shared.connector;
        match plan.adapter.carrier() {
            Carrier::WebSocket => {
                let subprotocol = plan.adapter.subprotocol();
                let compressed = plan.compressed;
                Connection::dial(connector, index, address, subprotocol, compressed)
                    .map(|connection| Self::WebSocket(Box::new(connection)))
            }
            Carrier::Calls => {
                CallLink::dial(connector, index, address).map(|link| Self::Call(Box::new(link)))
            }
            carrier @ (Carrier::Events | Carrier::Responses(_)) => {
                let form = match carrier {
                    Carrier::Responses(form) => (form, true),
                    _ => (StreamForm::Events, false),
                };
                let numbers = [index, index + users];
                EventLink::dial(connector, numbers, &address, &sends_to?, form)
                    .map(|link| Self::Events(Box::new(link)))
            }
        }
    }

    /// Goes on after a socket said that it is writable: connected, or room for more.
    pub fn writable(&mut self, side: Side) -> Result<(), Lost> {
        match self {
            Self::None => Ok(()),
            Self::WebSocket(connection) => connection.writable(),
            Self::Events(link) => link.writable(side.is_second),
            Self::Call(link) => link.writable(),
        }
    }

    /// Reads what a socket has. `hangup`: the peer has ended its side. True: there may be more.
    pub fn fill(&mut self, side: Side, hangup: bool, shared: &mut Shared) -> Result<bool, Lost> {
        match self {
            Self::None => Ok(false),
            Self::WebSocket(connection) => connection.fill(hangup),
            Self::Events(link) => link.fill(side.is_second, hangup, &mut shared.connector),
            Self::Call(link) => link.fill(hangup),
        }
    }

    /// Bytes that have come from the sockets since this was asked last.
    pub fn take_received(&mut self) -> u64 {
        match self {
            Self::None => 0,
            Self::WebSocket(connection) => connection.take_received(),
            Self::Events(link) => link.take_received(),
            Self::Call(link) => link.take_received(),
        }
    }

    /// Bytes that the sockets have taken since this was asked last.
    pub fn take_written(&mut self) -> u64 {
        match self {
            Self::None => 0,
            Self::WebSocket(connection) => connection.take_written(),
            Self::Events(link) => link.take_written(),
            Self::Call(link) => link.take_written(),
        }
    }

    /// Goes on with what [`Link::fill`] has read.
    pub fn advance(&mut self) -> Result<Progress, Lost> {
        match self {
            Self::None => Ok(Progress::Waiting),
            Self::WebSocket(connection) => connection.advance(),
            Self::Events(link) => Ok(link.advance()),
            Self::Call(link) => Ok(link.advance()),
        }
    }

    /// The next message of what has been read.
    pub fn hear(&mut self) -> Result<Heard, Lost> {
        match self {
            Self::None => Ok(Heard::Nothing),
            Self::WebSocket(connection) => connection.hear(),
            Self::Events(link) => link.hear(),
            Self::Call(link) => link.hear(),
        }
    }

    /// Tells whether the peer takes so little that nothing more should be handed over.
    pub fn is_clogged(&self) -> bool {
        match self {
            Self::None => false,
            Self::WebSocket(connection) => connection.is_clogged(),
            Self::Events(link) => link.is_clogged(),
            Self::Call(link) => link.is_clogged(),
        }
    }

    /// Hands over a text message.
    pub fn send(&mut self, text: String, shared: &mut Shared) -> Result<(), Lost> {
        match self {
            Self::None => Err(Lost::new(Status::Disconnected, "not connected".to_owned())),
            Self::WebSocket(connection) => connection.send(text, &mut shared.deflater),
            Self::Events(link) => link.send(text, &mut shared.connector),
            Self::Call(link) => link.send(&text),
        }
    }

    /// Hands over a text message in two frames, and a ping between them. False: that is not had
    /// here.
    pub fn send_split(&mut self, text: String) -> Result<bool, Lost> {
        match self {
            Self::WebSocket(connection) => connection.send_split(text),
            Self::None | Self::Events(_) | Self::Call(_) => Ok(false),
        }
    }

    /// Hands over the bytes of a text message, whatever they are. False: that is not had here.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) -> Result<bool, Lost> {
        match self {
            Self::WebSocket(connection) => connection.send_bytes(bytes),
            Self::None | Self::Events(_) | Self::Call(_) => Ok(false),
        }
    }

    /// Says good-bye where the protocol has one, and hangs up where it has none.
    pub fn close(&mut self) {
        let waits = match self {
            Self::WebSocket(connection) => connection.close(),
            Self::None | Self::Events(_) | Self::Call(_) => false,
        };
        if !waits {
            *self = Self::None;
        }
    }

    /// Tells whether there is no connection, and none is being made.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

fn uri(address: &str) -> Result<Uri, Lost> {
    address
        .parse()
        .map_err(|_| Lost::new(Status::Error, "not an address".to_owned()))
}
