//! One operation of one lane, and what a client does when it is due.

use std::future::Future;

use serde_json::Value;

use crate::answers::Phase;
use crate::asked::AnswerWords;
use crate::clock::now_ns;
use crate::schedule::Step;
use crate::status::Status;

/// One operation of one lane. Start and end are stamped around it by the driver, or by the client
/// where it prepares something before, or looks at something after.
#[derive(Debug)]
pub struct Call<'a> {
    /// Name of the operation.
    pub operation: &'static str,
    /// Part of the trial.
    pub phase: Phase,
    /// The step it belongs to; of a preflight, the first one.
    pub step: &'a Step,
    /// Number of the tick; of a preflight, counted by itself.
    pub tick: u64,
    /// The lane, which is a user.
    pub lane: u16,
    pub(super) intended_ns: Option<u64>,
    pub(super) start_ns: u64,
    pub(super) end_ns: Option<u64>,
}

impl Call<'_> {
    /// Time at which it was due; none in a closed loop and in the preflight.
    #[must_use]
    pub fn intended_ns(&self) -> Option<u64> {
        self.intended_ns
    }

    /// Stamps the start, just before the library is called.
    pub fn begin(&mut self) {
        self.start_ns = now_ns();
    }

    /// Stamps the end: the result is in the caller's hands.
    pub fn end(&mut self) {
        self.end_ns = Some(now_ns());
    }
}

/// An error in the words of the library.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Its class.
    pub class: String,
    /// Words that the library's caller is told.
    pub message: String,
}

/// Result of a call.
pub struct Outcome {
    /// Status with which it ended.
    pub status: Status,
    /// The payload in bytes, or what the suite says; 0 when it is not known.
    pub size: u32,
    /// Fault of the whole call, if it failed.
    pub fault: Option<Fault>,
    /// Fault of each item that failed of a call that did not.
    pub items: Vec<Fault>,
    /// Puts the answer into the suite's form, where it is asked for. What it holds is kept until the
    /// lane's next operation begins.
    pub answer: Option<AnswerWords>,
}

impl Outcome {
    /// A call that succeeded.
    #[must_use]
    pub const fn ok(size: u32) -> Self {
        Self {
            status: Status::Ok,
            size,
            fault: None,
            items: Vec::new(),
            answer: None,
        }
    }

    /// The same with an answer, which is put together only when it is asked for.
    #[must_use]
    pub fn answering(self, words: impl FnOnce() -> Value + Send + 'static) -> Self {
        Self {
            answer: Some(Box::new(words)),
            ..self
        }
    }

    /// A call that failed, whatever the library calls it: nothing that failed is [`Status::Ok`].
    #[must_use]
    pub fn failed(status: Status, class: &str, message: String) -> Self {
        let class = class.to_owned();
        let status = if status == Status::Ok {
            Status::Error
        } else {
            status
        };
        Self {
            status,
            size: 0,
            fault: Some(Fault { class, message }),
            items: Vec::new(),
            answer: None,
        }
    }

    /// The same of a call that succeeded, some of whose items did not; as it is without any.
    #[must_use]
    pub fn with_failed_items(self, items: Vec<Fault>) -> Self {
        if items.is_empty() {
            return self;
        }
        Self {
            status: Status::ItemError,
            items,
            ..self
        }
    }
}

/// Things that operations bring to others than those who began them. An open loop is over, and in a
/// closed one each phase of a step, when all of it has come.
pub trait Arrivals: Send + Sync {
    /// Tick 0 is at this time.
    fn started(&self, tick0_ns: u64);

    /// A phase of a step of a closed loop begins: settling, or what `counts`.
    fn begin(&self, step: &Step, counts: bool);

    /// Tells whether all that was handed over has come.
    fn is_complete(&self) -> bool;

    /// Time at which the last of it came, or the phase or the open loop began.
    fn last_ns(&self) -> u64;

    /// Time at which a user had got all that the phase brings to it; none: it has not.
    fn completed_ns(&self, user: u16) -> Option<u64>;
}

/// Work of the lanes of a client. A call that takes too long is dropped.
pub trait Load: Send + Sync + 'static {
    /// Performs an operation that is due at a tick.
    fn perform(&self, call: &mut Call<'_>) -> impl Future<Output = Outcome> + Send;

    /// Connects user `call.lane`; nothing to do where users share what was connected before. It is
    /// recorded where the spec has an operation that is due at joins.
    fn join(&self, _call: &mut Call<'_>) -> impl Future<Output = Outcome> + Send {
        async { Outcome::ok(0) }
    }

    /// Things that calls bring to others, where they do.
    fn arrivals(&self) -> Option<&dyn Arrivals> {
        None
    }
}
