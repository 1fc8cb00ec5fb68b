//! Servers that speak gRPC, with a vice each: what they do is named, counts are exact, nothing hangs.

mod support;

use support::calls::{CallDefect, CallServer};
use support::core::{Folder, Outcome, Worker, load};

const RTT: u8 = 1;
const CONNECT: u8 = 3;
const USERS: u64 = 8;
const COUNT: u64 = 20;
/// Messages, each for three others.
const SENT: u64 = USERS * COUNT;
const EXPECTED: u64 = SENT * 3;

const OK: u8 = 0;
const ERROR: u8 = 1;

fn run(defect: CallDefect) -> Outcome {
    let server = CallServer::start(defect);
    let folder = Folder::new();
    let asked = load(&folder, &server.endpoint(), "grpc", USERS, COUNT);
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    outcome
}

#[test]
fn an_honest_server_delivers_all() {
    let outcome = run(CallDefect::None);
    outcome.assert_perfect(USERS, SENT, EXPECTED);
    // At least a frame of HTTP/2, the head of a message and its field for each copy.
    let (payload, wire) = (
        outcome.count("delivery.payload"),
        outcome.count("delivery.wire"),
    );
    assert!(wire > payload + SENT * 4 * (5 + 3), "{wire} {payload}");
    // The same frames around each message, and room given back now and then.
    let written = outcome.count("delivery.written");
    assert!(written >= SENT * (150 + 5 + 9), "{written}");
    assert!(written < SENT * 2 * (150 + 5 + 9), "{written}");
}

#[test]
fn messages_are_read_wherever_frames_of_http_end() {
    run(CallDefect::Cuts).assert_perfect(USERS, SENT, EXPECTED);
}

#[test]
fn what_is_no_call_is_no_connection() {
    for (defect, why) in [
        (CallDefect::Unknown, "gRPC status 12 no such method"),
        (CallDefect::Status(503), "HTTP 503"),
        (CallDefect::NotHttp2, "user 0"),
    ] {
        let outcome = run(defect);
        assert_eq!(
            outcome.statuses(CONNECT),
            [(ERROR, USERS as usize)].into(),
            "{defect:?}"
        );
        let failed = outcome.errors("ConnectFailed");
        assert!(
            failed.iter().any(|message| message.contains(why)),
            "{failed:?}"
        );
    }
}

#[test]
fn a_call_that_ends_is_a_lost_connection() {
    for (defect, why) in [
        (CallDefect::Ends(30), "gRPC status 13 out of chalk"),
        (CallDefect::Hangs(30), "user"),
    ] {
        let outcome = run(defect);
        assert_eq!(outcome.count("connect.dropped"), 1, "{defect:?}");
        assert_eq!(outcome.count("delivery.wrong"), 0, "{defect:?}");
        let lost = outcome.errors("ConnectionLost");
        // A user who draws at that moment hears of it by what it cannot write any more.
        let heard = lost[0].contains(why) || lost[0].contains("broken pipe");
        assert!(heard, "{lost:?}");
    }
}

#[test]
fn what_breaks_a_call_is_wrong_and_named() {
    for (defect, class) in [
        (CallDefect::Compresses(30), "Garbage"),
        (CallDefect::Oversized(30), "OversizedFrame"),
    ] {
        let outcome = run(defect);
        assert_eq!(outcome.count("connect.dropped"), 1, "{defect:?}");
        assert_eq!(outcome.count("delivery.wrong"), 1, "{defect:?}");
        assert_eq!(outcome.errors(class).len(), 1, "{defect:?}");
    }
}

#[test]
fn what_is_not_sent_is_lost() {
    let outcome = run(CallDefect::Drops(10));
    let own = SENT as usize - outcome.statuses(RTT)[&OK];
    let others = EXPECTED - outcome.count("delivery.received");
    // Every tenth copy of four of each message.
    assert_eq!(own as u64 + others, SENT * 4 / 10);
    assert_eq!(outcome.count("connect.dropped"), 0);
}
