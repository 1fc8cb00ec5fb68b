//! The raw reader: batches that were encoded beforehand over plain sockets, without any client
//! library. What it gets from the bench server is the most that a client can.

mod answer;
mod asking;
mod closed;
mod connection;
mod open;
mod plan;
mod player;
mod topology;

use std::error::Error;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use wirelab_sdk::answers::Answers;
use wirelab_sdk::commands::{Command, listen};
use wirelab_sdk::events::{Events, Product, RUST, Ready};
use wirelab_sdk::recorder::Recorder;
use wirelab_sdk::schedule::Loop;
use wirelab_sdk::spec::Spec;

use asking::CallContext;
use plan::Plan;
use player::Player;
use topology::Topology;

/// Reason that ends the worker.
pub type Failure = Box<dyn Error + Send + Sync>;

const LIBRARY: Product<'static> = Product {
    name: "plain sockets",
    version: env!("CARGO_PKG_VERSION"),
};

/// The life of the worker.
///
/// # Errors
/// When the spec cannot be used, the server cannot be reached, or a file cannot be written.
pub fn run() -> Result<(), Failure> {
    let spec = Spec::from_environment()?;
    let events = Arc::new(Events::take_standard_output()?);
    let recorder = Recorder::create(&spec.paths.samples)?;
    let answers = Answers::create(&spec.paths.answers)?;

    let topology = Topology::ask(spec.endpoint("server")?)?;
    let plan = Plan::new(&spec, &topology)?;
    let lanes = spec.schedule.users().unwrap_or(1).max(1);
    let player = Player::connect(&topology, usize::try_from(lanes)?)?;
    let (sender, inbox) = channel();
    let waker = player.waker()?;
    listen(move |command| {
        // Nobody listening any more: the process is about to end.
        let _ = sender.send(command);
        let _ = waker.wake();
    });
    let mut asking = CallContext::new(&spec, player, plan, Arc::clone(&events), recorder, answers)?;

    asking.preflight(spec.verify.preflight.get("read").copied().unwrap_or(0))?;
    events.ready(&Ready {
        endpoint: None,
        facts: serde_json::json!({ "nodes": topology.addresses.len() }),
        capabilities: &["lanes"],
        library: LIBRARY,
        runtime: RUST,
    });
    if let Some(start_ns) = start(&inbox) {
        match spec.schedule.kind {
            Loop::Closed => closed::drive(&mut asking, &spec, start_ns, &events, &inbox)?,
            Loop::Open => open::drive(&mut asking, &spec.schedule, start_ns, &inbox)?,
            Loop::Paced => return Err("schedule: this client cannot play a paced loop".into()),
        }
    }
    let (records, answers, checksum) = asking.finish()?;
    events.done(records, answers, &checksum);
    Ok(())
}

/// Waits for the start; none when there is nothing to start any more.
fn start(inbox: &Receiver<Command>) -> Option<u64> {
    match inbox.recv() {
        Ok(Command::Start(start_ns)) => Some(start_ns),
        Ok(Command::Answer(_) | Command::Stop) | Err(_) => None,
    }
}
