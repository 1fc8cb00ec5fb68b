//! One connection: a task that reads, and one that writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::rt;
use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseCode, Session};
use bytestring::ByteString;
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
pub async fn serve(mut session: Session, mut messages: AggregatedMessageStream, service: Service) {
    let mut closing = service.closing.subscribe();
    let (outbox, queue) = unbounded_channel();
    let writing = rt::spawn(write(session.clone(), queue));
    let mut user =
        User { number: CONNECTIONS.fetch_add(1, Ordering::Relaxed), board: None, outbox };
    loop {
        tokio::select! {
            message = messages.recv() => match message {
                Some(Ok(AggregatedMessage::Text(text))) => user.obey(&text, &service.boards),
                Some(Ok(AggregatedMessage::Ping(bytes))) => {
                    if session.pong(&bytes).await.is_err() {
                        break;
                    }
                }
                Some(Ok(AggregatedMessage::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
            _ = closing.wait_for(|closing| *closing) => break,
        }
    }
    user.leave();
    // With its last sender gone the queue ends, and the writing with it.
    drop(user);
    let _ = writing.await;
}

/// Writes what is queued, and then the close frame.
async fn write(mut session: Session, mut queue: UnboundedReceiver<ByteString>) {
    while let Some(text) = queue.recv().await {
        if session.text(text).await.is_err() {
            return;
        }
    }
    let _ = session.close(Some(CloseCode::Away.into())).await;
}

/// The user behind a connection.
struct User {
    number: u64,
    board: Option<Arc<Board>>,
    outbox: Outbox,
}

impl User {
    /// Does what a message asks for; one that cannot be understood is ignored.
    fn obey(&mut self, text: &ByteString, boards: &Boards) {
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
