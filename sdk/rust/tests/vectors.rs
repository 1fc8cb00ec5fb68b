//! The vectors of the worker contract, which every SDK is tested against: `sdk/vectors/README.md`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wirelab_sdk::events::{ErrorSeen, Events, Product, RUST, Ready, Scope};
use wirelab_sdk::recorder::{Record, Recorder};
use wirelab_sdk::schedule::Schedule;
use wirelab_sdk::status::Status;

fn read<T: DeserializeOwned>(name: &str) -> T {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    let text = std::fs::read(folder.join(name)).expect("a file of vectors");
    serde_json::from_slice(&text).expect("vectors")
}

/// A file that goes with its owner.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("wirelab-vectors-{}-{name}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[derive(Deserialize)]
struct Schedules {
    timed: Vec<Timed>,
    closed: Vec<Closed>,
}

#[derive(Deserialize)]
struct Timed {
    name: String,
    schedule: Schedule,
    lanes: Vec<LaneDue>,
    joins: Vec<(usize, u64)>,
}

#[derive(Deserialize)]
struct LaneDue {
    lane: u64,
    shift_ns: u64,
    due: Vec<(u64, u64)>,
}

#[derive(Deserialize)]
struct Closed {
    schedule: Schedule,
    operation_ns: u64,
    steps: Vec<AtMost>,
}

#[derive(Deserialize)]
struct AtMost {
    at_most_ns: Option<u64>,
}

#[test]
fn lanes_are_due_and_users_join() {
    let cases: Schedules = read("schedule.json");
    let (mut lanes, mut joins) = (0, 0);
    for case in &cases.timed {
        let schedule = &case.schedule;
        assert_eq!(schedule.check(), Ok(()), "{}", case.name);
        for expected in &case.lanes {
            let lane = schedule.lane(expected.lane);
            let shift_ns = lane.ticks * schedule.period_ns + lane.phase_ns;
            assert_eq!(shift_ns, expected.shift_ns, "{}: {lane:?}", case.name);
            let due: Vec<_> = (0..schedule.count)
                .filter(|tick| schedule.is_due(lane, *tick))
                .map(|tick| (tick, schedule.offset_ns(lane, tick)))
                .collect();
            assert_eq!(due, expected.due, "{}: {lane:?}", case.name);
            lanes += 1;
        }
        let known = schedule.joins();
        for (user, after_ns) in &case.joins {
            let found = (known[*user].user, known[*user].offset_ns);
            assert_eq!(found, (*user as u64, *after_ns), "{}", case.name);
            joins += 1;
        }
    }
    assert_eq!((cases.timed.len(), lanes, joins), (9, 30, 41));
}

#[test]
fn steps_of_closed_loops_take_at_most_so_long() {
    let cases: Schedules = read("schedule.json");
    let mut steps = 0;
    for case in &cases.closed {
        assert!(case.schedule.is_closed() && case.schedule.check().is_ok());
        for (step, expected) in case.schedule.steps.iter().zip(&case.steps) {
            let ticks = step.count - step.settle;
            let found = case.schedule.at_most_ns(ticks, case.operation_ns);
            let beyond = found > i64::MAX as u64;
            assert_eq!((!beyond).then_some(found), expected.at_most_ns, "{step:?}");
            steps += 1;
        }
    }
    assert_eq!(steps, 6);
}

#[derive(Deserialize)]
struct Samples {
    header: String,
    records: Vec<SampleBytes>,
}

#[derive(Deserialize)]
struct SampleBytes {
    intended_ns: u64,
    start_ns: u64,
    end_ns: u64,
    size: u32,
    op: u8,
    status: u8,
    lane: u16,
    bytes: String,
}

/// The statuses of the contract; those of suites have no name in this SDK.
fn status(number: u8) -> Option<Status> {
    let named = [
        Status::Ok,
        Status::Error,
        Status::Timeout,
        Status::Disconnected,
        Status::Refused,
        Status::ItemError,
        Status::WrongAnswer,
        Status::Unsupported,
    ];
    named.into_iter().find(|status| *status as u8 == number)
}

