//! zmq.rs, ZeroMQ in Rust alone: a DEALER for each user, to the server's ROUTER.

mod server;

use std::process::ExitCode;

use bytes::Bytes;
use wirelab_messaging::{Link, Product, Status, Transport, is_answer, run};
use zeromq::{DealerSocket, Socket, SocketRecv, SocketSend, ZmqError, ZmqMessage};

fn library() -> Product<'static> {
    Product::locked(include_str!("../Cargo.lock"), "zeromq")
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("server") {
        return server::serve();
    }
    run(library(), |spec| Ok(Dealers { server: spec.endpoint("server")?.to_owned() }))
}

struct Dealers {
    server: String,
}

impl Transport for Dealers {
    type Link = Dealer;
    type Error = ZmqError;

    /// Connecting ends with the handshake.
    async fn connect(&self, _user: u32) -> Result<Dealer, ZmqError> {
        let mut socket = DealerSocket::new();
        socket.connect(&self.server).await?;
        Ok(Dealer(socket))
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

struct Dealer(DealerSocket);

impl Link for Dealer {
    type Error = ZmqError;

    async fn echo(&mut self, message: &[u8]) -> Result<Vec<u8>, ZmqError> {
        self.0.send(ZmqMessage::from(Bytes::copy_from_slice(message))).await?;
        loop {
            let came = self.0.recv().await?;
            // What came too late for a call that was given up is not the answer to this one.
            if let Some(reply) = came.get(0).filter(|reply| is_answer(reply, message)) {
                return Ok(reply.to_vec());
            }
        }
    }
}
