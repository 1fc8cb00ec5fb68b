use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::watch;

use super::client::CoreMessages;
use super::{Arrivals, Call, Client, Load, Outcome};
use crate::clock::now_ns;
use crate::commands::Asking;
use crate::events::Events;
use crate::events::tests::SharedOutput;
use crate::schedule::Step;
use crate::spec::Spec;
use crate::status::Status;

const PERIOD_NS: u64 = 1_000_000;
const TICKS: u64 = 12;

/// Its first tick ends at once, the others never do.
struct Stuck;

impl Load for Stuck {
    async fn perform(&self, call: &mut Call<'_>) -> Outcome {
        if call.tick > 0 {
            std::future::pending::<()>().await;
        }
        Outcome::ok(0)
    }
}

/// Ends at once, and answers with its tick.
struct Prompt;

impl Load for Prompt {
    async fn perform(&self, call: &mut Call<'_>) -> Outcome {
        let tick = call.tick;
        Outcome::ok(0).answering(move || json!({ "of": tick }))
    }
}

pub(super) fn folder(name: &str) -> PathBuf {
    let name = format!("wirelab-sdk-{}-{name}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A client that starts at once, with one lane of an open loop, and a core that says nothing more.
fn client(folder: &Path, start_ns: u64) -> (Arc<Client>, watch::Sender<CoreMessages>) {
    let asked = json!({
        "operations": { "read": { "code": 7 }, "write": { "code": 8, "every": 4 } },
        "schedule": { "loop": "open", "first_ns": 0, "period_ns": PERIOD_NS, "count": TICKS },
        "limits": limits(20_000_000),
    });
    client_of(folder, start_ns, asked)
}

/// Limits of an operation, and of a stop that is not told.
fn limits(operation_ns: u64) -> Value {
    json!({ "ready_ns": 0, "operation_ns": operation_ns, "stop_ns": 60_000_000_000_u64 })
}

/// A schedule of one step, in which so many users have so many lanes.
fn one_step(schedule_loop: &str, count: u64, settle: u64, users: u64, lanes: u64) -> Value {
    json!({
        "loop": schedule_loop, "first_ns": 0, "period_ns": PERIOD_NS, "count": count,
        "steps": [{
            "name": "s", "first": 0, "count": count, "settle": settle, "users": users,
            "lanes": lanes,
        }],
    })
}

/// A client of a spec that starts at once, and a core that says nothing more.
pub(super) fn client_of(
    folder: &Path,
    start_ns: u64,
    asked: Value,
) -> (Arc<Client>, watch::Sender<CoreMessages>) {
    client_saying(folder, start_ns, asked, &SharedOutput::default())
}

/// The same with its events in `said`.
pub(super) fn client_saying(
    folder: &Path,
    start_ns: u64,
    asked: Value,
    said: &SharedOutput,
) -> (Arc<Client>, watch::Sender<CoreMessages>) {
    let mut spec = json!({
        "contract": 2, "trial": "t", "suite": "s", "scenario": "s", "role": "client",
        "parameters": {},
        "paths": {
            "samples": folder.join("samples"), "answers": folder.join("answers"), "scratch": folder,
        },
    });
    for (name, value) in asked.as_object().unwrap() {
        spec[name] = value.clone();
    }
    let spec: Spec = serde_json::from_value(spec).unwrap();
    let (core, told) = watch::channel(CoreMessages {
        start_ns: Some(start_ns),
        is_stopped: false,
    });
    let client = Client::of(spec, Events::to(said.clone()), told).unwrap();
    (Arc::new(client), core)
}

#[tokio::test]
async fn a_lane_answers_once_it_has_ended_what_it_is_at() {
    let folder = folder("asked");
    let (client, _core) = client(&folder, now_ns());
    for (asked, operation) in (0..).zip(["read", "read", "delete"]) {
        let operation = operation.to_owned();
        let asking = Asking {
            asked,
            operation,
            lane: 0,
        };
        client.asked.hear(asking).unwrap();
    }
    client.drive(Arc::new(Prompt), false).await.unwrap();
    client.done().unwrap();

    let text = std::fs::read_to_string(folder.join("answers")).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    // Of the first read that ended, before anything else began.
    assert_eq!(
        (&lines[0]["tick"], &lines[0]["asked"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(lines[0]["answer"], json!({ "of": 0 }));
    assert_eq!(lines[0]["records"], 1);
    assert_eq!(lines[1]["none"], "given");
    assert_eq!(lines[2]["none"], "nothing");
}

#[tokio::test]
async fn what_a_lane_has_not_begun_when_time_is_up_is_a_timeout() {
    let folder = folder("lanes");
    let start_ns = now_ns();
    let (client, _core) = client(&folder, start_ns);
    client.drive(Arc::new(Stuck), false).await.unwrap();
    client.done().unwrap();

    let written = std::fs::read(folder.join("samples")).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    let mut recorded = BTreeMap::new();
    for record in written[32..].chunks(32) {
        let [intended_ns, begun_ns, ended_ns] =
            [0, 8, 16].map(|at| u64::from_le_bytes(record[at..at + 8].try_into().unwrap()));
        assert!(intended_ns <= begun_ns && begun_ns <= ended_ns);
        let before = recorded.insert((intended_ns - start_ns, record[28]), record[29]);
        assert_eq!(before, None, "twice at {}", intended_ns - start_ns);
    }
    let mut due = BTreeMap::new();
    for tick in 0..TICKS {
        let status = if tick == 0 {
            Status::Ok
        } else {
            Status::Timeout
        };
        due.insert((tick * PERIOD_NS, 7), status as u8);
        if tick % 4 == 0 {
            due.insert((tick * PERIOD_NS, 8), status as u8);
        }
    }
    assert_eq!(recorded, due);
}

#[tokio::test]
async fn what_is_only_counted_is_performed_by_nobody() {
    for schedule_loop in ["open", "closed"] {
        let folder = folder(&format!("counted-{schedule_loop}"));
        let asked = json!({
            "operations": {
                "send": { "code": 7, "record": "samples" },
                "delivery": { "code": 8, "due": "tick", "record": "intervals" },
            },
            "schedule": one_step(schedule_loop, TICKS, 0, 1, 1),
            "limits": limits(5_000_000_000),
        });
        let (client, _core) = client_of(&folder, now_ns(), asked);
        client.drive(Arc::new(Prompt), false).await.unwrap();
        client.done().unwrap();

        let written = std::fs::read(folder.join("samples")).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        let performed: Vec<u8> = written[32..].chunks(32).map(|record| record[28]).collect();
        assert_eq!(performed, [7; TICKS as usize], "{schedule_loop}");
    }
}

/// Panics at its third tick.
struct Panicking;

impl Load for Panicking {
    async fn perform(&self, call: &mut Call<'_>) -> Outcome {
        assert!(call.tick < 2, "a library that panics");
        Outcome::ok(0)
    }
}

#[tokio::test]
async fn a_lane_that_panics_takes_the_worker_with_it() {
    for schedule_loop in ["open", "closed"] {
        let folder = folder(&format!("panics-{schedule_loop}"));
        let asked = json!({
            "operations": { "read": { "code": 7 } },
            "schedule": one_step(schedule_loop, TICKS, 0, 2, 2),
            "limits": limits(5_000_000_000),
        });
        let (client, _core) = client_of(&folder, now_ns(), asked);
        let driven = tokio::spawn(async move { client.drive(Arc::new(Panicking), true).await });
        let ended = driven.await;
        std::fs::remove_dir_all(folder).unwrap();
        assert!(ended.unwrap_err().is_panic(), "{schedule_loop}");
    }
}

/// Tells user 0 everything, 5 ms after it was handed over, and user 1 nothing.
#[derive(Default)]
struct Telling {
    started_ns: AtomicU64,
    phases: Mutex<Vec<(String, bool)>>,
    last_ns: AtomicU64,
}

impl Load for Arc<Telling> {
    async fn perform(&self, _call: &mut Call<'_>) -> Outcome {
        self.last_ns.store(now_ns() + 5_000_000, Ordering::Relaxed);
        Outcome::ok(0)
    }

    fn arrivals(&self) -> Option<&dyn Arrivals> {
        Some(&**self)
    }
}

impl Arrivals for Telling {
    fn started(&self, tick0_ns: u64) {
        self.started_ns.store(tick0_ns, Ordering::Relaxed);
        self.last_ns.store(tick0_ns, Ordering::Relaxed);
    }

    fn begin(&self, step: &Step, counts: bool) {
        self.phases
            .lock()
            .unwrap()
            .push((step.name.clone(), counts));
    }

    fn is_complete(&self) -> bool {
        now_ns() >= self.last_ns.load(Ordering::Relaxed)
    }

    fn last_ns(&self) -> u64 {
        self.last_ns.load(Ordering::Relaxed)
    }

    fn completed_ns(&self, user: u16) -> Option<u64> {
        (user == 0).then(|| self.last_ns())
    }
}

#[tokio::test]
async fn a_step_is_over_when_all_has_come_and_says_who_got_it() {
    let folder = folder("arrivals");
    let asked = json!({
        "operations": { "send": { "code": 7 }, "complete": { "code": 9, "due": "step" } },
        "schedule": one_step("closed", 3, 1, 2, 1),
        "limits": limits(1_000_000_000),
    });
    let said = SharedOutput::default();
    let (client, _core) = client_saying(&folder, now_ns(), asked, &said);
    let telling = Arc::new(Telling::default());
    client
        .drive(Arc::new(Arc::clone(&telling)), false)
        .await
        .unwrap();
    client.done().unwrap();

    let phases = telling.phases.lock().unwrap().clone();
    assert_eq!(phases, [("s".to_owned(), false), ("s".to_owned(), true)]);
    let steps = said.events_of("step");
    assert_eq!(steps.len(), 1);
    // What the last operation brought came after it had ended.
    assert_eq!(steps[0]["end_ns"].as_u64(), Some(telling.last_ns()));
    let written = std::fs::read(folder.join("samples")).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    let receipts: Vec<_> = written[32..]
        .chunks(32)
        .filter(|record| record[28] == 9)
        .map(|record| (u16::from_le_bytes([record[30], record[31]]), record[29]))
        .collect();
    assert_eq!(
        receipts,
        [(0, Status::Ok as u8), (1, Status::Timeout as u8)]
    );
}

#[tokio::test]
async fn an_open_loop_is_over_when_all_has_come() {
    let folder = folder("open-arrivals");
    let asked = json!({
        "operations": { "send": { "code": 7 } },
        "schedule": { "loop": "open", "first_ns": 0, "period_ns": PERIOD_NS, "count": 3 },
        "limits": limits(60_000_000_000),
    });
    let start_ns = now_ns();
    let (client, _core) = client_of(&folder, start_ns, asked);
    let telling = Arc::new(Telling::default());
    client
        .drive(Arc::new(Arc::clone(&telling)), false)
        .await
        .unwrap();
    client.done().unwrap();
    std::fs::remove_dir_all(folder).unwrap();

    assert_eq!(telling.started_ns.load(Ordering::Relaxed), start_ns);
    assert!(
        telling.is_complete(),
        "what the last send brought was not waited for"
    );
    assert_eq!(telling.phases.lock().unwrap().len(), 0);
}
