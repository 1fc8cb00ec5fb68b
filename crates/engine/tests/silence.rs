//! Users who fall silent: nothing is owed to them, and what a server does about them is counted.

mod support;

use serde_json::json;
use support::core::{Folder, Outcome, Worker, load};
use support::server::{Server, ServerDefect};

const RTT: u8 = 1;
const USERS: u64 = 8;
/// The last user of each of two boards never sends.
const LANES: u64 = USERS - 2;
const COUNT: u64 = 60;
const OK: u8 = 0;

fn run(protocol: &'static str, vice: ServerDefect) -> Outcome {
    let server = Server::start(protocol, vice);
    let folder = Folder::new();
    let mut asked = load(&folder, &server.endpoint(), protocol, USERS, COUNT);
    asked["schedule"]["steps"][0]["lanes"] = LANES.into();
    asked["parameters"]["placement"] = json!("spread");
    asked["parameters"]["silent_users"] = json!(2);
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    outcome
}

fn assert_nothing_is_lost(outcome: &Outcome) {
    let sent = LANES * COUNT;
    assert_eq!(outcome.statuses(RTT), [(OK, sent as usize)].into());
    // Two others of each board: whoever is to fall silent is owed nothing, before or afterwards.
    assert_eq!(outcome.count("delivery.expected"), sent * 2);
    assert_eq!(outcome.count("delivery.received"), sent * 2);
    for nothing in ["delivery.duplicates", "delivery.wrong", "connect.dropped"] {
        assert_eq!(outcome.count(nothing), 0, "{nothing}");
    }
}

#[test]
fn a_server_that_leaves_the_silent_in_peace() {
    for protocol in ["json", "stomp", "socket.io", "signalr"] {
        let outcome = run(protocol, ServerDefect::None);
        assert_nothing_is_lost(&outcome);
        assert_eq!(outcome.count("connect.silent"), 2, "{protocol}");
        assert!(outcome.counts.contains_key("connect.ended"), "{protocol}");
        assert_eq!(outcome.count("connect.ended"), 0, "{protocol}");
    }
}

#[test]
fn a_server_that_ends_the_connection_of_one_who_is_silent() {
    let outcome = run("json", ServerDefect::Ends { user: 7, at: 20 });
    assert_nothing_is_lost(&outcome);
    assert_eq!(outcome.count("connect.silent"), 2);
    assert_eq!(outcome.count("connect.ended"), 1);
    // Its twentieth message comes 200 ms after the silence began, unless the machine is busy.
    assert!(outcome.count("connect.waited_ms") >= 150);
    let errors = outcome.events.iter().filter(|e| e["event"] == "error");
    assert_eq!(errors.count(), 0);
}

#[test]
fn users_who_send_cannot_be_silent() {
    let server = Server::start("json", ServerDefect::None);
    let folder = Folder::new();
    let mut asked = load(&folder, &server.endpoint(), "json", USERS, COUNT);
    asked["parameters"]["silent_users"] = json!(1);
    let outcome = Worker::start("websocket", folder, asked).finish(0);
    assert_ne!(outcome.code, Some(0));
    assert!(outcome.errors("BadSpec")[0].contains("only 0 never send"));
}
