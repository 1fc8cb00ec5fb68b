//! The records, computed from one function: section "Data" of the suite's `README.md`.

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

const fn row(set: u64, key: u64) -> u64 {
    mix(set << 32 | key)
}

/// Whether there is a record of `key` in `set` (1 to 9).
#[must_use]
pub const fn exists(set: u64, key: u64) -> bool {
    row(set, key) % 1000 < FOUND[(set - 1) as usize]
}

/// The values of a record: integers as they are, doubles as their IEEE 754 bits.
#[must_use]
pub fn bins(set: u64, key: u64) -> [u64; BINS] {
    std::array::from_fn(|j| {
        let drawn = mix(row(set, key).wrapping_add(j as u64));
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
    use super::{bins, exists, mix};

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
    fn values_stay_within_their_ranges() {
        for key in 0..1000 {
            let bins = bins(1, key);
            assert!(bins[0] < 100_000 && bins[4] < 3);
            assert!(
                bins[5..]
                    .iter()
                    .all(|bits| (0.0..1.0).contains(&f64::from_bits(*bits)))
            );
        }
    }
}
