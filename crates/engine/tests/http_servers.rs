//! The HTTP generator and servers of every kind: what is recorded must be what they did.

mod support;

use serde_json::{Value, json};
use support::core::{Folder, MS, Outcome, Worker, spec};
use support::web::{Script, Web};

const REQUEST: u8 = 1;
const OK: u8 = 0;
const ERROR: u8 = 1;
const TIMEOUT: u8 = 2;
const DISCONNECTED: u8 = 3;
const REFUSED: u8 = 4;

/// `lanes` lanes in one step without settling, `count` ticks of 5 ms.
fn load(folder: &Folder, endpoint: &str, kind: &str, lanes: u64, count: u64) -> Value {
    let mut spec = spec(folder, "generator");
    spec["endpoints"] = json!({ "web": endpoint });
    spec["facts"] = json!({ "web": { "protocol": "http" } });
    spec["parameters"] = json!({});
    spec["operations"] = json!({
        "request": { "code": REQUEST },
        "keys": { "code": 3, "record": "intervals" },
        "http": { "code": 5, "record": "intervals" },
    });
    spec["schedule"] = json!({
        "loop": kind, "first_ns": 0, "period_ns": 5 * MS, "count": count, "warmup": 0,
        "steps": [{
            "name": "all", "first": 0, "count": count, "settle": 0, "users": lanes, "lanes": lanes,
            "join_ns": 0,
        }],
    });
    spec
}

fn play(script: Script, kind: &str, lanes: u64, count: u64, limit_ms: u64) -> (Outcome, Web) {
    let web = Web::start(script);
    let folder = Folder::new();
    let mut asked = load(&folder, &web.endpoint(), kind, lanes, count);
    asked["limits"]["operation_ns"] = json!(limit_ms * MS);
    (Worker::start("http", folder, asked).run(), web)
}

#[test]
fn responses_of_every_shape_are_read_to_their_end() {
    for (script, connections, size) in [
        (Script::Plain, 2, None),
        (Script::Hints, 2, None),
        (Script::Chunked, 2, Some(5)),
        (Script::NoContent, 2, Some(0)),
        (Script::Closes, 40, None),
        (Script::UntilEnd, 40, None),
    ] {
        let (outcome, web) = play(script, "closed", 2, 20, 3_000);
        assert_eq!(outcome.statuses(REQUEST), [(OK, 40)].into(), "{script:?}");
        assert_eq!(web.connections(), connections, "{script:?}");
        if let Some(size) = size {
            assert!(
                outcome.samples.iter().all(|sample| sample.size == size),
                "{script:?}"
            );
        }
        assert!(
            outcome.events.iter().all(|event| event["event"] != "error"),
            "{script:?}"
        );
    }
}

#[test]
fn a_server_that_leaves_is_asked_on_another_connection() {
    // In an open loop there is time between two requests to see that the connection has ended.
    let (outcome, web) = play(Script::Leaves, "open", 1, 40, 3_000);
    let statuses = outcome.statuses(REQUEST);
    assert_eq!(statuses.values().sum::<usize>(), 40);
    assert!(
        statuses
            .keys()
            .all(|status| [OK, DISCONNECTED].contains(status)),
        "{statuses:?}"
    );
    assert!(statuses[&OK] > 1);
    assert!(web.connections() >= statuses[&OK] as u64);
}

#[test]
fn what_is_no_answer_fails_its_own_request_alone() {
    for (script, status, class, connections) in [
        (Script::Busy(4), ERROR, "Http503", 1),
        // The last failure ends the last connection, too: nothing is asked after it.
        (Script::Drops(4), DISCONNECTED, "ConnectionLost", 5),
        (Script::Garbage(4), ERROR, "Garbage", 5),
    ] {
        let (outcome, web) = play(script, "closed", 1, 20, 3_000);
        assert_eq!(
            outcome.statuses(REQUEST),
            [(OK, 15), (status, 5)].into(),
            "{script:?}"
        );
        assert_eq!(outcome.errors(class).len(), 5, "{script:?}");
        assert_eq!(web.connections(), connections, "{script:?}");
        // What the server says of a request that failed is no span of those that did not.
        assert_eq!(outcome.count("keys.received"), 0);
    }
}

#[test]
fn bytes_that_nobody_asked_for_end_the_connection() {
    let (outcome, web) = play(Script::Excess(4), "closed", 1, 20, 3_000);
    assert_eq!(outcome.statuses(REQUEST), [(OK, 20)].into());
    assert_eq!(outcome.errors("UnaskedBytes").len(), 5);
    assert_eq!(web.connections(), 5);
}

#[test]
fn no_answer_within_the_limit_is_a_timeout() {
    let (outcome, _web) = play(Script::Silent(3), "open", 1, 6, 100);
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.statuses(REQUEST), [(OK, 2), (TIMEOUT, 4)].into());
}

#[test]
fn a_response_without_an_end_is_given_up() {
    let (outcome, _web) = play(Script::Floods, "open", 2, 2, 100);
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.statuses(REQUEST), [(TIMEOUT, 4)].into());
}

