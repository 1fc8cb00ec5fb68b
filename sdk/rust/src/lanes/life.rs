//! The process of a client, on tokio's runtime of several threads.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
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
    // A panic of a lane is one of the worker; it has been printed where it happened.
    let played = catch_unwind(AssertUnwindSafe(|| runtime.block_on(play(&client))));
    let played = played.unwrap_or_else(|panicked| Err(words_of(&*panicked).into()));
    // Lanes have ended; what the library still has at work is not waited for.
    runtime.shutdown_background();
    match played {
        Ok(()) => done(client),
        Err(error) => failed(&client, &error),
    }
}

fn words_of(panicked: &(dyn Any + Send)) -> String {
    let text = panicked.downcast_ref::<String>().map(String::as_str);
    let said = text.or_else(|| panicked.downcast_ref::<&str>().copied());
    format!("panicked: {}", said.unwrap_or("it gave no reason"))
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
