//! Connections of a thread: each is dialed, told of by its event loop, and read through one inbox.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use mio::Registry;

use super::dial::{Dialer, Target};
use super::register;
use super::wire::{Inbox, Wire};

/// Makes the connections of a thread.
pub struct Connector {
    dialer: Dialer,
    registry: Registry,
    inbox: Rc<RefCell<Inbox>>,
}

impl Connector {
    /// To `target`, for the event loop of `registry`.
    pub fn new(target: &Target, registry: Registry) -> Self {
        Self {
            dialer: Dialer::new(target),
            registry,
            inbox: Inbox::shared(),
        }
    }

    /// Begins a connection; `number` is unlike those of the thread's other ones.
    pub fn connect(&mut self, number: usize) -> io::Result<Wire> {
        let mut socket = self.dialer.connect()?;
        register(&self.registry, &mut socket, number)?;
        Ok(Wire::new(socket, number, Rc::clone(&self.inbox)))
    }
}
