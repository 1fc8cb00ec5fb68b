//! Servers with a vice: each is named for what it does, counts are exact, nothing hangs.

mod support;

use serde_json::json;
use support::core::{Folder, MS, Outcome, Worker, load};
use support::server::{Server, ServerDefect};

const RTT: u8 = 1;
const CONNECT: u8 = 3;
const USERS: u64 = 8;
const COUNT: u64 = 20;
/// Messages, each for three others.
const SENT: u64 = USERS * COUNT;
const EXPECTED: u64 = SENT * 3;
/// Messages for users who come back to their boards, one on each.
const WELCOMES: u64 = 2;
/// Copies of the stroke that one user of each board sends in two frames, and in one.
const FRAMED: u64 = 2 * 2;

const OK: u8 = 0;
const ERROR: u8 = 1;
const TIMEOUT: u8 = 2;
const DISCONNECTED: u8 = 3;
const REFUSED: u8 = 4;

fn run(protocol: &'static str, vice: ServerDefect) -> (Outcome, Server) {
    let server = Server::start(protocol, vice);
    let folder = Folder::new();
    let asked = load(&folder, &server.endpoint(), protocol, USERS, COUNT);
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    (outcome, server)
}

#[test]
fn honest_servers_of_every_protocol() {
    for protocol in ["json", "stomp", "socket.io", "signalr"] {
        run(protocol, ServerDefect::None)
            .0
            .assert_perfect(USERS, SENT, EXPECTED);
    }
}

#[test]
fn a_server_that_writes_objects_again() {
    for protocol in ["json", "stomp", "socket.io", "signalr"] {
        run(protocol, ServerDefect::Rewrites)
            .0
            .assert_perfect(USERS, SENT, EXPECTED);
    }
}

#[test]
fn records_are_counted_wherever_frames_begin_and_end() {
    run("signalr", ServerDefect::Cuts)
        .0
        .assert_perfect(USERS, SENT, EXPECTED);
}

#[test]
fn a_record_without_an_end_is_a_lost_connection() {
    let (outcome, _) = run("signalr", ServerDefect::Endless(30));
    assert_eq!(outcome.count("connect.dropped"), 1);
    assert_eq!(outcome.count("delivery.wrong"), 1);
    assert_eq!(outcome.errors("OversizedFrame").len(), 1);
    let lost = outcome.errors("ConnectionLost");
    assert!(
        lost[0].contains("a record that is longer than is accepted"),
        "{lost:?}"
    );
}

#[test]
fn users_who_have_nothing_to_say_say_that_they_are_there() {
    let server = Server::start("signalr", ServerDefect::None);
    let folder = Folder::new();
    let mut asked = load(&folder, &server.endpoint(), "signalr", USERS, COUNT);
    // Before they draw they are silent for a second.
    asked["facts"]["server"]["keep_alive_ms"] = json!(50);
    let outcome = Worker::start("websocket", folder, asked).run();
    outcome.assert_perfect(USERS, SENT, EXPECTED);
    assert!(server.pings() >= USERS);
}

#[test]
fn a_server_that_falls_silent_is_lost() {
    let server = Server::start("signalr", ServerDefect::Drops(1));
    let folder = Folder::new();
    let mut asked = load(&folder, &server.endpoint(), "signalr", USERS, COUNT);
    asked["facts"]["server"]["timeout_ms"] = json!(300);
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.count("connect.dropped"), USERS);
    let lost = outcome.errors("ConnectionLost");
    assert_eq!(lost.len(), USERS as usize);
    assert!(lost[0].contains("silent for 300 ms"), "{}", lost[0]);
}

#[test]
fn who_has_joined_gets_what_is_drawn_at_once() {
    let (outcome, _) = run("json", ServerDefect::JoinsLate);
    assert_eq!(outcome.statuses(RTT), [(OK, SENT as usize)].into());
    assert_eq!(outcome.count("delivery.received"), EXPECTED);
    // One user of each board has come back.
    assert_eq!(outcome.count("delivery.wrong"), 2);
    assert_eq!(outcome.errors("JoinedTooEarly").len(), 2);
}

#[test]
fn what_is_no_message_is_passed_on_to_nobody() {
    let (outcome, _) = run("json", ServerDefect::PassesOn);
    assert_eq!(outcome.statuses(RTT), [(OK, SENT as usize)].into());
    // Two texts on each of two boards, to everybody of four.
    assert_eq!(outcome.count("delivery.wrong"), 16);
    assert_eq!(outcome.errors("InvalidPassedOn").len(), 16);
}

