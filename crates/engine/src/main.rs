//! `wirelab-engine websocket`: plays the users of the suite `websocket`.
//! `wirelab-engine null`: the fastest server for it, by which the generator itself is measured.

mod load;
mod net;
mod null;
mod open_files;
mod protocol;

use std::process::ExitCode;

use wirelab_sdk::events::Events;
use wirelab_sdk::spec::Spec;

const USAGE: &str = "usage: wirelab-engine websocket|null, with WIRELAB_SPEC set by wirelab";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["websocket"] => websocket(),
        ["null"] => null::serve(),
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

fn websocket() -> Result<ExitCode, Box<dyn std::error::Error + Send + Sync>> {
    let spec = Spec::from_environment()?;
    let events = Events::take_standard_output()?;
    // Why it gave up has been said as an event.
    let failed = load::generator::generate(&spec, &events).is_err();
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
