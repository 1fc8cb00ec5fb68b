//! Messages of a protocol, and how they are found in one direction of a connection.

use crate::aerospike;
use crate::http;
use crate::marks::Marks;
use crate::memcached;
use crate::opc_tcp::Chunks;
use crate::postgresql;
use crate::resp;
use crate::rows::Way;

/// A number that is not known.
pub const UNKNOWN: u32 = u32::MAX;

/// Number of a request that reads items, of protocols whose services have no numbers of their own.
pub const READ: u32 = 1;

/// Number of a message that a client sends, and that comes back to it with the same mark.
pub const MARKED: u32 = 2;

/// Facts that a message tells of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Position of its first byte in the stream.
    pub position: u64,
    pub size: u32,
    /// Kind of the message: of OPC UA three letters, and `F` for a final chunk, `C` for one that
    /// another follows, `A` for one that ends a message that is given up; of other requests the
    /// digest of the names that they ask for.
    pub kind: [u8; 4],
    /// An answer has the number of its request.
    pub request: u32,
    /// Number of the service that is asked for or answers; 0: it is not said, or none that is
    /// looked for.
    pub service: u32,
    pub items: u32,
    pub readable: bool,
}

impl Message {
    /// One from `begin` to `end` of the stream that says its number and no more.
    pub fn numbered(request: u32, begin: u64, end: u64) -> Self {
        Self {
            position: begin,
            size: (end - begin) as u32,
            kind: [0; 4],
            request,
            service: 0,
            items: UNKNOWN,
            readable: true,
        }
    }
}

/// Protocol by which messages are found in a stream.
pub enum Framing {
    None,
    OpcTcp,
    Resp,
    Memcached,
    Postgresql,
    Aerospike,
    /// And messages of WebSocket that have marks.
    Http(Option<Marks>),
}

impl Framing {
    /// The one of that name, and what it is told.
    pub fn named(name: &str, told: &[String]) -> Option<Self> {
        match name {
            "websocket" => match told {
                [who, which] => Some(Self::Http(Some(Marks::of([who, which])))),
                _ => None,
            },
            "http" => Some(Self::Http(None)),
            "opc-tcp" => Some(Self::OpcTcp),
            "resp" => Some(Self::Resp),
            "memcached" => Some(Self::Memcached),
            "postgresql" => Some(Self::Postgresql),
            "aerospike" => Some(Self::Aerospike),
            _ => None,
        }
    }

    /// Dissector for the messages of one direction.
    pub fn dissector(&self, way: Way) -> Option<Box<dyn Dissector>> {
        match (self, way) {
            (Self::None, _) => None,
            (Self::OpcTcp, _) => Some(Box::<Chunks>::default()),
            (Self::Resp, Way::ToServer) => Some(Box::<resp::RespCommands>::default()),
            (Self::Resp, Way::FromServer) => Some(Box::<resp::Replies>::default()),
            (Self::Memcached, Way::ToServer) => {
                Some(Box::<memcached::MemcachedCommands>::default())
            }
            (Self::Memcached, Way::FromServer) => Some(Box::<memcached::Replies>::default()),
            (Self::Postgresql, Way::ToServer) => {
                Some(Box::<postgresql::PostgresqlRequests>::default())
            }
            (Self::Postgresql, Way::FromServer) => {
                Some(Box::<postgresql::PostgresqlAnswers>::default())
            }
            (Self::Aerospike, Way::ToServer) => {
                Some(Box::<aerospike::AerospikeRequests>::default())
            }
            (Self::Aerospike, Way::FromServer) => {
                Some(Box::<aerospike::AerospikeAnswers>::default())
            }
            (Self::Http(marks), Way::ToServer) => {
                Some(Box::new(http::Requests::new(marks.clone())))
            }
            (Self::Http(marks), Way::FromServer) => {
                Some(Box::new(http::Responses::new(marks.clone())))
            }
        }
    }
}

/// Finds the messages of one direction of a connection.
pub trait Dissector {
    /// Takes what follows at `position` of the stream in; false where it is none of the protocol's.
    fn take(&mut self, position: u64, bytes: &[u8], found: &mut Vec<Message>) -> bool;

    /// Goes on behind a gap, where a message begins with these bytes; false where that cannot be
    /// known.
    fn goes_on(&mut self, bytes: &[u8]) -> bool;

    /// Tells whether what follows is encrypted, in both directions.
    fn secured(&self) -> bool {
        false
    }

    /// Takes what follows for encrypted.
    fn secure(&mut self) {}
}
