//! The protocol with the core: ready, start, every step with its answers and loops, done.

use std::error::Error;
use std::io::{Write, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::commands::{Command, listen};
use wirelab_sdk::events::{ErrorSeen, Events, Product, RUST, Ready, Scope};
use wirelab_sdk::recorder::Recorder;
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

use crate::answers::AnswersFile;
use crate::batches::BatchFile;
use crate::library::Library;
use crate::spec::Task;
use crate::steps::{Contender, Session};

/// The units in which folds see strings: those of Rust's own.
const STRINGS: &str = "utf-8";

/// Runs a contender to its end; what goes wrong with the worker itself ends it with a failure.
pub(crate) fn run<X: Contender>(library: Library<'_>, contender: &X) -> ExitCode {
    // Not taken over from the SDK's side: `done` has a field that its events do not know, and
    // nothing that is linked in here prints.
    let events = Events::to(stdout());
    match perform(library, contender, &events) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            events.error(&ErrorSeen {
                class: "worker".into(),
                status: Status::Error,
                message: error.to_string(),
                scope: Scope::Fatal,
                operation: "",
                intended_ns: None,
            });
            ExitCode::FAILURE
        }
    }
}

fn perform<X: Contender>(
    library: Library<'_>,
    contender: &X,
    events: &Events,
) -> Result<(), Box<dyn Error>> {
    let spec = Spec::from_environment()?;
    let task = Task::from_environment()?;
    let strings: String = spec.parameter("strings", STRINGS.into())?;
    if strings != STRINGS {
        return Err(format!("strings are {STRINGS} in Rust, not {strings}").into());
    }
    let samples = Recorder::create(&spec.paths.samples)?;
    let mut answers = AnswersFile::create(&spec.paths.answers)?;
    let mut batches = BatchFile::create(task.batch_file())?;
    let stopping = Arc::new(AtomicBool::new(false));
    let start = listen_for_start(&stopping);

    events.ready(&Ready {
        endpoint: None,
        facts: json!({
            "format": library.format,
            "strings": STRINGS,
            "operations": X::OPERATIONS,
        }),
        capabilities: &[],
        library: Product { name: library.name, version: library.version },
        runtime: RUST,
    });
    if let Some(at_ns) = start() {
        sleep(Duration::from_nanos(at_ns.saturating_sub(now_ns())));
        let (answers, batches) = (&mut answers, &mut batches);
        let format = library.format;
        let mut session = Session { task: &task, format, stopping: &stopping, answers, batches };
        for step in &task.batches.steps {
            session.step(contender, step)?;
        }
    }

    let records = samples.finish()?;
    let (answers, checksum) = answers.finish()?;
    let batches = batches.count();
    done(&json!({
        "event": "done",
        "records": records,
        "answers": answers,
        "checksum": checksum,
        "batches": batches,
    }))?;
    Ok(())
}

/// Reads commands on a thread of their own: what waits for the start, `None` when it is a stop.
fn listen_for_start(stopping: &Arc<AtomicBool>) -> impl FnOnce() -> Option<u64> {
    let (sender, receiver) = channel();
    let stopping = Arc::clone(stopping);
    listen(move |command| {
        let start = match command {
            Command::Start(at_ns) => Some(at_ns),
            Command::Stop => {
                stopping.store(true, Relaxed);
                None
            }
        };
        // A stop after the start: the loops look at the flag, nobody at this channel.
        let _ = sender.send(start);
    });
    move || receiver.recv().ok().flatten()
}

fn done(event: &serde_json::Value) -> std::io::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{event}")?;
    out.flush()
}
