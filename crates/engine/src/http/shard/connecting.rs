//! Connections: the first of each user, and those after a loss.

use std::io;

use wirelab_sdk::clock::now_ns;
use wirelab_sdk::recorder::Record;
use wirelab_sdk::status::Status;

use super::lane::{Join, Lane, LaneLink};
use super::{HttpShard, Pace};
use crate::http::plan::{CONNECT, REQUEST};
use crate::net::dial::is_connected;
use crate::net::status_of;

/// Reason for which a connection is no more, or never was.
pub struct ConnectionLost {
    /// For the record.
    pub status: Status,
    /// For the error event.
    pub class: &'static str,
    /// For the error event.
    pub message: String,
}

impl ConnectionLost {
    /// A failure of the socket while a connection was made, or later.
    pub fn io(error: &io::Error) -> Self {
        let status = status_of(error);
        let class = match status {
            Status::Refused => "ConnectRefused",
            Status::Timeout => "ConnectTimeout",
            Status::Disconnected => "ConnectionLost",
            _ => "ConnectFailed",
        };
        Self {
            status,
            class,
            message: error.to_string(),
        }
    }

    /// The server has ended the connection.
    pub fn ended() -> Self {
        Self {
            status: Status::Disconnected,
            class: "ConnectionLost",
            message: "the server has ended the connection".into(),
        }
    }

    /// Something that came and is not what was asked for.
    pub fn wrong((class, message): (&'static str, String)) -> Self {
        Self {
            status: Status::Error,
            class,
            message,
        }
    }

    /// Not within the limit.
    pub fn late(class: &'static str) -> Self {
        Self {
            status: Status::Timeout,
            class,
            message: "the connection was not ready within the limit".into(),
        }
    }
}

impl Lane {
    /// Tells whether requests can be sent.
    pub fn is_connected(&self) -> bool {
        matches!(self.link, LaneLink::Open(_))
    }

    /// Tells whether nothing has been done for a connection.
    pub fn is_away(&self) -> bool {
        matches!(self.link, LaneLink::None)
    }
}

impl HttpShard {
    /// The first connection of a user, which was due at `intended_ns`.
    pub(super) fn join(&mut self, index: usize, intended_ns: u64) {
        let mut start_ns = now_ns();
        if matches!(self.pace, Pace::Closed(_)) {
            start_ns = intended_ns;
        }
        self.lanes[index].join = Some(Join {
            intended_ns,
            start_ns,
        });
        if self.lanes[index].is_connected() {
            // A request was due before, and has connected it.
            self.joined(index, Status::Ok);
        } else if self.lanes[index].is_away() {
            self.dial(index);
        }
    }

    /// The outcome of a first connection is known.
    pub(super) fn joined(&mut self, index: usize, status: Status) {
        let lane = &mut self.lanes[index];
        let Some(Join {
            intended_ns,
            start_ns,
        }) = lane.join.take()
        else {
            return;
        };
        self.joining -= 1;
        if let Some(op) = self.plan.connect {
            self.findings.records.push(Record {
                intended_ns,
                start_ns,
                end_ns: now_ns(),
                size: 0,
                op,
                status,
                lane: lane.user as u16,
            });
        }
    }

    /// Begins to connect.
    pub(super) fn dial(&mut self, index: usize) {
        let dialed = self.dialer.connect().and_then(|mut socket| {
            self.event_loop.add(&mut socket, index)?;
            Ok(socket)
        });
        self.lanes[index].dialed_ns = now_ns();
        match dialed {
            Ok(socket) => self.lanes[index].link = LaneLink::Dialing(socket),
            Err(error) => self.lose(index, &ConnectionLost::io(&error)),
        }
    }

    /// Goes on after a socket said that it is writable: connected, or room for more.
    pub(super) fn writable(&mut self, index: usize) -> Result<(), ConnectionLost> {
        let lane = &mut self.lanes[index];
        if let LaneLink::Dialing(socket) = &lane.link {
            if !is_connected(socket).map_err(|error| ConnectionLost::io(&error))? {
                return Ok(());
            }
            if let LaneLink::Dialing(socket) = std::mem::take(&mut lane.link) {
                lane.link = LaneLink::Open(socket);
            }
            self.connected += 1;
            self.joined(index, Status::Ok);
            self.go_on(index);
            return Ok(());
        }
        lane.resume().map_err(|error| ConnectionLost::io(&error))
    }

    /// The lane has no connection any more, or could not get one. A request that was under way
    /// has failed by that; where none was, and no connection could be made, all that wait have.
    pub(super) fn lose(&mut self, index: usize, lost: &ConnectionLost) {
        let now = now_ns();
        let lane = &mut self.lanes[index];
        let was_open = lane.hang_up();
        self.connected -= usize::from(was_open);
        let (user, exchange) = (lane.user, lane.exchange.take());
        let operation = if lane.join.is_some() {
            CONNECT
        } else {
            REQUEST
        };
        // A server may end a connection on which nothing is asked.
        let is_harmless = was_open && exchange.is_none() && lost.status == Status::Disconnected;
        if !is_harmless {
            self.findings.error(lost.class, lost.status, operation, || {
                format!("lane {user}: {}", lost.message)
            });
        }
        let waiting = std::mem::take(&mut self.lanes[index].waiting);
        if let Some(exchange) = exchange {
            self.lanes[index].waiting = waiting;
            self.record(index, &exchange, now, 0, lost.status);
            self.performed(index, now, true);
        } else if was_open {
            self.lanes[index].waiting = waiting;
        } else {
            for due in waiting {
                self.record_unsent(index, due, now, lost.status);
                self.performed(index, now, true);
            }
        }
        self.joined(index, lost.status);
        self.go_on(index);
    }

    /// Gives up what is older than the limit.
    pub(super) fn give_up_late(&mut self, now: u64) {
        let due_ns = now.saturating_sub(self.plan.limit_ns);
        for index in 0..self.lanes.len() {
            let lane = &self.lanes[index];
            if lane.exchange.is_some_and(|it| it.intended_ns <= due_ns) {
                self.lose(index, &ConnectionLost::late("RequestTimeout"));
            } else if matches!(lane.link, LaneLink::Dialing(_)) && lane.dialed_ns <= due_ns {
                self.lose(index, &ConnectionLost::late("ConnectTimeout"));
            }
            self.expire_waiting(index, due_ns, now);
        }
    }
}
