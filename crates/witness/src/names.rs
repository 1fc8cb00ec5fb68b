//! Names that a request asks for, as one number: whoever knows them can tell whether they are those.

/// More of them in one request are not told.
const MOST: usize = 8_192;

/// A hash of bytes that come piece by piece: FNV-1a of 64 bits.
#[derive(Clone, Copy)]
pub struct Hash(u64);

impl Hash {
    /// Hash of no bytes.
    pub const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    /// Takes one more in.
    pub fn take(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// Hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hash = Self::EMPTY;
        bytes.iter().for_each(|byte| hash.take(*byte));
        hash
    }
}

/// The names of one request.
#[derive(Default)]
pub struct Names(Vec<u64>);

impl Names {
    /// Takes a name in.
    pub fn take(&mut self, name: Hash) {
        if self.0.len() <= MOST {
            self.0.push(name.0);
        }
    }

    /// A number of all names, whatever their order and however often each was named; 0: none is
    /// known. Both halves of the sum, without carries, of the hashes of different names.
    pub fn digest(&mut self) -> u32 {
        let mut names = std::mem::take(&mut self.0);
        if names.len() > MOST {
            return 0;
        }
        names.sort_unstable();
        names.dedup();
        let all = names.iter().fold(0, |all, name| all ^ name);
        (all ^ (all >> 32)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(names: &[&[u8]]) -> u32 {
        let mut all = Names::default();
        for name in names {
            all.take(Hash::of(name));
        }
        all.digest()
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        // Of the authors' own table of test vectors: "a" is af63dc4c8601ec8c, "foobar"
        // 85944171f73967e8.
        assert_eq!(digest(&[b"a"]), 0xaf63_dc4c ^ 0x8601_ec8c);
        assert_eq!(digest(&[b"foobar"]), 0x8594_4171 ^ 0xf739_67e8);
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        assert_eq!(digest(&[b"a", b"b", b"a"]), digest(&[b"b", b"a"]));
        assert_ne!(digest(&[b"a", b"b"]), digest(&[b"a", b"c"]));
        assert_eq!(digest(&[]), 0);
    }

    #[test]
    fn too_many_are_not_told() {
        let names: Vec<Vec<u8>> = (0..=MOST).map(|n| n.to_string().into_bytes()).collect();
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        assert_eq!(digest(&names), 0);
        assert_ne!(digest(&names[1..]), 0);
    }
}
