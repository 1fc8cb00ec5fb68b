//! The server on its sockets: threads with an event loop each, and the listeners of the nodes.

mod connection;
mod node_listeners;
mod serving_thread;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use mio::net::TcpStream;
use mio::{Poll, Token, Waker};

pub use node_listeners::NodeListeners;

use crate::service::Service;

const WAKER: Token = Token(0);
const TIMER: Token = Token(1);
const FIRST_LISTENER: usize = 2;

/// Connections of a thread; more are closed at once.
const MOST_CONNECTIONS: usize = 4096;

/// A connection that was accepted at a node's listener.
type AcceptedConnection = (usize, TcpStream);

/// State that the threads use together.
struct Shared {
    service: Arc<Service>,
    closing: AtomicBool,
    wakers: Vec<Waker>,
    senders: Vec<Sender<AcceptedConnection>>,
}

impl Shared {
    /// Makes every thread look at what has changed.
    fn wake_all(&self) {
        for waker in &self.wakers {
            // A thread that has ended needs no waking.
            let _ = waker.wake();
        }
    }
}

/// A server that runs until it is told to stop.
pub struct Serving {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<io::Result<()>>>,
}

/// Serves on `threads` threads. The first one also accepts, and gives connections out in turn.
///
/// # Errors
/// When the system has no threads or descriptors left.
pub fn serve(
    service: Arc<Service>,
    listeners: NodeListeners,
    threads: usize,
) -> io::Result<Serving> {
    let mut polls = Vec::new();
    let mut wakers = Vec::new();
    let mut senders = Vec::new();
    let mut inboxes: Vec<Receiver<AcceptedConnection>> = Vec::new();
    for _ in 0..threads {
        let poll = Poll::new()?;
        wakers.push(Waker::new(poll.registry(), WAKER)?);
        polls.push(poll);
        let (sender, receiver) = channel();
        senders.push(sender);
        inboxes.push(receiver);
    }
    let shared = Arc::new(Shared {
        service,
        closing: AtomicBool::new(false),
        wakers,
        senders,
    });
    let mut listeners = Some(listeners);
    let mut running = Vec::new();
    for (number, (poll, inbox)) in polls.into_iter().zip(inboxes).enumerate() {
        let turn =
            serving_thread::ServingThread::new(poll, inbox, listeners.take(), Arc::clone(&shared))?;
        let name = format!("serving-{number}");
        let thread = std::thread::Builder::new().name(name);
        running.push(thread.spawn(move || turn.run())?);
    }
    Ok(Serving {
        shared,
        threads: running,
    })
}

impl Serving {
    /// Closes everything.
    ///
    /// # Errors
    /// The first one that ended a thread before.
    pub fn stop(self) -> io::Result<()> {
        self.shared.closing.store(true, Ordering::SeqCst);
        self.shared.wake_all();
        for thread in self.threads {
            thread
                .join()
                .map_err(|_| io::Error::other("a serving thread has failed"))??;
        }
        Ok(())
    }
}

/// Addresses on the loopback, of which `listen` (with port 0, or the port of the first one) is one.
///
/// # Errors
/// When `listen` is no loopback address.
pub fn loopback(listen: &str) -> io::Result<SocketAddr> {
    let address: SocketAddr = listen.parse().map_err(io::Error::other)?;
    if !address.ip().is_loopback() {
        return Err(io::Error::other(
            "the bench server listens on the loopback only",
        ));
    }
    Ok(address)
}
