//! The baselines: copying as many bytes as an encoding has, folding a value that is there already.

use std::hint::black_box;

use wirelab_sdk::batches::{Loops, Timed};

use crate::fold;
use crate::natives::Shape;
use crate::subject::Operations;
use crate::versions::VersionCodecs;

pub(crate) struct Baseline;

impl Operations for Baseline {
    const OPERATIONS: &'static [&'static str] = &["copy", "touch"];

    fn versions(&self) -> Option<&dyn VersionCodecs> {
        None
    }
}

/// Byte k of the prepared buffer is k modulo this.
const PREPARED_MODULUS: usize = 251;
const COPIED_AT_LEAST: usize = 8;

/// The batches of a baseline; `None` when there is no such operation.
pub(crate) fn time<S: Shape>(operation: &str, pool: &[S], loops: &Loops<'_>) -> Option<Timed> {
    Some(match operation {
        "copy" => {
            let (buffer, lengths) = prepared(pool);
            let mut kept = vec![0; buffer.len()];
            loops.run(&lengths, |length| {
                let copy = &mut kept[..*length];
                copy.copy_from_slice(&black_box(buffer.as_slice())[..*length]);
                Ok(fold::bytes(black_box(copy)))
            })
        }
        "touch" => loops.run(pool, |value| Ok(black_box(value).fold())),
        _ => return None,
    })
}

/// A buffer, and how much of it is copied for each instance.
fn prepared<S: Shape>(pool: &[S]) -> (Vec<u8>, Vec<usize>) {
    let text_bytes = |value| serde_json::to_vec(value).map_or(0, |text| text.len());
    let lengths: Vec<_> =
        pool.iter().map(|value| COPIED_AT_LEAST.max(text_bytes(value) / 4)).collect();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let buffer = (0..longest).map(|k| (k % PREPARED_MODULUS) as u8).collect();
    (buffer, lengths)
}
