//! What Rust contenders of the suite kv share: the batches they ask for, the rows they bring, and their
//! checks. A contender brings a [`Store`].

mod batches;
mod reader;
mod rows;
mod store;

pub use rows::{Row, Rows, WrongLength, unpack};
pub use store::{Failure, Library, Store, address, run};
pub use wirelab_sdk::spec::Spec;
pub use wirelab_sdk::status::Status;
