//! Starts a worker by the contract, and reads what it wrote.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wirelab_sdk::clock::now_ns;

pub const MS: u64 = 1_000_000;
pub const SEED: u64 = 4711;

/// A worker that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(60);

static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// A folder that goes with its owner.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("wirelab-engine-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A spec for `role`, without endpoints and with an empty schedule.
pub fn spec(folder: &Folder, role: &str) -> Value {
    let file = |kind: &str| folder.path().join(format!("{role}.{kind}"));
    json!({
        "contract": 2, "trial": "0001", "suite": "websocket", "scenario": "test", "role": role,
        "seed": SEED, "listen": "127.0.0.1:0", "endpoints": {}, "facts": {},
        "parameters": { "board_size": 4, "message_bytes": 150 },
        "operations": {
            "rtt": { "code": 1 },
            "delivery": { "code": 2, "record": "intervals" },
            "connect": { "code": 3, "due": "join" },
        },
        "schedule": { "first_ns": 0, "period_ns": 10 * MS, "count": 0, "warmup": 0 },
        "verify": { "preflight": {}, "ticks": {} },
        "paths": {
            "samples": file("samples"), "answers": file("answers"),
            "intervals": file("intervals"), "scratch": folder.path(),
        },
        "limits": { "ready_ns": 20_000 * MS, "operation_ns": 3_000 * MS, "stop_ns": 5_000 * MS },
    })
}

/// Ticks in which users join before they send: a second, because the machine may be busy.
pub const SETTLE: u64 = 100;

/// A spec for the generator: `users` users on boards of four, in one step that has `count` ticks
/// after the joins.
pub fn load(folder: &Folder, endpoint: &str, protocol: &str, users: u64, count: u64) -> Value {
    let mut spec = spec(folder, "generator");
    spec["endpoints"] = json!({ "server": endpoint });
    spec["facts"] = json!({ "server": { "protocol": protocol } });
    let count = count + SETTLE;
    spec["schedule"]["count"] = count.into();
    spec["schedule"]["steps"] = json!([{
        "name": "all", "first": 0, "count": count, "settle": SETTLE, "users": users,
        "lanes": users, "join_ns": 50 * MS,
    }]);
    spec
}

/// A running worker. It is ended with its owner.
pub struct Worker {
    child: Child,
    events: Receiver<Value>,
    pub seen: Vec<Value>,
    spec: Value,
    folder: Folder,
}

/// One record of the sample file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub intended_ns: u64,
    pub start_ns: u64,
    pub end_ns: u64,
    pub size: u32,
    pub op: u8,
    pub status: u8,
    pub lane: u16,
}

/// Results that a worker has left.
pub struct Outcome {
    pub code: Option<i32>,
    pub events: Vec<Value>,
    pub samples: Vec<Sample>,
    pub counts: BTreeMap<String, u64>,
    pub intervals: Vec<Value>,
    pub answers: Vec<Value>,
    pub start_ns: u64,
}

/// Codes of operations in the spec of [`load`], and of a status.
const RTT: u8 = 1;
const CONNECT: u8 = 3;
const OK: u8 = 0;

impl Outcome {
    /// Statuses of an operation's records, with their numbers.
    pub fn statuses(&self, op: u8) -> BTreeMap<u8, usize> {
        let mut found = BTreeMap::new();
        for sample in self.samples.iter().filter(|sample| sample.op == op) {
            *found.entry(sample.status).or_default() += 1;
        }
        found
    }

