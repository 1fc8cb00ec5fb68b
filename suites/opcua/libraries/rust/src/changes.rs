//! The values of all tags after each change.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::results::Failed;

/// Result of a change: the values of all tags, or why none came.
type Change<V> = Result<Vec<V>, Failed>;

/// Change number *n* is whole when every tag has come *n* times more than at first.
#[derive(Debug)]
pub struct Changes<V> {
    state: Mutex<State<V>>,
}

#[derive(Debug)]
struct State<V> {
    latest: Vec<Option<V>>,
    came: Vec<u64>,
    /// The change that is not whole yet, and the tags that it lacks.
    number: u64,
    missing: usize,
    whole: HashMap<u64, Vec<V>>,
    awaited: HashMap<u64, oneshot::Sender<Change<V>>>,
}

impl<V: Clone> Changes<V> {
    /// Nothing of so many tags has come yet.
    #[must_use]
    pub fn new(tags: usize) -> Self {
        let state = State {
            latest: vec![None; tags],
            came: vec![0; tags],
            number: 0,
            missing: tags,
            whole: HashMap::new(),
            awaited: HashMap::new(),
        };
        Self { state: Mutex::new(state) }
    }

    /// The values after a change, once they have all come; asked for once.
    pub(crate) fn number(&self, number: u64) -> oneshot::Receiver<Change<V>> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.state();
        if let Some(values) = state.whole.remove(&number) {
            // Its other end is here.
            let _ = sender.send(Ok(values));
        } else {
            state.awaited.insert(number, sender);
        }
        receiver
    }

    /// Takes the next value of a tag.
    pub fn put(&self, tag: usize, value: V) {
        self.state().put(tag, value);
    }

    /// Takes the next values of all tags.
    pub(crate) fn put_all(&self, values: &[V]) {
        let mut state = self.state();
        for (tag, value) in values.iter().enumerate() {
            state.put(tag, value.clone());
        }
    }

    /// Tells whoever waits that nothing comes.
    pub(crate) fn fail(&self, why: &Failed) {
        for (_, sender) in self.state().awaited.drain() {
            let _ = sender.send(Err(why.clone()));
        }
    }

    fn state(&self) -> MutexGuard<'_, State<V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V: Clone> State<V> {
    fn put(&mut self, tag: usize, value: V) {
        self.latest[tag] = Some(value);
        self.came[tag] += 1;
        if self.came[tag] == self.number + 1 {
            self.missing -= 1;
        }
        while self.missing == 0 {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        let values: Vec<V> = self.latest.iter().flatten().cloned().collect();
        // Who has given up waiting takes nothing.
        let left = match self.awaited.remove(&self.number) {
            Some(sender) => sender.send(Ok(values)).err().and_then(Result::ok),
            None => Some(values),
        };
        if let Some(values) = left {
            self.whole.insert(self.number, values);
        }
        self.number += 1;
        self.missing = self.came.iter().filter(|came| **came <= self.number).count();
    }
}

#[cfg(test)]
mod tests {
    use super::Changes;
    use crate::results::Failed;
    use wirelab_sdk::status::Status;

    #[test]
    fn a_change_is_whole_when_every_tag_has_come() {
        let changes = Changes::new(2);
        let mut first = changes.number(0);
        changes.put(0, "a");
        changes.put(0, "b");
        assert!(first.try_recv().is_err());
        changes.put(1, "x");
        // What came again before the others is of the change after.
        assert_eq!(first.try_recv(), Ok(Ok(vec!["b", "x"])));
        changes.put(1, "y");
        assert_eq!(changes.number(1).try_recv(), Ok(Ok(vec!["b", "y"])));
    }

    #[test]
    fn changes_of_no_tag_never_come() {
        let changes = Changes::<u8>::new(0);
        assert!(changes.number(0).try_recv().is_err());
    }

    #[test]
    fn who_waits_is_told_that_nothing_comes() {
        let why = Failed { status: Status::Timeout, class: "E".into(), message: "late".into() };
        let changes = Changes::new(1);
        let mut waiting = changes.number(0);
        changes.fail(&why);
        assert_eq!(waiting.try_recv(), Ok(Err(why)));
        changes.put_all(&[7]);
        assert_eq!(changes.number(0).try_recv(), Ok(Ok(vec![7])));
    }
}
