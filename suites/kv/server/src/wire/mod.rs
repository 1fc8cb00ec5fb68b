//! The Aerospike wire protocol, as far as clients that read and write single records and batches
//! speak it. All numbers are big-endian.

pub mod batch;
pub mod frame;
pub mod message;
pub mod reader;
pub mod result;

use std::fmt;

/// Bytes that break the protocol: the connection they came on has to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}

impl std::error::Error for Malformed {}

/// RIPEMD-160 of set and key: what the protocol knows a record by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(pub [u8; 20]);

/// Partitions of a namespace.
pub const PARTITIONS: usize = 4096;

impl Digest {
    /// The digest of a key that is a string.
    #[must_use]
    pub fn of_string(set: &str, key: &str) -> Self {
        use ripemd::Digest as _;
        let hash = ripemd::Ripemd160::new()
            .chain_update(set)
            .chain_update([message::PARTICLE_STRING])
            .chain_update(key);
        Self(hash.finalize().into())
    }

    /// The partition it is in: its first 12 bits, little-endian.
    #[must_use]
    pub fn partition(&self) -> usize {
        usize::from(u16::from_le_bytes([self.0[0], self.0[1]])) % PARTITIONS
    }
}

impl std::hash::Hash for Digest {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Any eight bytes do: it is a hash already. The first ones say the partition.
        let [_, _, _, _, part @ .., _, _, _, _, _, _, _, _] = self.0;
        state.write_u64(u64::from_ne_bytes(part));
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn the_digest_is_the_clients_own() {
        // aerospike.calc_digest("wirelab", "set_1", "k17") of the Python client 19.3.0.
        let digest = Digest::of_string("set_1", "k17");
        let hex: String = digest.0.iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(hex, "51745f1bcac644aafb65935b5626969e56c8537d");
        assert_eq!(digest.partition(), 1105);
    }
}
