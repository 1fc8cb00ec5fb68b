//! A microbenchmark: loops that are calibrated, warmed up, measured and counted, the batch file,
//! and the life of a worker of it.
//!
//! ```no_run
//! # use wirelab_sdk::batches::run;
//! # use wirelab_sdk::events::Product;
//! # fn main() -> std::process::ExitCode {
//! run(|worker| {
//!     let library = Product { name: "example", version: "1.0.0" };
//!     worker.ready(library, serde_json::json!({ "operations": ["add"] }));
//!     worker.follow(|worker, step| {
//!         let inputs = [1_u32, 2, 3];
//!         worker.step(step, |_| Ok(()), |operation, loops| match operation {
//!             "add" => Some(loops.run(&inputs, |input| Ok(input + 1))),
//!             _ => None,
//!         })
//!     })
//! })
//! # }
//! ```

mod allocations;
mod failure;
mod file;
mod loops;
mod pace;
mod task;
mod worker;

pub use allocations::{counted, give_memory_back};
pub use failure::{Failure, Said};
pub use file::{Batch, BatchPhase, Timed};
pub use loops::Loops;
pub use task::{Input, Plan, Task};
pub use worker::{BatchWorker, Outcome, run};
