use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::Barrier;

use super::tests::{client_of, client_saying, folder};
use super::{Action, Fault, Outcome, PacedLoad};
use crate::answers::Phase;
use crate::clock::now_ns;
use crate::commands::Asking;
use crate::events::tests::SharedOutput;
use crate::status::Status;

const PERIOD_NS: u64 = 20_000_000;

fn spec(count: u64, operation_ns: u64) -> Value {
    json!({
        "operations": {
            "read": { "code": 7 }, "write": { "code": 8, "every": 2 }, "connect": { "code": 9 },
        },
        "schedule": { "loop": "paced", "first_ns": 5, "period_ns": PERIOD_NS, "count": count },
        "limits": { "ready_ns": 0, "operation_ns": operation_ns, "stop_ns": 60_000_000_000_u64 },
    })
}

/// One record: ticks after the start, code, status.
type Recorded = (u64, u8, u8);

/// The records of a file in their order, each begun when it was due or later.
fn records(written: &[u8], start_ns: u64) -> Vec<Recorded> {
    let mut latest_ns = 0;
    let recorded = written[32..].chunks(32).map(|record| {
        let [intended_ns, begun_ns, ended_ns] =
            [0, 8, 16].map(|at| u64::from_le_bytes(record[at..at + 8].try_into().unwrap()));
        assert!(intended_ns <= begun_ns && begun_ns <= ended_ns);
        assert!(latest_ns <= ended_ns, "not in the order of their ends");
        latest_ns = ended_ns;
        let after_ns = intended_ns - start_ns - 5;
        assert_eq!(after_ns % PERIOD_NS, 0);
        (after_ns / PERIOD_NS, record[28], record[29])
    });
    recorded.collect()
}

/// Reads and writes of a tick end when both were begun; it cannot connect.
struct Together {
    both: Arc<Barrier>,
    prepared: Mutex<Vec<(&'static str, Phase, u64)>>,
    begun: Arc<AtomicU64>,
}

impl PacedLoad for Together {
    fn prepare(
        self: &Arc<Self>,
        operation: &'static str,
        phase: Phase,
        tick: u64,
    ) -> Option<Action> {
        if operation == "connect" {
            return None;
        }
        self.prepared.lock().unwrap().push((operation, phase, tick));
        let (both, begun) = (Arc::clone(&self.both), Arc::clone(&self.begun));
        Some(Box::pin(async move {
            begun.fetch_add(1, Ordering::Relaxed);
            if phase == Phase::Measure && tick.is_multiple_of(2) {
                both.wait().await;
            }
            Outcome::ok(0).answering(move || json!({ "of": tick }))
        }))
    }
}

#[tokio::test]
async fn what_is_due_at_a_tick_is_under_way_together() {
    let folder = folder("paced");
    let start_ns = now_ns();
    let mut said = spec(3, 60_000_000_000);
    said["verify"] = json!({ "preflight": { "read": 2 } });
    let (client, _core) = client_of(&folder, start_ns, said);
    let operation = "write".to_owned();
    let asking = Asking {
        asked: 0,
        operation,
        lane: 0,
    };
    client.asked.hear(asking).unwrap();
    let load = Arc::new(Together {
        both: Arc::new(Barrier::new(2)),
        prepared: Mutex::default(),
        begun: Arc::default(),
    });
    client.preflight_on_ticks(&load).await.unwrap();
    assert_eq!(load.begun.load(Ordering::Relaxed), 2);
    client.follow(Arc::clone(&load)).await.unwrap();
    client.done().unwrap();

    let recorded = records(&std::fs::read(folder.join("samples")).unwrap(), start_ns);
    let text = std::fs::read_to_string(folder.join("answers")).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    let ok = Status::Ok as u8;
    let due = [(0, 7, ok), (0, 8, ok), (1, 7, ok), (2, 7, ok), (2, 8, ok)];
    assert_eq!(recorded.len(), due.len());
    assert_eq!(BTreeSet::from_iter(recorded), BTreeSet::from(due));
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let told: Vec<_> = lines
        .iter()
        .map(|line| {
            [
                &line["phase"],
                &line["operation"],
                &line["tick"],
                &line["answer"]["of"],
            ]
        })
        .map(|told| told.map(Value::to_string).join(" "))
        .collect();
    let expected = [
        r#""preflight" "read" 0 0"#,
        r#""preflight" "read" 1 1"#,
        r#""measure" "write" 0 0"#,
    ];
    assert_eq!(told, expected);
    assert_eq!(load.prepared.lock().unwrap().len(), 2 + due.len());
}

/// Connecting hangs at first, then some of its items fail.
struct Failing;

impl PacedLoad for Failing {
    fn prepare(
        self: &Arc<Self>,
        operation: &'static str,
        _phase: Phase,
        tick: u64,
    ) -> Option<Action> {
        let item = Fault {
            class: "Bad".into(),
            message: "item 3".into(),
        };
        (operation == "connect").then(|| -> Action {
            Box::pin(async move {
                if tick == 0 {
                    std::future::pending::<()>().await;
                }
                Outcome::ok(0).with_failed_items(vec![item.clone(), item])
            })
        })
    }
}

#[tokio::test]
async fn a_call_without_an_end_is_a_timeout_and_the_next_tick_comes() {
    let folder = folder("paced-failing");
    let start_ns = now_ns();
    let said = SharedOutput::default();
    let (client, _core) = client_saying(&folder, start_ns, spec(2, 5_000_000), &said);
    client.follow(Arc::new(Failing)).await.unwrap();
    client.done().unwrap();

    let recorded = records(&std::fs::read(folder.join("samples")).unwrap(), start_ns);
    std::fs::remove_dir_all(folder).unwrap();
    let (late, item) = (Status::Timeout as u8, Status::ItemError as u8);
    assert_eq!(recorded, [(0, 9, late), (1, 9, item)]);
    let errors = said.events_of("error");
    let scopes: Vec<&Value> = errors.iter().map(|event| &event["scope"]).collect();
    assert_eq!(scopes, ["call", "item", "item"]);
}

#[tokio::test]
async fn a_stop_ends_the_ticks() {
    let folder = folder("paced-stopped");
    let (client, core) = client_of(&folder, now_ns(), spec(1_000_000, 5_000_000));
    let stopping = async {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        core.send_modify(|told| told.is_stopped = true);
    };
    let (followed, ()) = tokio::join!(client.follow(Arc::new(Failing)), stopping);
    followed.unwrap();
    client.done().unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}
