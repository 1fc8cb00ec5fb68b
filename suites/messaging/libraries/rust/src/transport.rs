//! Transport that a contender implements, and the worker around it.

use std::fmt;
use std::future::Future;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;
use wirelab_sdk::events::{Product, RUST, Ready};
use wirelab_sdk::lanes::{Failure, live};
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

use crate::deliveries::Deliveries;
use crate::users::Users;

/// A way of messaging, one for all users of a worker.
pub trait Transport: Send + Sync + 'static {
    /// A user's connection.
    type Link: Link<Error = Self::Error>;
    /// The library's errors.
    type Error: fmt::Display + Send;

    /// Connects a user: from its end on it can ask, and gets every broadcast that is sent. The inbox
    /// is none where nobody sends to others.
    fn connect(
        &self,
        user: u32,
        inbox: Option<Inbox>,
    ) -> impl Future<Output = Result<Self::Link, Self::Error>> + Send;

    /// Status with which a failure is recorded, and its class in the library's words.
    fn explain(error: &Self::Error) -> (Status, String);
}

/// The connection of one user, with one call at a time. It is left by dropping it.
pub trait Link: Send + 'static {
    /// The library's errors.
    type Error;

    /// Sends a message that comes back to this user alone, and returns what came.
    fn echo(&mut self, message: &[u8])
    -> impl Future<Output = Result<Vec<u8>, Self::Error>> + Send;

    /// Sends a message to all users, this one included; it ends when the library goes on.
    fn broadcast(&mut self, message: &[u8])
    -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// Takes what is broadcast to one user.
pub struct Inbox {
    pub(crate) user: u32,
    pub(crate) deliveries: Arc<Deliveries>,
}

impl Inbox {
    /// A message has come.
    pub fn take(&self, message: &[u8]) {
        self.deliveries.delivered(self.user, message);
    }
}

/// The worker of a contender: it checks, says `ready`, and carries out the schedule.
pub fn run<T: Transport>(
    library: Product<'_>,
    open: impl FnOnce(&Spec) -> Result<T, Failure>,
) -> ExitCode {
    live(async |client| {
        let users = Arc::new(Users::new(&client.spec, open(&client.spec)?)?);
        client.preflight(&*users).await?;
        users.leave(0).await;
        client.ready(&Ready {
            endpoint: None,
            facts: json!({}),
            capabilities: &["lanes"],
            library,
            runtime: RUST,
        });
        let driven = client.drive(Arc::clone(&users), false);
        users.writing_down(driven).await?;
        if !client.is_stopped() {
            users.try_promises().await;
        }
        users.finish()
    })
}
