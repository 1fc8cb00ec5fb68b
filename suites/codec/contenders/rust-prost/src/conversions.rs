//! Native values to messages and back. A message gives its strings and lists away.

use std::num::TryFromIntError;

use wirelab_codec as native;

use crate::messages::{
    Author, Chat, IntList, Position, Stroke, T1, T2, T3, T4, T5, Telemetry, TelemetryPoint,
};

impl From<&native::T1> for T1 {
    fn from(value: &native::T1) -> Self {
        Self {
            c: value.c.into(),
            uc: value.uc.into(),
            i16: value.i16.into(),
            u16: value.u16.into(),
            i32: value.i32,
            u32: value.u32,
            i64: value.i64,
            u64: value.u64,
            f: value.f,
            d: value.d,
        }
    }
}

impl TryFrom<T1> for native::T1 {
    type Error = TryFromIntError;

    fn try_from(message: T1) -> Result<Self, TryFromIntError> {
        Ok(Self {
            c: message.c.try_into()?,
            uc: message.uc.try_into()?,
            i16: message.i16.try_into()?,
            u16: message.u16.try_into()?,
            i32: message.i32,
            u32: message.u32,
            i64: message.i64,
            u64: message.u64,
            f: message.f,
            d: message.d,
        })
    }
}

impl From<&native::T2> for T2 {
    fn from(value: &native::T2) -> Self {
        Self {
            s1: value.s1.clone(),
            s2: value.s2.clone(),
            s3: value.s3.clone(),
            s4: value.s4.clone(),
            s5: value.s5.clone(),
            s6: value.s6.clone(),
            s7: value.s7.clone(),
            s8: value.s8.clone(),
        }
    }
}

impl From<T2> for native::T2 {
    fn from(message: T2) -> Self {
        Self {
            s1: message.s1,
            s2: message.s2,
            s3: message.s3,
            s4: message.s4,
            s5: message.s5,
            s6: message.s6,
            s7: message.s7,
            s8: message.s8,
        }
    }
}

impl From<&native::T3> for T3 {
    fn from(value: &native::T3) -> Self {
        Self { v: value.clone() }
    }
}

impl From<T3> for native::T3 {
    fn from(message: T3) -> Self {
        message.v
    }
}

impl From<&native::T4> for T4 {
    fn from(value: &native::T4) -> Self {
        Self { v: value.clone() }
    }
}

impl From<T4> for native::T4 {
    fn from(message: T4) -> Self {
        message.v
    }
}

impl From<&native::T5> for T5 {
    fn from(value: &native::T5) -> Self {
        let list = |v: &Vec<i32>| IntList { v: v.clone() };
        Self { m: value.iter().map(|(key, v)| (key.clone(), list(v))).collect() }
    }
}

impl From<T5> for native::T5 {
    fn from(message: T5) -> Self {
        message.m.into_iter().map(|(key, list)| (key, list.v)).collect()
    }
}

impl From<&native::Telemetry> for Telemetry {
    fn from(value: &native::Telemetry) -> Self {
        Self { points: value.points.iter().map(TelemetryPoint::from).collect() }
    }
}

impl From<&native::TelemetryPoint> for TelemetryPoint {
    fn from(point: &native::TelemetryPoint) -> Self {
        Self { time: point.time, value: point.value, quality: point.quality }
    }
}

impl From<Telemetry> for native::Telemetry {
    fn from(message: Telemetry) -> Self {
        let point = native::TelemetryPoint::from;
        Self { points: message.points.into_iter().map(point).collect() }
    }
}

impl From<TelemetryPoint> for native::TelemetryPoint {
    fn from(point: TelemetryPoint) -> Self {
        Self { time: point.time, value: point.value, quality: point.quality }
    }
}

impl From<&native::Chat> for Chat {
    fn from(value: &native::Chat) -> Self {
        Self {
            id: value.id.clone(),
            sent: value.sent,
            board: value.board.clone(),
            author: Some(Author {
                id: value.author.id,
                name: value.author.name.clone(),
                active: value.author.active,
            }),
            text: value.text.clone(),
            mentions: value.mentions.clone(),
            strokes: value.strokes.iter().map(Into::into).collect(),
        }
    }
}

impl From<Chat> for native::Chat {
    fn from(message: Chat) -> Self {
        // What was not sent has its default, as every field of proto3.
        let author = message.author.unwrap_or_default();
        Self {
            id: message.id,
            sent: message.sent,
            board: message.board,
            author: native::Author { id: author.id, name: author.name, active: author.active },
            text: message.text,
            mentions: message.mentions,
            strokes: message.strokes.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<&native::Stroke> for Stroke {
    fn from(value: &native::Stroke) -> Self {
        let point = |point: &native::Position| Position { x: point.x, y: point.y };
        Self {
            color: value.color.clone(),
            width: value.width,
            points: value.points.iter().map(point).collect(),
        }
    }
}

impl From<Stroke> for native::Stroke {
    fn from(message: Stroke) -> Self {
        let point = |point: Position| native::Position { x: point.x, y: point.y };
        Self {
            color: message.color,
            width: message.width,
            points: message.points.into_iter().map(point).collect(),
        }
    }
}
