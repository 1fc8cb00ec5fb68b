//! Lists of what a client reads and writes: nodes in their text form, and values.

use wirelab_sdk::answers::Phase;
use wirelab_sdk::spec::{Spec, SpecError};

const TAGS: u64 = 2000;
const FIRST_DOUBLE: u64 = 1000;
const FIRST_STRING: u64 = 1800;
const WRITE_STRIDE: u64 = 10;

const UNKNOWN_NODE: &str = "ns=1;s=no-such-tag";
const UNKNOWN_POSITION: usize = 3;

const MEASURE_SEQUENCE: u64 = 1_000_000;
const PREFLIGHT_SEQUENCE: u64 = 900_000;

/// Value that a tag can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Value of the first tags.
    Int32(i32),
    /// Value of those after them.
    Double(f64),
    /// Value of the last ones.
    Text(String),
}

/// The nodes of a spec, in order.
#[derive(Debug)]
pub struct NodeLists {
    /// Nodes of every read.
    pub reads: Vec<String>,
    /// Nodes of every write.
    pub writes: Vec<String>,
    /// Nodes whose changes are watched.
    pub watched: Vec<String>,
    /// True where they are of a server of the user's own, whose values nobody knows.
    pub(crate) own: bool,
    /// True where the first write gets a text that its tag cannot hold.
    wrong_type: bool,
}

impl NodeLists {
    pub(crate) fn of(spec: &Spec) -> Result<Self, SpecError> {
        let probe: String = spec.parameter("probe", "read".to_owned())?;
        let list = spec.facts.get("server").and_then(|facts| facts["node_list"].as_str());
        let mut reads = match list {
            Some(list) => listed(list)?,
            None => nodes(spec, "read", TAGS, 1)?,
        };
        if probe == "unknown-node" {
            reads[UNKNOWN_POSITION] = UNKNOWN_NODE.to_owned();
        }
        let mut watched = nodes(spec, "notification", TAGS, 1)?;
        watched.extend(nodes(spec, "poll", TAGS, 1)?);
        Ok(Self {
            reads,
            writes: nodes(spec, "write", TAGS / WRITE_STRIDE, WRITE_STRIDE)?,
            watched,
            own: list.is_some(),
            wrong_type: probe == "wrong-type",
        })
    }

    /// Values that the write of a sequence puts at each position.
    pub fn values(&self, sequence: u64) -> impl Iterator<Item = Value> {
        let tags = (0..self.writes.len() as u64).map(|position| position * WRITE_STRIDE);
        tags.map(move |tag| {
            if self.wrong_type && tag == 0 {
                return Value::Text("not an Int32".to_owned());
            }
            tag_value(tag, sequence)
        })
    }
}

/// Sequence of the values that the write of a tick writes.
pub(crate) fn sequence_of(phase: Phase, tick: u64) -> u64 {
    match phase {
        Phase::Preflight => PREFLIGHT_SEQUENCE + tick,
        Phase::Measure => MEASURE_SEQUENCE + tick,
    }
}

fn tag_value(tag: u64, sequence: u64) -> Value {
    // Below 2^31, as the tags are.
    let x = ((tag * 7919 + sequence * 104_729) % (1 << 31)) as i32;
    match tag {
        ..FIRST_DOUBLE => Value::Int32(x),
        FIRST_DOUBLE..FIRST_STRING => Value::Double(f64::from(x) / 1000.0),
        FIRST_STRING.. => Value::Text(format!("tag{tag:04}-{x:010}")),
    }
}

fn listed(file: &str) -> Result<Vec<String>, SpecError> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| SpecError(format!("cannot read the nodes in {file}: {error}")))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// The nodes of an operation, every so many tags one; none where the scenario has no such operation.
fn nodes(spec: &Spec, operation: &str, most: u64, stride: u64) -> Result<Vec<String>, SpecError> {
    let items = spec.operations.get(operation).map_or(0, |operation| operation.items);
    if items > most {
        let said = format!("operations.{operation}.items: expected at most {most}, found {items}");
        return Err(SpecError(said));
    }
    Ok((0..items).map(|position| format!("ns=1;s=T{:04}", position * stride)).collect())
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::{Value as Json, json};
    use wirelab_sdk::answers::Phase;
    use wirelab_sdk::spec::Spec;

    use super::{NodeLists, UNKNOWN_NODE, Value, sequence_of, tag_value};

    pub(crate) fn spec_of(reads: u64, writes: u64, parameters: &Json, facts: &Json) -> Spec {
        serde_json::from_value(json!({
            "contract": 2, "trial": "t", "suite": "opcua", "scenario": "s", "role": "client",
            "parameters": parameters, "facts": facts,
            "operations": {
                "read": { "code": 1, "items": reads }, "write": { "code": 2, "items": writes },
            },
            "schedule": { "loop": "paced", "first_ns": 0, "period_ns": 1, "count": 1 },
            "paths": { "samples": "s", "answers": "a", "scratch": "." },
            "limits": { "ready_ns": 1, "operation_ns": 1, "stop_ns": 1 },
        }))
        .expect("a spec")
    }

    pub(crate) fn node_lists_of(reads: u64, writes: u64) -> NodeLists {
        NodeLists::of(&spec_of(reads, writes, &json!({}), &json!({}))).expect("node_lists")
    }

    // Expected values are those of the suite's README, worked out by hand.
    #[test]
    fn tags_are_those_of_the_readme() {
        let node_lists = node_lists_of(2000, 200);
        assert_eq!(
            (node_lists.reads.len(), node_lists.reads[1999].as_str()),
            (2000, "ns=1;s=T1999")
        );
        assert_eq!(
            (node_lists.writes.len(), node_lists.writes[199].as_str()),
            (200, "ns=1;s=T1990")
        );
        assert_eq!(tag_value(1, 0), Value::Int32(7919));
        assert_eq!(tag_value(1000, 3), Value::Double(8233.187));
        assert_eq!(tag_value(1800, 0), Value::Text("tag1800-0014254200".to_owned()));
        assert_eq!(sequence_of(Phase::Preflight, 2), 900_002);
        assert_eq!(sequence_of(Phase::Measure, 7), 1_000_007);
    }

    #[test]
    fn probes_change_one_item() {
        let of = |probe: &str| {
            let spec = spec_of(10, 10, &json!({ "probe": probe }), &json!({}));
            NodeLists::of(&spec).expect("node_lists")
        };
        let unknown = of("unknown-node");
        assert_eq!(unknown.reads[2..4], ["ns=1;s=T0002", UNKNOWN_NODE]);
        let written: Vec<_> = of("wrong-type").values(0).take(2).collect();
        assert_eq!(written, [Value::Text("not an Int32".to_owned()), Value::Int32(79_190)]);
    }

    #[test]
    fn more_items_than_there_are_tags_are_refused() {
        for (reads, writes) in [(2001, 0), (1, 201)] {
            let spec = spec_of(reads, writes, &json!({}), &json!({}));
            assert!(NodeLists::of(&spec).is_err(), "{reads} {writes}");
        }
    }
}
