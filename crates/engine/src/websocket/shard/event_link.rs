//! One user of a server that speaks HTTP alone, as a browser has it: what comes is in a response that
//! does not end, or in one after another, and what is drawn goes by requests on a second connection.

use tungstenite::http::Uri;

use super::link::{Heard, Progress};
use super::lost::Lost;
use super::posts::Posts;
use super::stream::Stream;
use crate::net::connector::Connector;
use crate::protocol::StreamForm;

/// Bytes that are looked at once.
pub const CHUNK: usize = 4096;

/// A user's stream of messages, and its requests.
pub struct EventLink {
    stream: Stream,
    posts: Posts,
}

impl EventLink {
    /// Begins to connect: by the first number for what comes from `address`, in this form, by the
    /// second for requests to `endpoint`. `renews`: what has ended is asked for again.
    pub fn dial(
        connector: &mut Connector,
        [first, second]: [usize; 2],
        address: &Uri,
        endpoint: &Uri,
        (form, renews): (StreamForm, bool),
    ) -> Result<Self, Lost> {
        Ok(Self {
            stream: Stream::dial(connector, first, address, (form, renews))?,
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
            self.stream.fill(hangup, connector)
        }
    }

    /// Bytes that have come since this was asked last.
    pub fn take_received(&mut self) -> u64 {
        self.stream.take_received() + self.posts.take_received()
    }

    /// Bytes that the sockets have taken since this was asked last.
    pub fn take_written(&mut self) -> u64 {
        self.stream.take_written() + self.posts.take_written()
    }

    /// Tells whether the stream has begun.
    pub fn advance(&mut self) -> Progress {
        self.stream.advance()
    }

    /// The next message, or how the next request has failed.
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

/// Path that a request asks for at this address.
pub fn path_of(address: &Uri) -> &str {
    address.path_and_query().map_or("/", |path| path.as_str())
}

/// Host that a request at this address is for.
pub fn host_of(address: &Uri) -> &str {
    address.authority().map_or("", |host| host.as_str())
}
