//! Members that are expected to get a message, and the time for which it is waited for.

use wirelab_sdk::answers::Phase;
use wirelab_sdk::clock::SECOND;
use wirelab_sdk::status::Status;

use super::super::expiry::FADING_NS;
use super::{LIMIT, START, board, classes, counts, ledger, send, statuses};

#[test]
fn who_joins_later_is_not_expected_to_get_it() {
    let mut ledger = ledger(3, 3);
    ledger.join(0);
    ledger.join(1);
    let text = send(&mut ledger, 0, START);
    // While joining, just after it, and once everybody expected has it.
    ledger.delivered(2, &text, START + 20);
    ledger.join(2);
    ledger.delivered(2, &text, START + 30);
    ledger.delivered(0, &text, START + 31);
    ledger.delivered(1, &text, START + 32);
    assert_eq!(ledger.outstanding(), 0);
    ledger.delivered(2, &text, START + 40);
    let found = counts(&mut ledger);
    assert_eq!((found.expected, found.received), (1, 1));
    assert_eq!((found.duplicates, found.reordered, found.wrong), (0, 0, 0));
    let text = send(&mut ledger, 1, START + 50);
    ledger.delivered(2, &text, START + 60);
    assert_eq!(counts(&mut ledger).expected, 2);
}

#[test]
fn who_is_still_joining_gets_nothing_twice() {
    let mut ledger = ledger(3, 3);
    ledger.join(0);
    ledger.join(1);
    let text = send(&mut ledger, 0, START);
    ledger.delivered(0, &text, START + 10);
    ledger.delivered(1, &text, START + 20);
    assert_eq!(ledger.outstanding(), 0);
    // The message is forgotten; the server has added user 2 but its answer is under way.
    ledger.delivered(2, &text, START + 30);
    ledger.join(2);
    assert_eq!(counts(&mut ledger).duplicates, 0);
    ledger.delivered(1, &text, START + 40);
    assert_eq!(counts(&mut ledger).duplicates, 1);
}

#[test]
fn a_lost_connection_ends_own_copies_and_loses_deliveries() {
    let mut ledger = board(2);
    let text = send(&mut ledger, 0, START);
    send(&mut ledger, 1, START);
    ledger.leave(0, START + 50);
    assert_eq!(statuses(&ledger), [Status::Disconnected]);
    ledger.delivered(1, &text, START + 60);
    assert_eq!(ledger.outstanding(), 1);
    ledger.join(0);
    ledger.delivered(0, &text, START + 70);
    ledger.expire(START + LIMIT);
    assert_eq!(statuses(&ledger), [Status::Disconnected, Status::Timeout]);
    let found = counts(&mut ledger);
    assert_eq!(
        (found.expected, found.received, found.duplicates),
        (2, 1, 0)
    );
}

#[test]
fn late_copies_are_neither_received_nor_duplicates() {
    let mut ledger = board(2);
    let text = send(&mut ledger, 0, START);
    ledger.delivered(0, &text, START + 20);
    ledger.expire(START + LIMIT);
    ledger.delivered(1, &text, START + LIMIT + 1);
    ledger.delivered(1, &text, START + LIMIT + 2);
    ledger.expire(START + LIMIT + FADING_NS + 3);
    ledger.delivered(1, &text, START + LIMIT + FADING_NS + 4);
    assert_eq!(classes(&ledger), ["Late", "Late"]);
    let found = counts(&mut ledger);
    // The second copy of the late one is a second copy all the same.
    assert_eq!(
        (
            found.expected,
            found.received,
            found.duplicates,
            found.wrong
        ),
        (1, 0, 1, 0)
    );
}

#[test]
fn nothing_is_kept_of_what_is_complete_or_long_given_up() {
    let mut ledger = board(2);
    for round in 0..1000 {
        let at = START + round * SECOND;
        let text = send(&mut ledger, 0, at);
        ledger.delivered(0, &text, at + 20);
        if round % 10 != 0 {
            ledger.delivered(1, &text, at + 20);
        }
        ledger.expire(at + SECOND);
    }
    assert!(
        ledger.senders[0].kept().len() < 60,
        "{:?}",
        ledger.senders[0].kept()
    );
    assert!(ledger.open.len() < 10);
    assert!(ledger.fading.len() < 10);
    let found = counts(&mut ledger);
    assert_eq!((found.expected, found.received), (1000, 900));
}

#[test]
fn a_verified_message_has_an_answer_with_all_copies() {
    let mut ledger = board(3);
    let text = ledger.compose(1);
    ledger.sent(1, &text, START, START + 5, Some((Phase::Measure, 42)));
    let again = text.replace("\":", "\": ");
    ledger.delivered(1, &text, START + 20);
    ledger.delivered(0, &again, START + 30);
    assert!(
        ledger.findings.answers.is_empty(),
        "not before it is complete or given up"
    );
    ledger.give_up(START + 40);
    let found = &ledger.findings.answers[0];
    assert_eq!((found.phase, found.tick), (Phase::Measure, 42));
    assert_eq!((found.start_ns, found.end_ns), (START + 5, START + 20));
    assert_eq!(found.answer["members"], serde_json::json!([0, 1, 2]));
    assert_eq!(found.answer["receivers"], serde_json::json!([0, 1]));
    assert_eq!(found.answer["copies"], serde_json::json!([text, again]));
    assert_eq!(found.answer["text"], text);
    assert_eq!(found.answer["board"], "b0000");
}

#[test]
fn a_message_whose_own_copy_did_not_come_has_no_answer() {
    let mut ledger = board(2);
    let text = ledger.compose(0);
    ledger.sent(0, &text, START, START + 5, Some((Phase::Measure, 1)));
    ledger.give_up(START + 40);
    assert!(ledger.findings.answers.is_empty());
    assert_eq!(statuses(&ledger), [Status::Timeout]);
}
