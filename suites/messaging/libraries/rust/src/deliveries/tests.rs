//! Deliveries as users get them, in closed and open loops.

use super::Deliveries;
use crate::messages::{Messages, stamp};
use crate::owed::Owed;
use crate::phase::Phase;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use wirelab_sdk::schedule::Step;

const PHASE: u64 = 2 << 32;

/// Deliveries of a trial, and the folder of its file.
struct Trial {
    folder: PathBuf,
    messages: Arc<Messages>,
    deliveries: Deliveries,
}

impl Trial {
    fn create(name: &str, is_open: bool) -> Self {
        let name = format!("wirelab-rust-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let messages = Arc::new(Messages::new(b"", 1));
        let of_trial = Arc::clone(&messages);
        let deliveries = Deliveries::create(of_trial, &folder.join("intervals"), is_open);
        Self { folder, messages, deliveries: deliveries.expect("a file") }
    }

    /// Brings a message of a sender to a user.
    fn deliver(&self, user: u32, sender: u32, sequence: u64, sent_ns: u64, due_ns: u64) {
        let mut message = self.messages.compose(sender, sequence, 100);
        stamp(&mut message, sent_ns, due_ns);
        self.deliveries.delivered(user, &message);
    }

    /// The lines of the file, which ends with this.
    fn written(self) -> Vec<Value> {
        self.deliveries.write(true).expect("lines");
        let text = std::fs::read_to_string(self.folder.join("intervals")).expect("lines");
        std::fs::remove_dir_all(self.folder).expect("it is empty");
        text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect()
    }
}

fn sums(lines: &[Value]) -> BTreeMap<&str, u64> {
    let mut found = BTreeMap::new();
    for line in lines {
        for (name, count) in line["counts"].as_object().expect("counts") {
            *found.entry(name.as_str()).or_default() += count.as_u64().expect("a count");
        }
    }
    found
}

#[test]
fn every_delivery_is_counted_as_what_it_is() {
    let trial = Trial::create("closed", false);
    let phase = Phase {
        number: 2,
        step: "s".to_owned(),
        size: 100,
        each: 2,
        per_tick: 1,
        senders: 2,
        counts: true,
        ..Phase::default()
    };
    let deliveries = &trial.deliveries;
    deliveries.begin(phase, 2);
    let phase = deliveries.phase();
    for (sender, number) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        drop(deliveries.hands_over(sender, number, 7, 7));
        deliveries.sent(7, 2);
    }
    let deliver = |user: u32, sender: u32, sequence: u64, sent_ns: u64| {
        trial.deliver(user, sender, sequence, sent_ns, sent_ns);
    };
    deliver(0, 0, PHASE | 1, 7);
    deliver(0, 0, PHASE, 7); // after a later one
    deliver(0, 0, PHASE, 7); // twice
    deliver(0, 0, 1 << 32, 7); // of settling, which is complete
    deliver(0, 1, PHASE | 10, 7); // one that is not sent
    deliver(0, 1, 3 << 32, 7); // one that is not sent yet
    deliver(0, 1, 0, 7); // one that was no broadcast
    deliver(0, 1, PHASE | 2, 7); // one that is promised
    deliver(0, 1, PHASE, 8); // with a time of which nobody knows
    deliveries.delivered(0, b"nonsense");
    assert!(deliveries.came(0, 1, 2) && !deliveries.came(1, 1, 2));
    assert!(phase.completed_ns(0).is_none());
    deliver(0, 1, PHASE, 7);
    deliver(0, 1, PHASE | 1, 7);
    assert!(phase.completed_ns(0).is_some() && !deliveries.is_complete());
    for (sender, number) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        deliver(1, sender, PHASE | number, 7);
    }
    assert!(deliveries.is_complete());
    let lines = trial.written();
    for line in &lines {
        assert_eq!(line["operation"], "delivery");
        assert_eq!(line["step"], "s");
        assert!(line.get("response").is_none(), "nothing is due in a closed loop");
    }
    let expected = [
        ("bytes", 800),
        ("duplicates", 2),
        ("expected", 8),
        ("held", 0),
        ("received", 8),
        ("reordered", 1),
        ("wrong", 5),
    ];
    assert_eq!(sums(&lines), BTreeMap::from(expected));
}

#[test]
fn what_a_newcomer_gets_of_messages_before_its_time_is_in_no_count() {
    let trial = Trial::create("newcomers", true);
    let deliveries = &trial.deliveries;
    let step = |first: u64, settle: u64, users: u64| -> Step {
        let said = serde_json::json!({
            "name": "s", "first": first, "count": 2, "settle": settle, "users": users, "lanes": users
        });
        serde_json::from_value(said).expect("a step")
    };
    let owed = Owed::within(&[step(0, 0, 1), step(2, 1, 2)], 1);
    let to = owed.clone();
    let phase = Phase {
        size: 100,
        each: 4,
        per_tick: 1,
        senders: 2,
        counts: true,
        owed,
        ..Phase::default()
    };
    deliveries.begin(phase, 2);
    for number in [1, 2, 3] {
        drop(deliveries.hands_over(0, number, 5, 5));
        deliveries.sent(5, to.to(number));
        trial.deliver(0, 0, number, 5, 5);
        trial.deliver(1, 0, number, 5, 5);
    }
    assert!(deliveries.is_complete());
    let lines = trial.written();
    let found = sums(&lines);
    assert_eq!((found["expected"], found["received"], found["wrong"]), (4, 4, 0));
}

#[test]
fn messages_of_a_stream_are_numbered_through_and_belong_to_when_they_were_due() {
    const SECOND: u64 = 1_000_000_000;
    let trial = Trial::create("open", true);
    let deliveries = &trial.deliveries;
    // Two ticks of three messages, the second of them due a second after the first.
    let phase =
        Phase { size: 100, each: 6, per_tick: 3, senders: 2, counts: true, ..Phase::default() };
    deliveries.begin(phase, 2);
    for (first, due_ns) in [(0, 5), (3, SECOND + 5)] {
        drop(deliveries.hands_over(0, first, due_ns + 2, due_ns));
        deliveries.sent(due_ns, 6);
    }
    for (user, number, due_ns) in [(0, 0, 5), (1, 0, 5), (1, 3, SECOND + 5), (1, 2, 5)] {
        trial.deliver(user, 0, number, due_ns + 2, due_ns);
    }
    trial.deliver(1, 0, 4, 7, 5); // with the times of the tick before
    trial.deliver(1, 0, 5, SECOND + 7, SECOND + 7); // due when it was sent
    trial.deliver(1, 1, 0, 7, 5); // of a sender that has sent nothing
    trial.deliver(1, 0, 6, 9, 9); // one that is promised
    assert!(deliveries.came(1, 0, 6) && !deliveries.is_complete());
    let lines = trial.written();
    let of = |second: u64| {
        let is_its = |line: &&Value| line["second"] == second;
        sums(std::slice::from_ref(lines.iter().find(is_its).expect("a line")))
    };
    assert_eq!((of(0)["expected"], of(0)["received"], of(0)["reordered"]), (6, 3, 1));
    assert_eq!((of(1)["expected"], of(1)["received"], of(1)["reordered"]), (6, 1, 0));
    assert_eq!(sums(&lines)["wrong"], 3);
    for line in lines.iter().filter(|line| line["counts"]["received"] != 0) {
        assert!(line.get("step").is_none(), "an open loop has no steps of its own");
        assert!(line["service"].is_string() && line["response"].is_string());
    }
}
