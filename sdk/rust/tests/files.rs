//! Files that a worker reads and writes, byte for byte as the contract has it.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use wirelab_sdk::events::{ErrorSeen, Events, Product, Ready, RuntimeFigures, Scope};
use wirelab_sdk::recorder::{Record, Recorder};
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

/// A file that goes with its owner.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("wirelab-sdk-{}-{name}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn samples() {
    let file = Scratch::new("samples");
    let mut recorder = Recorder::create(&file.0).expect("a file");
    let header = std::fs::read(&file.0).expect("it exists from the beginning");
    assert_eq!(header.len(), 32);
    assert_eq!(&header[..16], b"WLSAMPLE\x01\x00\x20\x00\x01\x00\x00\x00");
    assert_eq!(header[16..], [0; 16]);
    let record = Record {
        intended_ns: 1,
        start_ns: 0x0203,
        end_ns: u64::MAX,
        size: 130,
        op: 7,
        status: Status::Disconnected,
        lane: 0x0102,
    };
    recorder.record(&record).expect("a record");
    assert_eq!(recorder.publish().expect("written"), 1);
    assert_eq!(std::fs::read(&file.0).expect("bytes").len(), 64);
    recorder.record(&record).expect("a record");
    assert_eq!(recorder.count(), 2);
    assert_eq!(recorder.finish().expect("complete"), 2);
    let bytes = std::fs::read(&file.0).expect("bytes");
    let mut expected = vec![1, 0, 0, 0, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0];
    expected.extend([0xff; 8]);
    expected.extend([130, 0, 0, 0, 7, 3, 2, 1]);
    assert_eq!(bytes[32..64], expected);
    assert_eq!(bytes[64..], expected);
}

#[cfg(feature = "answers")]
#[test]
fn answers() {
    use wirelab_sdk::answers::{Answer, Answers, Phase};
    let file = Scratch::new("answers");
    let mut answers = Answers::create(&file.0).expect("a file");
    for (phase, tick) in [(Phase::Preflight, 0), (Phase::Measure, 7)] {
        let answer = json!({ "value": 0.1, "text": "ö" });
        let line = Answer {
            phase,
            operation: "read",
            tick,
            start_ns: 1,
            end_ns: 2,
            answer,
        };
        answers.write(&line).expect("a line");
    }
    answers.flush().expect("readable");
    let text = std::fs::read_to_string(&file.0).expect("text");
    let (count, checksum) = answers.finish().expect("complete");
    assert_eq!(
        (count, checksum),
        (2, format!("{:08x}", crc32fast::hash(text.as_bytes())))
    );
    let line = text.lines().nth(1).expect("a second line");
    let line: Value = serde_json::from_str(line).expect("JSON");
    let expected = json!({
        "phase": "measure", "operation": "read", "tick": 7, "start_ns": 1, "end_ns": 2,
        "answer": { "value": 0.1, "text": "ö" },
    });
    assert_eq!(line, expected);
}

/// A stream that can be looked at.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<u8>>>);

impl Seen {
    fn events(&self) -> Vec<Value> {
        let text = String::from_utf8(self.0.lock().expect("no panic").clone()).expect("UTF-8");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }
}