    /// A count of the interval file, such as `delivery.received`.
    pub fn count(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// Fails unless `users` joined, sent so many messages, and all of them came as they should.
    pub fn assert_perfect(&self, users: u64, sent: u64, expected: u64) {
        assert_eq!(self.statuses(RTT), [(OK, sent as usize)].into());
        assert_eq!(self.statuses(CONNECT), [(OK, users as usize)].into());
        assert_eq!(self.count("delivery.expected"), expected);
        assert_eq!(self.count("delivery.received"), expected);
        for nothing in [
            "delivery.duplicates",
            "delivery.reordered",
            "delivery.wrong",
            "connect.dropped",
        ] {
            assert_eq!(self.count(nothing), 0, "{nothing}");
        }
        let errors: Vec<_> = self
            .events
            .iter()
            .filter(|event| event["event"] == "error")
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
    }

    /// Messages of the error events of a class.
    pub fn errors(&self, class: &str) -> Vec<&str> {
        let errors = self.events.iter().filter(|event| event["event"] == "error");
        let errors = errors.filter(|event| event["class"] == class);
        errors
            .filter_map(|event| event["message"].as_str())
            .collect()
    }
}

impl Worker {
    /// Starts the engine as `subcommand` with `spec`.
    pub fn start(subcommand: &str, folder: Folder, spec: Value) -> Self {
        let path = folder.path().join("spec.json");
        std::fs::write(&path, spec.to_string()).expect("the spec");
        let mut child = Command::new(env!("CARGO_BIN_EXE_wirelab-engine"))
            .arg(subcommand)
            .env("WIRELAB_SPEC", &path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine");
        let output = child.stdout.take().expect("standard output");
        let (sender, events) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let event = serde_json::from_str(&line).expect("an event is a JSON object");
                if sender.send(event).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            events,
            seen: Vec::new(),
            spec,
            folder,
        }
    }

    /// Waits for an event of this kind; None when the worker ends without.
    pub fn wait_for(&mut self, kind: &str) -> Option<Value> {
        let until = Instant::now() + PATIENCE;
        loop {
            match self
                .events
                .recv_timeout(until.saturating_duration_since(Instant::now()))
            {
                Ok(event) => {
                    self.seen.push(event.clone());
                    if event["event"] == kind {
                        return Some(event);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => panic!("hangs before {kind}: {:?}", self.seen),
            }
        }
    }

    /// Writes a command.
    pub fn say(&mut self, command: &Value) {
        let input = self.child.stdin.as_mut().expect("standard input");
        // A worker that has given up reads no more.
        let _ = writeln!(input, "{command}").and_then(|()| input.flush());
    }

    /// Ends standard input.
    pub fn end_input(&mut self) {
        self.child.stdin = None;
    }

    /// Announces tick 0 and waits for the end.
    pub fn run(mut self) -> Outcome {
        let mut start_ns = 0;
        if self.wait_for("ready").is_some() {
            start_ns = now_ns() + 100 * MS;
            self.say(&json!({ "command": "start", "monotonic_ns": start_ns }));
        }
        self.finish(start_ns)
    }

    /// Waits for the end.
    pub fn finish(mut self, start_ns: u64) -> Outcome {
        self.wait_for("done");
        let until = Instant::now() + PATIENCE;
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status.code();
            }
            assert!(Instant::now() < until, "does not end after done");
            std::thread::sleep(Duration::from_millis(5));
        };
        Outcome {
            code,
            samples: self.samples(),
            counts: self.counts(),
            intervals: self.lines("intervals"),
            answers: self.lines("answers"),
            events: std::mem::take(&mut self.seen),
            start_ns,
        }
    }

    fn bytes(&self, kind: &str) -> Vec<u8> {
        let path = self.spec["paths"][kind].as_str().expect("a path");
        std::fs::read(path).unwrap_or_default()
    }

    fn lines(&self, kind: &str) -> Vec<Value> {
        let text = String::from_utf8(self.bytes(kind)).expect("UTF-8");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    fn samples(&self) -> Vec<Sample> {
        let bytes = self.bytes("samples");
        let (records, rest) = bytes.as_chunks::<32>();
        assert!(rest.is_empty(), "a record is not complete");
        let long = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("8 bytes"));
        let records = records.iter().skip(1).map(|record| Sample {
            intended_ns: long(&record[0..8]),
            start_ns: long(&record[8..16]),
            end_ns: long(&record[16..24]),
            size: u32::from_le_bytes(record[24..28].try_into().expect("4 bytes")),
            op: record[28],
            status: record[29],
            lane: u16::from_le_bytes([record[30], record[31]]),
        });
        records.collect()
    }

    fn counts(&self) -> BTreeMap<String, u64> {
        let mut sums = BTreeMap::new();
        for line in self.lines("intervals") {
            let operation = line["operation"].as_str().expect("a name");
            for (name, count) in line["counts"].as_object().expect("counts") {
                *sums.entry(format!("{operation}.{name}")).or_default() +=
                    count.as_u64().expect("a count");
            }
        }
        sums
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
