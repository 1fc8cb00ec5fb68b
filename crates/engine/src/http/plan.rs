//! Plan of the HTTP generator: what the spec asks of it.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use wirelab_sdk::schedule::{Loop, Schedule};
use wirelab_sdk::spec::Spec;

use super::requests::Requests;
use super::response::TOTAL;
use crate::load::{Refusal, users_of};
use crate::net::dial::Target;

/// The operation that is a request.
pub const REQUEST: &str = "request";
/// The operation that is a user's first connection.
pub const CONNECT: &str = "connect";
/// The operation that is a request without the server's part of it.
pub const HTTP: &str = "http";
const QUEUE: &str = "queue";
/// `total` is a word of metrics, so this is what the operation of that span is called.
const SERVER_TIME: &str = "server-time";

/// Everything a shard needs, the same for all of them.
pub struct HttpPlan {
    /// Endpoint of the server.
    pub target: Target,
    /// Connections, from 1 to `MOST_USERS`.
    pub users: u64,
    /// Schedule of what is due.
    pub schedule: Schedule,
    /// By step; one where there are none.
    pub requests: Vec<Requests>,
    /// Names of the operations that are recorded by the second.
    pub by_second: Vec<Arc<str>>,
    /// Names that are looked for in `Server-Timing`, and which of `by_second` each is.
    pub spans: Vec<Box<[u8]>>,
    /// Indices of the spans in `by_second`.
    pub stage_places: Vec<usize>,
    /// Index of `http` in `by_second`, if the scenario has it.
    pub http: Option<usize>,
    /// Index of `queue` in `by_second`, if the scenario has it.
    pub queue: Option<usize>,
    /// Code of `request`.
    pub request: u8,
    /// Code of `connect`, if the scenario records it.
    pub connect: Option<u8>,
    /// A request is given up this long after it was due.
    pub limit_ns: u64,
    /// Requests before `ready`.
    pub preflight: u64,
    /// Ticks of which one lane's answer is written.
    pub verified: HashSet<u64>,
    /// Until all users without steps must be connected.
    pub ready_ns: u64,
}

impl HttpPlan {
    /// Reads it from the spec; class and text of what is wrong otherwise.
    pub fn of(spec: &Spec) -> Result<Arc<Self>, Refusal> {
        Self::read(spec)
            .map(Arc::new)
            .map_err(|text| ("BadSpec", text))
    }

    fn read(spec: &Spec) -> Result<Self, String> {
        let endpoint = target_of(spec)?;
        let target = Target::parse(endpoint, "http")?;
        let host = target.uri.authority().map_or("", |a| a.as_str()).to_owned();
        let none = BTreeMap::new();
        let own = spec.schedule.steps.iter().map(|step| &step.parameters);
        let requests = own
            .chain(spec.schedule.steps.is_empty().then_some(&none))
            .map(|own| Requests::of(spec, own, &host))
            .collect::<Result<_, _>>()?;
        if spec.schedule.kind == Loop::Closed && spec.schedule.steps.is_empty() {
            return Err("schedule: a closed loop needs steps, and there are none".into());
        }
        let mut plan = Self {
            target,
            users: users_of(spec).map_err(|(_, text)| text)?,
            schedule: spec.schedule.clone(),
            requests,
            by_second: Vec::new(),
            spans: Vec::new(),
            stage_places: Vec::new(),
            http: None,
            queue: None,
            request: 0,
            connect: None,
            limit_ns: spec.limits.operation_ns,
            preflight: spec.verify.preflight.get(REQUEST).copied().unwrap_or(0),
            verified: spec
                .verify
                .ticks
                .get(REQUEST)
                .into_iter()
                .flatten()
                .copied()
                .collect(),
            ready_ns: spec.limits.ready_ns,
        };
        plan.take_operations(spec)?;
        Ok(plan)
    }

    fn take_operations(&mut self, spec: &Spec) -> Result<(), String> {
        let mut request = None;
        for (name, operation) in &spec.operations {
            let by_second = operation.record.as_deref() == Some("intervals");
            match (name.as_str(), by_second) {
                (REQUEST, false) if operation.every == 1 => request = Some(operation.code),
                (CONNECT, false) => self.connect = Some(operation.code),
                (REQUEST | CONNECT, _) | (_, false) => {
                    return Err(format!(
                        "operation {name}: known are `request` at every tick and `connect`, which \
                         have records, and spans, which have intervals"
                    ));
                }
                (span, true) => {
                    let place = self.by_second.len();
                    self.by_second.push(span.into());
                    match span {
                        HTTP => self.http = Some(place),
                        QUEUE => self.queue = Some(place),
                        _ => {
                            let name = if span == SERVER_TIME { TOTAL } else { span };
                            self.spans.push(name.as_bytes().into());
                            self.stage_places.push(place);
                        }
                    }
                }
            }
        }
        self.request = request.ok_or("operations has no `request`, which this generator sends")?;
        Ok(())
    }

    /// The steps' place of `tick`; the one there is where there are no steps.
    pub fn step_at(&self, tick: u64) -> usize {
        let steps = &self.schedule.steps;
        steps
            .iter()
            .rposition(|step| step.first <= tick)
            .unwrap_or(0)
    }

    /// Tells whether the answer of `lane` at `tick` is to be written.
    pub fn is_verified(&self, tick: u64, lane: u32) -> bool {
        !self.verified.is_empty()
            && self.verified.contains(&tick)
            && tick % self.schedule.lanes_at(tick).max(1) == u64::from(lane)
    }
}

/// The endpoint of the role that speaks HTTP: there must be exactly one.
fn target_of(spec: &Spec) -> Result<&str, String> {
    let speaks_http = |role: &str| {
        let fact = spec.facts.get(role).and_then(|facts| facts.get("protocol"));
        fact.and_then(|protocol| protocol.as_str()) == Some("http")
    };
    let mut found = spec.endpoints.iter().filter(|(role, _)| speaks_http(role));
    match (found.next(), found.next()) {
        (Some((_, endpoint)), None) => Ok(endpoint),
        (None, _) => Err("no role's fact `protocol` is `http`".into()),
        (Some((one, _)), Some((other, _))) => Err(format!(
            "the fact `protocol` is `http` for {one} and {other}: only one may"
        )),
    }
}
