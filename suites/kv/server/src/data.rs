//! The records, computed from the secret of the trial: section "Data" of the suite's `README.md`.

use std::io;

use sha2::{Digest, Sha512};

/// The namespace all sets are in.
pub const NAMESPACE: &str = "wirelab";
/// Sets are numbered from 1 to this.
pub const SETS: u64 = 9;
/// Bins of a record.
pub const BINS: usize = 13;
/// The first bins are integers, the others doubles.
pub const INTEGERS: usize = 5;
/// Names of the bins, in their order.
pub const BIN_NAMES: [&str; BINS] = [
    "c0", "c1", "c2", "c3", "c4", "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7",
];

const FOUND: [u64; 9] = [840, 895, 645, 575, 980, 760, 910, 0, 690];
const CARDINALITY: [u64; INTEGERS] = [100_000, 50_000, 20_000, 10_000, 3];

/// The finaliser of splitmix64.
#[must_use]
pub const fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Secret that the values of a trial depend on. No client is given it.
#[derive(Default)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// Takes that of the trial; outside of one there is none.
    ///
    /// # Errors
    /// When the descriptor cannot be read.
    pub fn taken() -> io::Result<Self> {
        wirelab_sdk::secret::taken().map(Self)
    }

    fn digest(&self, set: u64, key: u64, number: u32) -> [u8; 64] {
        Sha512::new()
            .chain_update(&self.0)
            .chain_update((set as u32).to_le_bytes())
            .chain_update(key.to_le_bytes())
            .chain_update(number.to_le_bytes())
            .finalize()
            .into()
    }
}

/// Tells whether there is a record of `key` in `set` (1 to 9): known to everybody.
#[must_use]
pub const fn exists(set: u64, key: u64) -> bool {
    mix(set << 32 | key) % 1000 < FOUND[(set - 1) as usize]
}

/// The values of a record: integers as they are, doubles as their IEEE 754 bits.
#[must_use]
pub fn bins(secret: &Secret, set: u64, key: u64) -> [u64; BINS] {
    let digests = [0, 1].map(|number| secret.digest(set, key, number));
    let mut drawn = digests.as_flattened().chunks_exact(8).map(|bits| {
        bits.iter()
            .rfold(0, |all, byte| all << 8 | u64::from(*byte))
    });
    std::array::from_fn(|j| {
        let drawn = drawn.next().unwrap_or_default();
        if j < INTEGERS {
            drawn % CARDINALITY[j]
        } else {
            // 53 bits: the quotient is exact.
            ((drawn >> 11) as f64 / (1_u64 << 53) as f64).to_bits()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{INTEGERS, Secret, bins, exists, mix};

    #[test]
    fn the_function_is_splitmix64() {
        // First outputs of splitmix64 seeded with 0, as its author publishes them.
        assert_eq!(mix(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mix(0x9E37_79B9_7F4A_7C15), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn sets_have_the_share_of_records_they_are_known_for() {
        let share = |set| (0..10_000).filter(|key| exists(set, *key)).count();
        assert_eq!(share(8), 0);
        assert!((9_700..=9_900).contains(&share(5)), "{}", share(5));
        assert!((5_550..=5_950).contains(&share(4)), "{}", share(4));
    }

    #[test]
    fn values_are_those_of_the_readme() {
        // By a program of its own, in Python's integers and fractions.
        let whole = [58_396, 39_149, 16_548, 8_627, 1];
        let real = [
            0x3fdf_d642_1f00_f554,
            0x3fc6_a243_9cc1_6eec,
            0x3fb1_24cb_16c9_3808,
            0x3fe7_31f5_14d6_ee4a,
            0x3fe2_3fec_2ebd_61e9,
            0x3fc8_67f7_e9ce_4a3c,
            0x3fd9_324e_6f2a_2796,
            0x3fed_b6e5_26f7_f9ce,
        ];
        let secret = Secret((0..32).collect());
        let bins = bins(&secret, 1, 0);
        assert_eq!(
            (&bins[..INTEGERS], &bins[INTEGERS..]),
            (&whole[..], &real[..])
        );
    }

    #[test]
    fn values_stay_within_their_ranges() {
        for key in 0..1000 {
            let bins = bins(&Secret::default(), 1, key);
            assert!(bins[0] < 100_000 && bins[4] < 3);
            assert!(
                bins[5..]
                    .iter()
                    .all(|bits| (0.0..1.0).contains(&f64::from_bits(*bits)))
            );
        }
    }
}
