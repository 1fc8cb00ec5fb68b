//! The event loop of a thread.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use mio::event::Event;
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token};
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::timer::Timer;

use super::connection::{ClientConnection, Next};
use super::{
    AcceptedConnection, FIRST_LISTENER, MOST_CONNECTIONS, NodeListeners, Shared, TIMER, WAKER,
};
use crate::cluster::MOST_NODES;

const FIRST_CONNECTION: usize = FIRST_LISTENER + MOST_NODES;

/// A place for a connection. The serial tells those apart that had it one after the other.
#[derive(Default)]
struct ConnectionSlot {
    serial: u64,
    connection: Option<ClientConnection>,
}

/// A thread with its connections; the first one has the listeners.
pub struct ServingThread {
    poll: Poll,
    timer: Timer,
    inbox: Receiver<AcceptedConnection>,
    listeners: Option<NodeListeners>,
    shared: Arc<Shared>,
    slots: Vec<ConnectionSlot>,
    free: Vec<usize>,
    accepted: usize,
    generation: u32,
    /// Connections with more to do, and those that wait, by their times: places and serials.
    again: Vec<usize>,
    due: BinaryHeap<Reverse<(u64, usize, u64)>>,
}

impl ServingThread {
    pub fn new(
        poll: Poll,
        inbox: Receiver<AcceptedConnection>,
        listeners: Option<NodeListeners>,
        shared: Arc<Shared>,
    ) -> io::Result<Self> {
        let timer = Timer::new()?;
        poll.registry()
            .register(&mut SourceFd(&timer.as_raw_fd()), TIMER, Interest::READABLE)?;
        let mut turn = Self {
            poll,
            timer,
            inbox,
            listeners,
            shared,
            slots: Vec::new(),
            free: Vec::new(),
            accepted: 0,
            generation: 0,
            again: Vec::new(),
            due: BinaryHeap::new(),
        };
        turn.follow_the_cluster()?;
        Ok(turn)
    }

    /// Serves until the server closes.
    pub fn run(mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(1024);
        while !self.shared.closing.load(Ordering::SeqCst) {
            self.poll_for(&mut events)?;
            for event in &events {
                self.happened(event);
            }
            self.take_connections();
            self.follow_the_cluster()?;
            for place in std::mem::take(&mut self.again) {
                self.proceed(place);
            }
            self.proceed_with_due();
        }
        Ok(())
    }

    fn poll_for(&mut self, events: &mut Events) -> io::Result<()> {
        let next_change = self.shared.service.cluster.next_change(now_ns());
        let next_due = self.due.peek().map(|Reverse((at_ns, ..))| *at_ns);
        if let Some(at_ns) = next_change.into_iter().chain(next_due).min() {
            self.timer.wake_at(at_ns)?;
        }
        let patience = (!self.again.is_empty()).then_some(Duration::ZERO);
        match self.poll.poll(events, patience) {
            Err(error) if error.kind() != ErrorKind::Interrupted => Err(error),
            _ => Ok(()),
        }
    }

    fn happened(&mut self, event: &Event) {
        match event.token() {
            WAKER => {}
            TIMER => self.timer.woke(),
            Token(token) if token < FIRST_CONNECTION => self.accept(token - FIRST_LISTENER),
            Token(token) => {
                let place = token - FIRST_CONNECTION;
                let closed = event.is_read_closed() || event.is_error();
                let slot = self.slots.get_mut(place);
                if let Some(connection) = slot.and_then(|slot| slot.connection.as_mut()) {
                    if event.is_readable() || closed {
                        connection.has_more(closed);
                    }
                    self.proceed(place);
                }
            }
        }
    }

    fn accept(&mut self, node: usize) {
        while let Some(socket) = self
            .listeners
            .as_ref()
            .and_then(|listeners| listeners.accept(node))
        {
            let threads = self.shared.senders.len();
            self.accepted += 1;
            let to = self.accepted % threads;
            // A thread that has ended takes the server down with it.
            let _ = self.shared.senders[to].send((node, socket));
            if threads > 1 {
                let _ = self.shared.wakers[to].wake();
            }
        }
    }

    fn take_connections(&mut self) {
        while let Ok((node, socket)) = self.inbox.try_recv() {
            let taken = self.slots.len() - self.free.len();
            let Ok(mut connection) = ClientConnection::new(socket, node) else {
                continue;
            };
            if taken == MOST_CONNECTIONS {
                continue;
            }
            let place = self.free.pop().unwrap_or_else(|| {
                self.slots.push(ConnectionSlot::default());
                self.slots.len() - 1
            });
            let token = Token(FIRST_CONNECTION + place);
            let interest = Interest::READABLE | Interest::WRITABLE;
            let registered = self
                .poll
                .registry()
                .register(connection.socket(), token, interest);
            if registered.is_err() {
                self.free.push(place);
                continue;
            }
            self.slots[place].connection = Some(connection);
            self.again.push(place);
        }
    }

    /// Opens and closes listeners, and ends the connections of nodes that have gone.
    fn follow_the_cluster(&mut self) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        let epoch = shared.service.cluster.epoch(now_ns());
        if epoch.generation == self.generation {
            return Ok(());
        }
        self.generation = epoch.generation;
        if let Some(listeners) = &mut self.listeners {
            for node in 0..shared.service.cluster.nodes.len() {
                if epoch.is_alive(node) {
                    listeners.open(node, self.poll.registry(), Token(FIRST_LISTENER + node))?;
                } else {
                    listeners.close(node)?;
                }
            }
        }
        for place in 0..self.slots.len() {
            let connection = &self.slots[place].connection;
            if connection
                .as_ref()
                .is_some_and(|own| !epoch.is_alive(own.node))
            {
                self.end(place);
            }
        }
        Ok(())
    }

    fn proceed_with_due(&mut self) {
        let now_ns = now_ns();
        while let Some(Reverse((at_ns, place, serial))) = self.due.peek().copied() {
            if at_ns > now_ns {
                return;
            }
            self.due.pop();
            if self.slots[place].serial == serial {
                self.proceed(place);
            }
        }
    }

    fn proceed(&mut self, place: usize) {
        let Some(connection) = &mut self.slots[place].connection else {
            return;
        };
        let began = || self.shared.wake_all();
        match connection.proceed(&self.shared.service, now_ns, &began) {
            Next::Idle => {}
            Next::Again => self.again.push(place),
            Next::At(at_ns) => {
                let serial = self.slots[place].serial;
                self.due.push(Reverse((at_ns, place, serial)));
            }
            Next::End => self.end(place),
        }
    }

    fn end(&mut self, place: usize) {
        let slot = &mut self.slots[place];
        if let Some(mut connection) = slot.connection.take() {
            // A socket that is closed leaves the event loop by itself.
            let _ = self.poll.registry().deregister(connection.socket());
            slot.serial += 1;
            self.free.push(place);
        }
    }
}
