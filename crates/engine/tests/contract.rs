//! The generator and the null server as the core sees them.

mod support;

use std::collections::BTreeSet;

use serde_json::json;
use support::core::{Folder, MS, Outcome, Worker, load, spec};

const RTT: u8 = 1;
const CONNECT: u8 = 3;

fn null() -> (Worker, String) {
    let folder = Folder::new();
    let asked = spec(&folder, "server");
    let mut server = Worker::start("null", folder, asked);
    let ready = server.wait_for("ready").expect("the null server is ready");
    assert_eq!(ready["facts"]["protocol"], "json");
    let endpoint = ready["endpoint"].as_str().expect("an endpoint").to_owned();
    (server, endpoint)
}

fn stop(mut server: Worker) {
    server.say(&json!({ "command": "stop" }));
    let outcome = server.finish(0);
    assert_eq!(outcome.code, Some(0));
    let done = outcome.events.last().expect("done");
    assert_eq!(
        (&done["records"], &done["checksum"]),
        (&json!(0), &json!("00000000"))
    );
}

#[test]
fn every_message_comes_to_everybody() {
    let (server, endpoint) = null();
    let folder = Folder::new();
    let mut asked = load(&folder, &endpoint, "json", 8, 20);
    asked["verify"] = json!({ "preflight": { "rtt": 2 }, "ticks": { "rtt": [105, 110] } });
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.statuses(RTT), [(0, 160)].into());
    assert_eq!(outcome.statuses(CONNECT), [(0, 8)].into());
    assert_eq!(outcome.count("delivery.expected"), 160 * 3);
    assert_eq!(outcome.count("delivery.received"), 160 * 3);
    assert_eq!(outcome.count("delivery.bytes"), 160 * 3 * 150);
    // Own copies among them, and a header of four bytes for each.
    assert_eq!(outcome.count("delivery.payload"), 160 * 4 * 150);
    assert_eq!(outcome.count("delivery.wire"), 160 * 4 * 154);
    // And for each message a header of four bytes and a mask of four.
    assert_eq!(outcome.count("delivery.written"), 160 * 158);
    for nothing in ["duplicates", "reordered", "wrong"] {
        assert_eq!(outcome.count(&format!("delivery.{nothing}")), 0);
    }
    // An answer is written when the last copy of its message has come: later ones may be first.
    let mut answers: Vec<_> = outcome.answers.iter().collect();
    answers.sort_by_key(|a| (a["phase"] == "measure", a["tick"].as_u64()));
    let phases: Vec<_> = answers.iter().map(|a| (&a["phase"], &a["tick"])).collect();
    let expected = [
        ("preflight", 0),
        ("preflight", 1),
        ("measure", 105),
        ("measure", 110),
    ];
    let expected = expected.map(|(phase, tick)| (json!(phase), json!(tick)));
    assert_eq!(
        phases,
        expected.iter().map(|(p, t)| (p, t)).collect::<Vec<_>>()
    );
    assert_eq!(answers[2]["answer"]["user"], 105 % 8);
    let done = outcome.events.last().expect("done");
    assert_eq!(
        (&done["records"], &done["answers"]),
        (&json!(168), &json!(4))
    );
    let ready = &outcome.events[0];
    assert_eq!(ready["capabilities"], json!(["lanes"]));
    stop(server);
}

#[test]
fn steps_add_users_without_reconnecting_the_others() {
    let (server, endpoint) = null();
    let folder = Folder::new();
    let mut asked = load(&folder, &endpoint, "json", 4, 60);
    asked["schedule"]["count"] = json!(250);
    asked["schedule"]["steps"] = json!([
        { "name": "a", "first": 0, "count": 120, "settle": 100, "users": 4, "lanes": 4, "join_ns": 50 * MS },
        { "name": "b", "first": 120, "count": 130, "settle": 100, "users": 12, "lanes": 6, "join_ns": 50 * MS },
    ]);
    let outcome = Worker::start("websocket", folder, asked).run();
    // Four lanes from tick 100 on, two more from tick 220 on.
    assert_eq!(outcome.statuses(RTT), [(0, 4 * 150 + 2 * 30)].into());
    assert_eq!(outcome.statuses(CONNECT), [(0, 12)].into());
    assert_eq!(
        outcome.count("delivery.received"),
        outcome.count("delivery.expected")
    );
    assert_eq!(outcome.count("connect.dropped"), 0);
    assert_schedule(&outcome);
    assert_lines(&outcome);
    stop(server);
}

