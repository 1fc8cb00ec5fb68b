//! Connecting to a server without waiting, from as many source addresses as it takes.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream as StdStream, ToSocketAddrs};

use mio::net::TcpStream;
use socket2::{Domain, Protocol, Socket, Type};
use tungstenite::http::Uri;

/// The last octet of the last source address: 127.0.0.1 to 127.0.0.254 are all this host.
const LAST_SOURCE: u8 = 254;

/// Endpoint of a server.
#[derive(Clone, Debug)]
pub struct Target {
    /// The endpoint as its role said it.
    pub uri: Uri,
    address: SocketAddr,
}

impl Target {
    /// Reads an endpoint of `scheme`, such as `ws://127.0.0.1:8080/board`; says what is wrong with
    /// it.
    pub fn parse(endpoint: &str, scheme: &str) -> Result<Self, String> {
        let wrong = |why: &str| format!("endpoint {endpoint}: {why}");
        let uri: Uri = endpoint.parse().map_err(|_| wrong("not an address"))?;
        if uri.scheme_str() != Some(scheme) {
            return Err(wrong(&format!("only {scheme}:// is spoken")));
        }
        let host = uri.host().ok_or_else(|| wrong("has no host"))?;
        let port = uri.port_u16().unwrap_or(80);
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let mut found = (host, port)
            .to_socket_addrs()
            .map_err(|e| wrong(&e.to_string()))?;
        let address = found.next().ok_or_else(|| wrong("no such host"))?;
        Ok(Self { uri, address })
    }

    /// Address to connect to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Begins connections to one server.
pub struct Dialer {
    address: SocketAddr,
    source: u8,
}

impl Dialer {
    /// A dialer to `target`.
    pub fn new(target: &Target) -> Self {
        Self {
            address: target.address,
            source: 0,
        }
    }

    /// Begins to connect. When the ports of one source address are used up, goes on with the
    /// next: a run of 10,000 users leaves as many ports unusable for a minute.
    pub fn connect(&mut self) -> io::Result<TcpStream> {
        loop {
            match self.connect_from_source() {
                Err(error) if is_out_of_ports(&error) && self.has_more_sources() => {
                    self.source += 1;
                }
                other => return other,
            }
        }
    }

    fn connect_from_source(&self) -> io::Result<TcpStream> {
        let domain = Domain::for_address(self.address);
        let socket = Socket::new(domain, Type::STREAM.nonblocking(), Some(Protocol::TCP))?;
        socket.set_tcp_nodelay(true)?;
        if self.source > 0 {
            let source = SocketAddr::from((Ipv4Addr::new(127, 0, 0, self.source), 0));
            socket.bind(&source.into())?;
        }
        match socket.connect(&self.address.into()) {
            Err(error) if !is_under_way(&error) => Err(error),
            _ => Ok(TcpStream::from_std(StdStream::from(socket))),
        }
    }

    fn has_more_sources(&self) -> bool {
        let local = matches!(self.address.ip(), IpAddr::V4(ip) if ip.is_loopback());
        local && self.source < LAST_SOURCE
    }
}

/// `connect` says the first when no port is left, `bind` the second.
fn is_out_of_ports(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::AddrNotAvailable | ErrorKind::AddrInUse
    )
}

fn is_under_way(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::INPROGRESS.raw_os_error())
}

/// Tells whether a socket that was connecting and has become writable is connected; else why not.
pub fn is_connected(socket: &TcpStream) -> io::Result<bool> {
    if let Some(error) = socket.take_error()? {
        return Err(error);
    }
    match socket.peer_addr() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotConnected => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn endpoints() {
        let target = Target::parse("ws://127.0.0.1:4711/board?x=1", "ws").expect("an endpoint");
        assert_eq!(target.address.port(), 4711);
        assert_eq!(target.uri.path(), "/board");
        for wrong in [
            "",
            "127.0.0.1:4711",
            "wss://127.0.0.1:1/",
            "http://127.0.0.1/",
            "ws://",
        ] {
            assert!(Target::parse(wrong, "ws").is_err(), "{wrong}");
        }
    }
}
