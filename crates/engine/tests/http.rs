//! The HTTP generator as the core sees it: loops, steps, spans and answers.

mod support;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use support::core::{Folder, MS, Outcome, Worker, spec};
use support::web::{Script, Web};

const REQUEST: u8 = 1;
const CONNECT: u8 = 2;

fn null() -> (Worker, String) {
    let folder = Folder::new();
    let asked = spec(&folder, "server");
    let mut server = Worker::start("null-http", folder, asked);
    let ready = server.wait_for("ready").expect("the null server is ready");
    assert_eq!(ready["facts"]["protocol"], "http");
    let endpoint = ready["endpoint"].as_str().expect("an endpoint").to_owned();
    (server, endpoint)
}

fn stop(mut server: Worker) {
    server.say(&json!({ "command": "stop" }));
    assert_eq!(server.finish(0).code, Some(0));
}

/// One step of `lanes` lanes, with `count` ticks of 10 ms after `settle`.
fn load(folder: &Folder, endpoint: &str, kind: &str, lanes: u64, settle: u64, count: u64) -> Value {
    let mut spec = spec(folder, "generator");
    spec["endpoints"] = json!({ "web": endpoint, "bench": "127.0.0.1:1" });
    spec["facts"] = json!({ "web": { "protocol": "http" }, "bench": { "protocol": "other" } });
    spec["parameters"] =
        json!({ "http_path": "/predict?mode={mode}&request={request}", "mode": "a" });
    spec["operations"] = json!({
        "request": { "code": REQUEST },
        "connect": { "code": CONNECT, "due": "join" },
        "keys": { "code": 3, "record": "intervals" },
        "server-time": { "code": 4, "record": "intervals" },
        "http": { "code": 5, "record": "intervals" },
        "queue": { "code": 6, "record": "intervals" },
    });
    spec["schedule"]["loop"] = json!(kind);
    spec["schedule"]["count"] = json!(settle + count);
    spec["schedule"]["steps"] = json!([step("all", 0, settle + count, settle, lanes)]);
    spec
}

fn step(name: &str, first: u64, count: u64, settle: u64, lanes: u64) -> Value {
    json!({
        "name": name, "first": first, "count": count, "settle": settle, "users": lanes,
        "lanes": lanes, "join_ns": 20 * MS,
    })
}

/// Phases and ticks of the answers, and what they are.
fn answers(outcome: &Outcome) -> Vec<(String, u64, Value)> {
    let of = |answer: &Value| {
        let phase = answer["phase"].as_str().expect("a phase").to_owned();
        (
            phase,
            answer["tick"].as_u64().expect("a tick"),
            answer["answer"].clone(),
        )
    };
    outcome.answers.iter().map(of).collect()
}

#[test]
fn an_open_loop_asks_when_it_is_due() {
    let (server, endpoint) = null();
    let folder = Folder::new();
    let mut asked = load(&folder, &endpoint, "open", 5, 30, 40);
    asked["verify"] = json!({ "preflight": { "request": 2 }, "ticks": { "request": [40, 44] } });
    let outcome = Worker::start("http", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.statuses(REQUEST), [(0, 5 * 40)].into());
    assert_eq!(outcome.statuses(CONNECT), [(0, 5)].into());
    for sample in outcome.samples.iter().filter(|sample| sample.op == REQUEST) {
        // Intended times are those of the contract, computed here a second time.
        let shift = u64::from(sample.lane) * 618_033_989 % 1_000_000_000 * 10 * MS / 1_000_000_000;
        assert_eq!((sample.intended_ns - outcome.start_ns) % (10 * MS), shift);
        assert!(sample.intended_ns <= sample.start_ns && sample.start_ns <= sample.end_ns);
        assert_eq!(sample.size, 11);
    }
    for (span, count) in [
        ("server-time", 200),
        ("http", 200),
        ("queue", 200),
        ("keys", 0),
    ] {
        assert_eq!(outcome.count(&format!("{span}.expected")), count);
        assert_eq!(outcome.count(&format!("{span}.received")), count);
    }
    assert!(
        outcome
            .intervals
            .iter()
            .all(|line| line.get("step").is_none())
    );
    let body = json!({ "status": 200, "body": { "ok": true } });
    let expected = [
        ("preflight", 0),
        ("preflight", 1),
        ("measure", 40),
        ("measure", 44),
    ];
    let expected = expected.map(|(phase, tick)| (phase.to_owned(), tick, body.clone()));
    assert_eq!(answers(&outcome), expected);
    stop(server);
}

