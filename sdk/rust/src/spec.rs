//! Spec of this process: the JSON file that `WIRELAB_SPEC` names.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::CONTRACT;
use crate::schedule::{Schedule, Step};

/// The spec is missing, is not JSON, or is not what the contract says.
#[derive(Debug)]
pub struct SpecError(pub String);

impl fmt::Display for SpecError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

/// One role of one trial.
#[derive(Clone, Debug, Deserialize)]
pub struct Spec {
    /// Always [`CONTRACT`]; another version is refused.
    pub contract: u32,
    /// Identifier of the trial.
    pub trial: String,
    /// Name of the suite.
    pub suite: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Name of the variant, empty when there is none.
    #[serde(default)]
    pub variant: String,
    /// Name of the contender.
    #[serde(default)]
    pub contender: String,
    /// The part to play.
    pub role: String,
    /// Everything random follows from it.
    #[serde(default)]
    pub seed: u64,
    /// The scenario's parameters, then the contender's tuning, then those of the command line.
    pub parameters: BTreeMap<String, Value>,
    /// Address at which a server binds.
    #[serde(default = "any_port")]
    pub listen: String,
    /// Addresses of roles that are ready, by role.
    #[serde(default)]
    pub endpoints: BTreeMap<String, String>,
    /// Facts that those roles told of themselves, by role.
    #[serde(default)]
    pub facts: BTreeMap<String, Value>,
    /// Kinds of operations, by name.
    pub operations: BTreeMap<String, Operation>,
    /// Times at which they are due.
    pub schedule: Schedule,
    /// Operations whose answers are to be written.
    #[serde(default)]
    pub verify: Verification,
    /// Files of this worker.
    pub paths: Paths,
    /// Longest times that things may take.
    pub limits: Limits,
}

/// A kind of operation.
#[derive(Clone, Debug, Deserialize)]
pub struct Operation {
    /// The `op` byte of its records.
    pub code: u8,
    /// Due at every n-th tick.
    #[serde(default = "one")]
    pub every: u64,
    /// Items in one operation.
    #[serde(default = "one")]
    pub items: u64,
    /// Time by which it should have ended, in nanoseconds after its tick.
    #[serde(default)]
    pub deadline_ns: Option<u64>,
    /// `join`: done once by every user, not at ticks.
    #[serde(default)]
    pub due: Option<String>,
    /// `intervals`: counts and distributions instead of records.
    #[serde(default)]
    pub record: Option<String>,
}

impl Operation {
    /// Tells whether each one has a record. What is only counted is nothing that a worker performs.
    #[must_use]
    pub fn has_records(&self) -> bool {
        matches!(self.record.as_deref(), None | Some("samples"))
    }
}

/// The operations whose answers are wanted in full.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Verification {
    /// Number of times that each is performed before `ready`, by name.
    #[serde(default)]
    pub preflight: BTreeMap<String, u64>,
    /// Ticks whose answers a generator writes without being asked, by name; a client has none.
    #[serde(default)]
    pub ticks: BTreeMap<String, Vec<u64>>,
}

/// Files of this worker.
#[derive(Clone, Debug, Deserialize)]
pub struct Paths {
    /// The sample file.
    pub samples: PathBuf,
    /// The answers file.
    pub answers: PathBuf,
    /// The interval file; only workers with interval operations are given one.
    #[serde(default)]
    pub intervals: Option<PathBuf>,
    /// A folder for anything else; the working directory.
    pub scratch: PathBuf,
}

/// Longest times that things may take, in nanoseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Limits {
    /// From the start of the process until `ready`.
    pub ready_ns: u64,
    /// An operation is given up after this long.
    pub operation_ns: u64,
    /// From `stop` until the end of the process.
    pub stop_ns: u64,
}

impl Spec {
    /// The spec of this process.
    ///
    /// # Errors
    /// Says what is wrong with the environment, the file or its content.
    pub fn from_environment() -> Result<Self, SpecError> {
        let path = std::env::var_os("WIRELAB_SPEC")
            .filter(|path| !path.is_empty())
            .ok_or_else(|| {
                SpecError("WIRELAB_SPEC is not set: this program is started by wirelab".into())
            })?;
        Self::read(Path::new(&path))
    }

    /// The spec in the file `path`.
    ///
    /// # Errors
    /// Says what is wrong with the file or its content.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        let name = path.display();
        let text = std::fs::read(path)
            .map_err(|error| SpecError(format!("cannot read the spec {name}: {error}")))?;
        let document: Value = serde_json::from_slice(&text)
            .map_err(|error| SpecError(format!("{name} is not JSON: {error}")))?;
        if document.get("contract").and_then(Value::as_u64) != Some(u64::from(CONTRACT)) {
            return Err(SpecError(format!(
                "{name} is not a spec of worker contract {CONTRACT}"
            )));
        }
        let spec: Self = serde_json::from_value(document)
            .map_err(|error| SpecError(format!("{name} breaks the contract: {error}")))?;
        spec.schedule
            .check()
            .map_err(|what| SpecError(format!("{name}: {what}")))?;
        Ok(spec)
    }

    /// The parameter `name`, or `default` when the spec has none.
    ///
    /// # Errors
    /// When it has one of another type.
    pub fn parameter<T: DeserializeOwned>(&self, name: &str, default: T) -> Result<T, SpecError> {
        typed(name, self.parameters.get(name), default)
    }

    /// The parameter `name` in `step`, whose own parameters count before those of the spec.
    ///
    /// # Errors
    /// When it is of another type.
    pub fn step_parameter<T: DeserializeOwned>(
        &self,
        step: &Step,
        name: &str,
        default: T,
    ) -> Result<T, SpecError> {
        let own = step.parameters.get(name);
        typed(name, own.or_else(|| self.parameters.get(name)), default)
    }

    /// The address that `role` serves at.
    ///
    /// # Errors
    /// When no such role is ready.
    pub fn endpoint(&self, role: &str) -> Result<&str, SpecError> {
        self.endpoints
            .get(role)
            .map(String::as_str)
            .ok_or_else(|| SpecError(format!("endpoints has no {role}")))
    }
}

fn typed<T: DeserializeOwned>(
    name: &str,
    value: Option<&Value>,
    default: T,
) -> Result<T, SpecError> {
    let Some(value) = value else {
        return Ok(default);
    };
    serde_json::from_value(value.clone())
        .map_err(|error| SpecError(format!("parameter {name} is {value}: {error}")))
}

fn any_port() -> String {
    "127.0.0.1:0".into()
}

const fn one() -> u64 {
    1
}
