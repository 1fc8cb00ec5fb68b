//! Calls under way, and the records and answers they become.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use serde_json::json;
use wirelab_sdk::answers::{Answer, Answers, Phase};
use wirelab_sdk::asked::{AnswerWords, EndedOperation, KeptLane};
use wirelab_sdk::clock::{SECOND, now_ns};
use wirelab_sdk::commands::Command;
use wirelab_sdk::events::{ErrorSeen, Events, Scope};
use wirelab_sdk::recorder::{Record, Recorder};
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

use super::Failure;
use super::answer::{self, Tally};
use super::plan::{Plan, number};
use super::player::Player;

const OPERATION: &str = "read";
/// A little more than the second that the contract asks for: the core's clock is its own.
const PROGRESS_EVERY_NS: u64 = SECOND + SECOND / 10;

/// A call of a lane.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    /// Tick of the schedule, or of the preflight.
    pub tick: u64,
    /// Lane that asks.
    pub lane: u64,
    /// CLOCK_MONOTONIC in nanoseconds; none in a closed loop.
    pub intended_ns: Option<u64>,
}

struct Call {
    due: Due,
    shape: usize,
    batch: u64,
    start_ns: u64,
    /// Requests without a reply.
    left: usize,
    tally: Tally,
    /// Replies as they came, for whoever asks what they were.
    replies: Vec<Vec<u8>>,
    status: Status,
    /// It was recorded already, as one that took too long.
    given_up: bool,
}

/// State that is kept of a lane.
#[derive(Default)]
struct Lane {
    kept: KeptLane,
    /// Calls that have not ended: those of an open loop may overlap.
    under_way: usize,
}

/// Everything that a call needs, and what has become of those before.
pub struct CallContext {
    player: Player,
    plan: Plan,
    code: u8,
    limit_ns: u64,
    phase: Phase,
    events: Arc<Events>,
    recorder: Recorder,
    answers: Answers,
    lanes: Vec<Lane>,
    calls: HashMap<usize, Call>,
    next: usize,
    progress_ns: u64,
    by_age: VecDeque<(u64, usize)>,
    /// Figures that a batch gave first: it gives the same ever after.
    known: HashMap<(usize, u64), Tally>,
    /// Lanes whose calls have ended since they were last asked for.
    pub ended: Vec<u64>,
}

impl CallContext {
    /// Nothing is under way.
    pub fn new(
        spec: &Spec,
        player: Player,
        plan: Plan,
        events: Arc<Events>,
        recorder: Recorder,
        answers: Answers,
    ) -> Result<Self, Failure> {
        let operation = spec
            .operations
            .get(OPERATION)
            .ok_or("operations has no read, which this client asks for")?;
        let lanes = spec.schedule.users().unwrap_or(1).max(1);
        Ok(Self {
            player,
            plan,
            code: operation.code,
            limit_ns: spec.limits.operation_ns,
            phase: Phase::Preflight,
            events,
            recorder,
            answers,
            lanes: (0..lanes).map(|_| Lane::default()).collect(),
            calls: HashMap::new(),
            next: 0,
            progress_ns: now_ns() + PROGRESS_EVERY_NS,
            by_age: VecDeque::new(),
            known: HashMap::new(),
            ended: Vec::new(),
        })
    }

    /// Performs `count` calls one after the other, with their answers.
    pub fn preflight(&mut self, count: u64) -> Result<(), Failure> {
        for tick in 0..count {
            let due = Due {
                tick,
                lane: 0,
                intended_ns: None,
            };
            self.ask(due)?;
            while !self.calls.is_empty() {
                self.wait(now_ns() + self.limit_ns)?;
            }
        }
        self.answers.flush()?;
        self.phase = Phase::Measure;
        self.ended.clear();
        Ok(())
    }

    /// Hears what the core has said meanwhile; true: stop.
    pub fn hear(&mut self, inbox: &Receiver<Command>) -> io::Result<bool> {
        while let Ok(command) = inbox.try_recv() {
            match command {
                Command::Stop => return Ok(true),
                Command::Start(_) => {}
                Command::Answer(asking) => {
                    let Some(lane) = self.lanes.get_mut(asking.lane as usize) else {
                        continue;
                    };
                    if let Some(line) = lane.kept.hear(asking, || self.recorder.publish())? {
                        self.answers.add(&line)?;
                        self.answers.flush()?;
                    }
                }
            }
        }
        Ok(false)
    }