#[test]
fn a_closed_loop_goes_from_step_to_step() {
    let (server, endpoint) = null();
    let folder = Folder::new();
    let mut asked = load(&folder, &endpoint, "closed", 3, 5, 20);
    asked["schedule"]["steps"] = json!([
        step("few", 0, 25, 5, 3),
        step("none", 25, 1, 1, 3),
        step("many", 26, 40, 10, 9),
    ]);
    asked["verify"] = json!({ "ticks": { "request": [5, 65] } });
    let outcome = Worker::start("http", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    let told: Vec<_> = outcome
        .events
        .iter()
        .filter(|event| event["event"] == "step")
        .collect();
    let names: Vec<_> = told.iter().map(|event| event["name"].as_str()).collect();
    assert_eq!(names, [Some("few"), Some("none"), Some("many")]);
    let mut since_ns = outcome.start_ns;
    for (event, (settling, counting, lanes)) in
        told.iter().zip([(5, 20, 3), (1, 0, 3), (10, 30, 9)])
    {
        let (begin_ns, end_ns) = (event["begin_ns"].as_u64(), event["end_ns"].as_u64());
        let (begin_ns, end_ns) = (begin_ns.expect("a time"), end_ns.expect("a time"));
        let mut of_lane = BTreeMap::<u16, (u64, u64)>::new();
        for sample in outcome.samples.iter().filter(|sample| sample.op == REQUEST) {
            assert_eq!(sample.intended_ns, sample.start_ns);
            let done = of_lane.entry(sample.lane).or_default();
            if (since_ns..begin_ns).contains(&sample.start_ns) {
                done.0 += 1;
                assert!(sample.end_ns <= begin_ns);
            } else if (begin_ns..end_ns).contains(&sample.start_ns) {
                done.1 += 1;
                assert!(sample.end_ns <= end_ns);
            }
        }
        of_lane.retain(|_, done| *done != (0, 0));
        assert_eq!(
            of_lane,
            (0..lanes)
                .map(|lane| (lane, (settling, counting)))
                .collect()
        );
        since_ns = end_ns;
    }
    assert_eq!(outcome.statuses(CONNECT), [(0, 9)].into());
    let mut counted = BTreeMap::<_, u64>::new();
    for line in outcome
        .intervals
        .iter()
        .filter(|line| line["operation"] == "http")
    {
        let step = line["step"].as_str().expect("a step").to_owned();
        *counted.entry(step).or_default() += line["counts"]["received"].as_u64().expect("a count");
    }
    assert_eq!(
        counted,
        [("few".to_owned(), 60), ("many".to_owned(), 270)].into()
    );
    let ticks: Vec<_> = answers(&outcome)
        .into_iter()
        .map(|(_, tick, _)| tick)
        .collect();
    assert_eq!(ticks, [5, 65]);
    stop(server);
}

#[test]
fn lanes_of_a_ramp_come_and_go_one_after_the_other() {
    let web = Web::start(Script::Plain);
    let folder = Folder::new();
    let mut asked = load(&folder, &web.endpoint(), "closed", 4, 0, 0);
    let mut steps = vec![
        step("up", 0, 1_000_000, 0, 4),
        step("down", 1_000_000, 1_000_000, 0, 4),
    ];
    steps[1]["lanes"] = json!(0);
    for one in &mut steps {
        one["ramp_ns"] = json!(200 * MS);
    }
    (asked["schedule"]["steps"], asked["schedule"]["count"]) = (steps.into(), json!(2_000_000));
    asked["operations"] = json!({ "request": { "code": REQUEST } });
    asked["verify"] = json!({ "ticks": { "request": [0, 1_000_000] } });
    let outcome = Worker::start("http", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    let start_ns = outcome.start_ns;
    let told: Vec<_> = outcome
        .events
        .iter()
        .filter(|event| event["event"] == "step")
        .map(|event| {
            (
                event["name"].as_str(),
                event["begin_ns"].as_u64(),
                event["end_ns"].as_u64(),
            )
        })
        .collect();
    let at = |ms: u64| Some(start_ns + ms * MS);
    assert_eq!(
        told,
        [
            (Some("up"), at(0), at(200)),
            (Some("down"), at(200), at(400))
        ]
    );
    let mut begun = BTreeMap::<u16, (u64, u64)>::new();
    for sample in &outcome.samples {
        assert_eq!((sample.op, sample.status), (REQUEST, 0));
        let (first, last) = begun.entry(sample.lane).or_insert((u64::MAX, 0));
        *first = (*first).min(sample.start_ns - start_ns);
        *last = (*last).max(sample.start_ns - start_ns);
    }
    assert_eq!(begun.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3]);
    for (lane, (first, _)) in &begun {
        assert!(
            *first >= u64::from(*lane) * 50 * MS,
            "lane {lane} came at {first}"
        );
    }
    // The last one goes first.
    assert!(begun[&3].1 < begun[&0].1);
    let ticks: Vec<_> = answers(&outcome).into_iter().map(|it| it.1).collect();
    assert_eq!(ticks, [0, 1_000_000]);
    assert_eq!(web.connections(), 4);
}

#[test]
fn lanes_that_a_step_does_not_have_fall_silent() {
    let web = Web::start(Script::Plain);
    let folder = Folder::new();
    let mut asked = load(&folder, &web.endpoint(), "open", 8, 0, 0);
    let mut steps = vec![
        step("up", 0, 40, 20, 2),
        step("top", 40, 40, 20, 5),
        step("down", 80, 20, 0, 1),
    ];
    steps[2]["users"] = json!(5);
    (asked["schedule"]["steps"], asked["schedule"]["count"]) = (steps.into(), json!(100));
    let outcome = Worker::start("http", folder, asked).run();
    let mut of_step = [0; 3];
    for sample in outcome.samples.iter().filter(|sample| sample.op == REQUEST) {
        let tick = (sample.intended_ns - outcome.start_ns) / (10 * MS);
        of_step[[0, 40, 80]
            .iter()
            .rposition(|first| *first <= tick)
            .expect("a step")] += 1;
    }
    // Two lanes in the second half of a step, all of the next one; three more, and then one alone.
    assert_eq!(of_step, [2 * 20, 2 * 40 + 3 * 20, 20]);
    assert_eq!(outcome.statuses(REQUEST), [(0, 200)].into());
    assert_eq!(outcome.statuses(CONNECT), [(0, 5)].into());
    assert_eq!(
        web.connections(),
        5,
        "a connection is kept as long as the trial lasts"
    );
}

/// The number of the suite's rule, from its words.
fn number(tick: u64, lane: u64, requests: u64) -> u64 {
    let mut z = (tick * 65_536 + lane).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) % requests
}