#[test]
fn a_step_of_a_closed_loop_is_given_up_at_last() {
    // Each of 18 requests could wait for 100 ms: the step has 20 times 5 ms, and 100 ms more.
    let (outcome, _web) = play(Script::Silent(3), "closed", 1, 20, 100);
    assert_eq!(outcome.code, Some(0));
    let statuses = outcome.statuses(REQUEST);
    assert_eq!(statuses[&OK], 2);
    assert!(
        statuses[&TIMEOUT] >= 1 && statuses.values().sum::<usize>() < 20,
        "{statuses:?}"
    );
    let told = outcome
        .events
        .iter()
        .filter(|event| event["event"] == "step");
    assert_eq!(told.count(), 1);
}

#[test]
fn nobody_listening_is_refused() {
    // A port that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("its address"));
    drop(listener);
    for kind in ["open", "closed"] {
        let folder = Folder::new();
        let mut asked = load(&folder, &endpoint, kind, 2, 10);
        asked["operations"]["connect"] = json!({ "code": 2, "due": "join" });
        let outcome = Worker::start("http", folder, asked).run();
        assert_eq!(outcome.statuses(REQUEST), [(REFUSED, 20)].into(), "{kind}");
        assert_eq!(outcome.statuses(2), [(REFUSED, 2)].into(), "{kind}");
        assert!(!outcome.errors("ConnectRefused").is_empty());
    }
}

#[test]
fn a_stage_that_a_request_did_not_have_is_no_loss() {
    let (outcome, _web) = play(Script::Timed(4), "closed", 1, 20, 3_000);
    assert_eq!(outcome.statuses(REQUEST), [(OK, 20)].into());
    for span in ["keys", "http"] {
        assert_eq!(outcome.count(&format!("{span}.received")), 5);
        assert_eq!(outcome.count(&format!("{span}.expected")), 5);
    }
}

#[test]
fn a_server_that_says_more_than_its_client_waited_is_not_believed() {
    let (outcome, _web) = play(Script::TimedTooLong, "closed", 1, 20, 3_000);
    assert_eq!(outcome.statuses(REQUEST), [(OK, 20)].into());
    assert_eq!(outcome.count("http.received"), 0);
    assert_eq!(outcome.count("http.expected"), 20);
    assert!(outcome.errors("LongerThanRequest")[0].contains("86400000000000 ns"));
}

#[test]
fn an_answer_that_is_no_json_is_null() {
    let web = Web::start(Script::Text);
    let folder = Folder::new();
    let mut asked = load(&folder, &web.endpoint(), "closed", 1, 10);
    asked["verify"] = json!({ "ticks": { "request": [4] } });
    let outcome = Worker::start("http", folder, asked).run();
    assert_eq!(outcome.statuses(REQUEST), [(OK, 10)].into());
    assert_eq!(outcome.answers.len(), 1);
    assert_eq!(outcome.answers[0]["answer"], Value::Null);
    assert!(outcome.errors("BadBody")[0].contains("no JSON"));
}

#[test]
fn a_server_that_cannot_answer_once_has_nothing_to_be_timed() {
    for (script, said) in [
        (Script::Text, "no JSON"),
        (Script::Busy(1), "HTTP 503: busy"),
        (Script::Drops(1), "ended"),
        (Script::Garbage(1), "head"),
    ] {
        let web = Web::start(script);
        let folder = Folder::new();
        let mut asked = load(&folder, &web.endpoint(), "closed", 1, 10);
        asked["verify"] = json!({ "preflight": { "request": 2 } });
        let outcome = Worker::start("http", folder, asked).run();
        assert_eq!(outcome.code, Some(1), "{script:?}");
        let errors = outcome.errors("PreflightFailed");
        assert!(errors[0].contains(said), "{script:?}: {errors:?}");
        assert!(outcome.samples.is_empty());
    }
}

/// The mistake of generators that wait for the server: while it stands still they ask nothing, and
/// the time that their users would have waited is in no figure.
#[test]
fn what_was_due_while_the_server_stood_still_waited_as_long() {
    let lanes = 4;
    let script = Script::Stalls { from: 60, ms: 500 };
    let (outcome, web) = play(script, "open", lanes, 200, 3_000);
    let stall = *web.seen.stall.lock().expect("a stall");
    let (begin_ns, end_ns) = stall.expect("the server stood still");
    let due = |lane: u64| {
        let shift = lane * 618_033_989 % 1_000_000_000 * 5 * MS / 1_000_000_000;
        (0..200).map(move |tick| outcome.start_ns + tick * 5 * MS + shift)
    };
    let within = begin_ns..end_ns;
    let expected = (0..lanes)
        .flat_map(due)
        .filter(|at| within.contains(at))
        .count();
    let waited: Vec<_> = outcome
        .samples
        .iter()
        .filter(|sample| within.contains(&sample.intended_ns))
        .collect();
    assert_eq!(
        waited.len(),
        expected,
        "every request that was due meanwhile has its record"
    );
    // At 5 ms each lane has about a hundred of them.
    assert!(expected > 100);
    for sample in &waited {
        assert_eq!(sample.status, OK);
        assert!(sample.end_ns >= end_ns, "nobody was answered meanwhile");
    }
    // Each lane asked once; the others waited behind it, so service times would not show them.
    let behind = waited
        .iter()
        .filter(|sample| sample.start_ns >= end_ns)
        .count();
    assert!(
        behind >= expected - lanes as usize,
        "{behind} of {expected}"
    );
}
