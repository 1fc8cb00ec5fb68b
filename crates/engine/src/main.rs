//! wirelab's load generator.
//!
//! `wirelab-engine websocket` plays the users of the suite `websocket`, `wirelab-engine http` those
//! of an HTTP server. `null` and `null-http` are the fastest servers for them, by which the
//! generator itself is measured.

mod http;
mod load;
mod net;
mod null;
mod open_files;
mod protocol;
mod websocket;

use std::process::ExitCode;

use wirelab_sdk::events::Events;
use wirelab_sdk::spec::Spec;

use self::load::{Load, Refusal, generator};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const USAGE: &str =
    "usage: wirelab-engine websocket|http|null|null-http, with WIRELAB_SPEC set by wirelab";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["websocket"] => generate(websocket::WebSocketPlan::of),
        ["http"] => generate(http::HttpPlan::of),
        ["null"] => null::websocket::serve(),
        ["null-http"] => null::http::serve(),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("wirelab-engine: {error}");
            ExitCode::FAILURE
        }
    }
}

fn generate<L: Load + 'static>(
    plan: impl FnOnce(&Spec) -> Result<L, Refusal>,
) -> Result<ExitCode, Failure> {
    let spec = Spec::from_environment()?;
    let events = Events::take_standard_output()?;
    // Why it gave up has been said as an event.
    let failed = generator::generate(&spec, &events, plan).is_err();
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
