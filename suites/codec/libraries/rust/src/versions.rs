//! The record of the scenario `evolution`, and what each change makes of it.

use serde::{Deserialize, Serialize};

#[cfg(feature = "rkyv")]
use rkyv::{Archive, Deserialize as Unarchive, Serialize as Archivable};

use crate::codec::NativeCodec;

macro_rules! levels {
    ($($(#[$doc:meta])* enum $name:ident { $($level:ident,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "rkyv", derive(Archive, Archivable, Unarchive))]
        #[serde(rename_all = "lowercase")]
        #[allow(missing_docs)]
        pub enum $name {
            $($level,)*
        }

        impl $name {
            /// Every value, at the place that is its number.
            pub const ALL: &[Self] = &[$(Self::$level,)*];

            /// The value with this number.
            #[must_use]
            pub fn numbered(number: i32) -> Option<Self> {
                Self::ALL.get(usize::try_from(number).ok()?).copied()
            }
        }
    )*};
}

levels! {
    /// Urgency of a reading.
    enum Level { None, Low, High, }

    /// The same with a value more.
    enum WiderLevel { None, Low, High, Critical, }
}

macro_rules! versions {
    ($($(#[$doc:meta])* struct $name:ident { $($field:ident: $type:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            #[cfg_attr(feature = "rkyv", derive(Archive, Archivable, Unarchive))]
            #[allow(missing_docs)]
            pub struct $name {
                $(pub $field: $type,)*
            }
        )*

        /// A codec of every version of the record.
        pub trait VersionCodecs: $(NativeCodec<$name> +)* {}

        impl<C> VersionCodecs for C where C: $(NativeCodec<$name> +)* {}
    };
}

versions! {
    /// A reading; its note may be left out.
    struct Base {
        sensor: i32,
        name: String,
        note: Option<String>,
        count: i32,
        level: Level,
    }

    /// With one more that may be left out.
    struct Added {
        sensor: i32,
        name: String,
        note: Option<String>,
        count: i32,
        level: Level,
        unit: Option<String>,
    }

    /// Without the note.
    struct Removed {
        sensor: i32,
        name: String,
        count: i32,
        level: Level,
    }

    /// In another order.
    struct Reordered {
        count: i32,
        name: String,
        note: Option<String>,
        sensor: i32,
        level: Level,
    }

    /// With a title in the place of the name.
    struct Renamed {
        sensor: i32,
        title: String,
        note: Option<String>,
        count: i32,
        level: Level,
    }

    /// With a count of 64 bits.
    struct Widened {
        sensor: i32,
        name: String,
        note: Option<String>,
        count: i64,
        level: Level,
    }

    /// With a count in words.
    struct Retyped {
        sensor: i32,
        name: String,
        note: Option<String>,
        count: String,
        level: Level,
    }

    /// With the wider enumeration.
    struct Enumeration {
        sensor: i32,
        name: String,
        note: Option<String>,
        count: i32,
        level: WiderLevel,
    }

    /// With one more that must be there.
    struct Required {
        sensor: i32,
        name: String,
        note: Option<String>,
        count: i32,
        level: Level,
        zone: String,
    }
}
