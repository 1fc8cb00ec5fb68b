//! Events of the contract on the descriptor that was standard output.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::CONTRACT;
use crate::clock::now_ns;
use crate::status::Status;

/// The contract wants no more of one class; a lost server would fill the core's disk.
const ERRORS_PER_CLASS: u32 = 100;

/// Well below the contract's 64 KiB a line: an escaped control character takes six bytes.
const LONGEST_TEXT: usize = 5000;

/// Name and version of a library or runtime.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Product<'a> {
    /// Name as its makers write it.
    pub name: &'a str,
    /// Empty when unknown.
    pub version: &'a str,
}

impl<'a> Product<'a> {
    /// A crate, in the version that a `Cargo.lock` has; empty when it has none.
    #[must_use]
    pub fn locked(lock: &'a str, name: &'a str) -> Self {
        let entry = format!("name = \"{name}\"\nversion = \"");
        let version = lock
            .split_once(&entry)
            .and_then(|(_, rest)| rest.split_once('"'))
            .map_or("", |(version, _)| version);
        Self { name, version }
    }
}

/// The runtime of a native program: the language, in the version it was compiled with.
pub const RUST: Product<'static> = Product {
    name: "Rust",
    version: env!("WIRELAB_RUST_VERSION"),
};

/// Facts that a worker tells when it can serve, or is connected and waits for its start.
#[derive(Clone, Debug)]
pub struct Ready<'a> {
    /// The address that a server really got.
    pub endpoint: Option<&'a str>,
    /// Passed on to later roles and to the verifier.
    pub facts: Value,
    /// Abilities of this worker beyond the least.
    pub capabilities: &'a [&'a str],
    /// The library measured.
    pub library: Product<'a>,
    /// Runtime that it runs in.
    pub runtime: Product<'a>,
}

/// Figures that only the runtime can know; counters are cumulative since the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuntimeFigures {
    /// Bytes of heap in use, and what kind of figure that is.
    pub heap: Option<(u64, &'static str)>,
    /// Longest time the event loop did not look at its queue since the last event.
    pub loop_lag_ns: Option<u64>,
}

/// Reach of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One operation failed.
    Call,
    /// One item of an operation.
    Item,
    /// The worker gives up.
    Fatal,
}

/// An error in the words of the library.
#[derive(Clone, Debug)]
pub struct ErrorSeen {
    /// Its class; of each class the first 100 are sent.
    pub class: String,
    /// End of the operation.
    pub status: Status,
    /// Words that the library's caller is told.
    pub message: String,
    /// Its reach.
    pub scope: Scope,
    /// Name of the operation, empty when it belongs to none.
    pub operation: &'static str,
    /// Time at which the operation was due.
    pub intended_ns: Option<u64>,
}

/// One JSON object a line, each in one write; usable from any thread.
pub struct Events {
    stream: Mutex<Stream>,
}

struct Stream {
    out: Box<dyn Write + Send>,
    errors: HashMap<String, u32>,
}

impl Events {
    /// Keeps standard output for events; everything else printed goes to standard error.
    ///
    /// # Errors
    /// When standard output is closed.
    pub fn take_standard_output() -> io::Result<Self> {
        let kept = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
        Ok(Self::to(File::from(kept)))
    }

    /// Events on any other stream.
    pub fn to(out: impl Write + Send + 'static) -> Self {
        let stream = Stream {
            out: Box::new(out),
            errors: HashMap::new(),
        };
        Self {
            stream: Mutex::new(stream),
        }
    }

    /// Waits for the start, or serves.
    pub fn ready(&self, ready: &Ready<'_>) {
        let mut fields = json!({
            "contract": CONTRACT,
            "monotonic_ns": now_ns(),
            "library": ready.library,
            "runtime": ready.runtime,
            "facts": ready.facts,
            "capabilities": ready.capabilities,
        });
        if let Some(endpoint) = ready.endpoint {
            fields["endpoint"] = endpoint.into();
        }
        self.emit("ready", fields);
    }

    /// Records written so far, and any other figures; at most once a second.
    pub fn progress(&self, records: u64, others: &[(&str, u64)]) {
        let mut fields = json!({ "records": records });
        for (name, value) in others {
            fields[*name] = (*value).into();
        }
        self.emit("progress", fields);
    }

    /// About once a second, and once before `done`.
    pub fn runtime(&self, figures: RuntimeFigures) {
        let mut fields = json!({ "monotonic_ns": now_ns() });
        if let Some((bytes, kind)) = figures.heap {
            fields["heap_bytes"] = bytes.into();
            fields["heap_kind"] = kind.into();
        }
        if let Some(lag) = figures.loop_lag_ns {
            fields["loop_lag_ns"] = lag.into();
        }
        self.emit("runtime", fields);
    }

    /// A step of a closed loop has ended; times are CLOCK_MONOTONIC in nanoseconds.
    pub fn step(&self, name: &str, begin_ns: u64, end_ns: u64) {
        let fields = json!({ "name": name, "begin_ns": begin_ns, "end_ns": end_ns });
        self.emit("step", fields);
    }