    /// Calls that have not ended.
    pub fn under_way(&self) -> usize {
        self.calls.values().filter(|call| !call.given_up).count()
    }

    /// Says how many records there are, unless it did within the last second.
    pub fn progress(&mut self) {
        let now = now_ns();
        if now >= self.progress_ns {
            self.progress_ns = now + PROGRESS_EVERY_NS;
            self.events.progress(self.recorder.count(), &[]);
        }
    }

    /// Sends a batch.
    pub fn ask(&mut self, due: Due) -> io::Result<()> {
        let shape = self.plan.shape_at(due.tick);
        let batch = number(due.tick, due.lane);
        let requests = &self.plan.shapes[shape].1[batch as usize];
        let call = self.next;
        self.next += 1;
        let mut lost = Vec::new();
        let lane = &mut self.lanes[due.lane as usize];
        lane.kept.begin();
        lane.under_way += 1;
        let start_ns = now_ns();
        self.player.ask(due.lane, requests, call, &mut lost);
        let call_of = Call {
            due,
            shape,
            batch,
            start_ns,
            left: requests.requests.len(),
            tally: Tally::default(),
            replies: Vec::with_capacity(requests.requests.len()),
            status: Status::Ok,
            given_up: false,
        };
        self.calls.insert(call, call_of);
        self.by_age.push_back((start_ns, call));
        self.lose(lost)
    }

    /// Waits for replies until `until_ns`; looks at the sockets once in any case.
    pub fn wait(&mut self, until_ns: u64) -> io::Result<()> {
        let mut lost = Vec::new();
        let mut whole = Vec::new();
        let oldest_ns = self
            .by_age
            .front()
            .map_or(u64::MAX, |(start_ns, _)| *start_ns);
        let until_ns = until_ns.min(oldest_ns.saturating_add(self.limit_ns));
        let calls = &mut self.calls;
        self.player.wait(until_ns, &mut lost, |call, body| {
            let Some(of) = calls.get_mut(&call) else {
                return Ok(());
            };
            if answer::read(body, &mut of.tally, None).is_err() {
                of.status = Status::WrongAnswer;
            }
            of.replies.push(body.to_vec());
            of.left -= 1;
            if of.left == 0 {
                whole.push((call, now_ns()));
            }
            Ok(())
        })?;
        for (call, end_ns) in whole {
            self.end(call, end_ns)?;
        }
        self.lose(lost)?;
        self.give_up(now_ns().saturating_sub(self.limit_ns))
    }

    /// Gives everything up that is under way.
    pub fn give_all_up(&mut self) -> io::Result<()> {
        self.give_up(u64::MAX)
    }

    /// Completes the files: records, answers, and the checksum of these.
    pub fn finish(self) -> io::Result<(u64, u64, String)> {
        let records = self.recorder.finish()?;
        let (answers, checksum) = self.answers.finish()?;
        Ok((records, answers, checksum))
    }

    /// Ends the calls whose connections were lost.
    fn lose(&mut self, lost: Vec<usize>) -> io::Result<()> {
        let end_ns = now_ns();
        for call in lost {
            if let Some(of) = self.calls.get_mut(&call) {
                of.status = Status::Disconnected;
                of.left -= 1;
                if of.left == 0 {
                    self.end(call, end_ns)?;
                }
            }
        }
        Ok(())
    }

