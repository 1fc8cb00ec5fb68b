//! What a contender implements, and the worker around it.

use std::fmt;
use std::future::Future;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;
use wirelab_sdk::events::{Product, RUST, Ready};
use wirelab_sdk::lanes::{Client, Load};
use wirelab_sdk::spec::{Spec, SpecError};
use wirelab_sdk::status::Status;

use crate::reader::Reader;
use crate::records::{OPERATION, Records};
use crate::rows::Rows;
use crate::user_table::Fields;

/// What makes a worker give up.
pub use wirelab_sdk::lanes::Failure;

/// A client of one database, shared by all lanes.
pub trait Store: Send + Sync + 'static {
    /// A multi-get in the library's own form.
    type MultiGet: Send + Sync;
    /// The library's errors.
    type Error: fmt::Display + Send;

    /// Puts a multi-get into the library's form, before anything is timed.
    ///
    /// # Errors
    /// When the library does not take these keys.
    fn prepare(&self, set: u64, keys: &[String]) -> Result<Self::MultiGet, Failure>;

    /// Asks for a multi-get. It returns plain rows: everything is decoded.
    fn read(
        &self,
        multi_get: &Self::MultiGet,
    ) -> impl Future<Output = Result<Rows, Self::Error>> + Send;

    /// How a failure is recorded, and its class in the library's words.
    fn explain(error: &Self::Error) -> (Status, String);
}

/// A store that has YCSB's user table as well: one record a call, of ten fields in order.
pub trait RecordStore: Store {
    /// All fields of a record; `None` where there is none.
    fn read_record(
        &self,
        key: &str,
    ) -> impl Future<Output = Result<Option<Fields>, Self::Error>> + Send;

    /// Replaces a field of a record that is there.
    fn write_record(
        &self,
        key: &str,
        field: usize,
        value: &[u8],
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Makes a record that is not there.
    fn insert_record(
        &self,
        key: &str,
        values: &[Vec<u8>],
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Reads a record and replaces a field of what was read, which it returns. Where another one has
    /// written between, all of it is done again.
    fn modify_record(
        &self,
        key: &str,
        field: usize,
        value: &[u8],
    ) -> impl Future<Output = Result<Option<Fields>, Self::Error>> + Send;
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
    live(async |client| {
        let store = connect(&client.spec).await?;
        carry_out(client, library, Reader::new(&client.spec, store)?).await
    })
}

/// The same of a contender that works on single records as well.
pub fn run_with_records<S: RecordStore>(
    library: Library<'_>,
    connect: impl AsyncFnOnce(&Spec) -> Result<S, Failure>,
) -> ExitCode {
    live(async |client| {
        let store = connect(&client.spec).await?;
        if client.spec.operations.contains_key(OPERATION) {
            carry_out(client, library, Records::new(&client.spec, store)?).await
        } else {
            carry_out(client, library, Reader::new(&client.spec, store)?).await
        }
    })
}

fn live(play: impl AsyncFnOnce(&Arc<Client>) -> Result<(), Failure>) -> ExitCode {
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
    let played = runtime.block_on(play(&client));
    // Lanes have ended; what the library still has at work is not waited for.
    runtime.shutdown_background();
    match played {
        Ok(()) => done(client),
        Err(error) => failed(&client, &error),
    }
}

async fn carry_out(
    client: &Arc<Client>,
    library: Library<'_>,
    load: impl Load,
) -> Result<(), Failure> {
    let load = Arc::new(load);
    client.preflight(&*load).await?;
    client.ready(&Ready {
        endpoint: None,
        facts: json!({}),
        capabilities: &["lanes"],
        library: Product { name: library.name, version: library.version },
        runtime: RUST,
    });
    let barrier = client.spec.parameter("barrier", false)?;
    client.drive(load, barrier).await
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
