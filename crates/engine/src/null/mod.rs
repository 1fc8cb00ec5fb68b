//! Null servers: the least a server can do, as fast as it can be done here.
//!
//! What the generator can take from one is the generator's ceiling on this machine. They are no
//! contenders.

pub mod http;
pub mod websocket;

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;

use mio::Waker;
use wirelab_sdk::events::{Product, RUST};
use wirelab_sdk::server::Server;

use crate::Failure;
use crate::open_files;

/// Files beside the connections; how many of those come, a server is not told.
const FILES: u64 = 64;

/// A server that has been opened, and what it says of itself.
pub trait Open: Send + Sized + 'static {
    /// Listens on an address such as `127.0.0.1:0`.
    fn open(listen: &str) -> io::Result<Self>;
    /// Where it listens.
    fn address(&self) -> SocketAddr;
    /// Ends [`Self::serve`] when woken.
    fn closer(&self) -> io::Result<Waker>;
    /// Serves until woken by the closer.
    fn serve(self) -> io::Result<()>;
}

/// Serves as `S` until told to stop; `endpoint` is made of its address, `protocol` is its fact.
fn serve<S: Open>(
    endpoint: impl FnOnce(SocketAddr) -> String,
    protocol: &str,
) -> Result<ExitCode, Failure> {
    let server = Server::begin()?;
    if let Err(text) = open_files::raise(FILES) {
        server.fatal("OpenFiles", &text);
        return Ok(ExitCode::FAILURE);
    }
    let open = match S::open(&server.spec.listen) {
        Ok(open) => open,
        Err(error) => {
            server.fatal("Listen", &format!("{}: {error}", server.spec.listen));
            return Ok(ExitCode::FAILURE);
        }
    };
    let endpoint = endpoint(open.address());
    let closer = open.closer()?;
    let thread = std::thread::Builder::new()
        .name("serving".into())
        .spawn(move || open.serve())?;
    let library = Product {
        name: "wirelab-engine",
        version: env!("CARGO_PKG_VERSION"),
    };
    let facts = serde_json::json!({ "protocol": protocol });
    server.announce(&endpoint, facts, library, RUST);
    server.wait_for_stop();
    closer.wake()?;
    match thread.join() {
        Ok(Ok(())) => server.done()?,
        Ok(Err(error)) => return Err(error.into()),
        Err(_) => return Err("the thread that serves has failed".into()),
    }
    Ok(ExitCode::SUCCESS)
}
