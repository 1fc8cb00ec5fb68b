//! Answers frames: the server without its sockets.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use crate::cluster::{Cluster, Epoch};
use crate::data;
use crate::different::Different;
use crate::faults::{BatchOutcome, Faults};
use crate::info;
use crate::store::Store;
use crate::wire::batch::{Row, Rows};
use crate::wire::frame::{self, HEADER, Kind};
use crate::wire::message::{self, Action, BATCH, Reply};
use crate::wire::{Digest, Malformed, result};

/// Bytes of the largest reply: what is written here can be read back five thousand times a batch.
const LARGEST_REPLY: usize = 64 * 1024 * 1024;

/// State that all threads share.
pub struct Service {
    /// Its nodes.
    pub cluster: Cluster,
    /// Faults that it commits.
    pub faults: Faults,
    store: RwLock<Store>,
    /// Batches of each node.
    batches: Vec<AtomicU64>,
    rows: AtomicU64,
    different: AtomicU64,
    singles: AtomicU64,
    foreign: AtomicU64,
}

/// Counts of what was answered so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// Batches.
    pub batches: u64,
    /// Their rows.
    pub rows: u64,
    /// Records of those rows that are asked for once or more in the same batch.
    pub different: u64,
    /// Records that were asked for one by one, as clients do where a node has one of a batch.
    pub singles: u64,
    /// Such records, and single ones, that were asked of a node whose partition it was not.
    pub foreign: u64,
}

/// Way in which a reply is to be sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sending {
    /// Wait for this long before.
    pub delay_ns: u64,
    /// Half of it, and then the connection ends.
    pub cut_off: bool,
    /// It was the first batch of all: times count from now.
    pub first: bool,
}

impl Service {
    /// A server of these records.
    #[must_use]
    pub fn new(cluster: Cluster, faults: Faults, store: Store) -> Self {
        let batches = cluster.nodes.iter().map(|_| AtomicU64::new(0)).collect();
        Self {
            cluster,
            faults,
            store: RwLock::new(store),
            batches,
            rows: AtomicU64::new(0),
            different: AtomicU64::new(0),
            singles: AtomicU64::new(0),
            foreign: AtomicU64::new(0),
        }
    }

    /// Counts of what was answered so far.
    #[must_use]
    pub fn answered(&self) -> Answered {
        let counters = [&self.rows, &self.different, &self.singles, &self.foreign];
        let [rows, different, singles, foreign] =
            counters.map(|counter| counter.load(Ordering::Relaxed));
        let batches = self.batches.iter();
        Answered {
            batches: batches.map(|of_node| of_node.load(Ordering::Relaxed)).sum(),
            rows,
            different,
            singles,
            foreign,
        }
    }

    /// Writes the reply to a whole frame, asked of `node` at `now_ns`, to the empty `out`.
    ///
    /// # Errors
    /// When the connection has to be closed.
    pub fn answer(
        &self,
        node: usize,
        kind: Kind,
        body: &[u8],
        now_ns: u64,
        out: &mut Vec<u8>,
    ) -> Result<Sending, Malformed> {
        let at = frame::begin(out, kind);
        let sending = match kind {
            Kind::Info => {
                let epoch = self.cluster.epoch(now_ns);
                let batches = self.batches[node].load(Ordering::Relaxed);
                info::answer(body, &self.cluster, epoch, node, batches, out);
                Sending::default()
            }
            Kind::Message => self.message(node, body, now_ns, out)?,
        };
        frame::end(out, at);
        Ok(sending)
    }

