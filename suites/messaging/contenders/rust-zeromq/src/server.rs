//! The server: a ROUTER that answers.

use std::process::ExitCode;

use bytes::Bytes;
use serde_json::json;
use wirelab_messaging::stamp_served;
use wirelab_sdk::events::RUST;
use wirelab_sdk::server::Server;
use zeromq::{RouterSocket, Socket, SocketRecv, SocketSend, ZmqMessage};

use crate::library;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Answers until told to stop.
pub(crate) fn serve() -> ExitCode {
    match served() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn served() -> Result<(), Failure> {
    let server = Server::begin()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let mut router = RouterSocket::new();
    let endpoint = runtime.block_on(router.bind(&format!("tcp://{}", server.spec.listen)))?;
    server.announce(&endpoint.to_string(), json!({ "stamps": true }), library(), RUST);
    runtime.spawn(answer(router));
    server.wait_for_stop();
    runtime.shutdown_background();
    Ok(server.done()?)
}

/// A requester that is gone is no reason to stop.
async fn answer(mut router: RouterSocket) {
    while let Ok(asked) = router.recv().await {
        let mut frames = asked.into_vec();
        let Some(message) = frames.last_mut() else { continue };
        let mut reply = message.to_vec();
        if !stamp_served(&mut reply) {
            continue;
        }
        *message = Bytes::from(reply);
        let Ok(reply) = ZmqMessage::try_from(frames) else { continue };
        if let Err(gone) = router.send(reply).await {
            eprintln!("an answer was not taken: {gone}");
        }
    }
    eprintln!("nobody answers any more");
}
