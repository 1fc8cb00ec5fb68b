//! Faults of the server where it is asked for them, and their times: the parameters of the suite.

use std::sync::atomic::{AtomicU64, Ordering};

use wirelab_sdk::spec::{Spec, SpecError};

use crate::cluster::{Change, Cluster, MOST_NODES};
use crate::data::mix;
use crate::wire::result;

const MICROSECOND: u64 = 1000;
const MILLISECOND: u64 = 1_000_000;

/// Keys of a batch that servers take when nobody says otherwise.
const MOST_KEYS: u32 = 5000;

/// All that can be set; times are nanoseconds, those that begin something count from the first
/// batch read.
#[derive(Debug)]
pub struct Faults {
    /// Keys of a batch; more are refused.
    pub most_keys: u32,
    /// Refuse records of another node's partitions, rather than read them there.
    pub refuse_foreign: bool,
    /// The first bin of every record is a text.
    pub wrong_type: bool,
    delay_ns: u64,
    jitter_ns: u64,
    slow: Option<(usize, u64)>,
    stall: Option<(Of, u64, u64)>,
    errors: (Of, f64, u8),
    drops: (Of, f64),
    seed: u64,
    drawn: AtomicU64,
}

/// Nodes that something happens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    All,
    One(usize),
}

impl Of {
    fn has(self, node: usize) -> bool {
        match self {
            Self::All => true,
            Self::One(one) => one == node,
        }
    }
}

/// Fate of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchOutcome {
    /// It is answered.
    Answered,
    /// It is answered with this result code and no records.
    Failed(u8),
    /// Half of the answer comes, then the connection ends.
    CutOff,
}

impl Faults {
    /// Faults of a spec, for `nodes` nodes.
    ///
    /// # Errors
    /// When a parameter is of another type, or names a node or a share that cannot be.
    pub fn read(spec: &Spec, nodes: usize) -> Result<Self, SpecError> {
        let of = |name: &str| node_of(spec, name, nodes);
        let share = |name: &str| match spec.parameter(name, 0.0)? {
            share @ 0.0..=1.0 => Ok(share),
            other => Err(SpecError(format!(
                "parameter {name} is {other}, not a share"
            ))),
        };
        let ns = |name: &str, unit: u64| Ok(spec.parameter(name, 0_u64)?.saturating_mul(unit));
        let stall_ns = ns("stall_ms", MILLISECOND)?;
        let stall = (of("stall_node")?, ns("stall_at_ms", MILLISECOND)?, stall_ns);
        let slow = match of("slow_node")? {
            Of::One(node) => Some((node, ns("slow_us", MICROSECOND)?)),
            Of::All => None,
        };
        let foreign: String = spec.parameter("foreign", "proxy".into())?;
        if !["proxy", "refuse"].contains(&foreign.as_str()) {
            return Err(SpecError(format!(
                "parameter foreign is {foreign}, not proxy or refuse"
            )));
        }
        let error_code = spec.parameter("error_code", result::PARTITION_UNAVAILABLE)?;
        Ok(Self {
            most_keys: spec.parameter("most_batch", MOST_KEYS)?,
            refuse_foreign: foreign == "refuse",
            wrong_type: spec.parameter("wrong_type", false)?,
            delay_ns: ns("delay_us", MICROSECOND)?,
            jitter_ns: ns("jitter_us", MICROSECOND)?,
            slow,
            stall: (stall_ns > 0).then_some(stall),
            errors: (of("error_node")?, share("error_share")?, error_code),
            drops: (of("drop_node")?, share("drop_share")?),
            seed: mix(spec.seed),
            drawn: AtomicU64::new(0),
        })
    }

    /// Fate of the next batch of a node.
    pub fn fate(&self, node: usize) -> BatchOutcome {
        let (of, share, code) = self.errors;
        if of.has(node) && share > 0.0 && self.draw() < share {
            return BatchOutcome::Failed(code);
        }
        let (of, share) = self.drops;
        if of.has(node) && share > 0.0 && self.draw() < share {
            return BatchOutcome::CutOff;
        }
        BatchOutcome::Answered
    }

    /// Time that a node waits before it answers a message.
    pub fn delay_ns(&self, node: usize) -> u64 {
        let slow = self
            .slow
            .filter(|(slow, _)| *slow == node)
            .map_or(0, |(_, ns)| ns);
        let jitter = if self.jitter_ns > 0 {
            (self.draw() * self.jitter_ns as f64) as u64
        } else {
            0
        };
        self.delay_ns + slow + jitter
    }

    /// Time until which a node answers nothing, in nanoseconds of CLOCK_MONOTONIC; none when it
    /// does.
    pub fn stalled_until(&self, node: usize, cluster: &Cluster, now_ns: u64) -> Option<u64> {
        let (of, at_ns, for_ns) = self.stall?;
        let elapsed = cluster.elapsed(now_ns)?;
        let end_ns = at_ns.saturating_add(for_ns);
        (of.has(node) && (at_ns..end_ns).contains(&elapsed)).then(|| cluster.time_of(end_ns))
    }

    /// A number from 0 to below 1: the same ones for a seed, in the order of the batches.
    fn draw(&self) -> f64 {
        let number = self.drawn.fetch_add(1, Ordering::Relaxed);
        (mix(self.seed ^ number) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Number of nodes at the beginning, number of ports for all that there will be, and the changes.
///
/// # Errors
/// When the parameters do not go together.
pub fn changes(spec: &Spec) -> Result<(usize, usize, Vec<Change>), SpecError> {
    let nodes: usize = spec.parameter("nodes", 1)?;
    if !(1..MOST_NODES).contains(&nodes) {
        return Err(SpecError(format!(
            "parameter nodes is {nodes}, not 1 to {}",
            MOST_NODES - 1
        )));
    }
    let time = |name: &str| -> Result<Option<u64>, SpecError> {
        let ms: u64 = spec.parameter(name, 0)?;
        Ok((ms > 0).then(|| ms.saturating_mul(MILLISECOND)))
    };
    let mut changes = Vec::new();
    let mut change = |at_ns, node, comes| changes.push(Change { at_ns, node, comes });
    if let Some(down_ns) = time("down_at_ms")? {
        let Of::One(node) = node_of(spec, "down_node", nodes)? else {
            return Err(SpecError("down_at_ms needs down_node".into()));
        };
        if nodes == 1 {
            return Err(SpecError("the only node cannot go down".into()));
        }
        change(down_ns, node, false);
        if let Some(up_ns) = time("up_at_ms")? {
            if up_ns <= down_ns {
                return Err(SpecError("up_at_ms must be after down_at_ms".into()));
            }
            change(up_ns, node, true);
        }
    }
    let added_ns = time("added_at_ms")?;
    if let Some(added_ns) = added_ns {
        change(added_ns, nodes, true);
    }
    Ok((nodes, nodes + usize::from(added_ns.is_some()), changes))
}

fn node_of(spec: &Spec, name: &str, nodes: usize) -> Result<Of, SpecError> {
    match spec.parameter(name, -1_i64)? {
        -1 => Ok(Of::All),
        number => match usize::try_from(number) {
            Ok(node) if node < nodes => Ok(Of::One(node)),
            _ => Err(SpecError(format!(
                "parameter {name} is {number}: there are {nodes} nodes"
            ))),
        },
    }
}
