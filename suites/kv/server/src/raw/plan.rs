//! The batches of every step, encoded before anything is timed: section "Batches" of the suite's
//! `README.md`.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;
use wirelab_sdk::spec::{Spec, SpecError};

use super::Failure;
use super::topology::Topology;
use crate::data::{self, mix};
use crate::wire::Digest;
use crate::wire::frame::{self, Kind};
use crate::wire::message::{BATCH, GET_ALL, HEADER, READ};

/// Batches of a step.
pub const BATCHES: u64 = 64;

const NAMESPACE_FIELD: u8 = 0;
const SET_FIELD: u8 = 1;
const BATCH_FIELD: u8 = 41;
/// Rows inline, and all of them even after one that failed.
const BATCH_FLAGS: u8 = 0x0D;
/// A row that says what is read, with a time to live (of 0: untouched).
const ROW_IN_FULL: u8 = 0x0A;
const ROW_AS_BEFORE: u8 = 0x01;

/// Shape of what a step asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of the set.
    pub set: u64,
    /// Keys of a batch.
    pub keys: u64,
    repeated: bool,
}

/// A batch, ready to be sent.
#[derive(Debug)]
pub struct Batch {
    /// A request for each node that owns some of its keys: the node, the frame, its rows.
    pub requests: Vec<(usize, Vec<u8>, u32)>,
}

/// The steps, and the batches of each shape.
#[derive(Debug)]
pub struct Plan {
    steps: Vec<(u64, usize)>,
    /// Shapes of what steps ask for, and their batches.
    pub shapes: Vec<(Shape, Vec<Batch>)>,
}

impl Plan {
    /// Prepares all batches.
    pub fn new(spec: &Spec, topology: &Topology) -> Result<Self, Failure> {
        let universe: u64 = spec.parameter("universe", 10_000)?;
        if universe == 0 {
            return Err("there are no keys to read".into());
        }
        let mut plan = Self {
            steps: Vec::new(),
            shapes: Vec::new(),
        };
        let none = BTreeMap::new();
        let whole = (spec.schedule.count, &none);
        let steps = spec
            .schedule
            .steps
            .iter()
            .map(|step| (step.first + step.count, &step.parameters));
        for (end, parameters) in steps.chain(spec.schedule.steps.is_empty().then_some(whole)) {
            let shape = Shape::of(spec, parameters)?;
            let known = plan.shapes.iter().position(|(known, _)| *known == shape);
            let number = known.unwrap_or(plan.shapes.len());
            if known.is_none() {
                let batch = |n| batch(&shape, &keys(spec.seed, &shape, n, universe), topology);
                let batches = (0..BATCHES).map(batch).collect();
                plan.shapes.push((shape, batches));
            }
            plan.steps.push((end, number));
        }
        Ok(plan)
    }

    /// The shape of the step that a tick belongs to, by number.
    pub fn shape_at(&self, tick: u64) -> usize {
        let step = self
            .steps
            .iter()
            .find(|(end, _)| tick < *end)
            .or(self.steps.last());
        step.map_or(0, |(_, shape)| *shape)
    }
}

/// The batch that is due at a tick of a lane.
pub const fn number(tick: u64, lane: u64) -> u64 {
    mix(tick << 16 | lane) % BATCHES
}

impl Shape {
    fn of(spec: &Spec, step: &BTreeMap<String, Value>) -> Result<Self, Failure> {
        let (set, keys) = (
            parameter(spec, step, "set", 1)?,
            parameter(spec, step, "keys", 200)?,
        );
        if !(1..=data::SETS).contains(&set) || !(1..=5000).contains(&keys) {
            return Err(format!("set {set} with {keys} keys cannot be read").into());
        }
        let keys_are: String = parameter(spec, step, "keys_are", "drawn".into())?;
        Ok(Self {
            set,
            keys,
            repeated: keys_are == "repeated",
        })
    }
}

fn parameter<T: DeserializeOwned>(
    spec: &Spec,
    step: &BTreeMap<String, Value>,
    name: &str,
    default: T,
) -> Result<T, SpecError> {
    match step.get(name) {
        None => spec.parameter(name, default),
        Some(value) => serde_json::from_value(value.clone())
            .map_err(|error| SpecError(format!("parameter {name} is {value}: {error}"))),
    }
}

