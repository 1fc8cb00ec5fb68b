//! Parts that Rust contenders of the suite messaging share: messages, counts, and the users who ask
//! and tell with them. A contender brings a [`Transport`].

mod deliveries;
mod messages;
mod owed;
mod phase;
mod promises;
mod second_address;
mod silences;
mod tally;
mod telling;
mod transport;
mod users;

pub use messages::{is_answer, stamp_served};
pub use second_address::SecondAddress;
pub use transport::{Inbox, Link, Transport, run};
pub use wirelab_sdk::events::Product;
pub use wirelab_sdk::lanes::Failure;
pub use wirelab_sdk::spec::Spec;
pub use wirelab_sdk::status::Status;
