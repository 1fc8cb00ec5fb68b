//! The server: a ROUTER that answers, and an XPUB that tells everybody.

use std::process::ExitCode;

use bytes::Bytes;
use serde_json::json;
use wirelab_messaging::{SecondAddress, stamp_served};
use wirelab_sdk::events::RUST;
use wirelab_sdk::server::Server;
use zeromq::{RouterSocket, Socket, SocketRecv, SocketSend, XPubSocket, ZmqMessage};

use crate::{ECHOED, EVERYBODY, GREETING, TOLD, library};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// First byte of a subscription.
const SUBSCRIBED: u8 = 1;
const TCP: &str = "tcp://";

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
    let (mut router, mut publisher) = (RouterSocket::new(), XPubSocket::new());
    let second = SecondAddress::of(&server.spec, "publisher");
    let asks = runtime.block_on(router.bind(&format!("{TCP}{}", server.spec.listen)))?;
    let at = format!("{TCP}{}", second.wanted);
    let publishes = runtime.block_on(publisher.bind(&at))?.to_string();
    second.taken(publishes.trim_start_matches(TCP))?;
    let facts = json!({ "stamps": true });
    server.announce(&format!("{asks} {publishes}"), facts, library(), RUST);
    runtime.spawn(answer(router, publisher));
    server.wait_for_stop();
    runtime.shutdown_background();
    Ok(server.done()?)
}

/// A client that is gone is no reason to stop.
async fn answer(mut router: RouterSocket, mut publisher: XPubSocket) {
    loop {
        let said = tokio::select! {
            asked = router.recv() => match asked {
                Ok(asked) => serve_one(&mut router, &mut publisher, asked.into_vec()).await,
                Err(gone) => Err(gone),
            },
            event = publisher.recv() => match event {
                Ok(event) => greet(&mut publisher, &event).await,
                Err(gone) => Err(gone),
            },
        };
        if let Err(gone) = said {
            eprintln!("a client has gone: {gone}");
        }
    }
}

/// Answers an echo, and publishes what is for all; what is neither is passed over.
async fn serve_one(
    router: &mut RouterSocket,
    publisher: &mut XPubSocket,
    frames: Vec<Bytes>,
) -> zeromq::ZmqResult<()> {
    let Ok([sender, kind, message]) = <[Bytes; 3]>::try_from(frames) else { return Ok(()) };
    if kind == TOLD {
        return publisher.send(of(&[Bytes::from_static(EVERYBODY.as_bytes()), message])).await;
    }
    let mut reply = message.to_vec();
    if kind == ECHOED && stamp_served(&mut reply) {
        router.send(of(&[sender, Bytes::from(reply)])).await?;
    }
    Ok(())
}

/// Publishes to who has just subscribed to a topic of its own.
async fn greet(publisher: &mut XPubSocket, event: &ZmqMessage) -> zeromq::ZmqResult<()> {
    let subscribed = event.get(0).filter(|frame| frame.first() == Some(&SUBSCRIBED));
    match subscribed.map(|frame| frame.slice(1..)) {
        Some(topic) if topic.starts_with(GREETING.as_bytes()) => {
            publisher.send(of(&[topic, Bytes::new()])).await
        }
        _ => Ok(()),
    }
}

/// A message of these frames, of which there is one at least.
pub(crate) fn of(frames: &[Bytes]) -> ZmqMessage {
    let mut message = ZmqMessage::from(frames[0].clone());
    frames[1..].iter().for_each(|frame| message.push_back(frame.clone()));
    message
}