/// The keys of batch `n`.
fn keys(seed: u64, shape: &Shape, n: u64, universe: u64) -> Vec<u64> {
    let base = mix(mix(seed) ^ (shape.set << 48 | shape.keys << 32 | n));
    let key = |i: u64| mix(base.wrapping_add(i)) % universe;
    (0..shape.keys)
        .map(|i| key(if shape.repeated { 0 } else { i }))
        .collect()
}

fn batch(shape: &Shape, keys: &[u64], topology: &Topology) -> Batch {
    let set = format!("set_{}", shape.set);
    let mut rows: BTreeMap<usize, Vec<(u32, Digest)>> = BTreeMap::new();
    for (index, key) in (0_u32..).zip(keys) {
        let digest = Digest::of_string(&set, &format!("k{key}"));
        let node = topology.owner(digest.partition());
        rows.entry(node).or_default().push((index, digest));
    }
    let request =
        |(node, rows): (usize, Vec<(u32, Digest)>)| (node, request(&set, &rows), rows.len() as u32);
    Batch {
        requests: rows.into_iter().map(request).collect(),
    }
}

fn request(set: &str, rows: &[(u32, Digest)]) -> Vec<u8> {
    let mut field = vec![BATCH_FIELD];
    field.extend_from_slice(&(rows.len() as u32).to_be_bytes());
    field.push(BATCH_FLAGS);
    for (number, (index, digest)) in rows.iter().enumerate() {
        field.extend_from_slice(&index.to_be_bytes());
        field.extend_from_slice(&digest.0);
        if number > 0 {
            field.push(ROW_AS_BEFORE);
            continue;
        }
        field.extend_from_slice(&[ROW_IN_FULL, READ | GET_ALL, 0, 0]);
        field.extend_from_slice(&0_u32.to_be_bytes());
        field.extend_from_slice(&[0, 2, 0, 0]);
        for (kind, value) in [(NAMESPACE_FIELD, data::NAMESPACE), (SET_FIELD, set)] {
            field.extend_from_slice(&(1 + value.len() as u32).to_be_bytes());
            field.push(kind);
            field.extend_from_slice(value.as_bytes());
        }
    }
    let mut out = Vec::new();
    let at = frame::begin(&mut out, Kind::Message);
    let mut header = [0; HEADER];
    header[0] = HEADER as u8;
    header[1] = READ | BATCH;
    // One field, no operations.
    header[19] = 1;
    out.extend_from_slice(&header);
    out.extend_from_slice(&(field.len() as u32).to_be_bytes());
    out.extend_from_slice(&field);
    frame::end(&mut out, at);
    out
}

#[cfg(test)]
mod tests {
    use super::{Shape, keys, request};
    use crate::wire::batch::Rows;
    use crate::wire::{Digest, frame, message};

    #[test]
    fn a_request_is_what_the_server_reads() {
        let asked: Vec<(u32, Digest)> = (0..5)
            .map(|n| (n * 3, Digest::of_string("set_2", &format!("k{n}"))))
            .collect();
        let bytes = request("set_2", &asked);
        let (_, length) = frame::heading(&bytes).unwrap().unwrap();
        assert_eq!(length, bytes.len());
        let read = message::read(&bytes[frame::HEADER..]).unwrap();
        let rows: Vec<_> = Rows::read(read.fields.batch.unwrap())
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let seen: Vec<_> = rows.iter().map(|row| (row.index, row.digest)).collect();
        assert_eq!(seen, asked);
        assert!(
            rows.iter()
                .all(|row| row.action.fields.namespace == b"wirelab")
        );
        assert!(
            rows.iter()
                .all(|row| row.action.info1 == message::READ | message::GET_ALL)
        );
    }

    #[test]
    fn keys_are_within_the_universe_and_repeat_when_asked_to() {
        let mut shape = Shape {
            set: 1,
            keys: 200,
            repeated: false,
        };
        let drawn = keys(7, &shape, 3, 10_000);
        assert!(drawn.iter().all(|key| *key < 10_000));
        assert!(drawn.windows(2).any(|pair| pair[0] != pair[1]));
        shape.repeated = true;
        assert_eq!(keys(7, &shape, 3, 10_000), [drawn[0]; 200]);
    }
}
