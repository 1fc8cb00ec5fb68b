//! The operation `read`: a batch asked for, looked at, and checked.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::json;
use wirelab_sdk::lanes::{Call, Load, Outcome};
use wirelab_sdk::schedule::Step;
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

use crate::batches::{Asked, BATCHES, number};
use crate::rows::{AnswerDigest, Rows, checksum};
use crate::store::{Failure, Store};

/// A batch in the library's own form.
struct Prepared<B> {
    batch: B,
    /// What it gave the first time.
    first: OnceLock<AnswerDigest>,
}

/// Reads batches from a store.
pub(crate) struct Reader<S: Store> {
    store: S,
    /// By the name of the step; of a spec without steps, by the empty one.
    asked: HashMap<String, Asked>,
    batches: HashMap<Asked, Vec<Prepared<S::Batch>>>,
}

impl<S: Store> Reader<S> {
    /// Prepares the batches of every step, before anything is timed.
    pub(crate) fn new(spec: &Spec, store: S) -> Result<Self, Failure> {
        let mut asked = HashMap::new();
        for step in &spec.schedule.steps {
            asked.insert(step.name.clone(), Asked::of(spec, step)?);
        }
        if asked.is_empty() {
            asked.insert(String::new(), Asked::of(spec, &Step::whole(&spec.schedule))?);
        }
        let mut batches = HashMap::new();
        for what in asked.values() {
            let prepare = |batch| {
                let batch = store.prepare(what.set, &what.keys_of(spec.seed, batch))?;
                Ok::<_, Failure>(Prepared { batch, first: OnceLock::new() })
            };
            if !batches.contains_key(what) {
                batches.insert(*what, (0..BATCHES).map(prepare).collect::<Result<_, _>>()?);
            }
        }
        Ok(Self { store, asked, batches })
    }

    fn outcome(&self, asked: Asked, batch: u64, rows: Rows) -> Outcome {
        let seen = AnswerDigest::at(&rows);
        let first = self.batches[&asked][batch as usize].first.get_or_init(|| seen);
        if rows.len() as u64 != asked.keys || *first != seen {
            let what = format!("{} results, {seen:?}; the first time {first:?}", rows.len());
            return Outcome::failed(Status::WrongAnswer, "WrongAnswer", what);
        }
        Outcome::ok(seen.found).answering(move || {
            json!({
                "batch": batch, "set": asked.set, "keys": asked.keys, "found": seen.found,
                "checksum": format!("{:016x}", checksum(&rows)),
            })
        })
    }
}

impl<S: Store> Load for Reader<S> {
    /// The checks are not within the time of the call.
    async fn perform(&self, call: &mut Call<'_>) -> Outcome {
        let asked = self.asked[&call.step.name];
        let batch = number(call.tick, call.lane);
        let prepared = &self.batches[&asked][batch as usize];
        call.begin();
        let read = self.store.read(&prepared.batch).await;
        call.end();
        match read {
            Ok(rows) => self.outcome(asked, batch, rows),
            Err(error) => {
                let (status, class) = S::explain(&error);
                Outcome::failed(status, &class, error.to_string())
            }
        }
    }
}
