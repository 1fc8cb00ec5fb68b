//! The seven shapes as a Rust program would hold them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[cfg(feature = "rkyv")]
use rkyv::{Archive, Deserialize as Unarchive, Serialize as Archivable};

use crate::fold::Fold;

/// Value that serde can write and read.
pub trait Record: Serialize + for<'de> Deserialize<'de> + 'static {}

impl<T: Serialize + for<'de> Deserialize<'de> + 'static> Record for T {}

/// A native value of the suite: it has a pool and a fold.
pub trait Shape: Record + Fold + Clone + PartialEq {
    /// The step it is measured in.
    const STEP: &'static str;
}

macro_rules! shapes {
    ($($(#[$doc:meta])* struct $name:ident { $($field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "rkyv", derive(Archive, Archivable, Unarchive))]
        #[allow(missing_docs)]
        pub struct $name {
            $(pub $field: $type,)*
        }
    )*};
}

shapes! {
    /// Ten primitives.
    struct T1 {
        c: i8,
        uc: u8,
        i16: i16,
        u16: u16,
        i32: i32,
        u32: u32,
        i64: i64,
        u64: u64,
        f: f32,
        d: f64,
    }

    /// Eight strings.
    struct T2 {
        s1: String,
        s2: String,
        s3: String,
        s4: String,
        s5: String,
        s6: String,
        s7: String,
        s8: String,
    }

    /// The points of a tag.
    struct Telemetry {
        points: Vec<TelemetryPoint>,
    }

    /// One point of a tag.
    struct TelemetryPoint {
        time: i64,
        value: f64,
        quality: i32,
    }

    /// A message of a shared whiteboard.
    struct Chat {
        id: String,
        sent: i64,
        board: String,
        author: Author,
        text: String,
        mentions: Vec<String>,
        strokes: Vec<Stroke>,
    }

    /// Author of a message.
    struct Author {
        id: u32,
        name: String,
        active: bool,
    }

    /// A line on the board.
    struct Stroke {
        color: String,
        width: f64,
        points: Vec<Position>,
    }

    /// A corner of a line.
    struct Position {
        x: i32,
        y: i32,
    }
}

/// A list of integers.
pub type T3 = Vec<i32>;
/// A list of strings.
pub type T4 = Vec<String>;
/// A map from string to list of integers.
pub type T5 = BTreeMap<String, Vec<i32>>;

impl Shape for T1 {
    const STEP: &'static str = "T1";
}

impl Shape for T2 {
    const STEP: &'static str = "T2";
}

impl Shape for T3 {
    const STEP: &'static str = "T3";
}

impl Shape for T4 {
    const STEP: &'static str = "T4";
}

impl Shape for T5 {
    const STEP: &'static str = "T5";
}

impl Shape for Telemetry {
    const STEP: &'static str = "telemetry";
}

impl Shape for Chat {
    const STEP: &'static str = "chat";
}
