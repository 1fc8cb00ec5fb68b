//! The sockets of all lanes, in one event loop.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;

use mio::net::TcpStream;
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token, Waker};
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::timer::Timer;

use super::Failure;
use super::connection::LaneConnection;
use super::plan::Batch;
use super::topology::Topology;

const TIMER: Token = Token(0);
const WAKER: Token = Token(1);
const FIRST: usize = 2;
const MOST_CONNECTIONS: usize = 16_000;

/// A connection of every lane to every node; none where it was lost.
pub struct Player {
    poll: Poll,
    events: Events,
    timer: Timer,
    nodes: usize,
    connections: Vec<Option<LaneConnection>>,
}

impl Player {
    /// Connects all lanes.
    pub fn connect(topology: &Topology, lanes: usize) -> Result<Self, Failure> {
        let nodes = topology.addresses.len();
        if lanes * nodes > MOST_CONNECTIONS {
            return Err(format!("{lanes} lanes to {nodes} nodes are too many connections").into());
        }
        let poll = Poll::new()?;
        let timer = Timer::new()?;
        poll.registry()
            .register(&mut SourceFd(&timer.as_raw_fd()), TIMER, Interest::READABLE)?;
        let mut connections = Vec::new();
        for number in 0..lanes * nodes {
            let socket = std::net::TcpStream::connect(topology.addresses[number % nodes])?;
            socket.set_nodelay(true)?;
            socket.set_nonblocking(true)?;
            let mut connection = LaneConnection::new(TcpStream::from_std(socket));
            let interest = Interest::READABLE | Interest::WRITABLE;
            poll.registry()
                .register(connection.socket(), Token(FIRST + number), interest)?;
            connections.push(Some(connection));
        }
        Ok(Self {
            poll,
            events: Events::with_capacity(1024),
            timer,
            nodes,
            connections,
        })
    }

    /// Ends a wait from another thread.
    pub fn waker(&self) -> io::Result<Waker> {
        Waker::new(self.poll.registry(), WAKER)
    }

    /// Sends the requests of a batch; the calls that are lost with a connection go to `lost`.
    pub fn ask(&mut self, lane: u64, batch: &Batch, call: usize, lost: &mut Vec<usize>) {
        for (node, request, _) in &batch.requests {
            let number = lane as usize * self.nodes + node;
            match &mut self.connections[number] {
                None => lost.push(call),
                Some(connection) => {
                    if connection.ask(request, call).is_err() {
                        let waiting = std::mem::take(&mut connection.waiting);
                        self.lose(number, waiting, lost);
                    }
                }
            }
        }
    }

    /// Waits for replies until `until_ns`, looks at the sockets once in any case, and gives each
    /// reply with its call to `each`.
    pub fn wait(
        &mut self,
        until_ns: u64,
        lost: &mut Vec<usize>,
        mut each: impl FnMut(usize, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let patience = (until_ns <= now_ns()).then_some(std::time::Duration::ZERO);
        if patience.is_none() {
            self.timer.wake_at(until_ns)?;
        }
        match self.poll.poll(&mut self.events, patience) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            other => other?,
        }
        let mut broken = Vec::new();
        for event in &self.events {
            if event.token() == TIMER {
                self.timer.woke();
                continue;
            }
            if event.token() == WAKER {
                continue;
            }
            let number = event.token().0 - FIRST;
            if let Some(connection) = &mut self.connections[number] {
                let mut done = if event.is_writable() {
                    connection.resume()
                } else {
                    Ok(())
                };
                if done.is_ok() && event.is_readable() {
                    done = connection.read(&mut each);
                }
                if done.is_err() {
                    broken.push((number, std::mem::take(&mut connection.waiting)));
                }
            }
        }
        for (number, waiting) in broken {
            self.lose(number, waiting, lost);
        }
        Ok(())
    }

    fn lose(&mut self, number: usize, waiting: VecDeque<usize>, lost: &mut Vec<usize>) {
        lost.extend(waiting);
        self.connections[number] = None;
    }
}
