//! The record of `evolution`. An enumeration is an `i32` in a message; a number that it does not
//! have is the error of prost's own conversion.

use prost::Message;
use wirelab_codec::{self as native, Failure, NativeCodec};

use crate::Prost;
use crate::messages::evolution as messages;

macro_rules! versions {
    ($($version:ident { $($field:ident),* } $level:ident;)*) => {$(
        impl NativeCodec<native::$version> for Prost {
            fn encode(&self, value: &native::$version) -> Result<Vec<u8>, Failure> {
                let native::$version { $($field),*, level } = value.clone();
                let level = level as i32;
                Ok(messages::$version { $($field),*, level }.encode_to_vec())
            }

            fn decode(&self, encoded: &[u8]) -> Result<native::$version, Failure> {
                let messages::$version { $($field),*, level } = Message::decode(encoded)?;
                let level = messages::$level::try_from(level)? as i32;
                let level = native::$level::numbered(level).expect("both have the same numbers");
                Ok(native::$version { $($field),*, level })
            }
        }
    )*};
}

versions! {
    Base { sensor, name, note, count } Level;
    Added { sensor, name, note, count, unit } Level;
    Removed { sensor, name, count } Level;
    Reordered { sensor, name, note, count } Level;
    Renamed { sensor, title, note, count } Level;
    Widened { sensor, name, note, count } Level;
    Retyped { sensor, name, note, count } Level;
    Enumeration { sensor, name, note, count } WiderLevel;
    Required { sensor, name, note, count, zone } Level;
}
