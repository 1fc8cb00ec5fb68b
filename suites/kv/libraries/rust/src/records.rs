//! The operation `ycsb`: reads, updates, inserts and changes of single records.

use std::collections::HashMap;

use serde_json::{Value, json};
use wirelab_sdk::lanes::{Call, Load, Outcome};
use wirelab_sdk::schedule::Step;
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

use crate::sequences::{Seen, Sequences};
use crate::store::{Failure, RecordStore};
use crate::user_table::{FIELDS, Fields, name_of, sequence_of, value};
use crate::workload::{Drawn, Draws, Kind, Workload};

/// Its name in scenarios.
pub(crate) const OPERATION: &str = "ycsb";

/// One operation, ready for the library.
struct Task {
    drawn: Drawn,
    record: u64,
    /// The last record that was inserted when it was drawn.
    newest: u64,
    key: String,
    /// Number of what it writes; 0 where it writes nothing.
    sequence: u64,
    /// All fields of an insert, the one of a change; none of a read.
    values: Fields,
    seen: Seen,
}

/// Works on the records of a store.
pub(crate) struct Records<S: RecordStore> {
    store: S,
    /// By the name of the step; of a spec without steps, by the empty one.
    workloads: HashMap<String, Workload>,
    draws: Draws,
    sequences: Sequences,
}

impl<S: RecordStore> Records<S> {
    pub(crate) fn new(spec: &Spec, store: S) -> Result<Self, Failure> {
        let mut workloads = HashMap::new();
        for step in &spec.schedule.steps {
            workloads.insert(step.name.clone(), Workload::of(spec, step)?);
        }
        if workloads.is_empty() {
            let whole = Step::whole(&spec.schedule);
            workloads.insert(String::new(), Workload::of(spec, &whole)?);
        }
        let draws = Draws::of(spec)?;
        let sequences = Sequences::new(draws.records);
        Ok(Self { store, workloads, draws, sequences })
    }

    /// Draws what is due, and notes that it begins.
    fn prepare(&self, workload: Workload, tick: u64, lane: u16) -> Task {
        let drawn = self.draws.at(workload, tick, lane);
        let newest = self.sequences.newest();
        let record = match drawn.kind {
            Kind::Insert => self.sequences.begin_insert(),
            _ => self.draws.record(workload, drawn.rank, newest),
        };
        let seen = self.sequences.begin_read(record);
        let sequence =
            if drawn.kind.changes() { self.sequences.begin_write(record, drawn.field) } else { 0 };
        let values = match drawn.kind {
            Kind::Read => Vec::new(),
            Kind::Insert => (0..FIELDS).map(|field| value(record, field, 0)).collect(),
            Kind::Update | Kind::Modify => vec![value(record, drawn.field, sequence)],
        };
        Task { drawn, record, newest, key: name_of(record), sequence, values, seen }
    }

    /// The timed part.
    async fn perform_task(&self, task: &Task) -> Result<Option<Fields>, S::Error> {
        let (store, key, field) = (&self.store, task.key.as_str(), task.drawn.field);
        match task.drawn.kind {
            Kind::Read => store.read_record(key).await,
            Kind::Update => store.write_record(key, field, &task.values[0]).await.map(|()| None),
            Kind::Insert => store.insert_record(key, &task.values).await.map(|()| None),
            Kind::Modify => store.modify_record(key, field, &task.values[0]).await,
        }
    }

    /// Judges whether what was found is what had been written, and no older.
    fn judge(&self, task: &Task, fields: Option<Fields>) -> Outcome {
        let Task { drawn: Drawn { kind, field, .. }, record, .. } = *task;
        if kind == Kind::Insert {
            self.sequences.end_insert(record);
        }
        if kind.changes() {
            self.sequences.end_write(record, field, task.sequence);
        }
        let fields = fields.unwrap_or_default();
        let mut told = json!({ "kind": kind.name(), "record": record, "newest": task.newest });
        if kind.changes() {
            told["field"] = json!(field);
            told["sequence"] = json!(task.sequence);
        }
        if kind.reads() {
            let Some(found) = self.found(task, &fields) else {
                return wrong(task, "a field is not of this record, or is older than it may be");
            };
            if kind.changes() && !self.sequences.is_first_change(record, field, found[field]) {
                return wrong(task, "another change had replaced what this one read");
            }
            told["found"] = json!(found);
        }
        let bytes: usize = task.values.iter().chain(&fields).map(Vec::len).sum();
        Outcome::ok(u32::try_from(bytes).unwrap_or(u32::MAX)).answering(move || {
            if kind.reads() {
                told["content"] = Value::String(checksum(&fields));
            }
            told
        })
    }

    /// The writes that a read found, by field; `None` where one of them cannot be.
    fn found(&self, task: &Task, fields: &Fields) -> Option<Vec<u64>> {
        let one = |(field, content): (usize, &Vec<u8>)| {
            sequence_of(content, task.record, field, self.draws.records)
                .filter(|sequence| task.seen.may_find(field, *sequence))
        };
        let found: Vec<u64> = fields.iter().enumerate().map(one).collect::<Option<_>>()?;
        (found.len() == FIELDS).then_some(found)
    }
}

fn wrong(task: &Task, why: &str) -> Outcome {
    let said = format!("{} of record {}: {why}", task.drawn.kind.name(), task.record);
    Outcome::failed(Status::WrongAnswer, "WrongAnswer", said)
}

