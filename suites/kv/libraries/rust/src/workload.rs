//! Work of a lane at a tick of YCSB's workloads; the suite's `README.md` defines it.

use serde_json::Value;
use wirelab_sdk::schedule::Step;
use wirelab_sdk::spec::{Spec, SpecError};

use crate::multi_gets::mix;
use crate::user_table::FIELDS;

/// Operation on a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Read,
    Update,
    Insert,
    Modify,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Update => "update",
            Self::Insert => "insert",
            Self::Modify => "modify",
        }
    }

    /// Tells whether its fields come back.
    pub(crate) fn reads(self) -> bool {
        matches!(self, Self::Read | Self::Modify)
    }

    /// Tells whether a field is replaced.
    pub(crate) fn changes(self) -> bool {
        matches!(self, Self::Update | Self::Modify)
    }
}

/// A workload: of 100 operations so many are reads, the rest of another kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workload {
    reads: u64,
    other: Kind,
    /// True where what was inserted last is read most; the others have favourites everywhere.
    latest: bool,
}

impl Workload {
    /// Workload of a step.
    pub(crate) fn of(spec: &Spec, step: &Step) -> Result<Self, SpecError> {
        let name: String = spec.step_parameter(step, "workload", "c".to_owned())?;
        Self::named(&name)
            .ok_or_else(|| SpecError(format!("workload must be a, b, c, d or f, found {name:?}")))
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        let (reads, other) = match name {
            "a" => (50, Kind::Update),
            "b" => (95, Kind::Update),
            "c" => (100, Kind::Read),
            "d" => (95, Kind::Insert),
            "f" => (50, Kind::Modify),
            _ => return None,
        };
        Some(Self { reads, other, latest: name == "d" })
    }
}

/// Work of a lane at a tick, drawn from nothing but the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub(crate) kind: Kind,
    /// Rank of the record: 0 is the one asked for most.
    pub(crate) rank: u64,
    /// The one that is written.
    pub(crate) field: usize,
}

/// Draws by what the database says of its table: how often each rank is asked for.
#[derive(Debug)]
pub(crate) struct Draws {
    /// Records that were there before the first operation.
    pub(crate) records: u64,
    seed: u64,
    first: Vec<u64>,
    until: Vec<u64>,
}

impl Draws {
    pub(crate) fn of(spec: &Spec) -> Result<Self, SpecError> {
        let said = spec.facts.get("server").and_then(|facts| facts.get("popularity"));
        said.and_then(|said| Self::said(spec.seed, said)).ok_or_else(|| {
            SpecError("the facts of the server have no popularity of records".to_owned())
        })
    }

    pub(crate) fn said(seed: u64, said: &Value) -> Option<Self> {
        let list = |name| said[name].as_array()?.iter().map(Value::as_u64).collect::<Option<_>>();
        Some(Self {
            records: said["records"].as_u64()?,
            seed: mix(seed),
            first: list("first")?,
            until: list("until")?,
        })
    }

    pub(crate) fn at(&self, workload: Workload, tick: u64, lane: u16) -> Drawn {
        let h = mix(self.seed ^ (tick << 16 | u64::from(lane)));
        let drawn = |n| mix(h.wrapping_add(n));
        let weight = drawn(1) % self.until.last().map_or(1, |all| *all);
        let group = self.until.partition_point(|until| *until <= weight);
        let first = self.first[group];
        let end = self.first.get(group + 1).map_or(self.records, |next| *next);
        Drawn {
            kind: if h % 100 < workload.reads { Kind::Read } else { workload.other },
            rank: first + drawn(2) % (end - first),
            field: (drawn(3) % FIELDS as u64) as usize,
        }
    }

    /// The record of a rank; `newest` is the last one that was inserted.
    pub(crate) fn record(&self, workload: Workload, rank: u64, newest: u64) -> u64 {
        if workload.latest { newest - rank } else { mix(rank) % self.records }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::{Value, json};

    use super::{Drawn, Draws, Kind, Workload};

    pub(crate) fn four() -> Value {
        json!({
            "records": 4, "first": [0, 1, 2, 3],
            "until": [1_099_511_627_776_u64, 1_653_091_295_746_u64, 2_023_643_827_083_u64,
                2_302_358_886_614_u64],
        })
    }

    // Expected values are those of the harness in Python, which the suite's verifier agrees with.
    #[test]
    fn records_are_drawn_as_the_readme_says() {
        let draws = Draws::said(4711, &four()).expect("a table");
        let expected = [
            ("a", 0, 0, Kind::Update, 0, 9, 3),
            ("f", 1, 2, Kind::Modify, 0, 0, 3),
            ("f", 2, 2, Kind::Read, 2, 5, 2),
            ("d", 33, 0, Kind::Read, 3, 5, 6),
            ("d", 20, 0, Kind::Insert, 1, 5, 8),
        ];
        for (name, tick, lane, kind, rank, field, record) in expected {
            let workload = Workload::named(name).expect("a workload");
            assert_eq!(draws.at(workload, tick, lane), Drawn { kind, rank, field });
            assert_eq!(draws.record(workload, rank, 9), record);
        }
        assert!(Workload::named("e").is_none());
    }
}
