//! Numbers of writes, and what a read may find by the order in which they began and ended.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::user_table::FIELDS;

/// Writes of a field that a read may find.
#[derive(Debug)]
struct History {
    /// Ended writes that no other one replaced: it began when they had ended.
    ended: HashSet<u64>,
    /// By write: what had ended before it began. One that failed may have come through: it stays.
    under_way: HashMap<u64, HashSet<u64>>,
    /// Values that a change has replaced: it had read them, and nobody had written since.
    changed: HashSet<u64>,
}

impl Default for History {
    fn default() -> Self {
        Self { ended: HashSet::from([0]), under_way: HashMap::new(), changed: HashSet::new() }
    }
}

/// Writes that a read may find in each field: those that may be there when it begins, and all that
/// begin later.
#[derive(Debug)]
pub(crate) struct Seen {
    then: Vec<Option<HashSet<u64>>>,
    since: u64,
}

impl Seen {
    pub(crate) fn may_find(&self, field: usize, sequence: u64) -> bool {
        let there = self.then[field].as_ref();
        sequence > self.since || there.map_or(sequence == 0, |then| then.contains(&sequence))
    }
}

#[derive(Debug)]
struct State {
    histories: HashMap<(u64, usize), History>,
    waiting: HashSet<u64>,
    last: u64,
    inserted: u64,
    newest: u64,
}

/// Numbers writes in the order in which they begin. A read that finds a value which was replaced by a
/// write that had ended before the read began has found a stale one.
#[derive(Debug)]
pub(crate) struct Sequences(Mutex<State>);

impl Sequences {
    pub(crate) fn new(records: u64) -> Self {
        Self(Mutex::new(State {
            histories: HashMap::new(),
            waiting: HashSet::new(),
            last: 0,
            inserted: records,
            newest: records.saturating_sub(1),
        }))
    }

    /// The highest number below which every record is there.
    pub(crate) fn newest(&self) -> u64 {
        self.state().newest
    }

    /// Number of a record that is to be inserted.
    pub(crate) fn begin_insert(&self) -> u64 {
        let mut state = self.state();
        state.inserted += 1;
        state.inserted - 1
    }

    /// The record is there.
    pub(crate) fn end_insert(&self, record: u64) {
        let state = &mut *self.state();
        state.waiting.insert(record);
        while state.waiting.remove(&(state.newest + 1)) {
            state.newest += 1;
        }
    }

    /// A read of all fields of a record begins.
    pub(crate) fn begin_read(&self, record: u64) -> Seen {
        let state = self.state();
        let then = |field| {
            let known = state.histories.get(&(record, field))?;
            Some(known.ended.iter().chain(known.under_way.keys()).copied().collect())
        };
        Seen { then: (0..FIELDS).map(then).collect(), since: state.last }
    }

    /// A write of a field begins; its sequence number.
    pub(crate) fn begin_write(&self, record: u64, field: usize) -> u64 {
        let state = &mut *self.state();
        state.last += 1;
        let known = state.histories.entry((record, field)).or_default();
        known.under_way.insert(state.last, known.ended.clone());
        state.last
    }

    /// The write was acknowledged.
    pub(crate) fn end_write(&self, record: u64, field: usize, sequence: u64) {
        let state = &mut *self.state();
        let known = state.histories.entry((record, field)).or_default();
        let replaced = known.under_way.remove(&sequence).unwrap_or_default();
        known.ended.retain(|one| !replaced.contains(one));
        known.ended.insert(sequence);
    }

    /// Tells whether a change is the first that replaced what it had read.
    pub(crate) fn is_first_change(&self, record: u64, field: usize, before: u64) -> bool {
        self.state().histories.entry((record, field)).or_default().changed.insert(before)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
