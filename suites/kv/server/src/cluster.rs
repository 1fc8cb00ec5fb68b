//! The virtual nodes, who owns which partition, and when that changes.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::data::{self, mix};
use crate::wire::PARTITIONS;

/// Nodes a cluster has at most.
pub const MOST_NODES: usize = 64;

/// A virtual node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Name as the protocol names nodes: up to 16 hexadecimal digits.
    pub id: String,
    /// Address at which it listens while it is there.
    pub address: SocketAddr,
}

/// A time between two changes of the cluster.
#[derive(Clone, Debug)]
pub struct Epoch {
    /// Time at which it begins, in nanoseconds after the first batch read.
    pub begin_ns: u64,
    /// Counts the changes, from 1: the generation of partitions and of peers.
    pub generation: u32,
    alive: Vec<bool>,
    owners: Vec<usize>,
    maps: Vec<String>,
}

impl Epoch {
    fn new(begin_ns: u64, generation: u32, alive: Vec<bool>) -> Self {
        let owners: Vec<usize> = (0..PARTITIONS).map(|p| owner(p, &alive)).collect();
        let maps = (0..alive.len()).map(|node| map(node, &owners)).collect();
        Self {
            begin_ns,
            generation,
            alive,
            owners,
            maps,
        }
    }

    /// Tells whether a node is there.
    #[must_use]
    pub fn is_alive(&self, node: usize) -> bool {
        self.alive[node]
    }

    /// The node that a partition belongs to.
    #[must_use]
    pub fn owner(&self, partition: usize) -> usize {
        self.owners[partition]
    }

    /// Partitions that a node owns, as the info command `replicas` says it.
    #[must_use]
    pub fn replicas(&self, node: usize) -> String {
        format!(
            "{}:{},1,{}",
            data::NAMESPACE,
            self.generation,
            self.maps[node]
        )
    }
}

/// The living node with the highest draw for a partition: where a node comes or goes, no other
/// partitions move than those it gets or had (rendezvous hashing).
fn owner(partition: usize, alive: &[bool]) -> usize {
    (0..alive.len())
        .filter(|node| alive[*node])
        .max_by_key(|node| mix((*node as u64) << 32 | partition as u64))
        .unwrap_or_default()
}

/// A bit a partition, the first one the highest of its byte.
fn map(node: usize, owners: &[usize]) -> String {
    let mut bits = [0_u8; PARTITIONS / 8];
    for (partition, owner) in owners.iter().enumerate() {
        if *owner == node {
            bits[partition / 8] |= 0x80 >> (partition % 8);
        }
    }
    STANDARD.encode(bits)
}

/// A node that comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Nanoseconds after the first batch read.
    pub at_ns: u64,
    /// Its number.
    pub node: usize,
    /// It comes.
    pub comes: bool,
}

/// All nodes and epochs; the time of an epoch counts from the first batch read.
#[derive(Debug)]
pub struct Cluster {
    /// The nodes, those that come later included.
    pub nodes: Vec<Node>,
    epochs: Vec<Epoch>,
    began_ns: AtomicU64,
}

impl Cluster {
    /// Nodes at `addresses`, of which the first `present` are there from the beginning.
    #[must_use]
    pub fn new(addresses: &[SocketAddr], present: usize, mut changes: Vec<Change>) -> Self {
        let mut alive: Vec<bool> = (0..addresses.len()).map(|node| node < present).collect();
        let mut epochs = vec![Epoch::new(0, 1, alive.clone())];
        changes.sort_by_key(|change| change.at_ns);
        for change in changes {
            alive[change.node] = change.comes;
            let generation = epochs.len() as u32 + 1;
            epochs.push(Epoch::new(change.at_ns, generation, alive.clone()));
        }
        let node = |(number, address): (usize, &SocketAddr)| Node {
            id: format!("BB9{:012X}", number + 1),
            address: *address,
        };
        Self {
            nodes: addresses.iter().enumerate().map(node).collect(),
            epochs,
            began_ns: AtomicU64::new(0),
        }
    }

