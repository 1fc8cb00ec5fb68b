//! Members of each board.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use bytestring::ByteString;
use tokio::sync::mpsc::UnboundedSender;

/// Messages that are still to be written to one connection.
///
/// A session of actix-ws takes 32 messages and then makes its sender wait: a board that awaited
/// one member after the other would be as slow as its slowest. The queue in front of it has no
/// bound, so nobody waits for anybody else and nothing is lost.
pub type Outbox = UnboundedSender<ByteString>;

/// All boards, for all workers of the server. One that has become empty keeps its place, as in
/// a service that expects its users back.
#[derive(Default)]
pub struct Boards(RwLock<HashMap<String, Arc<Board>>>);

impl Boards {
    /// The board of this name; the first who asks makes it.
    pub fn board(&self, name: &str) -> Arc<Board> {
        if let Some(board) = self.find(name) {
            return board;
        }
        let mut boards = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(boards.entry(name.to_owned()).or_default())
    }

    /// The board of this name, if anybody ever joined it.
    pub fn find(&self, name: &str) -> Option<Arc<Board>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }
}

/// The members of one board, with a lock of its own: boards do not wait for each other.
#[derive(Default)]
pub struct Board(Mutex<HashMap<u64, Outbox>>);

impl Board {
    /// Makes a connection a member.
    pub fn add(&self, connection: u64, outbox: Outbox) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(connection, outbox);
    }

    /// Ends a membership.
    pub fn remove(&self, connection: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&connection);
    }

    /// Queues a text for every member; they share its bytes.
    pub fn broadcast(&self, text: &ByteString) {
        for outbox in self.0.lock().unwrap_or_else(PoisonError::into_inner).values() {
            // Who has gone is about to leave the board.
            let _ = outbox.send(text.clone());
        }
    }
}
