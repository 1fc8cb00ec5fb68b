//! The record of `evolution`: fields that follow each other, an enumeration as an `i32`.

use wirelab_codec::{
    Added, Base, Enumeration, Level, Removed, Renamed, Reordered, Required, Retyped, Widened,
    WiderLevel,
};

use crate::buffer::{Append, Buffer, Extract, Malformed, Reader, fields};

macro_rules! levels {
    ($($name:ty),*) => {$(
        impl Append for $name {
            fn append_to(&self, buffer: &mut Buffer) {
                buffer.append(&(*self as i32));
            }
        }

        impl Extract for $name {
            const LEAST: usize = i32::LEAST;

            fn extract_from(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
                let number: i32 = reader.extract()?;
                Self::numbered(number).ok_or(Malformed::Enumeration { number })
            }
        }
    )*};
}

levels!(Level, WiderLevel);

fields! {
    Base { sensor: i32, name: String, note: Option<String>, count: i32, level: Level }
    Added {
        sensor: i32, name: String, note: Option<String>, count: i32, level: Level,
        unit: Option<String>,
    }
    Removed { sensor: i32, name: String, count: i32, level: Level }
    Reordered { count: i32, name: String, note: Option<String>, sensor: i32, level: Level }
    Renamed { sensor: i32, title: String, note: Option<String>, count: i32, level: Level }
    Widened { sensor: i32, name: String, note: Option<String>, count: i64, level: Level }
    Retyped { sensor: i32, name: String, note: Option<String>, count: String, level: Level }
    Enumeration { sensor: i32, name: String, note: Option<String>, count: i32, level: WiderLevel }
    Required {
        sensor: i32, name: String, note: Option<String>, count: i32, level: Level, zone: String,
    }
}
