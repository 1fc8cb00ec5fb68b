//! Plan of the generator: what the spec asks of it, in the terms of its parts.

use std::collections::HashSet;
use std::sync::Arc;

use rustix::rand::{GetRandomFlags, getrandom};
use serde_json::Value;
use wirelab_sdk::schedule::Schedule;
use wirelab_sdk::spec::Spec;

use super::board_assignment::{BoardAssignment, Placement};
use super::deflate::NAME;
use super::keep_alive::KeepAlive;
use super::ledger::{LedgerSettings, Pad};
use super::silence::Silence;
use crate::load::{Refusal, users_of};
use crate::net::dial::Target;
use crate::protocol::{Adapter, Carrier, KNOWN, adapter};

/// Everything a shard needs, the same for all of them.
#[derive(Clone)]
pub struct WebSocketPlan {
    /// Endpoint of the server.
    pub target: Target,
    /// Protocol that it speaks.
    pub adapter: Arc<dyn Adapter>,
    /// Signs by which each side knows that the other is there, where its protocol has that.
    pub keep_alive: Option<KeepAlive>,
    /// True where messages are compressed, which the server then has to speak.
    pub compressed: bool,
    /// Boards of the users.
    pub assignment: BoardAssignment,
    /// Schedule of what is due.
    pub schedule: Schedule,
    /// For the ledger.
    pub terms: LedgerSettings,
    /// Code of `connect`, if the scenario records it.
    pub connect: Option<u8>,
    /// True where deliveries are recorded.
    pub delivery: bool,
    /// Draws before `ready`.
    pub preflight: u64,
    /// Ticks of which one lane's answer is written.
    pub verified: HashSet<u64>,
    /// True where a server may say that it leaves messages out.
    pub sheds: bool,
    /// Users who fall silent.
    pub silence: Silence,
    /// True where lost users connect again.
    pub reconnect: bool,
    /// Until all users without steps must be connected.
    pub ready_ns: u64,
}

impl WebSocketPlan {
    /// Reads it from the spec; class and text of what is wrong otherwise.
    pub fn of(spec: &Spec) -> Result<Self, Refusal> {
        let bad = |error: &dyn std::fmt::Display| ("BadSpec", error.to_string());
        let facts = spec.facts.get("server").unwrap_or(&Value::Null);
        let protocol = facts
            .get("protocol")
            .and_then(Value::as_str)
            .ok_or_else(|| bad(&"the server's fact `protocol` is missing"))?;
        let adapter = adapter(protocol).ok_or_else(|| {
            let text = format!("the server speaks `{protocol}`; known are {KNOWN}");
            ("UnknownProtocol", text)
        })?;
        let keep_alive = adapter
            .ping()
            .map(|ping| KeepAlive::of(ping, facts))
            .transpose()
            .map_err(|error| bad(&error))?;
        let message_bytes = spec.parameter("message_bytes", 130).map_err(|e| bad(&e))?;
        refuse_too_long(adapter.as_ref(), message_bytes, facts)?;
        let compressed = match facts.get("compression").map(Value::as_str) {
            None => false,
            Some(Some(NAME)) if adapter.carrier() == Carrier::WebSocket => true,
            Some(_) => {
                return Err(bad(&format!(
                    "the server's fact `compression`: only {NAME}, and only of a WebSocket"
                )));
            }
        };
        let endpoint = spec.endpoint("server").map_err(|error| bad(&error))?;
        let target = Target::parse(endpoint, adapter.carrier().scheme()).map_err(|e| bad(&e))?;
        let users = users_of(spec)?;
        let placement = spec
            .parameter("placement", "fill".to_owned())
            .map_err(|e| bad(&e))?;
        let placement = Placement::named(&placement).ok_or_else(|| {
            bad(&format!(
                "placement is {placement}: expected fill or spread"
            ))
        })?;
        let board_size = spec
            .parameter("board_size", 50_u32)
            .map_err(|error| bad(&error))?;
        let pad = spec
            .parameter("pad", "dots".to_owned())
            .map_err(|error| bad(&error))?;
        let pad = Pad::named(&pad)
            .ok_or_else(|| bad(&format!("pad is {pad}: expected dots, letters or random")))?;
        let silent = spec
            .parameter("silent_users", 0_u32)
            .map_err(|error| bad(&error))?;
        let silence =
            Silence::of(silent, users as u32, &spec.schedule).map_err(|error| bad(&error))?;
        let rtt = spec
            .operations
            .get("rtt")
            .ok_or_else(|| bad(&"operations has no `rtt`, which this generator sends"))?;
        Ok(Self {
            target,
            adapter,
            keep_alive,
            compressed,
            assignment: BoardAssignment::new(users as u32, board_size, placement),
            schedule: spec.schedule.clone(),
            terms: LedgerSettings {
                key: drawn_key().map_err(|error| bad(&error))?,
                message_bytes,
                pad,
                limit_ns: spec.limits.operation_ns,
                rtt: rtt.code,
            },
            connect: spec.operations.get("connect").map(|connect| connect.code),
            delivery: spec.operations.contains_key("delivery"),
            preflight: spec.verify.preflight.get("rtt").copied().unwrap_or(0),
            verified: spec
                .verify
                .ticks
                .get("rtt")
                .into_iter()
                .flatten()
                .copied()
                .collect(),
            sheds: spec
                .parameter("shedding", false)
                .map_err(|error| bad(&error))?,
            silence,
            reconnect: spec
                .parameter("reconnect", false)
                .map_err(|error| bad(&error))?,
            ready_ns: spec.limits.ready_ns,
        })
    }

    /// Users of each of `threads` shards: a board is never divided.
    pub fn shards(&self, threads: usize) -> Vec<Vec<u32>> {
        let threads = threads.clamp(1, self.assignment.boards().max(1) as usize);
        let mut shards = vec![Vec::new(); threads];
        for user in 0..self.assignment.users() {
            let (board, _) = self.assignment.place_of(user);
            shards[board as usize % threads].push(user);
        }
        shards
    }
}

/// A key of the kernel's: what follows from it can be told by nobody who has not been given it.
pub fn drawn_key() -> rustix::io::Result<u128> {
    let mut bytes = [0; 16];
    getrandom(&mut bytes, GetRandomFlags::empty())?;
    Ok(u128::from_ne_bytes(bytes))
}

/// Refuses draws that a server has said it will not take: it would end every connection.
fn refuse_too_long(
    adapter: &dyn Adapter,
    message_bytes: usize,
    facts: &Value,
) -> Result<(), Refusal> {
    let Some(limit) = facts.get("receive_limit_bytes").and_then(Value::as_u64) else {
        return Ok(());
    };
    let sent = adapter.draw("", "x".repeat(message_bytes)).len();
    if sent as u64 <= limit {
        return Ok(());
    }
    let text = format!(
        "a draw of {message_bytes} bytes is sent as {sent}, and the server takes {limit} at most"
    );
    Err(("MessageTooLong", text))
}
