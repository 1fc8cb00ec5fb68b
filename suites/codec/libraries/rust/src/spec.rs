//! The parts of the spec that belong to batch loops.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

/// What is to be repeated, for how long and how often.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Batches {
    pub(crate) steps: Vec<String>,
    /// 0: calibrated.
    pub(crate) rounds: u64,
    pub(crate) batch_ns: u64,
    pub(crate) count: u64,
    pub(crate) warmup_ns: u64,
    pub(crate) agree: f64,
}

/// What a contender has answered in another scenario.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Input {
    pub(crate) contender: String,
    pub(crate) facts: Facts,
    pub(crate) answers: PathBuf,
}

/// What that contender said of itself.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Facts {
    #[serde(default)]
    pub(crate) format: String,
}

/// A spec of kind `batches`.
#[derive(Debug, Deserialize)]
pub(crate) struct Task {
    pub(crate) batches: Batches,
    #[serde(default)]
    pub(crate) inputs: Vec<Input>,
    #[serde(deserialize_with = "in_order")]
    operations: Vec<(String, Operation)>,
    paths: Paths,
}

#[derive(Debug, Deserialize)]
struct Operation {
    #[serde(default)]
    record: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Paths {
    batches: PathBuf,
}

impl Task {
    /// The task of this process.
    ///
    /// # Errors
    /// When the spec has no batches or they are not what the contract says.
    pub(crate) fn from_environment() -> Result<Self, Box<dyn Error>> {
        let path = std::env::var_os("WIRELAB_SPEC").ok_or("WIRELAB_SPEC is not set")?;
        let text = std::fs::read(path)?;
        Ok(serde_json::from_slice(&text)?)
    }

    /// The operations that are timed, in the spec's order.
    pub(crate) fn timed(&self) -> impl Iterator<Item = &str> {
        let of_batches = |operation: &Operation| operation.record.as_deref() == Some("batches");
        let operations = self.operations.iter();
        operations.filter(move |(_, one)| of_batches(one)).map(|(name, _)| name.as_str())
    }

    /// Whether an operation is asked for.
    pub(crate) fn asks_for(&self, operation: &str) -> bool {
        self.operations.iter().any(|(name, _)| name == operation)
    }

    /// Where the batch file is to be.
    pub(crate) fn batch_file(&self) -> &Path {
        &self.paths.batches
    }
}

/// The entries of an object, which a map would sort.
fn in_order<'de, D>(deserializer: D) -> Result<Vec<(String, Operation)>, D::Error>
where
    D: Deserializer<'de>,
{
    struct Entries;

    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<(String, Operation)>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("operations by name")
        }

        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }

    deserializer.deserialize_map(Entries)
}
