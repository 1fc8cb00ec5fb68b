//! Library and session that a contender implements.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value as Json;
use wirelab_sdk::lanes::Failure;
use wirelab_sdk::spec::Spec;

use crate::changes::Changes;
use crate::node_lists::NodeLists;
use crate::results::{BadItem, Failed};

/// A client library under test.
pub trait Library: Sized + Send + Sync + 'static {
    /// Its sessions.
    type Session: Session;

    /// Makes it for a spec; nothing is connected yet.
    ///
    /// # Errors
    /// When the library does not take what the spec says.
    fn make(spec: &Spec, node_lists: &Arc<NodeLists>) -> Result<Self, Failure>;

    /// Makes ready what opening a session needs, such as the server's endpoint; again after it failed.
    fn prepare(&self) -> impl Future<Output = Result<(), Failed>> + Send;

    /// Opens a session over a channel of its own, which the library keeps up from there on, where it can.
    fn open(&self) -> impl Future<Output = Result<Self::Session, Failed>> + Send;
}

/// One session with the server, for any number of tasks.
pub trait Session: Send + Sync + 'static {
    /// A value as the library reads it.
    type Value: TagValue;
    /// A write that is ready to be sent.
    type Write: Send + Sync + 'static;

    /// Reads [`NodeLists::reads`]: attribute Value, source timestamps.
    fn read(&self) -> impl Future<Output = Result<Vec<Self::Value>, Failed>> + Send;

    /// Makes ready the write of a sequence to [`NodeLists::writes`].
    fn writing(&self, sequence: u64) -> Self::Write;

    /// Sends a write. It returns what is wrong with each item.
    fn write(
        &self,
        write: &Self::Write,
    ) -> impl Future<Output = Result<Vec<Option<BadItem>>, Failed>> + Send;

    /// Reads [`NodeLists::watched`] as [`Self::read`] reads others.
    fn poll(&self) -> impl Future<Output = Result<Vec<Self::Value>, Failed>> + Send;

    /// Has the server tell `changes` of new values of [`NodeLists::watched`], sampled as often as it
    /// publishes, with so many values of each that are kept for a client that is behind.
    fn subscribe(
        &self,
        interval: Duration,
        kept: u32,
        changes: Arc<Changes<Self::Value>>,
    ) -> impl Future<Output = Result<(), Failed>> + Send;

    /// Leaves the server.
    fn close(&self) -> impl Future<Output = Result<(), Failed>> + Send;
}

/// A value of a tag as a library reads it.
pub trait TagValue: Clone + fmt::Debug + Send + 'static {
    /// Fault of the item, if it has one.
    fn bad(&self) -> Option<BadItem>;

    /// The value alone, null where there is none.
    fn json(&self) -> Json;

    /// Tells whether both have the same value, whenever they were read.
    fn is_same(&self, other: &Self) -> bool;
}