#[test]
fn the_sample_file_byte_for_byte() {
    let cases: Samples = read("samples.json");
    let file = Scratch::new("samples");
    let mut recorder = Recorder::create(&file.0).expect("a file");
    let mut expected = cases.header.clone();
    for case in &cases.records {
        let Some(status) = status(case.status) else {
            continue;
        };
        let record = Record {
            intended_ns: case.intended_ns,
            start_ns: case.start_ns,
            end_ns: case.end_ns,
            size: case.size,
            op: case.op,
            status,
            lane: case.lane,
        };
        recorder.record(&record).expect("a record");
        expected.push_str(&case.bytes);
    }
    assert_eq!(recorder.finish().expect("complete"), 5);
    assert_eq!(cases.records.len(), 7);
    let bytes = std::fs::read(&file.0).expect("bytes");
    let found: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(found, expected);
}

/// A stream that can be looked at.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<u8>>>);

impl Write for Seen {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn say(events: &Events, event: &Value) {
    let text = |key: &str| event[key].as_str().expect("text");
    let whole = |key: &str| event[key].as_u64().expect("a whole number");
    match text("event") {
        "ready" => {
            let capabilities = event["capabilities"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            let capabilities: Vec<_> = capabilities.iter().filter_map(Value::as_str).collect();
            events.ready(&Ready {
                endpoint: event["endpoint"].as_str(),
                facts: event.get("facts").cloned().unwrap_or_else(|| json!({})),
                capabilities: &capabilities,
                library: Product {
                    name: event["library"]["name"].as_str().expect("text"),
                    version: event["library"]["version"].as_str().expect("text"),
                },
                runtime: RUST,
            });
        }
        "progress" => events.progress(whole("records"), &[]),
        "step" => events.step(text("name"), whole("begin_ns"), whole("end_ns")),
        "error" => {
            assert_eq!((text("status"), text("scope")), ("timeout", "call"));
            events.error(&ErrorSeen {
                class: text("class").to_owned(),
                status: Status::Timeout,
                message: text("message").to_owned(),
                scope: Scope::Call,
                operation: text("operation").to_owned().leak(),
                intended_ns: Some(whole("intended_ns")),
            });
        }
        "done" => events.done(whole("records"), whole("answers"), text("checksum")),
        other => panic!("an event {other}"),
    }
}

#[test]
fn events_say_what_they_are_told() {
    let cases: BTreeMap<String, Vec<Value>> = read("events.json");
    let mut said: BTreeMap<&str, usize> = BTreeMap::new();
    for event in &cases["events"] {
        let seen = Seen::default();
        say(&Events::to(seen.clone()), event);
        let bytes = seen.0.lock().expect("no panic").clone();
        assert_eq!(bytes.iter().filter(|byte| **byte == b'\n').count(), 1);
        let line: Value = serde_json::from_slice(&bytes).expect("JSON");
        for (key, expected) in event.as_object().expect("an object") {
            assert_eq!(&line[key], expected, "{key}");
        }
        *said
            .entry(event["event"].as_str().expect("text"))
            .or_default() += 1;
    }
    let expected = ["done", "error", "progress", "ready", "step"].map(|kind| (kind, 2));
    assert_eq!(said, BTreeMap::from(expected));
}

#[cfg(feature = "intervals")]
#[test]
fn the_interval_file() {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use hdrhistogram::Histogram;
    use hdrhistogram::serialization::Deserializer;
    use wirelab_sdk::intervals::{Durations, Interval, Intervals};

    let histogram = |text: &Value| -> Option<Histogram<u64>> {
        let text = text.as_str().filter(|text| !text.is_empty())?;
        let bytes = STANDARD.decode(text).expect("base64");
        Some(
            Deserializer::new()
                .deserialize(&mut bytes.as_slice())
                .expect("a histogram"),
        )
    };
    let durations = |all: &Value| {
        let mut durations = Durations::default();
        for ns in all.as_array().expect("durations") {
            durations.add(ns.as_u64().expect("a whole number"));
        }
        durations
    };
    let cases: BTreeMap<String, Vec<Value>> = read("intervals.json");
    let mut histograms = 0;
    for case in &cases["intervals"] {
        let fields = case["fields"].as_object().expect("an object");
        let counts: Vec<_> = fields["counts"]
            .as_object()
            .expect("counts")
            .iter()
            .map(|(name, count)| (name.as_str(), count.as_u64().expect("a whole number")))
            .collect();
        let file = Scratch::new("intervals");
        let mut intervals = Intervals::create(&file.0).expect("a file");
        let written = intervals.write(&Interval {
            second: fields["second"].as_u64().expect("a whole number"),
            tenth: None,
            operation: fields["operation"].as_str().expect("text"),
            step: fields
                .get("step")
                .and_then(Value::as_str)
                .unwrap_or_default(),
            counts: &counts,
            service: Some(&durations(&case["service_ns"])),
            response: Some(&durations(&case["response_ns"])),
        });
        written.expect("a line");
        intervals.finish().expect("complete");
        let text = std::fs::read(&file.0).expect("text");
        let mut line: Value = serde_json::from_slice(&text).expect("JSON");
        let line = line.as_object_mut().expect("an object");
        for kind in ["service", "response"] {
            let found = histogram(&line.remove(kind).unwrap_or_default());
            histograms += usize::from(found.is_some());
            assert_eq!(found, histogram(&case[kind]), "{kind}");
        }
        assert_eq!(line, fields);
    }
    assert_eq!((cases["intervals"].len(), histograms), (4, 4));
}

#[cfg(feature = "answers")]
mod asked {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::Value;
    use wirelab_sdk::asked::{EndedOperation, KeptLane};
    use wirelab_sdk::clock::now_ns;
    use wirelab_sdk::commands::Asking;

