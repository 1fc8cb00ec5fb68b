//! async-opcua: the services Read and Write of its session, and its subscriptions.

mod security;
mod session;
mod values;

use std::process::ExitCode;
use std::sync::Arc;

use futures::StreamExt;
use opcua::client::{Client, IdentityToken, SessionPollResult};
use opcua::types::{EndpointDescription, StatusCode};
use tokio::sync::{Mutex, OnceCell};
use wirelab_opcua::{Failed, Failure, Library, NodeLists, Product, Spec, run};

use crate::security::Security;
use crate::session::{AsyncSession, Nodes};
use crate::values::{failed, failed_to_connect};

/// Opens sessions that have their settings in common.
struct AsyncOpcua {
    url: String,
    client: Mutex<Client>,
    security: Security,
    /// The endpoint of the policy, once the server has told of it.
    endpoint: OnceCell<EndpointDescription>,
    nodes: Arc<Nodes>,
}

impl Library for AsyncOpcua {
    type Session = AsyncSession;

    fn make(spec: &Spec, node_lists: &Arc<NodeLists>) -> Result<Self, Failure> {
        let security = Security::of(spec)?;
        Ok(Self {
            url: spec.endpoint("server")?.to_owned(),
            client: Mutex::new(security.client(spec)?),
            security,
            endpoint: OnceCell::new(),
            nodes: Arc::new(Nodes::of(node_lists)?),
        })
    }

    async fn prepare(&self) -> Result<(), Failed> {
        self.endpoint.get_or_try_init(|| self.chosen()).await?;
        Ok(())
    }

    async fn open(&self) -> Result<AsyncSession, Failed> {
        let endpoint = self.endpoint.get().cloned().unwrap_or_default();
        let (session, events) = self
            .client
            .lock()
            .await
            .connect_to_endpoint_directly(endpoint, IdentityToken::Anonymous)
            .map_err(|error| failed(&error))?;
        let mut events = Box::pin(events.enter());
        // The library tries again and again; a first attempt that failed is said at once.
        loop {
            match events.next().await {
                Some(Ok(SessionPollResult::Reconnected(_))) => break,
                Some(Ok(SessionPollResult::ReconnectFailed(code)) | Err(code)) => {
                    return Err(failed_to_connect(code));
                }
                Some(Ok(_)) => {}
                None => return Err(failed_to_connect(StatusCode::BadConnectionClosed)),
            }
        }
        tokio::spawn(async move { while events.next().await.is_some() {} });
        Ok(AsyncSession { session, nodes: Arc::clone(&self.nodes) })
    }
}

impl AsyncOpcua {
    /// Asks the server for the endpoint of the policy and its mode.
    async fn chosen(&self) -> Result<EndpointDescription, Failed> {
        let client = self.client.lock().await;
        let offered = client
            .get_server_endpoints_from_url(self.url.as_str())
            .await
            .map_err(|error| failed(&error))?;
        let mut chosen = self.security.choose(offered)?;
        // Servers tell their host's name, which is not the address that we were given.
        chosen.endpoint_url = self.url.as_str().into();
        Ok(chosen)
    }
}

fn main() -> ExitCode {
    run::<AsyncOpcua>(Product::locked(include_str!("../Cargo.lock"), "async-opcua"))
}
