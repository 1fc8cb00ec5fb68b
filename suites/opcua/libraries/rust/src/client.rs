//! The worker of a contender.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use wirelab_sdk::events::{Product, RUST, Ready};
use wirelab_sdk::lanes::{Client, Failure, live};

use crate::caller::Caller;
use crate::lanes::Lanes;
use crate::node_lists::NodeLists;
use crate::session::Library;

const CAPABILITIES: [&str; 6] =
    ["security", "subscriptions", "auto-reconnect", "async", "node-list", "lanes"];

/// Connects, answers the preflight, and carries out the schedule on tokio's runtime of several threads.
pub fn run<L: Library>(named: Product<'_>) -> ExitCode {
    live(async |client| play::<L>(client, named).await)
}

async fn play<L: Library>(client: &Arc<Client>, named: Product<'_>) -> Result<(), Failure> {
    let node_lists = Arc::new(NodeLists::of(&client.spec)?);
    let library = L::make(&client.spec, &node_lists)?;
    if client.spec.schedule.steps.is_empty() {
        play_ticks(client, named, library, node_lists).await
    } else {
        play_lanes(client, named, library, node_lists).await
    }
}

async fn play_ticks<L: Library>(
    client: &Arc<Client>,
    named: Product<'_>,
    library: L,
    node_lists: Arc<NodeLists>,
) -> Result<(), Failure> {
    let spec = &client.spec;
    let when: String = spec.parameter("connect", "before".to_owned())?;
    let caller = Caller::new(spec, library, node_lists)?;
    let caller = Arc::new(caller);
    if when == "before" {
        caller.open().await?;
        client.preflight_on_ticks(&caller).await?;
    }
    say_ready(client, named);
    client.follow(Arc::clone(&caller)).await?;
    within_patience(client, caller.close()).await;
    Ok(())
}

async fn play_lanes<L: Library>(
    client: &Arc<Client>,
    named: Product<'_>,
    library: L,
    node_lists: Arc<NodeLists>,
) -> Result<(), Failure> {
    let lanes = Arc::new(Lanes::open(&client.spec, library, node_lists).await?);
    client.preflight(&*lanes).await?;
    say_ready(client, named);
    client.drive(Arc::clone(&lanes), false).await?;
    within_patience(client, lanes.close()).await;
    Ok(())
}

fn say_ready(client: &Client, named: Product<'_>) {
    client.ready(&Ready {
        endpoint: None,
        facts: json!({}),
        capabilities: &CAPABILITIES,
        library: named,
        runtime: RUST,
    });
}

/// Leaves the server, whatever state it is in.
async fn within_patience(client: &Client, leaving: impl Future<Output = ()>) {
    let patience = Duration::from_nanos(client.spec.limits.stop_ns / 4);
    if tokio::time::timeout(patience, leaving).await.is_err() {
        eprintln!("leaving was given up: the server does not answer");
    }
}
