//! Users' work in their lanes: ask, and connect; what they tell everybody stands in `telling`.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Mutex;
use wirelab_sdk::answers::Phase;
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::lanes::{Arrivals, Call, Failure, Load, Outcome};
use wirelab_sdk::schedule::Step;
use wirelab_sdk::secret;
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

use crate::deliveries::Deliveries;
use crate::messages::{HEADER, Messages, answer_of, served_ns, stamp_sent};
use crate::owed::Owed;
use crate::transport::{Inbox, Link, Transport};

/// Messages of the preflight are in no phase.
const PREFLIGHT_SEQUENCE: u64 = 1_000_000;

const EVERYBODY: u64 = u64::MAX;

/// The operation by which messages are handed over for all.
pub(crate) const SEND: &str = "send";

/// The operation by which a user gets its own message back.
const ECHO: &str = "echo";

/// Everybody in a trial.
pub(crate) struct Users<T: Transport> {
    transport: T,
    pub(crate) messages: Arc<Messages>,
    /// Deliveries, where anybody sends to others.
    pub(crate) deliveries: Option<Arc<Deliveries>>,
    /// Messages that a user sends at a tick.
    pub(crate) per_tick: u64,
    /// Users, from the first one, for whom broadcasts are.
    receivers: u64,
    /// To whom their messages are owed in an open loop, whose users join while others send.
    pub(crate) owed: Owed,
    pub(crate) last_step: Step,
    /// The first failure to write a line down.
    pub(crate) failure: std::sync::Mutex<Option<io::Error>>,
    /// By the name of the step: its number, and bytes of its messages.
    pub(crate) steps: HashMap<String, (u64, usize)>,
    pub(crate) is_closed: bool,
    /// True where what answers is ours and says when it did.
    stamped: bool,
    pub(crate) users: Vec<Mutex<User<T::Link>>>,
}

pub(crate) struct User<L> {
    pub(crate) link: Option<L>,
    hellos: u64,
}

impl<T: Transport> Users<T> {
    pub(crate) fn new(spec: &Spec, transport: T) -> Result<Self, Failure> {
        let mut known = spec.schedule.steps.clone();
        if known.is_empty() {
            known.push(Step::whole(&spec.schedule));
        }
        let mut steps = HashMap::new();
        for (number, step) in (0..).zip(&known) {
            let size = spec.step_parameter(step, "message_bytes", HEADER)?.max(HEADER);
            steps.insert(step.name.clone(), (number, size));
        }
        let most = known.iter().map(|step| step.users).max().unwrap_or(1);
        let is_closed = spec.schedule.is_closed();
        let says_when = |facts: &Value| facts["stamps"] == true;
        let messages = Arc::new(Messages::new(&secret::taken()?, spec.seed));
        let deliveries = if spec.operations.contains_key(SEND) {
            let lines = spec.paths.intervals.as_deref().ok_or("no file for intervals")?;
            Some(Arc::new(Deliveries::create(Arc::clone(&messages), lines, !is_closed)?))
        } else {
            None
        };
        let per_tick = spec.parameter("messages", 1)?;
        Ok(Self {
            transport,
            messages,
            deliveries,
            per_tick,
            receivers: spec.parameter("receivers", EVERYBODY)?,
            owed: Owed::within(&known, per_tick),
            last_step: known.pop().expect("there is one at least"),
            failure: std::sync::Mutex::default(),
            steps,
            is_closed,
            stamped: spec.facts.values().any(says_when),
            users: (0..most).map(|_| Mutex::new(User { link: None, hellos: 0 })).collect(),
        })
    }

    /// Lets a user go.
    pub(crate) async fn leave(&self, user: usize) {
        self.users[user].lock().await.link = None;
    }

    /// The first message of a call as its sender numbers it: in its phase, and within that; and the
    /// bytes of one.
    pub(crate) fn numbered(&self, call: &Call<'_>) -> (u64, usize) {
        let (number, size) = self.steps[&call.step.name];
        let counted = call.step.first + call.step.settle;
        let first_of = |tick: u64| tick * self.per_tick;
        let sequence = match call.phase {
            Phase::Preflight => PREFLIGHT_SEQUENCE + call.tick,
            _ if !self.is_closed => first_of(call.tick),
            _ if call.tick < counted => {
                (2 * number + 1) << 32 | first_of(call.tick - call.step.first)
            }
            _ => (2 * number + 2) << 32 | first_of(call.tick - counted),
        };
        (sequence, size)
    }

    /// Users to whom broadcasts of a tick are owed.
    pub(crate) fn receivers_at(&self, step: &Step, tick: u64) -> u64 {
        let users = if self.is_closed { step.users } else { self.owed.to(tick * self.per_tick) };
        users.min(self.receivers)
    }

    /// Tells whether broadcasts are for everybody.
    pub(crate) fn tells_everybody(&self) -> bool {
        self.receivers == EVERYBODY
    }

    /// Inbox for what is broadcast to a user, where anything is.
    fn inbox_of(&self, user: u32) -> Option<Inbox> {
        let deliveries = self.deliveries.as_ref().filter(|_| u64::from(user) < self.receivers)?;
        Some(Inbox { user, deliveries: Arc::clone(deliveries) })
    }

