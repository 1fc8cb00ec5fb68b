//! Requests before `ready`, whose answers the verifier looks at.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use wirelab_sdk::answers::{Answer, Phase};
use wirelab_sdk::clock::now_ns;

use super::plan::{HttpPlan, REQUEST};
use super::response::{LARGEST_KEPT, Response, Timings};
use crate::load::Refusal;
use crate::load::findings::quote;

/// One wait for the server, between two looks whether all of it is to stop.
const TURN: Duration = Duration::from_millis(50);

/// Asks as often as the plan says, with the requests of the first step on lane 0, one after the
/// other on one connection where the server keeps it.
///
/// Fails with class and text where a request does: a server that cannot answer once has nothing to
/// be timed. Ends early when `stopped` says so.
pub fn preflight(
    plan: &HttpPlan,
    stopped: &mut dyn FnMut() -> bool,
) -> Result<Vec<Answer>, Refusal> {
    let mut answers = Vec::new();
    let mut socket = None;
    for tick in 0..plan.preflight {
        match ask(plan, tick, &mut socket, stopped) {
            Ok(Some(answer)) => answers.push(answer),
            Ok(None) => break,
            Err(what) => {
                let number = tick + 1;
                let text = format!("request {number} of {}: {what}", plan.preflight);
                return Err(("PreflightFailed", text));
            }
        }
    }
    Ok(answers)
}

/// One request. None: stopped.
fn ask(
    plan: &HttpPlan,
    tick: u64,
    kept: &mut Option<TcpStream>,
    stopped: &mut dyn FnMut() -> bool,
) -> Result<Option<Answer>, String> {
    let limit = Duration::from_nanos(plan.limit_ns);
    let mut socket = match kept.take() {
        Some(socket) => socket,
        None => connect(plan, limit).map_err(|error| format!("{}: {error}", plan.target.uri))?,
    };
    let requests = &plan.requests[0];
    let mut response = Response::default();
    response.begin(requests.bodiless, true);
    let start_ns = now_ns();
    let end_by_ns = start_ns + plan.limit_ns;
    socket
        .write_all(requests.at(tick, 0))
        .map_err(|error| error.to_string())?;
    let mut buffer = [0; 16 * 1024];
    while !response.is_complete() {
        if stopped() {
            return Ok(None);
        }
        let size = match socket.read(&mut buffer) {
            Ok(0) if response.end() => break,
            Ok(0) => return Err("the connection ended before the response did".into()),
            Ok(size) => size,
            Err(error) if is_waiting(error.kind()) && now_ns() < end_by_ns => continue,
            Err(error) => return Err(error.to_string()),
        };
        let bytes = &buffer[..size];
        let used = response
            .read(bytes, &[], &mut Timings::default())
            .map_err(|(_, what)| what)?;
        if used < bytes.len() {
            return Err("bytes came that nobody had asked for".into());
        }
    }
    let end_ns = now_ns();
    let status = response.status;
    if !(200..300).contains(&status) {
        let body = response.kept.unwrap_or_default();
        let body = quote(&String::from_utf8_lossy(&body));
        return Err(format!("HTTP {status}: {body}"));
    }
    if response.keeps {
        *kept = Some(socket);
    }
    let answer = answer_of(status, response.kept)?;
    Ok(Some(Answer {
        phase: Phase::Preflight,
        operation: REQUEST,
        tick,
        start_ns,
        end_ns,
        answer,
    }))
}

fn connect(plan: &HttpPlan, limit: Duration) -> std::io::Result<TcpStream> {
    let socket = TcpStream::connect_timeout(&plan.target.address(), limit)?;
    socket.set_nodelay(true)?;
    socket.set_read_timeout(Some(TURN))?;
    socket.set_write_timeout(Some(limit))?;
    Ok(socket)
}

fn is_waiting(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

/// The answer that a body is; in words why it is none.
pub fn answer_of(status: u16, body: Option<Vec<u8>>) -> Result<Value, String> {
    let Some(body) = body else {
        return Err(format!("a body above {LARGEST_KEPT} bytes is no answer"));
    };
    match serde_json::from_slice::<Value>(&body) {
        Ok(body) => Ok(json!({ "status": status, "body": body })),
        Err(error) => Err(format!(
            "the body is no JSON: {error}: {}",
            quote(&String::from_utf8_lossy(&body))
        )),
    }
}
