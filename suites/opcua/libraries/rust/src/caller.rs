//! A client on ticks: one session, and in some scenarios further ones beside it.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use tokio::sync::Mutex as AsyncMutex;
use tokio::task::JoinHandle;
use wirelab_sdk::answers::Phase;
use wirelab_sdk::lanes::{Action, Outcome, PacedLoad};
use wirelab_sdk::spec::{Spec, SpecError};

use crate::node_lists::{NodeLists, sequence_of};
use crate::results::Failed;
use crate::session::{Library, Session};
use crate::watch::{NOTIFICATION, POLL, Watch};

pub(crate) struct Caller<L: Library> {
    library: L,
    node_lists: Arc<NodeLists>,
    watch: Option<Watch<L::Session>>,
    session: Mutex<Option<Arc<L::Session>>>,
    /// The further session that was opened last, while it is closed.
    closing: AsyncMutex<Option<JoinHandle<()>>>,
    polling: Mutex<Option<JoinHandle<()>>>,
}

impl<L: Library> Caller<L> {
    pub(crate) fn new(
        spec: &Spec,
        library: L,
        node_lists: Arc<NodeLists>,
    ) -> Result<Self, SpecError> {
        Ok(Self {
            library,
            watch: Watch::of(spec, &node_lists)?,
            node_lists,
            session: Mutex::default(),
            closing: AsyncMutex::default(),
            polling: Mutex::default(),
        })
    }

    /// Opens the session, and watches what is watched.
    pub(crate) async fn open(&self) -> Result<(), Failed> {
        self.library.prepare().await?;
        let session = Arc::new(self.library.open().await?);
        if let Some(watch) = &self.watch {
            *locked(&self.polling) = watch.begin(&session).await?;
        }
        *locked(&self.session) = Some(session);
        Ok(())
    }

    /// Leaves the server.
    pub(crate) async fn close(&self) {
        if let Some(polling) = locked(&self.polling).take() {
            polling.abort();
        }
        if let Some(closing) = self.closing.lock().await.take() {
            let _ = closing.await;
        }
        let session = locked(&self.session).take();
        if let Some(session) = session {
            leave(&*session).await;
        }
    }

    fn read(&self, session: Arc<L::Session>) -> Action {
        let node_lists = Arc::clone(&self.node_lists);
        Box::pin(async move {
            match session.read().await {
                Ok(values) => node_lists.read(values),
                Err(failed) => failed.outcome(),
            }
        })
    }

    fn write(&self, session: Arc<L::Session>, sequence: u64) -> Action {
        let node_lists = Arc::clone(&self.node_lists);
        let write = session.writing(sequence);
        Box::pin(async move {
            match session.write(&write).await {
                Ok(items) => node_lists.written(&items, sequence),
                Err(failed) => failed.outcome(),
            }
        })
    }

    fn connect(self: &Arc<Self>) -> Action {
        let caller = Arc::clone(self);
        Box::pin(async move {
            match caller.open().await {
                Ok(()) => Outcome::ok(0).answering(|| json!({ "connected": true })),
                Err(failed) => failed.outcome(),
            }
        })
    }

    /// One more session, once the last one is closed; it is closed in nobody's time.
    fn open_further(self: &Arc<Self>) -> Action {
        let caller = Arc::clone(self);
        Box::pin(async move {
            let mut closing = caller.closing.lock().await;
            if let Some(last) = closing.take() {
                let _ = last.await;
            }
            match caller.library.open().await {
                Ok(session) => {
                    *closing = Some(tokio::spawn(async move { leave(&session).await }));
                    Outcome::ok(0).answering(|| json!({ "opened": true }))
                }
                Err(failed) => failed.outcome(),
            }
        })
    }
}

impl<L: Library> PacedLoad for Caller<L> {
    fn prepare(
        self: &Arc<Self>,
        operation: &'static str,
        phase: Phase,
        tick: u64,
    ) -> Option<Action> {
        let Some(session) = locked(&self.session).clone() else {
            return (operation == "connect").then(|| self.connect());
        };
        match operation {
            "read" => Some(self.read(session)),
            "write" => Some(self.write(session, sequence_of(phase, tick))),
            "session" => Some(self.open_further()),
            NOTIFICATION | POLL => Some(self.watch.as_ref()?.await_change(phase, tick)),
            _ => None,
        }
    }
}

pub(crate) async fn leave(session: &impl Session) {
    if let Err(failed) = session.close().await {
        eprintln!("leaving failed: {failed}");
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