#[test]
fn dropped_copies_are_lost_exactly() {
    let (outcome, server) = run("json", ServerDefect::Drops(50));
    let own = outcome.statuses(RTT).get(&TIMEOUT).copied().unwrap_or(0) as u64;
    let others = outcome.count("delivery.expected") - outcome.count("delivery.received");
    assert_eq!(outcome.count("delivery.expected"), EXPECTED);
    // Copies of what is tried when the load has ended are in no figure.
    assert!(server.copies() >= SENT * 4);
    assert_eq!(own + others, SENT * 4 / 50);
}

#[test]
fn copies_sent_twice_are_counted_exactly() {
    let (outcome, server) = run("json", ServerDefect::Doubles(50));
    // The last one may come when the engine has gone.
    let sent = server.copies() / 50;
    assert!((sent - 1..=sent).contains(&outcome.count("delivery.duplicates")));
    assert_eq!(outcome.count("delivery.received"), EXPECTED);
}

#[test]
fn swapped_messages_are_reordered() {
    let (outcome, _) = run("json", ServerDefect::Swaps);
    // Of two messages of a sender the first comes late, to each of four.
    assert_eq!(outcome.count("delivery.reordered"), SENT / 2 * 4);
    assert_eq!(outcome.count("delivery.received"), EXPECTED);
}

#[test]
fn messages_on_other_boards_are_wrong() {
    let (outcome, _) = run("json", ServerDefect::AllBoards);
    // The engine does not wait for them: the last ones may come when it has gone, which are more
    // the busier the machine is.
    let wrong = outcome.count("delivery.wrong");
    assert!(
        (SENT * 2..=(SENT + WELCOMES + FRAMED) * 4).contains(&wrong),
        "{wrong}"
    );
    assert_eq!(outcome.errors("WrongBoard").len(), 100);
    assert_eq!(outcome.count("delivery.received"), EXPECTED);
}

#[test]
fn a_server_that_answers_only_the_sender_loses_every_delivery() {
    let (outcome, _) = run("json", ServerDefect::OnlySender);
    assert_eq!(outcome.statuses(RTT), [(OK, SENT as usize)].into());
    assert_eq!(outcome.count("delivery.expected"), EXPECTED);
    assert_eq!(outcome.count("delivery.received"), 0);
}

#[test]
fn changed_content_is_wrong_and_lost() {
    let (outcome, _) = run("json", ServerDefect::Changes);
    assert_eq!(
        outcome.count("delivery.wrong"),
        (SENT + WELCOMES + FRAMED) * 4
    );
    assert_eq!(outcome.errors("ChangedContent").len(), 100);
    assert_eq!(outcome.count("delivery.received"), 0);
    assert_eq!(outcome.statuses(RTT), [(TIMEOUT, SENT as usize)].into());
}

#[test]
fn garbage_and_binary_messages_are_wrong() {
    for vice in [ServerDefect::Babbles(20), ServerDefect::Binary(20)] {
        let (outcome, server) = run("json", vice);
        assert_eq!(
            outcome.count("delivery.wrong"),
            server.copies() / 20,
            "{vice:?}"
        );
        assert!(!outcome.errors("Garbage").is_empty());
        assert_eq!(outcome.count("connect.dropped"), 0);
    }
}

#[test]
fn one_broken_connection_is_one_dropped_connection() {
    for vice in [
        ServerDefect::Oversized(30),
        ServerDefect::Halves(30),
        ServerDefect::Closes(30),
    ] {
        let (outcome, _) = run("json", vice);
        assert_eq!(outcome.count("connect.dropped"), 1, "{vice:?}");
        assert_eq!(outcome.errors("ConnectionLost").len(), 1, "{vice:?}");
        let statuses = outcome.statuses(RTT);
        assert_eq!(statuses.values().sum::<usize>(), SENT as usize, "{vice:?}");
        assert!(statuses[&DISCONNECTED] > 0, "{vice:?}: {statuses:?}");
        let oversized = usize::from(matches!(vice, ServerDefect::Oversized(_)));
        assert_eq!(outcome.errors("OversizedFrame").len(), oversized);
        assert_eq!(outcome.count("delivery.wrong"), oversized as u64);
    }
}

#[test]
fn lost_users_come_back_when_asked_to() {
    let server = Server::start("json", ServerDefect::Closes(30));
    let folder = Folder::new();
    let mut asked = load(&folder, &server.endpoint(), "json", 4, 100);
    asked["parameters"]["reconnect"] = json!(true);
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.count("connect.dropped"), 1);
    assert_eq!(outcome.statuses(CONNECT), [(OK, 4)].into());
    let lost = outcome
        .samples
        .iter()
        .find(|sample| sample.status == DISCONNECTED);
    let lane = lost.expect("messages of the lost user").lane;
    let last = outcome
        .samples
        .iter()
        .filter(|sample| sample.lane == lane)
        .max_by_key(|s| s.intended_ns);
    assert_eq!(last.map(|sample| sample.status), Some(OK));
}