    /// Records calls that began before `before_ns` as timeouts; their replies are still to come.
    fn give_up(&mut self, before_ns: u64) -> io::Result<()> {
        while let Some((start_ns, call)) = self.by_age.front().copied() {
            if start_ns > before_ns {
                break;
            }
            self.by_age.pop_front();
            if let Some(of) = self.calls.get_mut(&call) {
                of.given_up = true;
                let (due, start_ns) = (of.due, of.start_ns);
                self.say("Timeout", Status::Timeout, "no reply within the limit", due);
                let end_ns = now_ns();
                self.record(due, start_ns, end_ns, 0, Status::Timeout)?;
                self.keep(due, start_ns, end_ns, None)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, call: usize, end_ns: u64) -> io::Result<()> {
        let Some(mut of) = self.calls.remove(&call).filter(|of| !of.given_up) else {
            return Ok(());
        };
        let replies = std::mem::take(&mut of.replies);
        let status = self.judge(&of);
        self.record(of.due, of.start_ns, end_ns, of.tally.found, status)?;
        let words = (status == Status::Ok).then(|| self.words(&of, replies));
        self.keep(of.due, of.start_ns, end_ns, words)
    }

    /// Function that puts the answer of a call into words.
    fn words(&self, call: &Call, replies: Vec<Vec<u8>>) -> AnswerWords {
        let asked = self.plan.shapes[call.shape].0.clone();
        let (batch, found) = (call.batch, call.tally.found);
        Box::new(move || {
            json!({
                "multi_get": batch,
                "set": asked.set,
                "keys": asked.keys,
                "found": found,
                "checksum": answer::checksum_of(&replies, asked.keys),
            })
        })
    }

    /// Keeps what a call brought for who asks, and answers what was asked of it; of the preflight it is
    /// written at once.
    fn keep(
        &mut self,
        due: Due,
        start_ns: u64,
        end_ns: u64,
        words: Option<AnswerWords>,
    ) -> io::Result<()> {
        let lane = &mut self.lanes[due.lane as usize];
        lane.under_way -= 1;
        if self.phase == Phase::Preflight {
            let written = |words: AnswerWords| {
                self.answers.write(&Answer {
                    phase: Phase::Preflight,
                    operation: OPERATION,
                    tick: due.tick,
                    start_ns,
                    end_ns,
                    answer: words(),
                })
            };
            return words.map_or(Ok(()), written);
        }
        if lane.under_way > 0 {
            return Ok(());
        }
        let ended = EndedOperation {
            operation: OPERATION,
            tick: due.tick,
            start_ns,
            end_ns,
            answer: words,
        };
        let lines = lane.kept.end([ended], || self.recorder.publish())?;
        for line in &lines {
            self.answers.add(line)?;
            self.answers.flush()?;
        }
        Ok(())
    }

    /// Judges how a call has ended, all of whose replies have come.
    fn judge(&mut self, call: &Call) -> Status {
        let said = |asking: &Self, class, status, message: &str| {
            asking.say(class, status, message, call.due);
            status
        };
        if call.status == Status::Disconnected {
            return said(
                self,
                "Disconnected",
                Status::Disconnected,
                "a connection was lost",
            );
        }
        if call.status == Status::WrongAnswer {
            return said(
                self,
                "Malformed",
                Status::WrongAnswer,
                "the reply is not of the protocol",
            );
        }
        if call.tally.failed > 0 {
            let message = format!("{} rows or requests failed", call.tally.failed);
            return said(self, "ResultCode", Status::ItemError, &message);
        }
        let keys = self.plan.shapes[call.shape].0.keys;
        let first = *self
            .known
            .entry((call.shape, call.batch))
            .or_insert(call.tally);
        if first != call.tally || u64::from(call.tally.rows) != keys {
            let message = format!("{:?} instead of {first:?} of {keys} keys", call.tally);
            return said(self, "OtherAnswer", Status::WrongAnswer, &message);
        }
        Status::Ok
    }

    fn record(
        &mut self,
        due: Due,
        start_ns: u64,
        end_ns: u64,
        size: u32,
        status: Status,
    ) -> io::Result<()> {
        self.ended.push(due.lane);
        if self.phase == Phase::Preflight {
            return Ok(());
        }
        self.recorder.record(&Record {
            intended_ns: due.intended_ns.unwrap_or(start_ns),
            start_ns,
            end_ns,
            size,
            op: self.code,
            status,
            lane: due.lane as u16,
        })
    }

    fn say(&self, class: &str, status: Status, message: &str, due: Due) {
        self.events.error(&ErrorSeen {
            class: class.to_owned(),
            status,
            message: message.to_owned(),
            scope: Scope::Call,
            operation: OPERATION,
            intended_ns: due.intended_ns,
        });
    }
}
