//! Draws on a board of its own before `ready`, whose answers the verifier looks at.

use mio::Poll;
use wirelab_sdk::answers::{Answer, Phase};
use wirelab_sdk::clock::now_ns;

use super::board_assignment::BoardAssignment;
use super::plan::{WebSocketPlan, drawn_key};
use super::shard::WebSocketShard;
use crate::load::Refusal;
use crate::load::event_loop::LoopHandler;
use crate::load::shard_runner::ShardWork;

const USERS: u32 = 2;
/// So many numbers above those of the load's boards, the board has one that is drawn: by its name
/// a server cannot tell that it is looked at.
const NUMBERS: u128 = 1000;
/// Before each message. What is asked for is content: a server may still be busy with what it has
/// just sent, an answer to a join for one, and what it loses then is for the load to show.
const PAUSE_NS: u64 = 100_000_000;
/// One turn of the loop, between two looks whether all of it is to stop.
const TURN_NS: u64 = 10_000_000;
/// Connections that are still there after this have been asked to end in vain.
const CLOSING_NS: u64 = 500_000_000;

/// Draws as often as the plan asks, the users in turn and each time after a pause, and returns the answers.
///
/// Fails with class and text when a user cannot join or a sender's own copy does not come: a
/// server that cannot do it once has nothing to be timed. Ends early when `stopped` says so.
pub fn preflight(
    plan: &WebSocketPlan,
    stopped: &mut dyn FnMut() -> bool,
) -> Result<Vec<Answer>, Refusal> {
    let count = plan.preflight;
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut plan = plan.clone();
    let io = |error: std::io::Error| ("EventLoop", error.to_string());
    let key = drawn_key().map_err(|error| io(error.into()))?;
    let board = plan.assignment.boards() + (key % NUMBERS) as u32;
    plan.assignment = BoardAssignment::only(board, USERS);
    plan.terms.key = key;
    plan.reconnect = false;
    plan.connect = None;
    let users: Vec<u32> = (0..USERS).collect();
    let poll = Poll::new().map_err(io)?;
    let mut shard = WebSocketShard::new(poll, plan, &users).map_err(io)?;
    for index in 0..users.len() {
        shard.plan_join(index, now_ns());
    }
    while shard.joining() > 0 && !stopped() {
        shard.turn(now_ns() + TURN_NS).map_err(io)?;
    }
    for tick in 0..count {
        let pause_ends_ns = now_ns() + PAUSE_NS;
        while now_ns() < pause_ends_ns && !stopped() {
            let turn_ends_ns = pause_ends_ns.min(now_ns() + TURN_NS);
            shard.turn(turn_ends_ns).map_err(io)?;
        }
        if shard.connected() < users.len() || stopped() {
            break;
        }
        let sender = tick as usize % users.len();
        shard.send(sender, now_ns(), Some((Phase::Preflight, tick)));
        while shard.ledger.outstanding() > 0 && !stopped() {
            shard.turn(now_ns() + TURN_NS).map_err(io)?;
        }
    }
    shard.close_by(now_ns() + CLOSING_NS).map_err(io)?;
    let findings = &mut shard.ledger.findings;
    if (findings.answers.len() as u64) < count && !stopped() {
        let said = findings
            .errors
            .first()
            .map(|error| format!(": {}", error.message));
        let got = findings.answers.len();
        let text = format!(
            "{got} of {count} draws came back{}",
            said.unwrap_or_default()
        );
        return Err(("PreflightFailed", text));
    }
    Ok(std::mem::take(&mut findings.answers))
}
