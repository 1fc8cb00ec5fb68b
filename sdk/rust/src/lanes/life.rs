//! The process of a client, on tokio's runtime of several threads.

use std::process::ExitCode;
use std::sync::Arc;

use super::client::{Client, Failure};

/// Plays a client to its end, and says `done` or why it gave up.
#[must_use]
pub fn live(play: impl AsyncFnOnce(&Arc<Client>) -> Result<(), Failure>) -> ExitCode {
    let client = match Client::begin() {
        Ok(client) => Arc::new(client),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&client, &error.into()),
    };
    let played = runtime.block_on(play(&client));
    // Lanes have ended; what the library still has at work is not waited for.
    runtime.shutdown_background();
    match played {
        Ok(()) => done(client),
        Err(error) => failed(&client, &error),
    }
}

fn done(client: Arc<Client>) -> ExitCode {
    match client.done() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn failed(client: &Client, error: &Failure) -> ExitCode {
    eprintln!("{error}");
    client.fatal("Failure", &error.to_string());
    ExitCode::FAILURE
}
