//! Parts that Rust contenders of the suite opcua share: what they read and write, when they do, and
//! their answers. A contender brings a [`Library`] and its [`Session`].

mod caller;
mod changes;
mod client;
mod lanes;
mod node_lists;
mod results;
mod session;
mod watch;

pub use changes::Changes;
pub use client::run;
pub use node_lists::{NodeLists, Value};
pub use results::{BadItem, Failed};
pub use session::{Library, Session, TagValue};
pub use wirelab_sdk::events::Product;
pub use wirelab_sdk::lanes::Failure;
pub use wirelab_sdk::spec::Spec;
pub use wirelab_sdk::status::Status;
