//! Counts of the ledger.

use proptest::prelude::*;
use wirelab_sdk::status::Status;

use super::super::tally::Counts;
use super::{LIMIT, START, board, classes, counts, ledger, send, statuses};

#[test]
fn everybody_gets_everything() {
    let mut ledger = board(3);
    let text = send(&mut ledger, 1, START);
    assert_eq!(ledger.outstanding(), 1);
    for index in 0..3 {
        ledger.delivered(index, &text, START + 500 + index as u64);
    }
    assert_eq!(ledger.outstanding(), 0);
    let record = ledger.findings.records[0];
    assert_eq!(
        (record.intended_ns, record.start_ns, record.end_ns),
        (START, START + 10, START + 501)
    );
    assert_eq!(
        (record.lane, record.size, record.status),
        (1, 150, Status::Ok)
    );
    let all = Counts {
        expected: 2,
        received: 2,
        bytes: 300,
        ..Counts::default()
    };
    assert_eq!(counts(&mut ledger), all);
    assert!(ledger.findings.errors.is_empty());
}

#[test]
fn what_is_dropped_is_lost_and_nothing_else() {
    let mut ledger = board(3);
    let text = send(&mut ledger, 0, START);
    ledger.delivered(0, &text, START + 20);
    ledger.delivered(1, &text, START + 20);
    ledger.expire(START + LIMIT - 1);
    assert_eq!(ledger.outstanding(), 1);
    ledger.expire(START + LIMIT);
    assert_eq!(ledger.outstanding(), 0);
    assert_eq!(statuses(&ledger), [Status::Ok]);
    let found = counts(&mut ledger);
    assert_eq!((found.expected, found.received, found.wrong), (2, 1, 0));
}

#[test]
fn an_own_copy_that_does_not_come_is_a_timeout() {
    let mut ledger = board(2);
    let text = send(&mut ledger, 0, START);
    ledger.delivered(1, &text, START + 20);
    ledger.expire(START + LIMIT);
    assert_eq!(statuses(&ledger), [Status::Timeout]);
    assert_eq!(counts(&mut ledger).received, 1);
}

#[test]
fn further_copies_are_duplicates_even_of_a_retired_message() {
    let mut ledger = board(2);
    let text = send(&mut ledger, 0, START);
    ledger.delivered(1, &text, START + 20);
    ledger.delivered(1, &text, START + 21);
    ledger.delivered(0, &text, START + 22);
    ledger.delivered(1, &text, START + 23);
    ledger.delivered(0, &text, START + 24);
    let found = counts(&mut ledger);
    assert_eq!((found.received, found.duplicates, found.wrong), (1, 3, 0));
    assert_eq!(statuses(&ledger), [Status::Ok]);
}

#[test]
fn a_copy_after_a_later_one_is_reordered() {
    let mut ledger = board(2);
    let first = send(&mut ledger, 0, START);
    let second = send(&mut ledger, 0, START + 1);
    ledger.delivered(1, &second, START + 20);
    ledger.delivered(1, &first, START + 21);
    let found = counts(&mut ledger);
    assert_eq!((found.received, found.reordered), (2, 1));
}

#[test]
fn other_boards_and_other_messages_are_wrong() {
    let mut ledger = ledger(4, 2);
    (0..4).for_each(|index| ledger.join(index));
    let text = send(&mut ledger, 0, START);
    ledger.delivered(2, &text, START + 20);
    ledger.delivered(1, &text.replace("\"seq\":0", "\"seq\":1"), START + 21);
    ledger.delivered(1, &text.replace("\"user\":0", "\"user\":9"), START + 22);
    ledger.delivered(1, &text.replace("\"user\":0", "\"user\":2"), START + 23);
    ledger.delivered(1, &text.replace("\"width\":", "\"width\":1"), START + 24);
    ledger.delivered(1, "{\"type\":\"draw\"", START + 25);
    assert_eq!(
        classes(&ledger),
        [
            "WrongBoard",
            "UnknownMessage",
            "UnknownMessage",
            "UnknownMessage",
            "ChangedContent",
            "Garbage"
        ]
    );
    let found = counts(&mut ledger);
    assert_eq!((found.expected, found.received, found.wrong), (1, 0, 6));
}

#[test]
fn a_message_written_again_is_right_when_it_is_equal_as_json() {
    let mut ledger = board(3);
    let text = send(&mut ledger, 0, START);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let again = serde_json::to_string_pretty(&value).expect("JSON");
    for index in 0..3 {
        ledger.delivered(index, &again, START + 20);
    }
    ledger.delivered(2, &again, START + 21);
    let found = counts(&mut ledger);
    assert_eq!((found.received, found.duplicates, found.wrong), (2, 1, 0));
    assert_eq!(found.bytes, 2 * again.len() as u64);
}

