//! One session with the server.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use opcua::client::{DataChangeCallback, Session as OpcuaSession};
use opcua::types::{
    AttributeId, DataValue, MonitoredItemCreateRequest, MonitoringMode, MonitoringParameters,
    NodeId, ReadValueId, TimestampsToReturn, WriteValue,
};
use wirelab_opcua::{BadItem, Changes, Failed, Failure, NodeLists, Session};

use crate::values::{TagReading, bad_item, failed, failed_with, variant};

/// Publishings without a change before the server says that it is still there, and those without a
/// request after which it forgets the subscription.
const KEEP_ALIVE: u32 = 100;
const LIFETIME: u32 = 300;

/// The nodes of the spec in the library's form, made once.
pub(crate) struct Nodes {
    node_lists: Arc<NodeLists>,
    reads: Vec<ReadValueId>,
    watched: Vec<ReadValueId>,
    writes: Vec<NodeId>,
}

impl Nodes {
    pub(crate) fn of(node_lists: &Arc<NodeLists>) -> Result<Self, Failure> {
        let values = |named: &[String]| -> Result<Vec<ReadValueId>, Failure> {
            Ok(parsed(named)?.into_iter().map(ReadValueId::from).collect())
        };
        Ok(Self {
            reads: values(&node_lists.reads)?,
            watched: values(&node_lists.watched)?,
            writes: parsed(&node_lists.writes)?,
            node_lists: Arc::clone(node_lists),
        })
    }
}

fn parsed(named: &[String]) -> Result<Vec<NodeId>, Failure> {
    let node = |name: &String| {
        NodeId::from_str(name).map_err(|code| format!("{name} is no NodeId: {code}").into())
    };
    named.iter().map(node).collect()
}

pub(crate) struct AsyncSession {
    pub(crate) session: Arc<OpcuaSession>,
    pub(crate) nodes: Arc<Nodes>,
}

impl AsyncSession {
    async fn read_values(&self, nodes: &[ReadValueId]) -> Result<Vec<TagReading>, Failed> {
        let read = self.session.read(nodes, TimestampsToReturn::Source, 0.0).await;
        let values = read.map_err(|error| failed(&error))?;
        Ok(values.into_iter().map(TagReading).collect())
    }
}

impl Session for AsyncSession {
    type Value = TagReading;
    type Write = Vec<WriteValue>;

    async fn read(&self) -> Result<Vec<TagReading>, Failed> {
        self.read_values(&self.nodes.reads).await
    }

    fn writing(&self, sequence: u64) -> Vec<WriteValue> {
        let values = self.nodes.node_lists.values(sequence).map(variant);
        // Only the value: a server need not accept a status or a timestamp from a client.
        let of = |(node, value): (&NodeId, _)| WriteValue {
            node_id: node.clone(),
            attribute_id: AttributeId::Value as u32,
            value: DataValue { value: Some(value), ..DataValue::null() },
            ..WriteValue::default()
        };
        self.nodes.writes.iter().zip(values).map(of).collect()
    }

    async fn write(&self, write: &Vec<WriteValue>) -> Result<Vec<Option<BadItem>>, Failed> {
        let codes = self.session.write(write).await.map_err(|error| failed(&error))?;
        Ok(codes.into_iter().map(bad_item).collect())
    }

    async fn poll(&self) -> Result<Vec<TagReading>, Failed> {
        self.read_values(&self.nodes.watched).await
    }

    async fn subscribe(
        &self,
        interval: Duration,
        kept: u32,
        changes: Arc<Changes<TagReading>>,
    ) -> Result<(), Failed> {
        // Handles count from one: none is 0.
        let told = DataChangeCallback::new(move |value, item| {
            changes.put(item.client_handle() as usize - 1, TagReading(value));
        });
        let subscription = self
            .session
            .create_subscription(interval, LIFETIME, KEEP_ALIVE, 0, 0, true, told)
            .await
            .map_err(|error| failed(&error))?;
        let items = (1..).zip(&self.nodes.watched).map(|(client_handle, node)| {
            let asked = MonitoringParameters {
                client_handle,
                sampling_interval: interval.as_secs_f64() * 1e3,
                queue_size: kept,
                discard_oldest: true,
                ..MonitoringParameters::default()
            };
            MonitoredItemCreateRequest::new(node.clone(), MonitoringMode::Reporting, asked)
        });
        let made = self
            .session
            .create_monitored_items(subscription, TimestampsToReturn::Source, items.collect())
            .await
            .map_err(|error| failed(&error))?;
        match made.iter().map(|one| one.result.status_code).find(|code| !code.is_good()) {
            Some(code) => Err(failed_with(code, "a tag is not watched".to_owned())),
            None => Ok(()),
        }
    }

    async fn close(&self) -> Result<(), Failed> {
        self.session.disconnect().await.map_err(|error| failed(&error))
    }
}
