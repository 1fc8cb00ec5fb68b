//! An operation that ends when its caller has the values of the change at its tick.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};
use wirelab_sdk::answers::Phase;
use wirelab_sdk::lanes::{Action, Outcome};
use wirelab_sdk::spec::{Spec, SpecError};
use wirelab_sdk::status::Status;

use crate::changes::Changes;
use crate::node_lists::NodeLists;
use crate::results::Failed;
use crate::session::{Session, TagValue};

pub(crate) const NOTIFICATION: &str = "notification";
pub(crate) const POLL: &str = "poll";

/// Values of each tag that the server keeps for a client that is behind.
const KEPT: u32 = 20;

/// The way in which a spec has the tags watched.
pub(crate) struct Watch<S: Session> {
    interval: Duration,
    subscribes: bool,
    node_lists: Arc<NodeLists>,
    changes: Arc<Changes<S::Value>>,
}

impl<S: Session> Watch<S> {
    /// None where the spec has nothing watched.
    pub(crate) fn of(spec: &Spec, node_lists: &Arc<NodeLists>) -> Result<Option<Self>, SpecError> {
        if node_lists.watched.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            interval: Duration::from_nanos(spec.parameter("interval_ns", 0)?),
            subscribes: spec.operations.contains_key(NOTIFICATION),
            node_lists: Arc::clone(node_lists),
            changes: Arc::new(Changes::new(node_lists.watched.len())),
        }))
    }

    /// Watches from now on; the task that polls, where one does.
    pub(crate) async fn begin(&self, session: &Arc<S>) -> Result<Option<JoinHandle<()>>, Failed> {
        let changes = Arc::clone(&self.changes);
        if self.subscribes {
            session.subscribe(self.interval, KEPT, changes).await?;
            return Ok(None);
        }
        Ok(Some(tokio::spawn(poll(Arc::clone(session), self.interval, changes))))
    }

    /// Waits for the values of a tick's change, every item's status looked at.
    pub(crate) fn await_change(&self, phase: Phase, tick: u64) -> Action {
        let number = if phase == Phase::Preflight { 0 } else { tick + 1 };
        let (changes, node_lists) = (Arc::clone(&self.changes), Arc::clone(&self.node_lists));
        Box::pin(async move {
            match changes.number(number).await {
                Ok(Ok(values)) => node_lists.changed(values),
                Ok(Err(failed)) => failed.outcome(),
                Err(gone) => Outcome::failed(Status::Error, "RecvError", gone.to_string()),
            }
        })
    }
}

/// Reads all tags again and again; what differs from what was read before is a change.
async fn poll<S: Session>(session: Arc<S>, every: Duration, changes: Arc<Changes<S::Value>>) {
    let mut due = interval(every);
    due.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut known: Vec<S::Value> = Vec::new();
    loop {
        due.tick().await;
        match session.poll().await {
            Ok(values) => {
                let mut pairs = values.iter().zip(&known);
                if values.len() != known.len() || pairs.any(|(new, old)| !new.is_same(old)) {
                    changes.put_all(&values);
                }
                known = values;
            }
            // Said by whoever waits for a change.
            Err(failed) => changes.fail(&failed),
        }
    }
}
