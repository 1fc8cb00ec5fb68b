//! What Rust contenders of the suite messaging share: messages, and the users who ask with them. A
//! contender brings a [`Transport`].

mod messages;
mod transport;
mod users;

pub use messages::{is_answer, stamp_served};
pub use transport::{Link, Transport, run};
pub use wirelab_sdk::events::Product;
pub use wirelab_sdk::lanes::Failure;
pub use wirelab_sdk::spec::Spec;
pub use wirelab_sdk::status::Status;
