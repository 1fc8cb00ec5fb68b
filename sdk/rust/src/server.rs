//! The life of a server: bind, `ready`, serve until `stop`, `done`.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use serde_json::Value;

use crate::commands::{Command, commands};
use crate::events::{Events, Product, Ready, RuntimeFigures};
use crate::recorder::Recorder;
use crate::spec::Spec;

/// Between two `runtime` events.
const RUNTIME_EVERY: Duration = Duration::from_secs(1);

/// A role that serves and is not measured itself.
///
/// ```no_run
/// # use wirelab_sdk::{server::Server, events::{Product, RUST}};
/// # fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let server = Server::begin()?;
/// let listener = std::net::TcpListener::bind(&server.spec.listen)?;
/// let endpoint = format!("ws://{}/board", listener.local_addr()?);
/// // Serving begins here, on threads or tasks of the library.
/// let library = Product { name: "example", version: "1.0.0" };
/// server.announce(&endpoint, serde_json::json!({ "protocol": "json" }), library, RUST);
/// server.wait_for_stop();
/// // Connections are closed here.
/// server.done()?;
/// # Ok(())
/// # }
/// ```
pub struct Server {
    /// Spec of what the core asks for.
    pub spec: Spec,
    events: Arc<Events>,
    commands: Receiver<Command>,
    recorder: Recorder,
}

impl Server {
    /// Reads the spec, takes standard output and standard input, and creates the files.
    ///
    /// # Errors
    /// When the spec cannot be used or a file cannot be written; the caller prints it and exits
    /// with another code than 0.
    pub fn begin() -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let spec = Spec::from_environment()?;
        let events = Arc::new(Events::take_standard_output()?);
        let recorder = Recorder::create(&spec.paths.samples)?;
        std::fs::File::create(&spec.paths.answers)?;
        Ok(Self {
            spec,
            events,
            commands: commands(),
            recorder,
        })
    }

    /// Says `ready`: the server answers at `endpoint` from now on.
    pub fn announce(
        &self,
        endpoint: &str,
        facts: Value,
        library: Product<'_>,
        runtime: Product<'_>,
    ) {
        let endpoint = Some(endpoint);
        self.events.ready(&Ready {
            endpoint,
            facts,
            capabilities: &[],
            library,
            runtime,
        });
    }

    /// Blocks until the core says `stop` or has gone; in an async program, on a thread of its own.
    pub fn wait_for_stop(&self) {
        self.wait_for_stop_with(|| None);
    }

    /// Like [`Self::wait_for_stop`]; about once a second it says what `figures` returns.
    pub fn wait_for_stop_with(&self, mut figures: impl FnMut() -> Option<RuntimeFigures>) {
        loop {
            match self.commands.recv_timeout(RUNTIME_EVERY) {
                Ok(Command::Start(_) | Command::Answer(_)) => {}
                Ok(Command::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(figures) = figures() {
                        self.events.runtime(figures);
                    }
                }
            }
        }
    }

    /// Says why this server gives up; the caller then exits with another code than 0.
    pub fn fatal(&self, class: &str, message: &str) {
        self.events.fatal(class, message);
    }

    /// The stream of events, for figures of the runtime and errors.
    #[must_use]
    pub fn events(&self) -> Arc<Events> {
        Arc::clone(&self.events)
    }

    /// Completes the files and says `done`; the caller exits with 0.
    ///
    /// # Errors
    /// When the sample file cannot be completed.
    pub fn done(self) -> io::Result<()> {
        let records = self.recorder.finish()?;
        self.events.done(records, 0, "00000000");
        Ok(())
    }
}