/// Asserts how all connects end with a server that never lets anybody on a board.
fn assert_nobody_joins(vice: ServerDefect, status: u8, class: &str) -> Outcome {
    let (outcome, _) = run("json", vice);
    assert_eq!(
        outcome.statuses(CONNECT),
        [(status, USERS as usize)].into(),
        "{vice:?}"
    );
    assert_eq!(
        outcome.statuses(RTT),
        [(DISCONNECTED, SENT as usize)].into(),
        "{vice:?}"
    );
    assert_eq!(outcome.errors(class).len(), USERS as usize, "{vice:?}");
    assert_eq!(outcome.count("delivery.expected"), 0);
    outcome
}

#[test]
fn servers_that_let_nobody_join() {
    assert_nobody_joins(ServerDefect::Silent, TIMEOUT, "ConnectTimeout");
    assert_nobody_joins(ServerDefect::NeverJoins, TIMEOUT, "ConnectTimeout");
    let refused = assert_nobody_joins(ServerDefect::Refuses, ERROR, "ConnectFailed");
    assert!(refused.errors("ConnectFailed")[0].contains("HTTP 503"));
    assert_nobody_joins(ServerDefect::NotHttp, ERROR, "ConnectFailed");
}

#[test]
fn nobody_listens() {
    let folder = Folder::new();
    // Port 9 is reserved for a service that no machine has any more.
    let asked = load(&folder, "ws://127.0.0.1:9/board", "json", USERS, COUNT);
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    assert_eq!(
        outcome.statuses(CONNECT),
        [(REFUSED, USERS as usize)].into()
    );
    assert_eq!(outcome.errors("ConnectRefused").len(), USERS as usize);
}

#[test]
fn a_preflight_that_fails_is_fatal() {
    for (vice, class) in [
        (ServerDefect::NeverJoins, "PreflightFailed"),
        (ServerDefect::Changes, "PreflightFailed"),
    ] {
        let server = Server::start("json", vice);
        let folder = Folder::new();
        let mut asked = load(&folder, &server.endpoint(), "json", USERS, COUNT);
        asked["verify"]["preflight"] = json!({ "rtt": 2 });
        let outcome = Worker::start("websocket", folder, asked).run();
        assert_eq!(outcome.code, Some(1), "{vice:?}");
        assert_eq!(outcome.errors(class).len(), 1, "{vice:?}");
        assert!(outcome.events.iter().all(|event| event["event"] != "ready"));
    }
}

#[test]
fn the_preflight_lets_a_server_finish_before_it_draws() {
    let server = Server::start("json", ServerDefect::Tires);
    let folder = Folder::new();
    let mut asked = load(&folder, &server.endpoint(), "json", USERS, COUNT);
    asked["verify"]["preflight"] = json!({ "rtt": 4 });
    let mut worker = Worker::start("websocket", folder, asked);
    worker.wait_for("ready").expect("all four came back");
    worker.end_input();
    let answers = worker.finish(0).answers;
    let receivers = answers.iter().map(|a| &a["answer"]["receivers"]);
    assert_eq!(receivers.collect::<Vec<_>>(), [&json!([0, 1]); 4]);
}

#[test]
fn without_steps_users_that_cannot_connect_are_fatal() {
    let server = Server::start("json", ServerDefect::NeverJoins);
    let folder = Folder::new();
    let mut asked = load(&folder, &server.endpoint(), "json", USERS, COUNT);
    asked["schedule"]["steps"] = json!([]);
    asked["limits"]["operation_ns"] = json!(200 * MS);
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.code, Some(1));
    assert_eq!(outcome.errors("ConnectFailed").len(), 1);
}

#[test]
fn a_server_that_floods_cannot_keep_it_from_ending() {
    let server = Server::start("json", ServerDefect::Floods);
    let folder = Folder::new();
    let asked = load(&folder, &server.endpoint(), "json", 1, 60_000);
    let mut worker = Worker::start("websocket", folder, asked);
    worker.wait_for("ready").expect("ready");
    let start_ns = wirelab_sdk::clock::now_ns();
    worker.say(&json!({ "command": "start", "monotonic_ns": start_ns }));
    worker.wait_for("error").expect("garbage is said");
    worker.say(&json!({ "command": "stop" }));
    let outcome = worker.finish(start_ns);
    assert_eq!(outcome.code, Some(0));
    assert!(outcome.count("delivery.wrong") > 100);
}