    /// A connection that is accepted but not served is none: the first answer makes it one.
    pub(crate) async fn linked<'a>(
        &self,
        number: u32,
        user: &'a mut User<T::Link>,
    ) -> Result<&'a mut T::Link, T::Error> {
        if user.link.is_none() {
            let mut made = self.transport.connect(number, self.inbox_of(number)).await?;
            let sequence = user.hellos;
            let mut hello = self.messages.compose(number, sequence, HEADER);
            user.hellos += 1;
            stamp_sent(&mut hello, now_ns());
            let answer = made.echo(&hello).await?;
            if !self.messages.is_intact(&answer, number, sequence, HEADER) {
                // Whatever that was, the answer is still to come: until time is up.
                std::future::pending::<()>().await;
            }
            user.link = Some(made);
        }
        Ok(user.link.as_mut().expect("it was made if it was not there"))
    }

    async fn asked(&self, number: u32, message: &[u8]) -> Result<Vec<u8>, T::Error> {
        let mut user = self.users[number as usize].lock().await;
        let reply = self.linked(number, &mut user).await?.echo(message).await;
        if let Err(error) = &reply {
            // The next operation connects again.
            if matches!(T::explain(error).0, Status::Disconnected | Status::Refused) {
                user.link = None;
            }
        }
        reply
    }
}

pub(crate) fn failed<T: Transport>(error: &T::Error) -> Outcome {
    let (status, class) = T::explain(error);
    Outcome::failed(status, &class, error.to_string())
}

impl<T: Transport> Load for Users<T> {
    async fn perform(&self, call: &mut Call<'_>) -> Outcome {
        match (call.operation, &self.deliveries) {
            (ECHO, _) => {}
            (SEND, Some(deliveries)) => return self.send(call, deliveries).await,
            (other, _) => {
                let said = format!("this client has no operation {other}");
                return Outcome::failed(Status::Unsupported, "Unsupported", said);
            }
        }
        let (sequence, size) = self.numbered(call);
        let user = u32::from(call.lane);
        let mut message = self.messages.compose(user, sequence, size);
        call.begin();
        let sent_ns = now_ns();
        stamp_sent(&mut message, sent_ns);
        let asked = self.asked(user, &message).await;
        call.end();
        let reply = match asked {
            Ok(reply) => reply,
            Err(error) => return failed::<T>(&error),
        };
        let wrong = |what: &str| Outcome::failed(Status::WrongAnswer, "WrongMessage", what.into());
        if !self.messages.is_intact(&reply, user, sequence, size) {
            return wrong("another message came back");
        }
        if self.stamped && !(sent_ns..=now_ns()).contains(&served_ns(&reply)) {
            return wrong("the server did not answer between the call's start and its end");
        }
        Outcome::ok(2 * size as u32).answering(move || answer_of(&reply))
    }

    async fn join(&self, call: &mut Call<'_>) -> Outcome {
        let number = u32::from(call.lane);
        let mut user = self.users[number as usize].lock().await;
        let linked = self.linked(number, &mut user).await.map(|_| ());
        call.end();
        linked.map_or_else(|error| failed::<T>(&error), |()| Outcome::ok(0))
    }

    fn arrivals(&self) -> Option<&dyn Arrivals> {
        self.deliveries.as_ref().map(|_| self as &dyn Arrivals)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use serde_json::json;
    use wirelab_sdk::lanes::Arrivals;
    use wirelab_sdk::spec::Spec;

    use super::{Inbox, Link, Status, Transport, Users};

    struct Nowhere;

    impl Transport for Nowhere {
        type Link = Nowhere;
        type Error = Infallible;

        async fn connect(&self, _user: u32, _inbox: Option<Inbox>) -> Result<Nowhere, Infallible> {
            Ok(Nowhere)
        }

        fn explain(_error: &Infallible) -> (Status, String) {
            (Status::Error, String::new())
        }
    }

    impl Link for Nowhere {
        type Error = Infallible;

        async fn echo(&mut self, message: &[u8]) -> Result<Vec<u8>, Infallible> {
            Ok(message.to_vec())
        }

        async fn broadcast(&mut self, _message: &[u8]) -> Result<(), Infallible> {
            Ok(())
        }
    }

    #[test]
    fn a_stream_has_one_phase_and_only_those_listen_whom_it_is_for() {
        let name = format!("wirelab-rust-{}-users", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let spec: Spec = serde_json::from_value(json!({
            "contract": 2, "trial": "t", "suite": "s", "scenario": "s", "role": "client",
            "parameters": { "message_bytes": 100, "messages": 3, "receivers": 1 },
            "operations": { "send": { "code": 2 }, "delivery": { "code": 3 } },
            "schedule": {
                "loop": "open", "first_ns": 0, "period_ns": 1, "count": 5,
                "steps": [{ "name": "probe", "first": 0, "count": 5, "users": 4, "lanes": 4 }],
            },
            "paths": {
                "samples": folder.join("samples"), "answers": folder.join("answers"),
                "intervals": folder.join("intervals"), "scratch": folder,
            },
            "limits": { "ready_ns": 0, "operation_ns": 0, "stop_ns": 0 },
        }))
        .expect("a spec");
        let users = Users::new(&spec, Nowhere).expect("users");
        users.started(7);
        let phase = users.deliveries.as_ref().expect("they send").phase();
        assert!(phase.counts);
        assert_eq!((phase.number, phase.size, phase.each, phase.senders), (0, 100, 15, 4));
        assert_eq!((phase.per_tick, phase.times.len()), (3, 4 * 5));
        assert_eq!(users.receivers_at(&users.last_step, 4), 1);
        assert!(users.inbox_of(0).is_some() && users.inbox_of(1).is_none());
        assert!(!users.tells_everybody());
        std::fs::remove_dir_all(folder).expect("it is there");
    }
}
