//! The multi-gets that clients ask for; the suite's `README.md` defines them.

use wirelab_sdk::schedule::Step;
use wirelab_sdk::spec::{Spec, SpecError};

/// Multi-gets of a step.
pub(crate) const MULTI_GETS: u64 = 64;

/// The finaliser of splitmix64, which everything random follows from.
pub(crate) fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Multi-get that a lane asks for at a tick.
pub(crate) fn number(tick: u64, lane: u16) -> u64 {
    mix(tick << 16 | u64::from(lane)) % MULTI_GETS
}

/// Parameters that all multi-gets of a step have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Asked {
    pub(crate) set: u64,
    pub(crate) keys: u64,
    universe: u64,
    is_repeated: bool,
}

impl Asked {
    /// Parameters that `step` asks for, or the spec where there is none.
    pub(crate) fn of(spec: &Spec, step: &Step) -> Result<Self, SpecError> {
        let kind: String = spec.step_parameter(step, "keys_are", "drawn".to_owned())?;
        if kind != "drawn" && kind != "repeated" {
            let what = format!("keys_are must be drawn or repeated, found {kind:?}");
            return Err(SpecError(what));
        }
        Ok(Self {
            set: spec.step_parameter(step, "set", 1)?,
            keys: spec.step_parameter(step, "keys", 50)?,
            universe: spec.step_parameter(step, "universe", 10_000_u64)?.max(1),
            is_repeated: kind == "repeated",
        })
    }

    /// The keys of a multi-get: `k0` … `k9999`.
    pub(crate) fn keys_of(&self, seed: u64, multi_get: u64) -> Vec<String> {
        let base = mix(mix(seed) ^ (self.set << 48 | self.keys << 32 | multi_get));
        let place = |i| if self.is_repeated { 0 } else { i };
        let drawn = (0..self.keys).map(|i| mix(base.wrapping_add(place(i))) % self.universe);
        drawn.map(|key| format!("k{key}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, number};

    // Expected values are those of the suite's verifier.
    #[test]
    fn keys_are_drawn_as_the_readme_says() {
        let asked = Asked { set: 3, keys: 4, universe: 10_000, is_repeated: false };
        assert_eq!(asked.keys_of(4711, 17), ["k2793", "k9144", "k8726", "k3422"]);
        let repeated = Asked { is_repeated: true, ..asked };
        assert_eq!(repeated.keys_of(4711, 17), ["k2793"; 4]);
    }

    #[test]
    fn lanes_ask_for_different_multi_gets() {
        assert_eq!([number(0, 0), number(0, 1), number(7, 9)], [47, 1, 35]);
    }
}