    #[derive(Deserialize)]
    struct Asked {
        cases: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        name: String,
        does: Vec<Deed>,
        lines: Vec<Value>,
    }

    #[derive(Deserialize)]
    #[serde(tag = "does", rename_all = "lowercase")]
    enum Deed {
        Begin {
            lane: u64,
        },
        End {
            lane: u64,
            tick: u64,
            results: Vec<Brought>,
        },
        Ask {
            asked: u64,
            operation: String,
            lane: u64,
        },
    }

    #[derive(Deserialize)]
    struct Brought {
        operation: String,
        start_ns: u64,
        end_ns: u64,
        answer: Option<Value>,
    }

    fn ended(tick: u64, brought: Brought) -> EndedOperation {
        EndedOperation {
            operation: brought.operation.leak(),
            tick,
            start_ns: brought.start_ns,
            end_ns: brought.end_ns,
            answer: brought.answer.map(|answer| Box::new(|| answer) as _),
        }
    }

    /// The lines of a case, without when they were put into words.
    fn played(deeds: Vec<Deed>) -> Vec<Value> {
        let began_ns = now_ns();
        let mut lanes: BTreeMap<u64, KeptLane> = BTreeMap::new();
        let mut lines = Vec::new();
        let mut records = 0;
        for deed in deeds {
            match deed {
                Deed::Begin { lane } => lanes.entry(lane).or_default().begin(),
                Deed::End {
                    lane,
                    tick,
                    results,
                } => {
                    let results = results.into_iter().map(|one| ended(tick, one));
                    records += results.len() as u64;
                    let kept = lanes.entry(lane).or_default();
                    lines.extend(kept.end(results, || Ok(records)).expect("lines"));
                }
                Deed::Ask {
                    asked,
                    operation,
                    lane,
                } => {
                    let asking = Asking {
                        asked,
                        operation,
                        lane,
                    };
                    let kept = lanes.entry(lane).or_default();
                    lines.extend(kept.hear(asking, || Ok(records)).expect("a line"));
                }
            }
        }
        let mut written = Vec::new();
        for line in lines {
            let mut line = serde_json::to_value(line).expect("JSON");
            let fields = line.as_object_mut().expect("an object");
            if let Some(pause) = fields.remove("pause") {
                let said = fields.remove("records").expect("how many there are");
                assert!(said.as_u64().is_some_and(|said| said <= records));
                let [begin_ns, end_ns] = [0, 1].map(|at| pause[at].as_u64().expect("a time"));
                assert!(began_ns <= begin_ns && begin_ns <= end_ns && end_ns <= now_ns());
            }
            written.push(line);
        }
        written
    }

    #[test]
    fn answers_are_those_of_the_last_operations() {
        let cases: Asked = super::read("asked.json");
        let mut lines = 0;
        for case in cases.cases {
            let found = played(case.does);
            assert_eq!(found, case.lines, "{}", case.name);
            lines += found.len();
        }
        assert_eq!(lines, 14);
    }
}
