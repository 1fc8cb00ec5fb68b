//! Store that a contender implements, and the worker around it.

use std::fmt;
use std::future::Future;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;
use wirelab_sdk::events::{Product, RUST, Ready};
use wirelab_sdk::lanes::{Client, Load, live};
use wirelab_sdk::spec::{Spec, SpecError};
use wirelab_sdk::status::Status;

use crate::reader::Reader;
use crate::records::{OPERATION, Records};
use crate::rows::Rows;
use crate::user_table::Fields;

/// Reason for which a worker gives up.
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

    /// Status with which a failure is recorded, and its class in the library's words.
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
    library: Product<'_>,
    connect: impl AsyncFnOnce(&Spec) -> Result<S, Failure>,
) -> ExitCode {
    live(async |client| {
        let store = connect(&client.spec).await?;
        carry_out(client, library, Reader::new(&client.spec, store)?).await
    })
}

/// The same of a contender that works on single records as well.
pub fn run_with_records<S: RecordStore>(
    library: Product<'_>,
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

async fn carry_out(
    client: &Arc<Client>,
    library: Product<'_>,
    load: impl Load,
) -> Result<(), Failure> {
    let load = Arc::new(load);
    client.preflight(&*load).await?;
    client.ready(&Ready {
        endpoint: None,
        facts: json!({}),
        capabilities: &["lanes"],
        library,
        runtime: RUST,
    });
    let barrier = client.spec.parameter("barrier", false)?;
    client.drive(load, barrier).await
}
