//! A whiteboard server on axum.

mod boards;
mod connection;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{State, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::watch;
use wirelab_sdk::events::Product;
use wirelab_sdk::server::Server;

use crate::connection::Service;

/// axum's 128 KiB for each connection's reading are for large messages; these have 130 bytes.
const READ_BUFFER: usize = 4 * 1024;
const LONGEST_MESSAGE: usize = 64 * 1024;
/// Connections that do not take their close frame are left to the end of the process.
const FAREWELL: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error + Send + Sync>> {
    let server = Server::begin()?;
    // As many threads as there are usable cores: tokio's own rule.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let closing = Arc::new(watch::Sender::new(false));
    let service = Service { boards: Arc::default(), closing: Arc::clone(&closing) };
    let listener = runtime.block_on(TcpListener::bind(&server.spec.listen))?;
    let endpoint = format!("ws://{}/board", listener.local_addr()?);
    let serving = runtime.spawn(serve(listener, service));

    server.announce(
        &endpoint,
        serde_json::json!({ "protocol": "json" }),
        Product { name: "axum", version: locked("axum") },
        Product { name: "tokio", version: locked("tokio") },
    );
    server.wait_for_stop();
    serving.abort();
    runtime.block_on(async {
        closing.send_replace(true);
        let _ = tokio::time::timeout(FAREWELL, closing.closed()).await;
    });
    server.done()?;
    Ok(())
}

async fn serve(listener: TcpListener, service: Service) -> std::io::Result<()> {
    let routes = Router::new().route("/board", get(upgrade)).with_state(service);
    let listener = listener.tap_io(|stream| {
        // A connection that has already gone has no options to set.
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, routes).await
}

async fn upgrade(upgrade: WebSocketUpgrade, State(service): State<Service>) -> Response {
    upgrade
        .read_buffer_size(READ_BUFFER)
        // Nothing waits in a buffer for more: every message is handed to the kernel at once.
        .write_buffer_size(0)
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .on_upgrade(|socket| connection::serve(socket, service))
}

/// The version of a crate that this program was built with.
fn locked(crate_name: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = format!("name = \"{crate_name}\"\nversion = \"");
    lock.split_once(&entry)
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or("", |(version, _)| version)
}
