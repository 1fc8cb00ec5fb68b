//! Resident memory that a call takes, as the kernel tells it.

use std::fs;
use std::io;

use serde::Serialize;
use wirelab_sdk::batches::{Failure, give_memory_back};

/// Written to `clear_refs`, it makes what is resident now the peak.
const FORGET_PEAK: &str = "5";
const KILOBYTE: u64 = 1024;

/// Resident memory before a call and at its peak.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Use {
    before_bytes: u64,
    peak_bytes: u64,
}

/// Makes a call; `None` where the kernel cannot tell what it took.
pub(crate) fn used_by(call: impl FnOnce() -> Result<(), Failure>) -> Result<Option<Use>, Failure> {
    // What is free would be given to the call for nothing.
    give_memory_back();
    if fs::write("/proc/self/clear_refs", FORGET_PEAK).is_err() {
        call()?;
        return Ok(None);
    }
    let before_bytes = resident("VmRSS")?;
    call()?;
    Ok(Some(Use { before_bytes, peak_bytes: resident("VmHWM")? }))
}

/// A line of this process's status, in bytes.
fn resident(name: &str) -> Result<u64, Failure> {
    let status = fs::read_to_string("/proc/self/status")?;
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':')?.strip_suffix("kB"))
        .ok_or_else(|| io::Error::other(format!("the status of the process has no {name}")))?;
    Ok(KILOBYTE * kilobytes.trim().parse::<u64>()?)
}
