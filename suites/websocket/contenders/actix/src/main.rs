//! A whiteboard server on actix-web and actix-ws.

mod boards;
mod connection;

use std::error::Error;
use std::net::TcpListener;
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, rt, web};
use tokio::sync::watch;
use wirelab_sdk::events::Product;
use wirelab_sdk::server::Server;

use crate::connection::Service;

const LONGEST_MESSAGE: usize = 64 * 1024;
/// Connections that do not take their close frame are left to the end of the process.
const FAREWELL: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    match rt::System::new().block_on(run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error + Send + Sync>> {
    let server = Server::begin()?;
    let closing = Arc::new(watch::Sender::new(false));
    let service = Service { boards: Arc::default(), closing: Arc::clone(&closing) };
    let listener = TcpListener::bind(&server.spec.listen)?;
    let endpoint = format!("ws://{}/board", listener.local_addr()?);
    let http = HttpServer::new(move || {
        App::new().app_data(web::Data::new(service.clone())).route("/board", web::get().to(upgrade))
    })
    // A worker is a thread with a loop of its own.
    .workers(std::thread::available_parallelism().map_or(1, NonZero::get))
    .tcp_nodelay(true)
    .disable_signals()
    .listen(listener)?
    .run();
    let serving = http.handle();
    rt::spawn(http);

    server.announce(
        &endpoint,
        serde_json::json!({ "protocol": "json" }),
        Product { name: "actix-ws", version: locked("actix-ws") },
        Product { name: "actix-web", version: locked("actix-web") },
    );
    let server = rt::task::spawn_blocking(move || {
        server.wait_for_stop();
        server
    })
    .await?;
    closing.send_replace(true);
    let _ = rt::time::timeout(FAREWELL, closing.closed()).await;
    serving.stop(false).await;
    server.done()?;
    Ok(())
}

async fn upgrade(
    request: HttpRequest,
    body: web::Payload,
    service: web::Data<Service>,
) -> actix_web::Result<HttpResponse> {
    let (response, session, messages) = actix_ws::handle(&request, body)?;
    let messages = messages
        .max_frame_size(LONGEST_MESSAGE)
        .aggregate_continuations()
        .max_continuation_size(LONGEST_MESSAGE);
    rt::spawn(connection::serve(session, messages, Service::clone(&service)));
    Ok(response)
}

/// The version of a crate that this program was built with.
fn locked(crate_name: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = format!("name = \"{crate_name}\"\nversion = \"");
    lock.split_once(&entry)
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or("", |(version, _)| version)
}
