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
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

use crate::deliveries::Deliveries;
use crate::messages::{HEADER, Messages, answer_of, secret, served_ns, stamp_sent};
use crate::transport::{Inbox, Link, Transport};

/// Messages of the preflight are in no phase.
const PREFLIGHT_SEQUENCE: u64 = 1_000_000;

/// The operation by which a message is handed over for all.
pub(crate) const SEND: &str = "send";

/// The operation by which a user gets its own message back.
const ECHO: &str = "echo";

/// Everybody in a trial.
pub(crate) struct Users<T: Transport> {
    transport: T,
    pub(crate) messages: Arc<Messages>,
    /// Where anybody sends to others.
    pub(crate) deliveries: Option<Arc<Deliveries>>,
    /// Users of the last step who send.
    pub(crate) last_lanes: u64,
    /// The first failure to write a line down.
    pub(crate) failure: std::sync::Mutex<Option<io::Error>>,
    /// By the name of the step: its number, and bytes of its messages.
    pub(crate) steps: HashMap<String, (u64, usize)>,
    is_closed: bool,
    /// Whether what answers is ours and says when it did.
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
        let says_when = |facts: &Value| facts["stamps"] == true;
        let messages = Arc::new(Messages::new(&secret()?, spec.seed));
        let deliveries = if spec.operations.contains_key(SEND) {
            let lines = spec.paths.intervals.as_deref().ok_or("no file for intervals")?;
            Some(Arc::new(Deliveries::create(Arc::clone(&messages), lines)?))
        } else {
            None
        };
        Ok(Self {
            transport,
            messages,
            deliveries,
            last_lanes: known.last().map_or(1, |step| step.lanes),
            failure: std::sync::Mutex::default(),
            steps,
            is_closed: spec.schedule.is_closed(),
            stamped: spec.facts.values().any(says_when),
            users: (0..most).map(|_| Mutex::new(User { link: None, hellos: 0 })).collect(),
        })
    }

    /// Lets a user go.
    pub(crate) async fn leave(&self, user: usize) {
        self.users[user].lock().await.link = None;
    }

    /// The message of a call as its sender numbers it: in its phase, and within that; and its bytes.
    pub(crate) fn numbered(&self, call: &Call<'_>) -> (u64, usize) {
        let (number, size) = self.steps[&call.step.name];
        let counted = call.step.first + call.step.settle;
        let sequence = match call.phase {
            Phase::Preflight => PREFLIGHT_SEQUENCE + call.tick,
            _ if !self.is_closed => call.tick,
            _ if call.tick < counted => (2 * number + 1) << 32 | (call.tick - call.step.first),
            _ => (2 * number + 2) << 32 | (call.tick - counted),
        };
        (sequence, size)
    }

    /// A connection that is accepted but not served is none: the first answer makes it one.
    pub(crate) async fn linked<'a>(
        &self,
        number: u32,
        user: &'a mut User<T::Link>,
    ) -> Result<&'a mut T::Link, T::Error> {
        if user.link.is_none() {
            let deliveries = self.deliveries.as_ref().map(Arc::clone);
            let inbox = deliveries.map(|deliveries| Inbox { user: number, deliveries });
            let mut made = self.transport.connect(number, inbox).await?;
            let mut hello = self.messages.compose(number, user.hellos, HEADER);
            user.hellos += 1;
            stamp_sent(&mut hello, now_ns());
            made.echo(&hello).await?;
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