    /// Says what failed, unless enough of its class have been said; what ends the worker always.
    pub fn error(&self, error: &ErrorSeen) {
        if !matches!(error.scope, Scope::Fatal) {
            let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
            let seen = stream.errors.entry(error.class.clone()).or_default();
            *seen += 1;
            if *seen > ERRORS_PER_CLASS {
                return;
            }
        }
        let scope = match error.scope {
            Scope::Call => "call",
            Scope::Item => "item",
            Scope::Fatal => "fatal",
        };
        let mut fields = json!({
            "class": cut(&error.class),
            "status": error.status.name(),
            "message": cut(&error.message),
            "scope": scope,
            "operation": error.operation,
            "monotonic_ns": now_ns(),
        });
        if let Some(intended) = error.intended_ns {
            fields["intended_ns"] = intended.into();
        }
        self.emit("error", fields);
    }

    /// Says why this worker gives up; it then exits with another code than 0.
    pub fn fatal(&self, class: &str, message: &str) {
        self.error(&ErrorSeen {
            class: class.to_owned(),
            status: Status::Error,
            message: message.to_owned(),
            scope: Scope::Fatal,
            operation: "",
            intended_ns: None,
        });
    }

    /// Says how many of each thing a neutral service has served since its start: now and then, and
    /// once its trial is over.
    pub fn served(&self, items: &[(&str, u64)]) {
        let items: Map<String, Value> = items
            .iter()
            .map(|(name, count)| ((*name).to_owned(), (*count).into()))
            .collect();
        self.emit(
            "served",
            json!({ "items": items, "monotonic_ns": now_ns() }),
        );
    }

    /// Everything is written.
    pub fn done(&self, records: u64, answers: u64, checksum: &str) {
        let fields = json!({ "records": records, "answers": answers, "checksum": checksum });
        self.emit("done", fields);
    }

    /// Everything is written, so many lines of the batch file too.
    #[cfg(feature = "batches")]
    pub fn done_with_batches(&self, records: u64, answers: u64, checksum: &str, batches: u64) {
        let mut fields = json!({ "records": records, "answers": answers, "checksum": checksum });
        fields["batches"] = batches.into();
        self.emit("done", fields);
    }

    fn emit(&self, event: &str, fields: Value) {
        let mut line = Map::new();
        line.insert("event".into(), event.into());
        if let Value::Object(fields) = fields {
            line.extend(fields);
        }
        let mut data = Value::Object(line).to_string();
        data.push('\n');
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        // A core that has gone ends standard input, and that ends this worker.
        let _ = stream
            .out
            .write_all(data.as_bytes())
            .and_then(|()| stream.out.flush());
    }
}

fn cut(text: &str) -> &str {
    let mut end = text.len().min(LONGEST_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use serde_json::Value;

    use super::{ERRORS_PER_CLASS, ErrorSeen, Events, Product, Scope};
    use crate::status::Status;

    /// A stream in the place of standard output; its clones keep what was said on any of them.
    #[derive(Clone, Default)]
    pub(crate) struct SharedOutput(Arc<Mutex<Vec<u8>>>);

    impl SharedOutput {
        /// Every event so far, in order.
        pub(crate) fn events(&self) -> Vec<Value> {
            let said = self.0.lock().unwrap();
            let lines = std::str::from_utf8(&said).unwrap().lines();
            lines
                .map(|line| serde_json::from_str(line).unwrap())
                .collect()
        }

        /// The events of one kind.
        pub(crate) fn events_of(&self, kind: &str) -> Vec<Value> {
            let of_kind = |event: &Value| event["event"] == kind;
            self.events().into_iter().filter(of_kind).collect()
        }
    }

    impl Write for SharedOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_ends_the_worker_is_said_however_often_its_class_was() {
        let said = SharedOutput::default();
        let events = Events::to(said.clone());
        let failed = |scope| ErrorSeen {
            class: "Refused".to_owned(),
            status: Status::Refused,
            message: String::new(),
            scope,
            operation: "",
            intended_ns: None,
        };
        for _ in 0..=ERRORS_PER_CLASS {
            events.error(&failed(Scope::Call));
        }
        events.error(&failed(Scope::Fatal));
        let scopes: Vec<Value> = said
            .events_of("error")
            .into_iter()
            .map(|mut event| event["scope"].take())
            .collect();
        let mut expected = vec!["call"; ERRORS_PER_CLASS as usize];
        expected.push("fatal");
        assert_eq!(scopes, expected);
    }

    #[test]
    fn the_version_is_that_of_the_lock_file() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.2\"\n\n[[package]]\nname = \"ab\"\nversion = \"3.4\"\n";
        assert_eq!(Product::locked(lock, "ab").version, "3.4");
        assert_eq!(Product::locked(lock, "b").version, "");
    }
}
