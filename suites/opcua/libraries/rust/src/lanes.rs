//! Reads of many callers at a time: in a session that they share, or each in one of its own.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::json;
use tokio::task::JoinSet;
use wirelab_sdk::lanes::{Call, Load, Outcome};
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

use crate::caller::leave;
use crate::node_lists::NodeLists;
use crate::results::Failed;
use crate::session::{Library, Session};

pub(crate) struct Lanes<L: Library> {
    library: L,
    node_lists: Arc<NodeLists>,
    /// True where every user opens a session of its own.
    apart: bool,
    sessions: RwLock<HashMap<u16, Arc<L::Session>>>,
}

impl<L: Library> Lanes<L> {
    /// Ready to be driven; callers who share a session have it.
    pub(crate) async fn open(
        spec: &Spec,
        library: L,
        node_lists: Arc<NodeLists>,
    ) -> Result<Self, Failed> {
        let is_join = |due: &Option<String>| due.as_deref() == Some("join");
        let apart = spec.operations.values().any(|operation| is_join(&operation.due));
        library.prepare().await?;
        let lanes = Self { library, node_lists, apart, sessions: RwLock::default() };
        if !apart {
            lanes.open_session(0).await?;
        }
        Ok(lanes)
    }

    async fn open_session(&self, user: u16) -> Result<(), Failed> {
        let session = Arc::new(self.library.open().await?);
        self.sessions.write().unwrap_or_else(PoisonError::into_inner).insert(user, session);
        Ok(())
    }

    fn session(&self, user: u16) -> Option<Arc<L::Session>> {
        let sessions = self.sessions.read().unwrap_or_else(PoisonError::into_inner);
        sessions.get(if self.apart { &user } else { &0 }).cloned()
    }

    /// Leaves the server with every session.
    pub(crate) async fn close(&self) {
        let mut leaving = JoinSet::new();
        for (_, session) in self.sessions.write().unwrap_or_else(PoisonError::into_inner).drain() {
            leaving.spawn(async move { leave(&*session).await });
        }
        leaving.join_all().await;
    }
}

impl<L: Library> Load for Lanes<L> {
    async fn perform(&self, call: &mut Call<'_>) -> Outcome {
        let Some(session) = self.session(call.lane) else {
            let told = "its session could not be opened".to_owned();
            return Outcome::failed(Status::Disconnected, "NotOpened", told);
        };
        call.begin();
        let read = session.read().await;
        let outcome = match read {
            Ok(values) => self.node_lists.read(values),
            Err(failed) => failed.outcome(),
        };
        call.end();
        outcome
    }

    async fn join(&self, call: &mut Call<'_>) -> Outcome {
        if !self.apart {
            return Outcome::ok(0);
        }
        match self.open_session(call.lane).await {
            Ok(()) => Outcome::ok(0).answering(|| json!({ "connected": true })),
            Err(failed) => failed.outcome(),
        }
    }
}
