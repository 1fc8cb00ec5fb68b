//! The ledger against servers that lose, repeat, reorder, mix up and change.

mod counting;
mod lifetimes;

use wirelab_sdk::clock::SECOND;
use wirelab_sdk::status::Status;

use super::board_members::BoardMembers;
use super::tally::Counts;
use super::{Ledger, LedgerSettings, Pad};
use crate::websocket::board_assignment::{BoardAssignment, Placement};

const LIMIT: u64 = 5 * SECOND;
const START: u64 = 100 * SECOND;

fn ledger(users: u32, board_size: u32) -> Ledger {
    let terms = LedgerSettings {
        key: 7,
        message_bytes: 150,
        pad: Pad::Dots,
        limit_ns: LIMIT,
        rtt: 1,
    };
    let assignment = BoardAssignment::new(users, board_size, Placement::Fill);
    let numbers: Vec<u32> = (0..users).collect();
    let mut ledger = Ledger::new(terms, BoardMembers::new(&assignment, &numbers));
    ledger.tally.begin(START);
    ledger
}

/// A ledger of one board with everybody on it.
fn board(users: u32) -> Ledger {
    let mut ledger = ledger(users, users);
    (0..users as usize).for_each(|index| ledger.join(index));
    ledger
}

fn send(ledger: &mut Ledger, index: usize, at_ns: u64) -> String {
    let text = ledger.compose(index);
    ledger.sent(index, &text, at_ns, at_ns + 10, None);
    text
}

fn counts(ledger: &mut Ledger) -> Counts {
    let mut sum = Counts::default();
    for slot in ledger.tally.all().into_values() {
        assert_eq!(slot.service.count(), slot.counts.received);
        assert_eq!(slot.response.count(), slot.counts.received);
        sum.expected += slot.counts.expected;
        sum.received += slot.counts.received;
        sum.duplicates += slot.counts.duplicates;
        sum.reordered += slot.counts.reordered;
        sum.shed += slot.counts.shed;
        sum.wrong += slot.counts.wrong;
        sum.bytes += slot.counts.bytes;
    }
    sum
}

fn statuses(ledger: &Ledger) -> Vec<Status> {
    ledger
        .findings
        .records
        .iter()
        .map(|record| record.status)
        .collect()
}

fn classes(ledger: &Ledger) -> Vec<&str> {
    ledger
        .findings
        .errors
        .iter()
        .map(|error| error.class.as_str())
        .collect()
}
