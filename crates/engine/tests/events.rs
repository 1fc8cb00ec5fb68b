//! Servers that send events and take requests, with a vice each: what they do is named, counts are
//! exact, nothing hangs.

mod support;

use support::core::{Folder, Outcome, Worker, load};
use support::events::{EventDefect, EventServer};

const RTT: u8 = 1;
const CONNECT: u8 = 3;
const USERS: u64 = 8;
const COUNT: u64 = 20;
/// Messages, each for three others.
const SENT: u64 = USERS * COUNT;
const EXPECTED: u64 = SENT * 3;
/// On each of two boards somebody comes back at the end, for whom a stroke is drawn; and two texts
/// that are no messages are sent.
const TRIED: u64 = 6;

const OK: u8 = 0;
const ERROR: u8 = 1;

fn run(defect: EventDefect) -> (Outcome, EventServer) {
    let server = EventServer::start(defect);
    let folder = Folder::new();
    let asked = load(&folder, &server.endpoint(), "sse", USERS, COUNT);
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    (outcome, server)
}

fn assert_no_connection(defect: EventDefect, why: &str) {
    let (outcome, _) = run(defect);
    assert_eq!(outcome.statuses(CONNECT), [(ERROR, USERS as usize)].into());
    let failed = outcome.errors("ConnectFailed");
    assert!(failed[0].contains(why), "{failed:?}");
}

#[test]
fn an_honest_server_delivers_all_on_two_connections_for_each_user() {
    let (outcome, server) = run(EventDefect::None);
    outcome.assert_perfect(USERS, SENT, EXPECTED);
    assert_eq!(server.strokes(), SENT + TRIED);
    // Somebody of each board comes back at the end, and not all have asked on their second one.
    let connections = server.connections();
    assert!(
        (USERS * 2..=USERS * 2 + 4).contains(&connections),
        "{connections}"
    );
    // Frames of HTTP and of events are counted with the answers to requests.
    let (payload, wire) = (
        outcome.count("delivery.payload"),
        outcome.count("delivery.wire"),
    );
    assert!(
        wire > payload + EXPECTED * "a0\r\ndata: \n\n\r\n".len() as u64,
        "{wire} {payload}"
    );
    // A request for each message, with what every one of them says before its body.
    let request =
        "POST / HTTP/1.1\r\nHost: \r\nContent-Type: application/json\r\n\r\n".len() as u64;
    let written = outcome.count("delivery.written");
    assert!(written > SENT * (150 + request), "{written}");
    assert!(written < SENT * 2 * (150 + request), "{written}");
}

#[test]
fn events_are_read_in_every_form_and_wherever_they_are_cut() {
    run(EventDefect::Rambles)
        .0
        .assert_perfect(USERS, SENT, EXPECTED);
}

#[test]
fn who_writes_several_lines_as_one_breaks_the_messages_that_have_them() {
    let (outcome, _) = run(EventDefect::OneLine);
    let (received, wrong) = (
        outcome.count("delivery.received"),
        outcome.count("delivery.wrong"),
    );
    assert!(wrong > 0, "no message had several lines");
    assert!(received > 0 && received < EXPECTED, "{received}");
}

#[test]
fn what_is_no_stream_of_events_is_no_connection() {
    assert_no_connection(EventDefect::Status("503 Service Unavailable"), "HTTP 503");
    assert_no_connection(EventDefect::Page, "no stream of events");
    assert_no_connection(EventDefect::NotHttp, "the head of a response");
}

#[test]
fn a_stream_that_ends_is_a_lost_connection() {
    let (outcome, _) = run(EventDefect::Ends(30));
    assert_eq!(outcome.count("connect.dropped"), 1);
    assert_eq!(outcome.count("delivery.wrong"), 0);
    let lost = outcome.errors("ConnectionLost");
    assert!(lost[0].contains("ended the stream of events"), "{lost:?}");
}

#[test]
fn what_breaks_a_stream_is_wrong_and_named() {
    for (defect, class, why) in [
        (
            EventDefect::Endless(30),
            "OversizedFrame",
            "an event that is longer than is accepted",
        ),
        (EventDefect::Breaks(30), "Garbage", "the size of a chunk"),
    ] {
        let (outcome, _) = run(defect);
        assert_eq!(outcome.count("connect.dropped"), 1, "{defect:?}");
        assert_eq!(outcome.count("delivery.wrong"), 1, "{defect:?}");
        assert_eq!(outcome.errors(class).len(), 1, "{defect:?}");
        let lost = outcome.errors("ConnectionLost");
        assert!(lost[0].contains(why), "{lost:?}");
    }
}

#[test]
fn what_is_not_sent_is_lost() {
    let (outcome, _) = run(EventDefect::Drops(10));
    let own = SENT as usize - outcome.statuses(RTT)[&OK];
    let others = EXPECTED - outcome.count("delivery.received");
    // Every tenth event of four for each message.
    assert_eq!(own as u64 + others, SENT * 4 / 10);
    assert_eq!(outcome.count("connect.dropped"), 0);
}

#[test]
fn a_stroke_that_is_refused_is_named_and_lost() {
    let (outcome, _) = run(EventDefect::Refuses(10));
    let refused = SENT / 10;
    let named = outcome.errors("MessageRefused");
    assert!(named[0].ends_with(": HTTP 503"), "{named:?}");
    assert_eq!(outcome.statuses(RTT)[&OK] as u64, SENT - refused);
    assert_eq!(outcome.count("delivery.received"), EXPECTED - refused * 3);
    assert_eq!(outcome.count("connect.dropped"), 0);
}

#[test]
fn a_connection_that_ends_between_two_strokes_is_made_again() {
    let (outcome, server) = run(EventDefect::Closes);
    outcome.assert_perfect(USERS, SENT, EXPECTED);
    assert!(server.connections() > SENT);
    // Who ends it without a word may do so while the next stroke is on its way, on a busy machine
    // of most of them.
    let (outcome, server) = run(EventDefect::Leaves);
    assert!(outcome.statuses(RTT)[&OK] > 0);
    assert!(server.connections() > USERS * 2 + 4);
    assert_eq!(outcome.count("delivery.wrong"), 0);
}

#[test]
fn a_request_that_ends_without_an_answer_is_a_lost_connection() {
    let (outcome, _) = run(EventDefect::Hangs(30));
    assert_eq!(outcome.count("connect.dropped"), 1);
    let lost = outcome.errors("ConnectionLost");
    assert!(
        lost[0].contains("ended a request without an answer"),
        "{lost:?}"
    );
}

#[test]
fn an_answer_that_nobody_asked_for_is_garbage() {
    let (outcome, _) = run(EventDefect::AnswersTwice);
    assert!(outcome.count("connect.dropped") > 0);
    let lost = outcome.errors("ConnectionLost");
    assert!(
        lost[0].contains("an answer came although no request was under way"),
        "{lost:?}"
    );
}
