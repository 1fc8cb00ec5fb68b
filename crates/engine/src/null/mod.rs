//! The null server: the least a server of this suite can do, as fast as it can be done here.
//!
//! It speaks `json`, looks for the type and the board in the text as the engine writes it, and
//! writes one encoded frame to every member. What the generator can take from it is the
//! generator's ceiling on this machine. It is no contender: it reads no JSON.

mod boards;
mod hall;

use std::process::ExitCode;

use wirelab_sdk::events::{Product, RUST};
use wirelab_sdk::server::Server;

use crate::open_files;

/// Files beside the connections; how many of those come, a server is not told.
const FILES: u64 = 64;

/// Serves until told to stop.
pub fn serve() -> Result<ExitCode, Box<dyn std::error::Error + Send + Sync>> {
    let server = Server::begin()?;
    if let Err(text) = open_files::raise(FILES) {
        server.fatal("OpenFiles", &text);
        return Ok(ExitCode::FAILURE);
    }
    let hall = match hall::Hall::open(&server.spec.listen) {
        Ok(hall) => hall,
        Err(error) => {
            server.fatal("Listen", &format!("{}: {error}", server.spec.listen));
            return Ok(ExitCode::FAILURE);
        }
    };
    let endpoint = format!("ws://{}/board", hall.address());
    let closer = hall.closer()?;
    let thread = std::thread::Builder::new()
        .name("boards".into())
        .spawn(move || hall.serve())?;
    let library = Product {
        name: "wirelab-engine",
        version: env!("CARGO_PKG_VERSION"),
    };
    server.announce(
        &endpoint,
        serde_json::json!({ "protocol": "json" }),
        library,
        RUST,
    );
    server.wait_for_stop();
    closer.wake()?;
    match thread.join() {
        Ok(Ok(())) => server.done()?,
        Ok(Err(error)) => return Err(error.into()),
        Err(_) => return Err("the thread of the boards has failed".into()),
    }
    Ok(ExitCode::SUCCESS)
}
