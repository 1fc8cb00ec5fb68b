//! The bench server: a wirelab worker in the role of a server.

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use kv_bench_server::cluster::Cluster;
use kv_bench_server::data::Secret;
use kv_bench_server::faults::{self, Faults};
use kv_bench_server::ports;
use kv_bench_server::service::Service;
use kv_bench_server::serving::{self, NodeListeners, Serving};
use kv_bench_server::store::Store;
use wirelab_sdk::events::{Product, RUST};
use wirelab_sdk::server::Server;
use wirelab_sdk::spec::Spec;

type Failure = Box<dyn Error + Send + Sync>;

const LIBRARY: Product<'static> = Product {
    name: "wirelab bench server for the Aerospike wire protocol",
    version: env!("CARGO_PKG_VERSION"),
};
const MOST_THREADS: usize = 64;
/// Keys of a set: ten million records would take 4 GB.
const MOST_KEYS: u64 = 1_000_000;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    let server = Server::begin()?;
    let begun = begin(&server.spec);
    let (service, serving) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            server.fatal("Begin", &error.to_string());
            return Err(error);
        }
    };
    let nodes: Vec<String> = service
        .cluster
        .nodes
        .iter()
        .map(|node| node.address.to_string())
        .collect();
    let facts = serde_json::json!({ "bench": true, "nodes": nodes });
    server.announce(&nodes[0], facts, LIBRARY, RUST);
    server.wait_for_stop_with(|| {
        say_served(&server, &service);
        None
    });
    serving.stop()?;
    let answered = service.answered();
    eprintln!(
        "{} multi-gets with {} keys, {} of them asked of a node that did not own them",
        answered.batches, answered.rows, answered.foreign
    );
    say_served(&server, &service);
    server.done()?;
    Ok(())
}

/// Records that were asked for: a client that asks for one as often as there are keys has one.
fn say_served(server: &Server, service: &Service) {
    let answered = service.answered();
    let records = answered.different + answered.singles;
    server.events().served(&[("records", records)]);
}

fn begin(spec: &Spec) -> Result<(Arc<Service>, Serving), Failure> {
    let universe: u64 = spec.parameter("universe", 10_000)?;
    let threads: usize = spec.parameter("threads", 1)?;
    if universe > MOST_KEYS || !(1..=MOST_THREADS).contains(&threads) {
        let bounds = format!("universe is 0 to {MOST_KEYS}, threads 1 to {MOST_THREADS}");
        return Err(bounds.into());
    }
    let (present, nodes, changes) = faults::changes(spec)?;
    let faults = Faults::read(spec, present)?;
    let store = Store::computed(universe, faults.wrong_type, &Secret::taken()?);
    let first = serving::loopback(&spec.listen)?;
    let listeners = NodeListeners::bind(&ports::wanted(first, nodes, &spec.paths.scratch)?)?;
    ports::keep(listeners.addresses(), &spec.paths.scratch)?;
    let cluster = Cluster::new(listeners.addresses(), present, changes);
    let service = Arc::new(Service::new(cluster, faults, store));
    let serving = serving::serve(Arc::clone(&service), listeners, threads)?;
    Ok((service, serving))
}
