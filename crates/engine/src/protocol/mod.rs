//! Transport of the suite's messages: in WebSocket text frames, or in what is taken instead.

use std::borrow::Cow;
use std::sync::Arc;

mod calls;
mod events;
mod json;
pub mod records;
mod signalr;
mod skipped;
mod socketio;
mod sockjs;
mod stomp;

pub use self::skipped::skipped;
use self::sockjs::{SockJs, Transport};
use self::stomp::Stomp;

/// The protocols known, as servers name them in the fact `protocol`.
pub const KNOWN: &str = "json, stomp, stomp-sockjs, stomp-sockjs-eventsource, \
    stomp-sockjs-xhr-streaming, stomp-sockjs-xhr, socket.io, signalr, sse, grpc";

/// A user and the board it joins.
#[derive(Clone, Copy, Debug)]
pub struct BoardUser<'a> {
    /// Name of the board.
    pub board: &'a str,
    /// Number of the user.
    pub user: u32,
}

impl BoardUser<'_> {
    /// The join object of the suite.
    fn join(&self) -> String {
        self.object("join")
    }

    fn object(&self, kind: &str) -> String {
        format!(
            r#"{{"type":"{kind}","board":"{}","user":{}}}"#,
            self.board, self.user
        )
    }
}

/// Meaning of a message from the server.
#[derive(Debug, PartialEq, Eq)]
pub enum ServerMessage<'a> {
    /// The text of a draw object (or of what the server takes for one).
    Draw(Cow<'a, str>),
    /// The user is on its board.
    Joined,
    /// The protocol wants these sent.
    Reply(Vec<String>),
    /// Nothing to do.
    Nothing,
    /// The server refuses, in its own words.
    Refused(String),
    /// Not a message of the protocol.
    Garbage,
}

/// Carrier of the messages of a protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A WebSocket, both ways.
    WebSocket,
    /// Events of an HTTP response from the server, and requests to it on a connection of their own.
    Events,
    /// Responses of HTTP, each asked for when the one before it has ended, and requests as well.
    Responses(StreamForm),
    /// A call of gRPC whose messages go both ways.
    Calls,
}

impl Carrier {
    /// Scheme with which addresses of servers begin.
    pub fn scheme(self) -> &'static str {
        match self {
            Self::WebSocket => "ws",
            Self::Events | Self::Responses(_) | Self::Calls => "http",
        }
    }

    /// Connections of a user.
    pub fn connections(self) -> u64 {
        match self {
            Self::WebSocket | Self::Calls => 1,
            Self::Events | Self::Responses(_) => 2,
        }
    }
}

/// Form of messages in a response of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamForm {
    /// Server-sent events, asked for by GET.
    Events,
    /// Lines, asked for by POST.
    Lines,
}

/// One protocol. `state` begins at 0 with each connection and is the adapter's own.
pub trait Adapter: Send + Sync {
    /// Carrier of its messages.
    fn carrier(&self) -> Carrier {
        Carrier::WebSocket
    }

    /// To be asked for in the handshake.
    fn subprotocol(&self) -> Option<&'static str> {
        None
    }

    /// Tells whether messages are records that end with [`records::END`], wherever frames begin and
    /// end.
    fn records(&self) -> bool {
        false
    }

    /// Sent while there is nothing else to send, in protocols in which a silent side is a lost one.
    fn ping(&self) -> Option<&'static str> {
        None
    }

    /// The address of a connection of this name, by which `member` joins, on a server with that
    /// endpoint.
    fn address(&self, endpoint: String, _connection: &str, _member: BoardUser<'_>) -> String {
        endpoint
    }

    /// The address that takes what is sent on the connection of this address, where messages go by
    /// requests; None: the endpoint.
    fn sends_to(&self, _address: &str) -> Option<String> {
        None
    }

    /// The messages in a text; None: it is one itself.
    fn unwrapped(&self, _frame: &str) -> Option<Vec<String>> {
        None
    }

    /// Sent when the connection is open.
    fn hello(&self, member: BoardUser<'_>) -> Option<String>;

    /// Understands a message from the server.
    fn hear<'a>(&self, member: BoardUser<'_>, state: &mut u8, text: &'a str) -> ServerMessage<'a>;

    /// Carries the draw object `text` to the server.
    fn draw(&self, board: &str, text: String) -> String;

    /// Tells whether a join has to be repeated, because the server may not have heard it.
    fn insists(&self) -> bool {
        false
    }

    /// Sent every 250 ms until the user is on its board.
    fn insist(&self, _member: BoardUser<'_>, _state: u8) -> Option<String> {
        None
    }
}

/// The adapter of a protocol by its name.
pub fn adapter(protocol: &str) -> Option<Arc<dyn Adapter>> {
    match protocol {
        "json" => Some(Arc::new(json::Json)),
        "sse" => Some(Arc::new(events::Events)),
        "grpc" => Some(Arc::new(calls::Calls)),
        "stomp" => Some(Arc::new(Stomp)),
        "stomp-sockjs" => Some(stomp_over(Transport::WebSocket)),
        "stomp-sockjs-eventsource" => Some(stomp_over(Transport::EventSource)),
        "stomp-sockjs-xhr-streaming" => Some(stomp_over(Transport::XhrStreaming)),
        "stomp-sockjs-xhr" => Some(stomp_over(Transport::Xhr)),
        "signalr" => Some(Arc::new(signalr::SignalR)),
        "socket.io" => Some(Arc::new(socketio::SocketIo)),
        _ => None,
    }
}

/// STOMP inside SockJS, by one of its transports.
fn stomp_over(transport: Transport) -> Arc<dyn Adapter> {
    Arc::new(SockJs {
        inner: Stomp,
        transport,
    })
}

/// Reads what `text` says to `member` if it is a `joined` object (`kind` names its type); None
/// otherwise.
fn joined(member: BoardUser<'_>, kind: &str, text: &str) -> Option<bool> {
    let object: serde_json::Value = serde_json::from_str(text).ok()?;
    (object.get("type")? == kind).then_some(())?;
    let here = object.get("board")? == member.board;
    Some(here && object.get("user")?.as_u64() == Some(member.user.into()))
}
