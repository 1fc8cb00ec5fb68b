//! Messages of users to everybody, and the time when all of them have come.

use std::io;
use std::pin::pin;
use std::time::Duration;

use wirelab_sdk::clock::now_ns;
use wirelab_sdk::lanes::{Arrivals, Call, Failure, Outcome};
use wirelab_sdk::schedule::Step;
use wirelab_sdk::status::Status;

use crate::deliveries::Deliveries;
use crate::messages::stamp;
use crate::phase::{Phase, lock};
use crate::transport::{Link, Transport};
use crate::users::{Users, failed};

/// Messages to everybody, and what comes of them.
impl<T: Transport> Users<T> {
    /// Users who are connected.
    pub(crate) async fn connected(&self) -> Vec<u32> {
        let mut found = Vec::new();
        for (number, user) in (0..).zip(&self.users) {
            if user.lock().await.link.is_some() {
                found.push(number);
            }
        }
        found
    }

    pub(crate) fn sends_at_last(&self, user: u32) -> bool {
        u64::from(user) < self.last_step.lanes
    }

    /// Connects a user that has left.
    pub(crate) async fn link_again(&self, number: u32) -> Result<(), T::Error> {
        let mut user = self.users[number as usize].lock().await;
        self.linked(number, &mut user).await.map(|_| ())
    }

    /// Hands messages over for all; the next operation connects again after a loss.
    pub(crate) async fn tell(&self, number: u32, messages: &[Vec<u8>]) -> Result<(), T::Error> {
        let mut user = self.users[number as usize].lock().await;
        let link = self.linked(number, &mut user).await?;
        let mut told = Ok(());
        for message in messages {
            told = link.broadcast(message).await;
            if told.is_err() {
                break;
            }
        }
        if let Err(error) = &told
            && matches!(T::explain(error).0, Status::Disconnected | Status::Refused)
        {
            user.link = None;
        }
        told
    }

    pub(crate) async fn send(&self, call: &mut Call<'_>, deliveries: &Deliveries) -> Outcome {
        let (first, size) = self.numbered(call);
        let user = u32::from(call.lane);
        let composed = |sequence| self.messages.compose(user, sequence, size);
        let mut messages: Vec<Vec<u8>> = (first..first + self.per_tick).map(composed).collect();
        call.begin();
        let sent_ns = now_ns();
        let due_ns = call.intended_ns().unwrap_or(sent_ns);
        for message in &mut messages {
            stamp(message, sent_ns, due_ns);
        }
        let handing_over = deliveries.hands_over(user, first & 0xFFFF_FFFF, sent_ns, due_ns);
        let told = self.tell(user, &messages).await;
        call.end();
        drop(handing_over);
        match told {
            Ok(()) => {
                deliveries.sent(due_ns, self.receivers_at(call.step, call.tick) * self.per_tick);
                Outcome::ok((size * messages.len()) as u32)
            }
            Err(error) => failed::<T>(&error),
        }
    }

    /// Writes old seconds down while new ones are counted: memory stays bounded.
    pub(crate) async fn writing_down(
        &self,
        driven: impl Future<Output = Result<(), Failure>>,
    ) -> Result<(), Failure> {
        let Some(deliveries) = &self.deliveries else { return driven.await };
        let mut driven = pin!(driven);
        let mut every = tokio::time::interval(Duration::from_secs(1));
        loop {
            tokio::select! {
                done = &mut driven => return done,
                _ = every.tick() => self.note(deliveries.write(false)),
            }
        }
    }

    /// Writes all that is left.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        if let Some(deliveries) = &self.deliveries {
            self.note(deliveries.write(true));
        }
        lock(&self.failure).take().map_or(Ok(()), |error| Err(error.into()))
    }

    fn note(&self, written: io::Result<()>) {
        if let Err(error) = written {
            lock(&self.failure).get_or_insert(error);
        }
    }
}

/// Arrivals of messages of users who send to others.
impl<T: Transport> Arrivals for Users<T> {
    fn started(&self, tick0_ns: u64) {
        let Some(deliveries) = &self.deliveries else { return };
        deliveries.started(tick0_ns);
        if !self.is_closed {
            let last = &self.last_step;
            let phase = Phase {
                size: self.steps[&last.name].1,
                each: (last.first + last.count) * self.per_tick,
                per_tick: self.per_tick,
                senders: last.users,
                counts: true,
                owed: self.owed.clone(),
                ..Phase::default()
            };
            deliveries.begin(phase, last.users);
        }
    }

    fn begin(&self, step: &Step, counts: bool) {
        let Some(deliveries) = &self.deliveries else { return };
        // What was counted belongs to the step that is still said to be under way.
        self.note(deliveries.write(true));
        let (number, size) = self.steps[&step.name];
        let ticks = if counts { step.count - step.settle } else { step.settle };
        let phase = Phase {
            number: 2 * number + 1 + u64::from(counts),
            step: step.name.clone(),
            size,
            each: ticks * self.per_tick,
            per_tick: self.per_tick,
            senders: step.lanes,
            counts,
            ..Phase::default()
        };
        deliveries.begin(phase, step.users);
    }

    fn is_complete(&self) -> bool {
        self.deliveries.as_ref().is_none_or(|deliveries| deliveries.is_complete())
    }

    fn last_ns(&self) -> u64 {
        self.deliveries.as_ref().map_or(0, |deliveries| deliveries.last_ns())
    }

    fn completed_ns(&self, user: u16) -> Option<u64> {
        self.deliveries.as_ref()?.phase().completed_ns(user)
    }
}
