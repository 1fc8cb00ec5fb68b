//! The suite's structs, field by field.

use wirelab_codec::{Author, Chat, Position, Stroke, T1, T2, Telemetry, TelemetryPoint};

use crate::buffer::fields;

fields! {
    T1 {
        c: i8, uc: u8, i16: i16, u16: u16, i32: i32, u32: u32, i64: i64, u64: u64, f: f32, d: f64,
    }
    T2 {
        s1: String, s2: String, s3: String, s4: String,
        s5: String, s6: String, s7: String, s8: String,
    }
    Telemetry { points: Vec<TelemetryPoint> }
    TelemetryPoint { time: i64, value: f64, quality: i32 }
    Chat {
        id: String, sent: i64, board: String, author: Author, text: String,
        mentions: Vec<String>, strokes: Vec<Stroke>,
    }
    Author { id: u32, name: String, active: bool }
    Stroke { color: String, width: f64, points: Vec<Position> }
    Position { x: i32, y: i32 }
}