/// Each slot of an operation has one line, of all threads together.
fn assert_lines(outcome: &Outcome) {
    let told = outcome.intervals.iter();
    let told: Vec<_> = told
        .map(|line| ["second", "tenth", "operation"].map(|key| line[key].to_string()))
        .collect();
    let apart: BTreeSet<_> = told.iter().collect();
    assert!(apart.len() > 10);
    assert_eq!(apart.len(), told.len());
}

/// Intended times are those of the contract, computed here a second time.
fn assert_schedule(outcome: &Outcome) {
    for sample in outcome.samples.iter().filter(|sample| sample.op == RTT) {
        let period = 10 * MS;
        let shift = (u64::from(sample.lane) * 618_033_989 % 1_000_000_000) * period / 1_000_000_000;
        let into = sample.intended_ns - outcome.start_ns;
        assert_eq!(into % period, shift);
        assert!(sample.intended_ns <= sample.start_ns && sample.start_ns <= sample.end_ns);
    }
}

#[test]
fn without_steps_all_are_connected_before_ready() {
    let (server, endpoint) = null();
    let folder = Folder::new();
    let mut asked = load(&folder, &endpoint, "json", 4, 10);
    asked["schedule"]["steps"] = json!([]);
    asked["schedule"]["count"] = json!(10);
    asked["parameters"] = json!({ "users": 4, "board_size": 4 });
    asked["operations"] = json!({ "rtt": { "code": 1 } });
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.statuses(RTT), [(0, 10)].into());
    assert_eq!(outcome.samples.len(), 10);
    assert!(outcome.samples.iter().all(|sample| sample.lane == 0));
    assert!(outcome.counts.is_empty());
    stop(server);
}

#[test]
fn stop_and_the_end_of_input_end_it_at_any_time() {
    let (server, endpoint) = null();
    for started in [false, true] {
        for by_command in [false, true] {
            let folder = Folder::new();
            let asked = load(&folder, &endpoint, "json", 4, 60_000);
            let mut worker = Worker::start("websocket", folder, asked);
            worker.wait_for("ready").expect("ready");
            if started {
                let start_ns = wirelab_sdk::clock::now_ns() + 10 * MS;
                worker.say(&json!({ "command": "start", "monotonic_ns": start_ns }));
                worker.wait_for("progress").expect("it runs");
            }
            if by_command {
                worker.say(&json!({ "command": "stop" }));
            } else {
                worker.end_input();
            }
            let outcome = worker.finish(0);
            assert_eq!(outcome.code, Some(0), "started: {started}");
            let records = outcome.events.last().expect("done")["records"].as_u64();
            assert_eq!(records, Some(outcome.samples.len() as u64));
        }
    }
    stop(server);
}

#[test]
fn specs_that_cannot_be_used_are_refused() {
    let fatal = |change: &dyn Fn(&mut serde_json::Value)| {
        let folder = Folder::new();
        let mut asked = load(&folder, "ws://127.0.0.1:9/board", "json", 4, 10);
        change(&mut asked);
        let outcome = Worker::start("websocket", folder, asked).run();
        assert_eq!(outcome.code, Some(1));
        let error = outcome
            .events
            .iter()
            .find(|event| event["scope"] == "fatal")
            .cloned();
        error.map(|error| error["class"].as_str().unwrap_or_default().to_owned())
    };
    let unknown = fatal(&|spec| spec["facts"]["server"]["protocol"] = json!("smoke-signals"));
    assert_eq!(unknown.as_deref(), Some("UnknownProtocol"));
    // 150 bytes, and 42 of the protocol around them; what comes next to be refused is the endpoint.
    for (limit, class) in [(191, "MessageTooLong"), (192, "BadSpec")] {
        let limited = fatal(&|spec| {
            spec["facts"]["server"] =
                json!({ "protocol": "signalr", "receive_limit_bytes": limit });
            spec["endpoints"]["server"] = json!("http://127.0.0.1/");
        });
        assert_eq!(limited.as_deref(), Some(class));
    }
    let nothing = fatal(&|spec| spec["facts"] = json!({}));
    assert_eq!(nothing.as_deref(), Some("BadSpec"));
    let elsewhere = fatal(&|spec| spec["endpoints"]["server"] = json!("http://127.0.0.1/"));
    assert_eq!(elsewhere.as_deref(), Some("BadSpec"));
    let many = fatal(&|spec| spec["schedule"]["steps"][0]["users"] = json!(70_000));
    assert_eq!(many.as_deref(), Some("BadSpec"));
    // Another contract is no spec at all: it is said on standard error.
    assert_eq!(fatal(&|spec| spec["contract"] = json!(1)), None);
    assert_eq!(
        fatal(&|spec| spec["schedule"]["steps"][0]["first"] = json!(3)),
        None
    );
}
