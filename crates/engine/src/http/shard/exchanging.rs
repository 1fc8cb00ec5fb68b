//! Requests and their responses, and what is recorded of them.

use std::io::{ErrorKind, Read};

use serde_json::Value;
use wirelab_sdk::answers::{Answer, Phase};
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::recorder::Record;
use wirelab_sdk::status::Status;

use super::connecting::ConnectionLost;
use super::lane::{DueRequest, Exchange, LaneLink};
use super::{HttpShard, Pace};
use crate::http::plan::{HTTP, REQUEST};
use crate::http::preflight::answer_of;
use crate::net::Ready;

/// Times that the buffer is filled from one connection before the others have their turn.
const FILLS: usize = 4;

/// Progress of reading.
enum ReadProgress {
    /// Nothing more for now.
    Nothing,
    /// There may be more, but others come first.
    More,
    /// The response is complete; the number of bytes after it.
    Response { excess: usize, ended: bool },
}

impl HttpShard {
    /// Something has happened to the socket of lane `index`.
    pub(super) fn exchange(&mut self, index: usize, ready: Ready) {
        if ready.writable
            && let Err(lost) = self.writable(index)
        {
            self.lose(index, &lost);
            return;
        }
        if !ready.readable {
            return;
        }
        match self.hear(index, ready.hangup) {
            Ok(ReadProgress::Nothing) => {}
            Ok(ReadProgress::More) => self.event_loop.come_again(index, ready.hangup),
            Ok(ReadProgress::Response { excess, ended }) => {
                self.finish(index, now_ns(), excess, ended);
            }
            Err(lost) => self.lose(index, &lost),
        }
    }

    /// Sends a request on an open connection.
    pub(super) fn send(&mut self, index: usize, due: DueRequest) {
        let lane = &mut self.lanes[index];
        let requests = &self.plan.requests[self.plan.step_at(due.tick)];
        let verified = self.plan.is_verified(due.tick, lane.user);
        lane.response.begin(requests.bodiless, verified);
        let request = requests.at(due.tick, lane.user.into());
        let start_ns = now_ns();
        let sent = lane.send(request);
        lane.exchange = Some(Exchange {
            intended_ns: due.intended_ns.unwrap_or(start_ns),
            start_ns,
            tick: due.tick,
            verified,
        });
        self.totals.sent += 1;
        self.totals.expected += 1;
        if let Err(error) = sent {
            self.lose(index, &ConnectionLost::io(&error));
        }
    }

