//! The operation `read`: a multi-get asked for, looked at, and checked.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::json;
use wirelab_sdk::lanes::{Call, Load, Outcome};
use wirelab_sdk::schedule::Step;
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

use crate::multi_gets::{Asked, MULTI_GETS, number};
use crate::rows::{AnswerDigest, Rows, checksum};
use crate::store::{Failure, Store};

/// A multi-get in the library's own form.
struct Prepared<B> {
    multi_get: B,
    /// Digest of what it gave the first time.
    first: OnceLock<AnswerDigest>,
}

/// Reads multi-gets from a store.
pub(crate) struct Reader<S: Store> {
    store: S,
    /// By the name of the step; of a spec without steps, by the empty one.
    asked: HashMap<String, Asked>,
    multi_gets: HashMap<Asked, Vec<Prepared<S::MultiGet>>>,
}

impl<S: Store> Reader<S> {
    /// Prepares the multi-gets of every step, before anything is timed.
    pub(crate) fn new(spec: &Spec, store: S) -> Result<Self, Failure> {
        let mut asked = HashMap::new();
        for step in &spec.schedule.steps {
            asked.insert(step.name.clone(), Asked::of(spec, step)?);
        }
        if asked.is_empty() {
            asked.insert(String::new(), Asked::of(spec, &Step::whole(&spec.schedule))?);
        }
        let mut multi_gets = HashMap::new();
        for what in asked.values() {
            let prepare = |multi_get| {
                let multi_get = store.prepare(what.set, &what.keys_of(spec.seed, multi_get))?;
                Ok::<_, Failure>(Prepared { multi_get, first: OnceLock::new() })
            };
            if !multi_gets.contains_key(what) {
                multi_gets.insert(*what, (0..MULTI_GETS).map(prepare).collect::<Result<_, _>>()?);
            }
        }
        Ok(Self { store, asked, multi_gets })
    }

    fn outcome(&self, asked: Asked, multi_get: u64, rows: Rows) -> Outcome {
        let seen = AnswerDigest::at(&rows);
        let first = self.multi_gets[&asked][multi_get as usize].first.get_or_init(|| seen);
        if rows.len() as u64 != asked.keys || *first != seen {
            let what = format!("{} results, {seen:?}, but {first:?} the first time", rows.len());
            return Outcome::failed(Status::WrongAnswer, "WrongAnswer", what);
        }
        Outcome::ok(seen.found).answering(move || {
            json!({
                "multi_get": multi_get, "set": asked.set, "keys": asked.keys, "found": seen.found,
                "checksum": format!("{:016x}", checksum(&rows)),
            })
        })
    }
}

impl<S: Store> Load for Reader<S> {
    /// The checks are not within the time of the call.
    async fn perform(&self, call: &mut Call<'_>) -> Outcome {
        let asked = self.asked[&call.step.name];
        let multi_get = number(call.tick, call.lane);
        let prepared = &self.multi_gets[&asked][multi_get as usize];
        call.begin();
        let read = self.store.read(&prepared.multi_get).await;
        call.end();
        match read {
            Ok(rows) => self.outcome(asked, multi_get, rows),
            Err(error) => {
                let (status, class) = S::explain(&error);
                Outcome::failed(status, &class, error.to_string())
            }
        }
    }
}
