//! One connection: a task that reads, and one that writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::watch;
use wirelab_whiteboard::{Heading, Joined};

use crate::boards::{Board, Boards, Outbox};

/// State that all connections share.
#[derive(Clone)]
pub struct Service {
    /// Members of each board.
    pub boards: Arc<Boards>,
    /// Turns true when the service ends; connections, and nobody else, subscribe to it.
    pub closing: Arc<watch::Sender<bool>>,
}

static CONNECTIONS: AtomicU64 = AtomicU64::new(0);

/// Serves one connection until either side ends it.
pub async fn serve(socket: WebSocket, service: Service) {
    let mut closing = service.closing.subscribe();
    let (sink, mut messages) = socket.split();
    let (outbox, queue) = unbounded_channel();
    let writing = tokio::spawn(write(sink, queue));
    let mut user =
        User { number: CONNECTIONS.fetch_add(1, Ordering::Relaxed), board: None, outbox };
    loop {
        tokio::select! {
            message = messages.next() => match message {
                Some(Ok(Message::Text(text))) => user.obey(&text, &service.boards),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => break,
            },
            _ = closing.wait_for(|closing| *closing) => break,
        }
    }
    user.leave();
    // With its last sender gone the queue ends, and the writing with it.
    drop(user);
    let _ = writing.await;
}

/// Writes what is queued, a message at a time, and then the close frame.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut queue: UnboundedReceiver<Utf8Bytes>) {
    while let Some(text) = queue.recv().await {
        if sink.send(Message::Text(text)).await.is_err() {
            return;
        }
    }
    let farewell = CloseFrame { code: close_code::AWAY, reason: Utf8Bytes::from_static("") };
    let _ = sink.send(Message::Close(Some(farewell))).await;
}

/// The user behind a connection.
struct User {
    number: u64,
    board: Option<Arc<Board>>,
    outbox: Outbox,
}

impl User {
    /// Does what a message asks for; one that cannot be understood is ignored.
    fn obey(&mut self, text: &Utf8Bytes, boards: &Boards) {
        let Ok(heading) = serde_json::from_str::<Heading>(text) else { return };
        match &*heading.kind {
            "join" => self.join(&heading, boards),
            "draw" => {
                if let Some(board) = boards.find(&heading.board) {
                    board.broadcast(text);
                }
            }
            _ => {}
        }
    }

    fn join(&mut self, heading: &Heading, boards: &Boards) {
        self.leave();
        let board = boards.board(&heading.board);
        board.add(self.number, self.outbox.clone());
        self.board = Some(board);
        let joined = Joined { board: &heading.board, user: heading.user };
        if let Ok(text) = serde_json::to_string(&joined) {
            let _ = self.outbox.send(text.into());
        }
    }

    fn leave(&mut self) {
        if let Some(board) = self.board.take() {
            board.remove(self.number);
        }
    }
}