    /// Notes the first batch read, at `now_ns` of CLOCK_MONOTONIC. True for the one that was it.
    pub fn begin(&self, now_ns: u64) -> bool {
        self.began_ns.load(Ordering::Relaxed) == 0
            && self
                .began_ns
                .compare_exchange(0, now_ns, Ordering::SeqCst, Ordering::SeqCst)
                .is_ok()
    }

    /// Nanoseconds since the first batch read; none while there was none.
    #[must_use]
    pub fn elapsed(&self, now_ns: u64) -> Option<u64> {
        match self.began_ns.load(Ordering::Relaxed) {
            0 => None,
            began => Some(now_ns.saturating_sub(began)),
        }
    }

    /// The time of CLOCK_MONOTONIC that is `after_ns` after the first batch read.
    #[must_use]
    pub fn time_of(&self, after_ns: u64) -> u64 {
        self.began_ns
            .load(Ordering::Relaxed)
            .saturating_add(after_ns)
    }

    /// The epoch at `now_ns`.
    #[must_use]
    pub fn epoch(&self, now_ns: u64) -> &Epoch {
        let elapsed = self.elapsed(now_ns).unwrap_or(0);
        let begun = |epoch: &&Epoch| epoch.begin_ns <= elapsed;
        self.epochs
            .iter()
            .rev()
            .find(begun)
            .unwrap_or(&self.epochs[0])
    }

    /// Time at which the next epoch begins, in nanoseconds of CLOCK_MONOTONIC; none when nothing is
    /// known to change.
    #[must_use]
    pub fn next_change(&self, now_ns: u64) -> Option<u64> {
        let elapsed = self.elapsed(now_ns)?;
        let next = self.epochs.iter().find(|epoch| epoch.begin_ns > elapsed)?;
        Some(self.time_of(next.begin_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Cluster};
    use crate::wire::PARTITIONS;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use std::net::SocketAddr;

    fn addresses(count: u16) -> Vec<SocketAddr> {
        (0..count)
            .map(|n| SocketAddr::from(([127, 0, 0, 1], 3000 + n)))
            .collect()
    }

    fn owned(cluster: &Cluster, now_ns: u64, node: usize) -> Vec<usize> {
        let epoch = cluster.epoch(now_ns);
        (0..PARTITIONS)
            .filter(|p| epoch.owner(*p) == node)
            .collect()
    }

    #[test]
    fn every_partition_is_in_the_map_of_its_owner_alone() {
        let cluster = Cluster::new(&addresses(8), 8, Vec::new());
        let epoch = cluster.epoch(0);
        for node in 0..8 {
            let said = epoch.replicas(node);
            let map = STANDARD
                .decode(said.strip_prefix("wirelab:1,1,").unwrap())
                .unwrap();
            let bits = |p: &usize| map[p / 8] & (0x80 >> (p % 8)) != 0;
            let mapped: Vec<usize> = (0..PARTITIONS).filter(bits).collect();
            assert_eq!(mapped, owned(&cluster, 0, node));
            assert!((400..640).contains(&mapped.len()), "{}", mapped.len());
        }
    }

    #[test]
    fn partitions_move_from_a_node_that_goes_and_to_one_that_comes_and_nowhere_else() {
        let change = |at_ns, node, comes| Change { at_ns, node, comes };
        let changes = vec![
            change(300, 4, true),
            change(100, 1, false),
            change(200, 1, true),
        ];
        let cluster = Cluster::new(&addresses(5), 4, changes);
        assert_eq!(cluster.next_change(5), None);
        assert!(cluster.begin(1000));
        assert!(!cluster.begin(1050));
        let begin: Vec<usize> = (0..PARTITIONS)
            .map(|p| cluster.epoch(1000).owner(p))
            .collect();
        assert_eq!(cluster.next_change(1000), Some(1100));
        let down = cluster.epoch(1100);
        assert!(!down.is_alive(1) && down.generation == 2);
        for (partition, before) in begin.iter().enumerate() {
            let after = down.owner(partition);
            assert!(if *before == 1 {
                after != 1
            } else {
                after == *before
            });
            assert_eq!(cluster.epoch(1250).owner(partition), *before);
            let added = cluster.epoch(1300).owner(partition);
            assert!(added == *before || added == 4);
        }
        assert!(owned(&cluster, 1300, 4).len() > 600);
        assert_eq!(cluster.next_change(1300), None);
    }
}
