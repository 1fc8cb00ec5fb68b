//! redis-rs: MGET of packed records, and hashes of single ones, over one multiplexed connection;
//! transactions have others.

use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use redis::aio::{
    ConnectionLike, ConnectionManager, ConnectionManagerConfig, MultiplexedConnection,
};
use redis::{AsyncCommands, AsyncConnectionConfig, Client, Cmd, ErrorKind, RedisError, cmd, pipe};
use wirelab_kv::{
    FIELDS, Failure, Fields, Library, RecordStore, Rows, Spec, Status, Store, address,
    run_with_records, unpack,
};

struct RedisRs {
    client: Client,
    limit: Duration,
    connection: ConnectionManager,
    /// Connections of transactions that have ended.
    idle: Mutex<Vec<MultiplexedConnection>>,
}

impl RedisRs {
    async fn connect(spec: &Spec) -> Result<Self, Failure> {
        let client = Client::open(format!("redis://{}", address(spec)?))?;
        let limit = Duration::from_nanos(spec.limits.operation_ns);
        // The default of 500 ms would end a call before the scenario does.
        let config = ConnectionManagerConfig::new().set_response_timeout(Some(limit));
        let is_late = spec.parameter("connect", String::new())? == "timed";
        let connection = if is_late {
            ConnectionManager::new_lazy_with_config(client.clone(), config)?
        } else {
            ConnectionManager::new_with_config(client.clone(), config).await?
        };
        Ok(Self { client, limit, connection, idle: Mutex::default() })
    }

    /// A connection that no other transaction uses.
    async fn own(&self) -> Result<MultiplexedConnection, RedisError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(connection) = idle {
            return Ok(connection);
        }
        let config = AsyncConnectionConfig::new().set_response_timeout(Some(self.limit));
        self.client.get_multiplexed_async_connection_with_config(&config).await
    }
}

/// Sets fields of a record from one on.
fn set(key: &str, from: usize, values: &[Vec<u8>]) -> Cmd {
    let mut command = cmd("HSET");
    command.arg(key);
    for (field, value) in (from..).zip(values) {
        command.arg(format!("field{field}")).arg(value);
    }
    command
}

/// The fields of a hash; `None` where one of them is not there.
async fn fields_of(
    connection: &mut impl ConnectionLike,
    key: &str,
) -> Result<Option<Fields>, RedisError> {
    let names: Vec<_> = (0..FIELDS).map(|field| format!("field{field}")).collect();
    let found: Vec<Option<Vec<u8>>> =
        cmd("HMGET").arg(key).arg(names).query_async(connection).await?;
    Ok(found.into_iter().collect())
}

impl RecordStore for RedisRs {
    async fn read_record(&self, key: &str) -> Result<Option<Fields>, RedisError> {
        fields_of(&mut self.connection.clone(), key).await
    }

    async fn write_record(&self, key: &str, field: usize, value: &[u8]) -> Result<(), RedisError> {
        set(key, field, &[value.to_vec()]).exec_async(&mut self.connection.clone()).await
    }

    async fn insert_record(&self, key: &str, values: &[Vec<u8>]) -> Result<(), RedisError> {
        set(key, 0, values).exec_async(&mut self.connection.clone()).await
    }

    /// WATCH is of a connection, and makes EXEC fail where another one has written since.
    async fn modify_record(
        &self,
        key: &str,
        field: usize,
        value: &[u8],
    ) -> Result<Option<Fields>, RedisError> {
        let mut own = self.own().await?;
        let write = set(key, field, &[value.to_vec()]);
        let found = loop {
            cmd("WATCH").arg(key).exec_async(&mut own).await?;
            let found = fields_of(&mut own, key).await?;
            let mut transaction = pipe();
            transaction.atomic().add_command(write.clone()).ignore();
            if transaction.query_async::<Option<()>>(&mut own).await?.is_some() {
                break found;
            }
        };
        // One that failed in the middle of a transaction is of no use to the next one.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(own);
        Ok(found)
    }
}

impl Store for RedisRs {
    type MultiGet = Vec<String>;
    type Error = RedisError;

    fn prepare(&self, set: u64, keys: &[String]) -> Result<Self::MultiGet, Failure> {
        Ok(keys.iter().map(|key| format!("wirelab:set_{set}:{key}")).collect())
    }

    async fn read(&self, multi_get: &Self::MultiGet) -> Result<Rows, RedisError> {
        // What the documentation advises for many tasks: a clone shares the connection.
        let mut connection = self.connection.clone();
        let values: Vec<Option<Vec<u8>>> = connection.mget(multi_get).await?;
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
    run_with_records(Library::locked(include_str!("../Cargo.lock"), "redis"), RedisRs::connect)
}