    /// Reads what has come. `hangup`: the server has ended its side.
    fn hear(&mut self, index: usize, hangup: bool) -> Result<ReadProgress, ConnectionLost> {
        let lane = &mut self.lanes[index];
        let LaneLink::Open(socket) = &mut lane.link else {
            return Ok(ReadProgress::Nothing);
        };
        for _ in 0..FILLS {
            let size = match socket.read(&mut self.buffer) {
                Ok(size) => size,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return Ok(ReadProgress::Nothing);
                }
                Err(error) => return Err(ConnectionLost::io(&error)),
            };
            if size == 0 {
                if lane.exchange.is_some() && lane.response.end() {
                    return Ok(ReadProgress::Response {
                        excess: 0,
                        ended: true,
                    });
                }
                return Err(ConnectionLost::ended());
            }
            if lane.exchange.is_none() {
                return Err(ConnectionLost::wrong(unasked(size)));
            }
            let used = lane
                .response
                .read(&self.buffer[..size], &self.plan.spans, &mut self.timings)
                .map_err(ConnectionLost::wrong)?;
            if lane.response.is_complete() {
                let excess = size - used;
                return Ok(ReadProgress::Response {
                    excess,
                    ended: hangup,
                });
            }
            // A read that does not fill the buffer has emptied the socket: the next event tells
            // of more, but of the end only once.
            if size < self.buffer.len() && !hangup {
                return Ok(ReadProgress::Nothing);
            }
        }
        Ok(ReadProgress::More)
    }

    /// The response of lane `index` is complete.
    fn finish(&mut self, index: usize, end_ns: u64, excess: usize, ended: bool) {
        let lane = &mut self.lanes[index];
        let Some(exchange) = lane.exchange.take() else {
            return;
        };
        let (status, size) = (lane.response.status, lane.response.size);
        let is_ok = (200..300).contains(&status);
        let recorded = if is_ok { Status::Ok } else { Status::Error };
        let user = lane.user;
        let body = lane.response.kept.take();
        let keeps = lane.response.keeps && excess == 0 && !ended;
        if !keeps {
            self.connected -= usize::from(lane.hang_up());
        }
        self.record(index, &exchange, end_ns, size, recorded);
        if is_ok {
            self.totals.received += 1;
            self.note_stages(&exchange, end_ns);
        } else {
            self.findings
                .error(format!("Http{status}"), Status::Error, REQUEST, || {
                    format!("lane {user}: HTTP {status}")
                });
        }
        if excess > 0 {
            let (class, message) = unasked(excess);
            self.findings.error(class, Status::Error, REQUEST, || {
                format!("lane {user}: {message}")
            });
        }
        // The next request first: what an answer takes is in no lane's time then but others'.
        self.performed(index, end_ns, false);
        self.go_on(index);
        if exchange.verified && is_ok {
            self.answer(&exchange, end_ns, status, body);
        }
    }

    fn answer(&mut self, exchange: &Exchange, end_ns: u64, status: u16, body: Option<Vec<u8>>) {
        let answer = answer_of(status, body).unwrap_or_else(|what| {
            self.findings
                .error("BadBody", Status::WrongAnswer, REQUEST, || what);
            Value::Null
        });
        self.findings.answers.push(Answer {
            phase: Phase::Measure,
            operation: REQUEST,
            tick: exchange.tick,
            start_ns: exchange.start_ns,
            end_ns,
            answer,
        });
    }

    /// Counts the durations of the spans; in a closed loop only of what counts.
    fn note_stages(&mut self, exchange: &Exchange, end_ns: u64) {
        if self.plan.by_second.is_empty() {
            return;
        }
        let step = match &self.pace {
            Pace::Closed(closed) if !closed.is_measuring() => return,
            Pace::Closed(_) | Pace::Ramp(_) => self.plan.step_at(exchange.tick),
            _ => 0,
        };
        let durations = self.spans.at(exchange.intended_ns, step);
        for (found, place) in self.timings.found.iter().zip(&self.plan.stage_places) {
            if let Some(ns) = found {
                durations[*place].add(*ns);
            }
        }
        if let (Some(place), Some(total)) = (self.plan.http, self.timings.total) {
            let waited = end_ns - exchange.start_ns;
            if let Some(outside) = waited.checked_sub(total) {
                durations[place].add(outside);
            } else {
                // A server that says it took longer than its client waited is not believed.
                durations[place].refuse();
                self.findings
                    .error("LongerThanRequest", Status::Error, HTTP, || {
                        format!("the server says {total} ns of a request that took {waited} ns")
                    });
            }
        }
        if let Some(place) = self.plan.queue {
            durations[place].add(exchange.start_ns - exchange.intended_ns);
        }
    }

    pub(super) fn record(
        &mut self,
        index: usize,
        exchange: &Exchange,
        end_ns: u64,
        size: u64,
        status: Status,
    ) {
        self.outstanding -= 1;
        self.findings.records.push(Record {
            intended_ns: exchange.intended_ns,
            start_ns: exchange.start_ns,
            end_ns,
            size: u32::try_from(size).unwrap_or(u32::MAX),
            op: self.plan.request,
            status,
            lane: self.lanes[index].user as u16,
        });
    }

    /// A request that never left.
    pub(super) fn record_unsent(
        &mut self,
        index: usize,
        due: DueRequest,
        now: u64,
        status: Status,
    ) {
        let exchange = Exchange {
            intended_ns: due.intended_ns.unwrap_or(now),
            start_ns: now,
            tick: due.tick,
            verified: false,
        };
        self.record(index, &exchange, now, 0, status);
    }

    /// Gives up what has waited on lane `index` since `due_ns` or longer.
    pub(super) fn expire_waiting(&mut self, index: usize, due_ns: u64, now: u64) {
        while let Some(due) = self.lanes[index].waiting.front().copied()
            && due
                .intended_ns
                .is_some_and(|intended_ns| intended_ns <= due_ns)
        {
            self.lanes[index].waiting.pop_front();
            self.record_unsent(index, due, now, Status::Timeout);
            self.findings
                .error("RequestTimeout", Status::Timeout, REQUEST, || {
                    "waited for the one before it up to the limit".into()
                });
        }
    }

    /// Records all that is under way and all that waits as not answered in time.
    pub(super) fn give_up_all(&mut self, now: u64) {
        for index in 0..self.lanes.len() {
            let lane = &mut self.lanes[index];
            lane.until = lane.tick;
            if let Some(exchange) = lane.exchange.take() {
                self.connected -= usize::from(lane.hang_up());
                self.record(index, &exchange, now, 0, Status::Timeout);
            }
            for due in std::mem::take(&mut self.lanes[index].waiting) {
                self.record_unsent(index, due, now, Status::Timeout);
            }
        }
    }
}

fn unasked(size: usize) -> (&'static str, String) {
    let message = format!("{size} bytes came that nobody had asked for");
    ("UnaskedBytes", message)
}