#[test]
fn requests_are_those_of_their_step_tick_and_lane() {
    let web = Web::start(Script::Plain);
    let folder = Folder::new();
    let mut asked = load(&folder, &web.endpoint(), "closed", 2, 0, 10);
    let mut steps = vec![step("a", 0, 10, 0, 2), step("b", 10, 10, 0, 2)];
    steps[1]["parameters"] = json!({ "mode": "b", "http_body": "{\"n\": {request}}" });
    (asked["schedule"]["steps"], asked["schedule"]["count"]) = (steps.into(), json!(20));
    asked["parameters"]["requests"] = json!(1000);
    asked["parameters"]["http_method"] = json!("POST");
    let outcome = Worker::start("http", folder, asked).run();
    assert_eq!(outcome.statuses(REQUEST), [(0, 40)].into());
    let mut expected = Vec::new();
    for tick in 0..20 {
        for lane in 0..2 {
            let n = number(tick, lane, 1000);
            let (mode, body) = if tick < 10 {
                ("a", String::new())
            } else {
                ("b", format!("{{\"n\": {n}}}"))
            };
            expected.push(format!("/predict?mode={mode}&request={n}{body}"));
        }
    }
    let mut seen = web.seen.targets.lock().expect("a list").clone();
    expected.sort();
    seen.sort();
    assert_eq!(seen, expected);
}

