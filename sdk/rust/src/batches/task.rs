//! The parts of the spec that belong to batch loops.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// Plan of what is to be repeated, for how long and how often; times are in nanoseconds.
#[derive(Clone, Debug, Deserialize)]
pub struct Plan {
    /// Their names, in order.
    #[serde(default)]
    pub steps: Vec<String>,
    /// Iterations of a batch; 0: calibrated.
    #[serde(rename = "rounds")]
    pub iterations: u64,
    /// Time that a batch is to take.
    pub batch_ns: u64,
    /// Batches to measure; 0: nothing is timed.
    pub count: u64,
    /// Longest time to warm up, since calibrating began.
    pub warmup_ns: u64,
    /// Largest distance of three batches from their median, as a share of it.
    pub agree: f64,
}

/// Answers of a contender in another scenario.
#[derive(Clone, Debug, Deserialize)]
pub struct Input {
    /// Its name.
    pub contender: String,
    /// Facts that it told of itself there.
    #[serde(default)]
    pub facts: Value,
    /// The file of its answers.
    pub answers: PathBuf,
}

/// The part of a spec that is about batches.
#[derive(Debug, Deserialize)]
pub struct Task {
    /// Plan of the batches.
    #[serde(rename = "batches")]
    pub plan: Plan,
    /// Answers of others.
    #[serde(default)]
    pub inputs: Vec<Input>,
    #[serde(deserialize_with = "in_order")]
    operations: Vec<(String, TaskOperation)>,
    paths: TaskPaths,
}

#[derive(Debug, Deserialize)]
struct TaskOperation {
    #[serde(default)]
    record: Option<String>,
}

#[derive(Debug, Deserialize)]
struct TaskPaths {
    batches: PathBuf,
}

impl Task {
    /// The task of this process.
    ///
    /// # Errors
    /// When the spec has no batches or they are not what the contract says.
    pub(super) fn from_environment() -> Result<Self, Box<dyn Error>> {
        let path = std::env::var_os("WIRELAB_SPEC")
            .ok_or("WIRELAB_SPEC is not set: this program is started by wirelab")?;
        let text = std::fs::read(path)?;
        Ok(serde_json::from_slice(&text)?)
    }

    /// The operations that are timed, in the spec's order.
    pub(super) fn timed(&self) -> impl Iterator<Item = &str> {
        let of_batches = |operation: &TaskOperation| operation.record.as_deref() == Some("batches");
        let operations = self.operations.iter();
        operations
            .filter(move |(_, one)| of_batches(one))
            .map(|(name, _)| name.as_str())
    }

    /// Tells whether an operation is asked for.
    #[must_use]
    pub fn asks_for(&self, operation: &str) -> bool {
        self.operations.iter().any(|(name, _)| name == operation)
    }

    /// Path of the batch file.
    pub(super) fn batch_file(&self) -> &Path {
        &self.paths.batches
    }
}

/// The entries of an object, which a map would sort.
fn in_order<'de, D>(deserializer: D) -> Result<Vec<(String, TaskOperation)>, D::Error>
where
    D: Deserializer<'de>,
{
    struct Entries;

    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<(String, TaskOperation)>;

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
