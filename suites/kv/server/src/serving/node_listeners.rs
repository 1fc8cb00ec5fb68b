//! The listening sockets of the nodes. A node that is not there keeps its port and refuses.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use mio::net::{TcpListener, TcpStream};
use mio::{Interest, Registry, Token};
use socket2::{Domain, Socket, Type};

const BACKLOG: i32 = 1024;

/// A listener for each node, those that come later included.
pub struct NodeListeners {
    listeners: Vec<NodeListener>,
    addresses: Vec<SocketAddr>,
}

enum NodeListener {
    Open(TcpListener),
    /// Bound and not listening: who connects is refused, and nobody else gets the port.
    Kept(Socket),
    /// Between the two.
    Moving,
}

impl NodeListeners {
    /// Binds an address for each node; where its port is 0 the system gives one.
    ///
    /// # Errors
    /// When a port cannot be had.
    pub fn bind(wanted: &[SocketAddr]) -> io::Result<Self> {
        let mut listeners = Vec::new();
        let mut addresses = Vec::new();
        for address in wanted {
            let socket = bound(*address)?;
            let bound = socket.local_addr()?.as_socket();
            addresses.push(bound.ok_or_else(|| io::Error::other("a socket without a port"))?);
            listeners.push(NodeListener::Kept(socket));
        }
        Ok(Self {
            listeners,
            addresses,
        })
    }

    /// Addresses at which the nodes listen, by number.
    #[must_use]
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Opens the listener of a node, unless it is.
    ///
    /// # Errors
    /// When its port cannot be listened on.
    pub fn open(&mut self, node: usize, registry: &Registry, token: Token) -> io::Result<()> {
        match std::mem::replace(&mut self.listeners[node], NodeListener::Moving) {
            NodeListener::Kept(socket) => {
                socket.listen(BACKLOG)?;
                let mut listener = TcpListener::from_std(socket.into());
                registry.register(&mut listener, token, Interest::READABLE)?;
                self.listeners[node] = NodeListener::Open(listener);
            }
            other => self.listeners[node] = other,
        }
        Ok(())
    }

    /// Closes the listener of a node, unless it is.
    ///
    /// # Errors
    /// When somebody else took its port in that moment.
    pub fn close(&mut self, node: usize) -> io::Result<()> {
        if matches!(self.listeners[node], NodeListener::Open(_)) {
            // The listener must have gone before another socket can have its port.
            self.listeners[node] = NodeListener::Moving;
            self.listeners[node] = NodeListener::Kept(bound(self.addresses[node])?);
        }
        Ok(())
    }

    /// The next connection at a node's listener; none when nobody waits there.
    pub fn accept(&self, node: usize) -> Option<TcpStream> {
        let NodeListener::Open(listener) = &self.listeners[node] else {
            return None;
        };
        loop {
            match listener.accept() {
                Ok((socket, _)) => return Some(socket),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::ConnectionAborted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
                Err(error) => {
                    eprintln!("accept: {error}");
                    return None;
                }
            }
        }
    }
}

fn bound(address: SocketAddr) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    // Connections of before may still be saying goodbye.
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    Ok(socket)
}
