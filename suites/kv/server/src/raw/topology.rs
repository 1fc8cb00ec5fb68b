//! The nodes of the cluster, and which of them owns which partition.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Failure;
use crate::data;
use crate::wire::PARTITIONS;
use crate::wire::frame::{self, Kind};

const PATIENCE: Duration = Duration::from_secs(5);

/// Nodes by number, and the number of the owner of each partition.
#[derive(Debug)]
pub struct Topology {
    /// Addresses at which the nodes listen.
    pub addresses: Vec<SocketAddr>,
    owners: Vec<usize>,
}

impl Topology {
    /// Asks the node at `seed` for its peers, and each of them for its partitions.
    ///
    /// # Errors
    /// When a node cannot be reached, or a partition has no owner.
    pub fn ask(seed: &str) -> Result<Self, Failure> {
        let seed = seed
            .to_socket_addrs()?
            .next()
            .ok_or("the endpoint names no host that is known")?;
        let peers = value(seed, "peers-clear-std")?;
        let addresses: Vec<SocketAddr> = std::iter::once(seed)
            .chain(peers.split(['[', ']']).filter_map(|word| word.parse().ok()))
            .collect();
        let mut owners = vec![usize::MAX; PARTITIONS];
        for (node, address) in addresses.iter().enumerate() {
            let replicas = value(*address, "replicas")?;
            let map = map_of(&replicas).ok_or("a node without partitions of the namespace")?;
            for (partition, owner) in owners.iter_mut().enumerate() {
                if map
                    .get(partition / 8)
                    .is_some_and(|bits| bits & (0x80 >> (partition % 8)) != 0)
                {
                    *owner = node;
                }
            }
        }
        if owners.contains(&usize::MAX) {
            return Err("a partition without an owner".into());
        }
        Ok(Self { addresses, owners })
    }

    /// The number of the node that owns a partition.
    pub fn owner(&self, partition: usize) -> usize {
        self.owners[partition]
    }
}

/// The first map of the namespace in `namespace:regime,count,map,…;…`: that of its masters.
fn map_of(replicas: &str) -> Option<Vec<u8>> {
    let of_namespace = |part: &&str| part.split(':').next() == Some(data::NAMESPACE);
    let part = replicas.split(';').find(of_namespace)?;
    STANDARD.decode(part.split(',').nth(2)?).ok()
}

/// The value of one info command.
fn value(address: SocketAddr, command: &str) -> Result<String, Failure> {
    let mut socket = TcpStream::connect_timeout(&address, PATIENCE)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    let mut request = Vec::new();
    let at = frame::begin(&mut request, Kind::Info);
    request.extend_from_slice(command.as_bytes());
    request.push(b'\n');
    frame::end(&mut request, at);
    socket.write_all(&request)?;
    let mut header = [0; frame::HEADER];
    socket.read_exact(&mut header)?;
    let (_, length) = frame::heading(&header)?
        .ok_or_else(|| io::Error::other("the answer begins with no header of the protocol"))?;
    let mut body = vec![0; length - frame::HEADER];
    socket.read_exact(&mut body)?;
    let text = String::from_utf8(body)?;
    let (_, value) = text
        .trim_end()
        .split_once('\t')
        .ok_or("an info answer without a value")?;
    Ok(value.to_owned())
}
