//! rkyv: decoding checks the bytes and then points into them; nothing is made of them.

mod folds;
mod large;
mod versions;

use std::process::ExitCode;

use rkyv::rancor::Error;
use rkyv::util::AlignedVec;
use rkyv::{Archived, access, deserialize, to_bytes};
use wirelab_codec::run_views_and_large;
use wirelab_codec::{BorrowedCodec, Chat, Failure, Library, T1, T2, T3, T4, T5, Telemetry};

struct Rkyv;

macro_rules! views {
    ($($native:ty => $fold:path;)*) => {$(
        impl BorrowedCodec<$native> for Rkyv {
            type Bytes = AlignedVec;
            type View<'a> = &'a Archived<$native>;

            fn encode(&self, value: &$native) -> Result<AlignedVec, Failure> {
                Ok(to_bytes::<Error>(value)?)
            }

            fn hold(&self, bytes: &[u8]) -> AlignedVec {
                let mut aligned = AlignedVec::new();
                aligned.extend_from_slice(bytes);
                aligned
            }

            fn decode<'a>(&self, encoded: &'a [u8]) -> Result<&'a Archived<$native>, Failure> {
                Ok(access::<Archived<$native>, Error>(encoded)?)
            }

            fn fold(&self, view: &&Archived<$native>) -> u32 {
                $fold(view)
            }

            fn native(&self, view: &&Archived<$native>) -> Result<$native, Failure> {
                Ok(deserialize::<$native, Error>(*view)?)
            }
        }
    )*};
}

views! {
    T1 => folds::t1;
    T2 => folds::t2;
    T3 => folds::t3;
    T4 => folds::t4;
    T5 => folds::t5;
    Telemetry => folds::telemetry;
    Chat => folds::chat;
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_views_and_large(Library::locked(lock, "rkyv", "rkyv"), Rkyv)
}