impl Write for Seen {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn events() {
    let seen = Seen::default();
    let events = Events::to(seen.clone());
    events.ready(&Ready {
        endpoint: Some("ws://127.0.0.1:1/"),
        facts: json!({ "protocol": "json" }),
        capabilities: &["lanes"],
        library: Product {
            name: "a",
            version: "1",
        },
        runtime: Product {
            name: "b",
            version: "",
        },
    });
    events.progress(5, &[("sent", 3)]);
    events.runtime(RuntimeFigures {
        heap: Some((9, "used")),
        loop_lag_ns: Some(4),
    });
    events.done(5, 0, "00000000");
    let lines = seen.events();
    assert_eq!(
        (&lines[0]["event"], &lines[0]["contract"]),
        (&json!("ready"), &json!(2))
    );
    assert_eq!(lines[0]["library"], json!({ "name": "a", "version": "1" }));
    assert_eq!(lines[0]["capabilities"], json!(["lanes"]));
    assert_eq!(
        lines[1],
        json!({ "event": "progress", "records": 5, "sent": 3 })
    );
    assert_eq!(
        (&lines[2]["heap_bytes"], &lines[2]["heap_kind"]),
        (&json!(9), &json!("used"))
    );
    assert_eq!(lines[2]["loop_lag_ns"], 4);
    let done = json!({ "event": "done", "records": 5, "answers": 0, "checksum": "00000000" });
    assert_eq!(lines[3], done);
}

#[test]
fn errors_are_limited_by_class_and_length() {
    let seen = Seen::default();
    let events = Events::to(seen.clone());
    for number in 0..250 {
        events.error(&ErrorSeen {
            class: if number % 2 == 0 { "Even" } else { "Odd" }.to_owned(),
            status: Status::Timeout,
            message: "ö\u{1}".repeat(20_000),
            scope: Scope::Call,
            operation: "rtt",
            intended_ns: Some(number),
        });
    }
    let lines = seen.events();
    assert_eq!(lines.len(), 200);
    assert_eq!(
        (&lines[0]["class"], &lines[0]["status"]),
        (&json!("Even"), &json!("timeout"))
    );
    assert_eq!(
        (&lines[1]["intended_ns"], &lines[1]["scope"]),
        (&json!(1), &json!("call"))
    );
    assert!(lines.iter().all(|line| line.to_string().len() < 64 * 1024));
}

fn document() -> Value {
    json!({
        "contract": 2, "trial": "7", "suite": "s", "scenario": "x", "role": "server", "seed": 1,
        "parameters": { "users": 5, "reconnect": true },
        "endpoints": { "redis": "redis://127.0.0.1:1" },
        "operations": { "rtt": { "code": 1 }, "connect": { "code": 3, "due": "join" } },
        "schedule": { "first_ns": 0, "period_ns": 1, "count": 0, "warmup": 0 },
        "paths": { "samples": "a", "answers": "b", "scratch": "c" },
        "limits": { "ready_ns": 1, "operation_ns": 2, "stop_ns": 3 },
        "new": "keys that nobody knows are passed over",
    })
}

fn read(name: &str, text: &str) -> Result<Spec, String> {
    let file = Scratch::new(name);
    std::fs::write(&file.0, text).expect("a file");
    Spec::read(&file.0).map_err(|error| error.to_string())
}

#[test]
fn a_spec() {
    let spec = read("spec", &document().to_string()).expect("a spec");
    assert_eq!(spec.parameter("users", 1_u32).ok(), Some(5));
    assert_eq!(spec.parameter("missing", 7_u32).ok(), Some(7));
    assert!(spec.parameter("users", false).is_err());
    assert_eq!(spec.endpoint("redis").ok(), Some("redis://127.0.0.1:1"));
    assert!(spec.endpoint("server").is_err());
    assert_eq!(
        (spec.listen.as_str(), spec.operations["rtt"].every),
        ("127.0.0.1:0", 1)
    );
    assert_eq!(spec.operations["connect"].due.as_deref(), Some("join"));
}

#[test]
fn specs_that_are_none() {
    assert!(read("garbage", "\0 no spec {").is_err_and(|text| text.contains("not JSON")));
    let mut other = document();
    other["contract"] = json!(1);
    assert!(read("other", &other.to_string()).is_err_and(|text| text.contains("contract 2")));
    for key in ["role", "paths", "limits", "schedule", "operations"] {
        let mut lacking = document();
        lacking.as_object_mut().expect("an object").remove(key);
        assert!(
            read(key, &lacking.to_string()).is_err_and(|text| text.contains(key)),
            "{key}"
        );
    }
    assert!(Spec::read(&Scratch::new("nowhere").0).is_err());
}