/// CRC-32 of the fields, one after the other.
fn checksum(fields: &Fields) -> String {
    format!("{:08x}", crc32fast::hash(&fields.concat()))
}

impl<S: RecordStore> Load for Records<S> {
    /// Neither drawing nor checking is within the time of the call.
    async fn perform(&self, call: &mut Call<'_>) -> Outcome {
        let task = self.prepare(self.workloads[&call.step.name], call.tick, call.lane);
        call.begin();
        let ended = self.perform_task(&task).await;
        call.end();
        match ended {
            Ok(fields) => self.judge(&task, fields),
            Err(error) => {
                let (status, class) = S::explain(&error);
                Outcome::failed(status, &class, error.to_string())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::convert::Infallible;
    use std::sync::Mutex;

    use wirelab_sdk::status::Status;

    use super::Records;
    use crate::rows::Rows;
    use crate::sequences::Sequences;
    use crate::store::{Failure, RecordStore, Store};
    use crate::user_table::{FIELDS, Fields, name_of, value};
    use crate::workload::tests::four;
    use crate::workload::{Draws, Kind, Workload};

    /// A table in memory; where writes are dropped, what is written never comes there.
    struct Table {
        rows: Mutex<HashMap<String, Fields>>,
        drops: bool,
    }

    impl Store for Table {
        type MultiGet = ();
        type Error = Infallible;

        fn prepare(&self, _set: u64, _keys: &[String]) -> Result<(), Failure> {
            Ok(())
        }

        async fn read(&self, _multi_get: &()) -> Result<Rows, Infallible> {
            Ok(Rows::new())
        }

        fn explain(_error: &Infallible) -> (Status, String) {
            (Status::Error, String::new())
        }
    }

    impl RecordStore for Table {
        async fn read_record(&self, key: &str) -> Result<Option<Fields>, Infallible> {
            Ok(self.rows.lock().unwrap().get(key).cloned())
        }

        async fn write_record(
            &self,
            key: &str,
            field: usize,
            value: &[u8],
        ) -> Result<(), Infallible> {
            if !self.drops {
                self.rows.lock().unwrap().get_mut(key).unwrap()[field] = value.to_vec();
            }
            Ok(())
        }

        async fn insert_record(&self, key: &str, values: &[Vec<u8>]) -> Result<(), Infallible> {
            assert!(self.rows.lock().unwrap().insert(key.to_owned(), values.to_vec()).is_none());
            Ok(())
        }

        async fn modify_record(
            &self,
            key: &str,
            field: usize,
            value: &[u8],
        ) -> Result<Option<Fields>, Infallible> {
            let mut rows = self.rows.lock().unwrap();
            let found = rows[key].clone();
            rows.get_mut(key).unwrap()[field] = value.to_vec();
            Ok(Some(found))
        }
    }

    fn records(drops: bool) -> Records<Table> {
        // A client knows the head alone of what was loaded.
        let loaded = |record, field| [&value(record, field, 0)[..25], &[b'0'; 75]].concat();
        let row = |record| (name_of(record), (0..FIELDS).map(|f| loaded(record, f)).collect());
        let rows = Mutex::new((0..4).map(row).collect());
        Records {
            store: Table { rows, drops },
            workloads: HashMap::new(),
            draws: Draws::said(4711, &four()).unwrap(),
            sequences: Sequences::new(4),
        }
    }

    fn workload(name: &str) -> Workload {
        Workload::named(name).unwrap()
    }

    /// Statuses of the first ticks of a lane.
    fn statuses(records: &Records<Table>, name: &str, ticks: u64) -> Vec<(Kind, Status)> {
        let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
        let done = |tick| {
            let task = records.prepare(workload(name), tick, 0);
            let fields = runtime.block_on(records.perform_task(&task)).unwrap();
            (task.drawn.kind, records.judge(&task, fields).status)
        };
        (0..ticks).map(done).collect()
    }

    #[test]
    fn every_workload_finds_what_was_written() {
        let records = records(false);
        let names = ["a", "b", "c", "f", "d"];
        let done: Vec<_> = names.iter().flat_map(|name| statuses(&records, name, 100)).collect();
        assert!(done.iter().all(|(_, status)| *status == Status::Ok), "{done:?}");
        for kind in [Kind::Read, Kind::Update, Kind::Insert, Kind::Modify] {
            assert!(done.iter().any(|(one, _)| *one == kind), "{kind:?}");
        }
    }

    #[test]
    fn what_was_dropped_is_a_wrong_answer() {
        let done = statuses(&records(true), "a", 50);
        assert!(done.contains(&(Kind::Read, Status::WrongAnswer)), "{done:?}");
    }

    #[test]
    fn two_changes_of_one_value_are_a_wrong_answer() {
        let records = records(false);
        let drawn = |tick: &u64| records.draws.at(workload("f"), *tick, 0);
        let first = (0..).find(|tick| drawn(tick).kind == Kind::Modify).unwrap();
        let second = (first + 1..).find(|tick| drawn(tick) == drawn(&first)).unwrap();
        let tasks = [first, second].map(|tick| records.prepare(workload("f"), tick, 0));
        // Both read what was loaded, and the second one replaces what the first one wrote.
        let found = records.store.rows.lock().unwrap()[&tasks[0].key].clone();
        let judged = tasks.map(|task| records.judge(&task, Some(found.clone())).status);
        assert_eq!(judged, [Status::Ok, Status::WrongAnswer]);
    }
}
