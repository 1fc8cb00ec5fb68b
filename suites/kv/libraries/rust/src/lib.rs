//! Parts that Rust contenders of the suite kv share: the multi-gets they ask for, the rows they
//! bring, and their checks. A contender brings a [`Store`].

mod multi_gets;
mod reader;
mod records;
mod rows;
mod sequences;
mod store;
mod user_table;
mod workload;

pub use rows::{Row, Rows, WrongLength, unpack};
pub use store::{Failure, RecordStore, Store, address, run, run_with_records};
pub use user_table::{FIELDS, Fields};
pub use wirelab_sdk::events::Product as Library;
pub use wirelab_sdk::spec::Spec;
pub use wirelab_sdk::status::Status;
