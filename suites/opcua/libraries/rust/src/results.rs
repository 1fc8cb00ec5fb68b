//! Results of a request whose items were all looked at.

use std::fmt;

use serde_json::{Value as Json, json};
use wirelab_sdk::lanes::{Fault, Outcome};
use wirelab_sdk::status::Status;

use crate::node_lists::NodeLists;
use crate::session::TagValue;

/// Fault of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadItem {
    /// Class of the status in the library's words.
    pub class: String,
    /// The standard's name of the status.
    pub name: String,
    /// Meaning of the status.
    pub text: String,
}

/// A call of the library that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Status with which it is recorded.
    pub status: Status,
    /// Class of the error in the library's words.
    pub class: String,
    /// Words that its caller is told.
    pub message: String,
}

impl fmt::Display for Failed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.class, self.message)
    }
}

impl std::error::Error for Failed {}

impl Failed {
    pub(crate) fn outcome(&self) -> Outcome {
        Outcome::failed(self.status, &self.class, self.message.clone())
    }
}

impl NodeLists {
    /// Outcome of a read.
    pub(crate) fn read<V: TagValue>(&self, values: Vec<V>) -> Outcome {
        let own = self.own;
        outcome_of_values(&self.reads, values, move |found| {
            if own {
                let valued = found.iter().filter(|value| !value.is_null()).count();
                return json!({ "valued": valued });
            }
            json!({ "values": found })
        })
    }

    /// Outcome of a change that is watched.
    pub(crate) fn changed<V: TagValue>(&self, values: Vec<V>) -> Outcome {
        outcome_of_values(&self.watched, values, |found| json!({ "values": found }))
    }

    /// Outcome of the write of a sequence.
    pub(crate) fn written(&self, items: &[Option<BadItem>], sequence: u64) -> Outcome {
        outcome_of(&self.writes, items, move || json!({ "sequence": sequence }))
    }
}

fn outcome_of_values<V: TagValue>(
    nodes: &[String],
    values: Vec<V>,
    answer: impl FnOnce(Vec<Json>) -> Json + Send + 'static,
) -> Outcome {
    let items: Vec<_> = values.iter().map(V::bad).collect();
    outcome_of(nodes, &items, move || {
        let json = |value: &V| if value.bad().is_some() { Json::Null } else { value.json() };
        answer(values.iter().map(json).collect())
    })
}

fn outcome_of(
    nodes: &[String],
    items: &[Option<BadItem>],
    answer: impl FnOnce() -> Json + Send + 'static,
) -> Outcome {
    if items.len() != nodes.len() {
        let told = format!("asked for {} items, got {}", nodes.len(), items.len());
        return Outcome::failed(Status::WrongAnswer, "WrongAnswer", told);
    }
    let bad = || {
        let positions = items.iter().enumerate();
        positions.filter_map(|(position, item)| Some((position, item.as_ref()?)))
    };
    let named: Vec<_> = bad().map(|(position, item)| json!([position, item.name])).collect();
    let faults = bad().map(|(position, item)| Fault {
        class: item.class.clone(),
        message: format!("item {position}, {}: {}", nodes[position], item.text),
    });
    Outcome::ok(0).with_failed_items(faults.collect()).answering(move || {
        let mut said = answer();
        said["bad"] = named.into();
        said
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::{Value as Json, json};
    use wirelab_sdk::lanes::Outcome;
    use wirelab_sdk::status::Status;

    use super::BadItem;
    use crate::node_lists::NodeLists;
    use crate::node_lists::tests::{node_lists_of, spec_of};
    use crate::session::TagValue;

    /// A number, or what is wrong.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct Read(pub(crate) Result<Option<f64>, &'static str>);

    impl TagValue for Read {
        fn bad(&self) -> Option<BadItem> {
            self.0.err().map(item)
        }

        fn json(&self) -> Json {
            json!(self.0.ok().flatten())
        }

        fn is_same(&self, other: &Self) -> bool {
            self == other
        }
    }

    fn item(name: &str) -> BadItem {
        BadItem { class: "StatusCode".into(), name: name.into(), text: "no such node".into() }
    }

    fn said(outcome: Outcome) -> Json {
        outcome.answer.expect("an answer")()
    }

    #[test]
    fn an_answer_leaves_out_what_is_bad() {
        let node_lists = node_lists_of(3, 2);
        let values = vec![Read(Ok(Some(1.5))), Read(Err("BadNodeIdUnknown")), Read(Ok(None))];
        let outcome = node_lists.read(values);
        assert_eq!(outcome.status, Status::ItemError);
        let told: Vec<_> = outcome.items.iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(told, ["item 1, ns=1;s=T0001: no such node"]);
        let expected = json!({ "values": [1.5, null, null], "bad": [[1, "BadNodeIdUnknown"]] });
        assert_eq!(said(outcome), expected);
        let written = node_lists.written(&[None, None], 1_000_007);
        assert_eq!(written.status, Status::Ok);
        assert_eq!(said(written), json!({ "sequence": 1_000_007, "bad": [] }));
        assert_eq!(node_lists.written(&[None], 1).status, Status::WrongAnswer);
    }

    #[test]
    fn of_a_server_of_the_users_own_values_are_counted() {
        let list = std::env::temp_dir().join(format!("wirelab-opcua-{}", std::process::id()));
        std::fs::write(&list, "i=2258\nns=2;s=Speed\n").expect("a file");
        let facts = json!({ "server": { "node_list": list } });
        let node_lists = NodeLists::of(&spec_of(2, 0, &json!({}), &facts));
        std::fs::remove_file(list).expect("removed");
        let node_lists = node_lists.expect("node_lists");
        assert_eq!(node_lists.reads, ["i=2258", "ns=2;s=Speed"]);
        let outcome = node_lists.read(vec![Read(Ok(Some(1.0))), Read(Ok(None))]);
        assert_eq!(said(outcome), json!({ "valued": 1, "bad": [] }));
    }
}
