//! prost: messages of the suite's schema, generated at build time.

mod conversions;
mod folds;
mod large;
mod messages;
mod versions;

use std::process::ExitCode;

use prost::Message;
use wirelab_codec::{Chat, Telemetry};
use wirelab_codec::{
    Failure, Fold, Library, MessageCodec, T1, T2, T3, T4, T5, run_messages_and_large,
};

struct Prost;

macro_rules! messages {
    ($($native:ty => $message:ty;)*) => {$(
        impl MessageCodec<$native> for Prost {
            type Message = $message;

            fn to_message(&self, value: &$native) -> $message {
                value.into()
            }

            fn encode(&self, message: &$message) -> Result<Vec<u8>, Failure> {
                Ok(message.encode_to_vec())
            }

            fn decode(&self, encoded: &[u8]) -> Result<$message, Failure> {
                Ok(<$message>::decode(encoded)?)
            }

            fn to_native(&self, message: $message) -> Result<$native, Failure> {
                Ok(message.try_into()?)
            }

            fn fold(&self, message: &$message) -> u32 {
                message.fold()
            }
        }
    )*};
}

messages! {
    T1 => messages::T1;
    T2 => messages::T2;
    T3 => messages::T3;
    T4 => messages::T4;
    T5 => messages::T5;
    Telemetry => messages::Telemetry;
    Chat => messages::Chat;
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_messages_and_large(Library::locked(lock, "prost", "protobuf"), Prost)
}