#[test]
fn without_steps_one_lane_is_connected_before_ready() {
    let web = Web::start(Script::Plain);
    let folder = Folder::new();
    let mut asked = load(&folder, &web.endpoint(), "open", 1, 0, 10);
    asked["schedule"]["steps"] = json!([]);
    asked["operations"] = json!({ "request": { "code": REQUEST } });
    let mut worker = Worker::start("http", folder, asked);
    worker.wait_for("ready").expect("ready");
    // The kernel has connected them; the server may be a moment behind. It has not been started.
    web.wait_for_connections(1);
    let start_ns = wirelab_sdk::clock::now_ns() + 10 * MS;
    worker.say(&json!({ "command": "start", "monotonic_ns": start_ns }));
    let outcome = worker.finish(start_ns);
    assert_eq!(outcome.statuses(REQUEST), [(0, 10)].into());
    assert!(outcome.samples.iter().all(|sample| sample.lane == 0));
    assert_eq!(web.connections(), 1);
}

#[test]
fn stop_and_the_end_of_input_end_it_at_any_time() {
    let (server, endpoint) = null();
    for kind in ["open", "closed"] {
        for started in [false, true] {
            let folder = Folder::new();
            let asked = load(&folder, &endpoint, kind, 4, 0, 100_000_000);
            let mut worker = Worker::start("http", folder, asked);
            worker.wait_for("ready").expect("ready");
            if started {
                let start_ns = wirelab_sdk::clock::now_ns() + 10 * MS;
                worker.say(&json!({ "command": "start", "monotonic_ns": start_ns }));
                worker.wait_for("progress").expect("it runs");
                worker.say(&json!({ "command": "stop" }));
            } else {
                worker.end_input();
            }
            let outcome = worker.finish(0);
            assert_eq!(outcome.code, Some(0), "{kind}, started: {started}");
            let records = outcome.events.last().expect("done")["records"].as_u64();
            assert_eq!(records, Some(outcome.samples.len() as u64));
            assert_eq!(started, !outcome.samples.is_empty());
        }
    }
    stop(server);
}

#[test]
fn specs_that_cannot_be_used_are_refused() {
    let fatal = |change: &dyn Fn(&mut Value)| {
        let folder = Folder::new();
        let mut asked = load(&folder, "http://127.0.0.1:9", "closed", 2, 0, 10);
        change(&mut asked);
        let outcome = Worker::start("http", folder, asked).run();
        assert_eq!(outcome.code, Some(1));
        let said = outcome.errors("BadSpec").join("");
        assert!(!said.is_empty());
        said
    };
    assert!(fatal(&|spec| spec["facts"] = json!({})).contains("protocol"));
    let two = fatal(&|spec| spec["facts"]["bench"]["protocol"] = json!("http"));
    assert!(two.contains("bench") && two.contains("web"));
    assert!(
        fatal(&|spec| spec["endpoints"]["web"] = json!("https://127.0.0.1:9")).contains("http://")
    );
    assert!(fatal(&|spec| spec["parameters"]["http_path"] = json!("/{who}")).contains("{who}"));
    assert!(fatal(&|spec| spec["parameters"]["mode"] = json!("a b\r\n")).contains("http_path"));
    assert!(
        fatal(&|spec| spec["parameters"]["http_path"] = json!("predict")).contains("http_path")
    );
    assert!(
        fatal(&|spec| spec["parameters"]["http_method"] = json!("GET /\r\n"))
            .contains("http_method")
    );
    assert!(fatal(&|spec| spec["parameters"]["requests"] = json!(0)).contains("requests"));
    assert!(fatal(&|spec| spec["operations"]["read"] = json!({ "code": 9 })).contains("read"));
    assert!(fatal(&|spec| spec["operations"] = json!({})).contains("request"));
    assert!(fatal(&|spec| spec["schedule"]["steps"] = json!([])).contains("steps"));
    assert!(fatal(&|spec| spec["schedule"]["steps"][0]["users"] = json!(70_000)).contains("users"));
}
