//! A set of places on a board.

/// Places 0 to some number, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    words: Vec<u64>,
}

impl Members {
    /// None of `places` places.
    pub fn none_of(places: usize) -> Self {
        Self {
            words: vec![0; places.div_ceil(64)],
        }
    }

    /// Tells whether `place` is in the set.
    pub fn has(&self, place: usize) -> bool {
        self.words
            .get(place / 64)
            .is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Adds `place`; false when it was in the set already.
    pub fn add(&mut self, place: usize) -> bool {
        let (word, bit) = (&mut self.words[place / 64], 1 << (place % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Takes `place` out; false when it was not in the set.
    pub fn remove(&mut self, place: usize) -> bool {
        let (word, bit) = (&mut self.words[place / 64], 1 << (place % 64));
        let known = *word & bit != 0;
        *word &= !bit;
        known
    }

    /// Number of places in the set.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// The places in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len() * 64).filter(|place| self.has(*place))
    }
}

#[cfg(test)]
mod tests {
    use super::Members;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn like_a_set(steps in prop::collection::vec((0_usize..150, any::<bool>()), 0..200)) {
            let (mut members, mut naive) = (Members::none_of(150), BTreeSet::new());
            for (place, adds) in steps {
                if adds {
                    prop_assert_eq!(members.add(place), naive.insert(place));
                } else {
                    prop_assert_eq!(members.remove(place), naive.remove(&place));
                }
            }
            prop_assert_eq!(members.count() as usize, naive.len());
            prop_assert!(members.iter().eq(naive.iter().copied()));
            prop_assert!(!members.has(1000));
        }
    }
}
