//! The record of `evolution`: checked, and made into a native value at once.

use rkyv::rancor::Error;
use rkyv::util::AlignedVec;
use rkyv::{from_bytes, to_bytes};
use wirelab_codec::{
    Added, Base, Enumeration, Failure, NativeCodec, Removed, Renamed, Reordered, Required, Retyped,
    Widened,
};

use crate::Rkyv;

macro_rules! versions {
    ($($version:ty),*) => {$(
        impl NativeCodec<$version> for Rkyv {
            fn encode(&self, value: &$version) -> Result<Vec<u8>, Failure> {
                Ok(to_bytes::<Error>(value)?.into_vec())
            }

            fn decode(&self, encoded: &[u8]) -> Result<$version, Failure> {
                let mut aligned: AlignedVec = AlignedVec::new();
                aligned.extend_from_slice(encoded);
                Ok(from_bytes::<$version, Error>(&aligned)?)
            }
        }
    )*};
}

versions!(Base, Added, Removed, Reordered, Renamed, Widened, Retyped, Enumeration, Required);