/// Fate of one copy at a server.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Delivered,
    Dropped,
    Twice,
}

proptest! {
    #[test]
    fn counts_are_exact_whatever_a_server_does(
        fates in prop::collection::vec(prop::collection::vec(
            prop_oneof![3 => Just(Fate::Delivered), 1 => Just(Fate::Dropped), 1 => Just(Fate::Twice)],
            4,
        ), 1..40),
        backwards: bool,
    ) {
        let mut ledger = board(4);
        let mut copies = Vec::new();
        let (mut received, mut duplicates, mut ok) = (0, 0, 0);
        for (number, fate) in fates.iter().enumerate() {
            let sender = number % 4;
            let text = send(&mut ledger, sender, START + number as u64);
            for (receiver, fate) in fate.iter().enumerate() {
                let times = match fate { Fate::Delivered => 1, Fate::Dropped => 0, Fate::Twice => 2 };
                for _ in 0..times {
                    copies.push((receiver, text.clone()));
                }
                duplicates += u64::from(times == 2);
                if receiver == sender {
                    ok += usize::from(times > 0);
                } else {
                    received += u64::from(times > 0);
                }
            }
        }
        if backwards {
            copies.reverse();
        }
        for (receiver, text) in &copies {
            ledger.delivered(*receiver, text, START + 1000);
        }
        ledger.give_up(START + LIMIT);
        prop_assert_eq!(ledger.outstanding(), 0);
        prop_assert_eq!(ledger.findings.records.len(), fates.len());
        let oks = statuses(&ledger).iter().filter(|status| **status == Status::Ok).count();
        prop_assert_eq!(oks, ok);
        let found = counts(&mut ledger);
        prop_assert_eq!(found.expected, 3 * fates.len() as u64);
        prop_assert_eq!(found.received, received);
        prop_assert_eq!(found.duplicates, duplicates);
        prop_assert_eq!(found.wrong, 0);
        prop_assert!(backwards || found.reordered == 0);
    }

    #[test]
    fn anything_may_be_delivered(texts in prop::collection::vec(".{0,60}", 0..20)) {
        let mut ledger = board(2);
        for text in &texts {
            ledger.delivered(0, text, START);
        }
        prop_assert_eq!(counts(&mut ledger).wrong, texts.len() as u64);
    }
}

#[test]
fn what_was_held_back_to_leave_together_is_told_from_what_came_so() {
    const MS: u64 = 1_000_000;
    // When nothing had come yet, and how far apart two messages were handed over.
    for (absent_ns, apart_ns, held) in [
        (5 * MS, 4 * MS, 1),
        (5 * MS, MS / 2, 0),
        (MS / 2, 4 * MS, 0),
    ] {
        let mut ledger = board(3);
        let first = send(&mut ledger, 0, START);
        let second = send(&mut ledger, 1, START + apart_ns);
        ledger.begin_read();
        for text in [&first, &second] {
            ledger.delivered(2, text, START + 6 * MS);
        }
        ledger.end_read(START + absent_ns);
        // Its own copy is none that counts.
        ledger.begin_read();
        for text in [&first, &second] {
            ledger.delivered(0, text, START + 6 * MS);
        }
        ledger.end_read(START + absent_ns);
        let settled = ledger.tally.all();
        let found: u64 = settled.values().map(|slot| slot.counts.held).sum();
        assert_eq!(found, held);
    }
}

#[test]
fn what_is_left_out_on_purpose_is_not_lost() {
    let mut ledger = board(4);
    let text = send(&mut ledger, 0, START);
    ledger.delivered(0, &text, START + 20);
    ledger.delivered(1, &text, START + 20);
    // Told to one who is owed it, to one who has it, and of what was never sent or is one's own.
    ledger.shed(2, &[(0, 0), (0, 0), (0, 7), (9, 0)]);
    ledger.shed(1, &[(0, 0)]);
    ledger.shed(0, &[(0, 0)]);
    assert_eq!(ledger.outstanding(), 1);
    ledger.expire(START + LIMIT);
    let found = counts(&mut ledger);
    // The fourth was neither given it nor told.
    assert_eq!((found.expected, found.received, found.shed), (3, 1, 1));
    assert_eq!((found.duplicates, found.wrong), (0, 0));
}

#[test]
fn what_comes_although_it_was_said_not_to_is_a_further_copy() {
    let mut ledger = board(2);
    let text = send(&mut ledger, 0, START);
    ledger.delivered(0, &text, START + 20);
    ledger.shed(1, &[(0, 0)]);
    assert_eq!(ledger.outstanding(), 0);
    ledger.delivered(1, &text, START + 30);
    let found = counts(&mut ledger);
    assert_eq!((found.received, found.shed, found.duplicates), (0, 1, 1));
}
