//! redis-rs: MGET of packed records over one multiplexed connection.

use std::process::ExitCode;
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{AsyncCommands, Client, ErrorKind, RedisError};
use wirelab_kv::{Failure, Library, Rows, Spec, Status, Store, address, run, unpack};

struct RedisRs {
    connection: ConnectionManager,
}

impl RedisRs {
    async fn connect(spec: &Spec) -> Result<Self, Failure> {
        let client = Client::open(format!("redis://{}", address(spec)?))?;
        let limit = Duration::from_nanos(spec.limits.operation_ns);
        // The default of 500 ms would end a call before the scenario does.
        let config = ConnectionManagerConfig::new().set_response_timeout(Some(limit));
        let is_late = spec.parameter("connect", String::new())? == "timed";
        let connection = if is_late {
            ConnectionManager::new_lazy_with_config(client, config)?
        } else {
            ConnectionManager::new_with_config(client, config).await?
        };
        Ok(Self { connection })
    }
}

impl Store for RedisRs {
    type Batch = Vec<String>;
    type Error = RedisError;

    fn prepare(&self, set: u64, keys: &[String]) -> Result<Self::Batch, Failure> {
        Ok(keys.iter().map(|key| format!("wirelab:set_{set}:{key}")).collect())
    }

    async fn read(&self, batch: &Self::Batch) -> Result<Rows, RedisError> {
        // What the documentation advises for many tasks: a clone shares the connection.
        let mut connection = self.connection.clone();
        let values: Vec<Option<Vec<u8>>> = connection.mget(batch).await?;
        let row = |value: Option<Vec<u8>>| value.map(|packed| unpack(&packed)).transpose();
        values.into_iter().map(row).collect::<Result<_, _>>().map_err(|wrong| {
            RedisError::from((ErrorKind::Parse, "not a record", wrong.to_string()))
        })
    }

    fn explain(error: &RedisError) -> (Status, String) {
        let status = if error.is_timeout() {
            Status::Timeout
        } else if error.is_connection_refusal() {
            Status::Refused
        } else if error.is_connection_dropped() || error.is_io_error() {
            Status::Disconnected
        } else {
            Status::Error
        };
        (status, error.category().to_owned())
    }
}

fn main() -> ExitCode {
    run(Library::locked(include_str!("../Cargo.lock"), "redis"), RedisRs::connect)
}