    fn message(
        &self,
        node: usize,
        body: &[u8],
        now_ns: u64,
        out: &mut Vec<u8>,
    ) -> Result<Sending, Malformed> {
        let action = message::read(body)?;
        let delay_ns = self.faults.delay_ns(node);
        let mut sending = Sending {
            delay_ns,
            ..Sending::default()
        };
        if action.info1 & BATCH == 0 {
            self.record(node, &action, now_ns, out);
            return Ok(sending);
        }
        sending.first = self.cluster.begin(now_ns);
        let fate = self.faults.fate(node);
        sending.cut_off = fate == BatchOutcome::CutOff;
        let result = match fate {
            BatchOutcome::Failed(code) => code,
            BatchOutcome::Answered | BatchOutcome::CutOff => {
                self.batch(node, &action, now_ns, out)?
            }
        };
        let last = Reply {
            result,
            last: true,
            ..Reply::default()
        };
        last.write(out);
        Ok(sending)
    }

    /// A message of one record.
    fn record(&self, node: usize, action: &Action<'_>, now_ns: u64, out: &mut Vec<u8>) {
        let epoch = self.cluster.epoch(now_ns);
        let refused = match action.fields.digest {
            _ if action.fields.others => Err(result::UNSUPPORTED),
            None => Err(result::UNSUPPORTED),
            Some(digest) => self.check(node, &digest, action, epoch).map(|()| digest),
        };
        match refused {
            Err(result) => Reply {
                result,
                ..Reply::default()
            }
            .write(out),
            Ok(digest) if action.writes() => {
                let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
                store.write(digest, action, 0, out);
            }
            Ok(digest) => {
                self.singles.fetch_add(1, Ordering::Relaxed);
                let store = self.store.read().unwrap_or_else(PoisonError::into_inner);
                store.read(&digest, action, 0, out);
            }
        }
    }

    /// The rows of a batch; returns the result code of the batch as a whole.
    fn batch(
        &self,
        node: usize,
        action: &Action<'_>,
        now_ns: u64,
        out: &mut Vec<u8>,
    ) -> Result<u8, Malformed> {
        let Some(field) = action.fields.batch else {
            return Ok(result::PARAMETER);
        };
        let rows = Rows::read(field)?;
        if rows.left() > self.faults.most_keys {
            return Ok(result::BATCH_TOO_LARGE);
        }
        self.batches[node].fetch_add(1, Ordering::Relaxed);
        self.rows
            .fetch_add(u64::from(rows.left()), Ordering::Relaxed);
        let mut different = Different::of(rows.left());
        let epoch = self.cluster.epoch(now_ns);
        // Taken once for all rows that read, and given up for one that writes.
        let mut reading = None;
        for row in rows {
            let Row {
                index,
                digest,
                action,
            } = row?;
            different.add(&digest);
            if out.len() > LARGEST_REPLY {
                out.truncate(HEADER);
                return Ok(result::TOO_BIG);
            }
            if let Err(result) = self.check(node, &digest, &action, epoch) {
                let reply = Reply {
                    result,
                    index,
                    ..Reply::default()
                };
                reply.write(out);
            } else if action.writes() {
                reading = None;
                let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
                store.write(digest, &action, index, out);
            } else {
                reading
                    .get_or_insert_with(|| {
                        self.store.read().unwrap_or_else(PoisonError::into_inner)
                    })
                    .read(&digest, &action, index, out);
            }
        }
        self.different
            .fetch_add(different.count(), Ordering::Relaxed);
        Ok(result::OK)
    }

    /// Checks whether the node answers for the record; a result code when it does not.
    fn check(
        &self,
        node: usize,
        digest: &Digest,
        action: &Action<'_>,
        epoch: &Epoch,
    ) -> Result<(), u8> {
        if action.fields.namespace != data::NAMESPACE.as_bytes() {
            return Err(result::NO_NAMESPACE);
        }
        if action.fields.others {
            return Err(result::UNSUPPORTED);
        }
        if epoch.owner(digest.partition()) != node {
            self.foreign.fetch_add(1, Ordering::Relaxed);
            if self.faults.refuse_foreign {
                return Err(result::PARTITION_UNAVAILABLE);
            }
        }
        Ok(())
    }
}
