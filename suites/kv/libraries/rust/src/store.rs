//! What a contender implements, and the worker around it.

use std::fmt;
use std::future::Future;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;
use wirelab_sdk::events::{Product, RUST, Ready};
use wirelab_sdk::lanes::Client;
use wirelab_sdk::spec::{Spec, SpecError};
use wirelab_sdk::status::Status;

use crate::reader::Reader;
use crate::rows::Rows;

/// What makes a worker give up.
pub use wirelab_sdk::lanes::Failure;

/// A client of one database, shared by all lanes.
pub trait Store: Send + Sync + 'static {
    /// A batch in the library's own form.
    type Batch: Send + Sync;
    /// The library's errors.
    type Error: fmt::Display + Send;

    /// Puts a batch into the library's form, before anything is timed.
    ///
    /// # Errors
    /// When the library does not take these keys.
    fn prepare(&self, set: u64, keys: &[String]) -> Result<Self::Batch, Failure>;

    /// Asks for a batch. It returns plain rows: everything is decoded.
    fn read(&self, batch: &Self::Batch) -> impl Future<Output = Result<Rows, Self::Error>> + Send;

    /// How a failure is recorded, and its class in the library's words.
    fn explain(error: &Self::Error) -> (Status, String);
}

/// Name of a crate and its version in the contender's `Cargo.lock`.
#[derive(Clone, Copy, Debug)]
pub struct Library<'a> {
    name: &'a str,
    version: &'a str,
}

impl<'a> Library<'a> {
    /// A crate, in the version that the lock file has; empty when it has none.
    #[must_use]
    pub fn locked(lock: &'a str, name: &'a str) -> Self {
        let entry = format!("name = \"{name}\"\nversion = \"");
        let version = lock
            .split_once(&entry)
            .and_then(|(_, rest)| rest.split_once('"'))
            .map_or("", |(version, _)| version);
        Self { name, version }
    }
}

/// HOST:PORT of the role server; a scheme before it is left out.
///
/// # Errors
/// When there is no such role.
pub fn address(spec: &Spec) -> Result<&str, SpecError> {
    let endpoint = spec.endpoint("server")?;
    let address = endpoint.split_once("://").map_or(endpoint, |(_, address)| address);
    Ok(address.trim_end_matches('/'))
}

/// The worker of a contender: it connects, answers the preflight, and carries out the schedule on
/// tokio's runtime of several threads.
pub fn run<S: Store>(
    library: Library<'_>,
    connect: impl AsyncFnOnce(&Spec) -> Result<S, Failure>,
) -> ExitCode {
    let client = match Client::begin() {
        Ok(client) => Arc::new(client),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&client, &error.into()),
    };
    let played = runtime.block_on(play(&client, library, connect));
    // Lanes have ended; what the library still has at work is not waited for.
    runtime.shutdown_background();
    match played {
        Ok(()) => done(client),
        Err(error) => failed(&client, &error),
    }
}

async fn play<S: Store>(
    client: &Arc<Client>,
    library: Library<'_>,
    connect: impl AsyncFnOnce(&Spec) -> Result<S, Failure>,
) -> Result<(), Failure> {
    let store = connect(&client.spec).await?;
    let reader = Arc::new(Reader::new(&client.spec, store)?);
    client.preflight(&*reader).await?;
    client.ready(&Ready {
        endpoint: None,
        facts: json!({}),
        capabilities: &["lanes"],
        library: Product { name: library.name, version: library.version },
        runtime: RUST,
    });
    let barrier = client.spec.parameter("barrier", false)?;
    client.drive(reader, barrier).await
}

fn done(client: Arc<Client>) -> ExitCode {
    match client.done() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn failed(client: &Client, error: &Failure) -> ExitCode {
    eprintln!("{error}");
    client.fatal("Failure", &error.to_string());
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::Library;

    #[test]
    fn the_version_is_that_of_the_lock_file() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.2\"\n\n[[package]]\nname = \"ab\"\nversion = \"3.4\"\n";
        assert_eq!(Library::locked(lock, "ab").version, "3.4");
        assert_eq!(Library::locked(lock, "b").version, "");
    }
}
