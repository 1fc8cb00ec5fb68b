//! zmq.rs, ZeroMQ in Rust alone: a DEALER for each user, to the server's ROUTER; where users send to
//! each other a SUB beside it, to the server's XPUB.

mod server;

use std::process::ExitCode;
use std::time::Duration;

use bytes::Bytes;
use tokio::task::JoinHandle;
use wirelab_messaging::{Inbox, Link, Product, Status, Transport, is_answer, run};
use zeromq::{
    DealerSocket, Socket, SocketRecv, SocketSend, SubSocket, ZmqError, ZmqMessage, ZmqResult,
};

use crate::server::of;

const ECHOED: &[u8] = b"e";
const TOLD: &[u8] = b"b";
const EVERYBODY: &str = "all";
const GREETING: &str = "hello.";

fn library() -> Product<'static> {
    Product::locked(include_str!("../Cargo.lock"), "zeromq")
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("server") {
        return server::serve();
    }
    run(library(), |spec| {
        let endpoint = spec.endpoint("server")?;
        let (asks, publishes) =
            endpoint.split_once(' ').ok_or("endpoints.server: expected two addresses")?;
        let limit = Duration::from_nanos(spec.limits.operation_ns);
        Ok(Sockets { asks: asks.to_owned(), publishes: publishes.to_owned(), limit })
    })
}

struct Sockets {
    asks: String,
    publishes: String,
    limit: Duration,
}

impl Transport for Sockets {
    type Link = Peer;
    type Error = ZmqError;

    /// Connecting ends with the handshake, and where others send, with the greeting.
    async fn connect(&self, user: u32, inbox: Option<Inbox>) -> Result<Peer, ZmqError> {
        let mut dealer = DealerSocket::new();
        dealer.connect(&self.asks).await?;
        let listening = match inbox {
            Some(inbox) => Some(self.listen(user, inbox).await?),
            None => None,
        };
        Ok(Peer { dealer, listening })
    }

    fn explain(error: &ZmqError) -> (Status, String) {
        match error {
            ZmqError::Network(_) => (Status::Refused, "Network".into()),
            ZmqError::NoMessage | ZmqError::BufferFull(_) | ZmqError::Codec(_) => {
                (Status::Disconnected, "Lost".into())
            }
            _ => (Status::Error, "ZmqError".into()),
        }
    }
}

impl Sockets {
    /// Subscribing is not answered: the publisher greets a topic that is subscribed to last.
    async fn listen(&self, user: u32, inbox: Inbox) -> ZmqResult<JoinHandle<()>> {
        let mut subscription = SubSocket::new();
        subscription.connect(&self.publishes).await?;
        subscription.subscribe(EVERYBODY).await?;
        // Ended by a point: a topic is subscribed to by how it begins.
        subscription.subscribe(&format!("{GREETING}{user}.")).await?;
        let greeted = async {
            loop {
                let came = subscription.recv().await?;
                match came.get(0) {
                    Some(topic) if topic.starts_with(GREETING.as_bytes()) => return Ok(()),
                    _ => hand_over(&inbox, &came),
                }
            }
        };
        tokio::time::timeout(self.limit, greeted).await.unwrap_or(Err(ZmqError::NoMessage))?;
        Ok(tokio::spawn(async move {
            while let Ok(came) = subscription.recv().await {
                hand_over(&inbox, &came);
            }
        }))
    }
}

fn hand_over(inbox: &Inbox, came: &ZmqMessage) {
    if let (Some(topic), Some(message)) = (came.get(0), came.get(1))
        && topic == EVERYBODY
    {
        inbox.take(message);
    }
}

struct Peer {
    dealer: DealerSocket,
    /// The task that reads the subscription.
    listening: Option<JoinHandle<()>>,
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(listening) = &self.listening {
            listening.abort();
        }
    }
}

impl Link for Peer {
    type Error = ZmqError;

    async fn echo(&mut self, message: &[u8]) -> Result<Vec<u8>, ZmqError> {
        self.dealer.send(of(&[ECHOED.into(), Bytes::copy_from_slice(message)])).await?;
        loop {
            let came = self.dealer.recv().await?;
            // What came too late for a call that was given up is not the answer to this one.
            if let Some(reply) = came.get(0).filter(|reply| is_answer(reply, message)) {
                return Ok(reply.to_vec());
            }
        }
    }

    async fn broadcast(&mut self, message: &[u8]) -> Result<(), ZmqError> {
        self.dealer.send(of(&[TOLD.into(), Bytes::copy_from_slice(message)])).await
    }
}
