//! Answers to info commands.

use crate::cluster::{Cluster, Epoch};
use crate::data;
use crate::wire::PARTITIONS;

/// The version of the protocol's server whose behaviour clients are to expect.
const BUILD: &str = "8.1.0.0";
/// Clients refuse a server that cannot scan and query by partition, whether they mean to or not.
const FEATURES: &str = "batch-any;pipelining;pquery;pscans;query-show;replicas;replicas-all";
/// Commands in one request; clients ask for five at most.
const MOST_COMMANDS: usize = 64;

/// Answers the commands of a request, a line each, as the node `node`, which has answered `batches`.
pub fn answer(
    commands: &[u8],
    cluster: &Cluster,
    epoch: &Epoch,
    node: usize,
    batches: u64,
    out: &mut Vec<u8>,
) {
    let lines = commands.split(|byte| *byte == b'\n');
    for command in lines.filter(|line| !line.is_empty()).take(MOST_COMMANDS) {
        out.extend_from_slice(command);
        out.push(b'\t');
        let (name, _) = parted(command);
        let said = match name {
            b"statistics" => format!("batch_index_complete={batches}"),
            _ => value(name, cluster, epoch, node),
        };
        out.extend_from_slice(said.as_bytes());
        out.push(b'\n');
    }
}

/// `name`, `name:arguments` or `name/argument`.
fn parted(command: &[u8]) -> (&[u8], &[u8]) {
    let at = command.iter().position(|byte| matches!(byte, b':' | b'/'));
    command.split_at(at.unwrap_or(command.len()))
}

fn value(name: &[u8], cluster: &Cluster, epoch: &Epoch, node: usize) -> String {
    let own = &cluster.nodes[node];
    match name {
        b"node" => own.id.clone(),
        b"build" => BUILD.into(),
        b"version" => {
            format!("wirelab bench server for the Aerospike wire protocol, as build {BUILD}")
        }
        b"edition" => "wirelab bench server".into(),
        b"cluster-name" => "null".into(),
        b"status" | b"user-agent-set" => "ok".into(),
        b"namespaces" => data::NAMESPACE.into(),
        b"partitions" => PARTITIONS.to_string(),
        b"features" => FEATURES.into(),
        b"partition-generation" | b"peers-generation" => epoch.generation.to_string(),
        b"rebalance-generation" => "1".into(),
        b"service" | b"service-clear-std" | b"service-clear-alt" => own.address.to_string(),
        b"peers-clear-std" | b"peers-clear-alt" => peers(cluster, epoch, node),
        b"replicas" => epoch.replicas(node),
        b"rack-ids" | b"racks" => String::new(),
        _ => "ERROR:4:unrecognized command".into(),
    }
}

/// `generation,default port,[[id,,[address]],…]`: the other nodes that are there.
fn peers(cluster: &Cluster, epoch: &Epoch, node: usize) -> String {
    let others = (0..cluster.nodes.len()).filter(|other| *other != node && epoch.is_alive(*other));
    let entries: Vec<String> = others
        .map(|other| &cluster.nodes[other])
        .map(|other| format!("[{},,[{}]]", other.id, other.address))
        .collect();
    let port = cluster.nodes[node].address.port();
    format!("{},{port},[{}]", epoch.generation, entries.join(","))
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::cluster::Cluster;
    use std::net::SocketAddr;

    fn asked(commands: &str) -> String {
        let address = |port| SocketAddr::from(([127, 0, 0, 1], port));
        let cluster = Cluster::new(&[address(3000), address(3001)], 2, Vec::new());
        let mut out = Vec::new();
        let epoch = cluster.epoch(0);
        answer(commands.as_bytes(), &cluster, epoch, 0, 17, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_command_is_answered_in_a_line() {
        assert_eq!(
            asked("node\npeers-clear-std\npartition-generation\n"),
            "node\tBB9000000000001\n\
             peers-clear-std\t1,3000,[[BB9000000000002,,[127.0.0.1:3001]]]\n\
             partition-generation\t1\n"
        );
    }

    #[test]
    fn batches_are_counted_where_a_server_counts_them() {
        assert_eq!(asked("statistics"), "statistics\tbatch_index_complete=17\n");
    }

    #[test]
    fn arguments_are_given_back_with_the_name() {
        assert_eq!(
            asked("user-agent-set:value=YQ==\n"),
            "user-agent-set:value=YQ==\tok\n"
        );
    }

    #[test]
    fn an_unknown_command_is_an_error_of_its_own() {
        let said = asked("dance\nnamespaces\n");
        assert_eq!(
            said,
            "dance\tERROR:4:unrecognized command\nnamespaces\twirelab\n"
        );
    }

    #[test]
    fn a_request_of_many_commands_is_answered_in_part() {
        assert_eq!(asked(&"node\n".repeat(1000)).lines().count(), 64);
    }
}
