//! Null servers: the least a server can do, as fast as it can be done here.
//!
//! What the generator can take from one is the generator's ceiling on this machine. They are no
//! contenders.

pub mod http;
mod listener;
pub mod websocket;

use std::net::SocketAddr;
use std::process::ExitCode;

use wirelab_sdk::events::{Product, RUST};
use wirelab_sdk::server::Server;

use self::listener::{NullListener, NullService};
use crate::Failure;
use crate::open_files;

/// Files beside the connections; how many of those come, a server is not told.
const FILES: u64 = 64;

/// Serves as `S` until told to stop; `endpoint` is made of its address, `protocol` is its fact.
fn serve<S: NullService>(
    endpoint: impl FnOnce(SocketAddr) -> String,
    protocol: &str,
) -> Result<ExitCode, Failure> {
    let server = Server::begin()?;
    if let Err(text) = open_files::raise(FILES) {
        server.fatal("OpenFiles", &text);
        return Ok(ExitCode::FAILURE);
    }
    let listener = match NullListener::open(&server.spec.listen) {
        Ok(listener) => listener,
        Err(error) => {
            server.fatal("Listen", &format!("{}: {error}", server.spec.listen));
            return Ok(ExitCode::FAILURE);
        }
    };
    let endpoint = endpoint(listener.address());
    let closer = listener.closer()?;
    let thread = std::thread::Builder::new()
        .name("serving".into())
        .spawn(|| listener.serve(S::default()))?;
    let library = Product {
        name: "wirelab-engine",
        version: env!("CARGO_PKG_VERSION"),
    };
    let facts = serde_json::json!({ "protocol": protocol });
    server.announce(&endpoint, facts, library, RUST);
    server.wait_for_stop();
    closer.close()?;
    match thread.join() {
        Ok(Ok(())) => server.done()?,
        Ok(Err(error)) => return Err(error.into()),
        Err(_) => return Err("the thread that serves has failed".into()),
    }
    Ok(ExitCode::SUCCESS)
}
