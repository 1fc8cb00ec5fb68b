//! Facts that a worker of the suite tells of itself, and its work at each step.

use std::process::ExitCode;

use serde_json::json;
use wirelab_sdk::batches::run as run_batches;
use wirelab_sdk::events::Product;

use crate::library::Library;
use crate::steps::{Contender, Session};

/// The units in which folds see strings: those of Rust's own.
const STRINGS: &str = "utf-8";

/// Runs a contender to its end; what goes wrong with the worker itself ends it with a failure.
pub(crate) fn run<X: Contender>(library: Library<'_>, contender: &X) -> ExitCode {
    let Library { name, version, format } = library;
    run_batches(|worker| {
        let strings: String = worker.spec.parameter("strings", STRINGS.into())?;
        if strings != STRINGS {
            return Err(format!("strings are {STRINGS} in Rust, not {strings}").into());
        }
        let operations = X::OPERATIONS;
        let facts = json!({ "format": format, "strings": STRINGS, "operations": operations });
        worker.ready(Product { name, version }, facts);
        worker.follow(|worker, step| Session { format, worker }.step(contender, step))
    })
}
