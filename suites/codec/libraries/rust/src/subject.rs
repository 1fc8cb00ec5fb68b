//! Subjects of measurements: the three kinds of codec, seen alike.

use std::hint::black_box;
use std::ops::DerefMut;

use wirelab_sdk::batches::{Failure, Loops, Said, Timed};

use crate::audits::{at_once, looked, of_encodings, of_messages, of_values};
use crate::codec::{BorrowedCodec, MessageCodec, NativeCodec};
use crate::fold;
use crate::large::Large;
use crate::natives::Shape;
use crate::pools::Pool;
use crate::versions::VersionCodecs;

/// A codec for one shape: whole ways from native value to bytes and back, and the timed operations.
pub(crate) trait Subject<S> {
    type Bytes: DerefMut<Target = [u8]>;

    fn encode(&self, value: &S) -> Result<Self::Bytes, Failure>;

    /// A copy of bytes that came from elsewhere.
    fn hold(&self, bytes: &[u8]) -> Self::Bytes;

    /// The native value; of a view it is made while the bytes are still there.
    fn decode(&self, encoded: &[u8]) -> Result<S, Failure>;

    /// The fold of what the bytes hold: of the native value, or of the view that stands for one.
    fn read(&self, encoded: &[u8]) -> Result<u32, Failure>
    where
        S: Shape,
    {
        Ok(black_box(&self.decode(encoded)?).fold())
    }

    /// The batches of an operation; `None` when there is no such operation.
    fn time(&self, operation: &str, pool: &Pool<S>, loops: &Loops<'_>) -> Option<Timed>;
}

/// The operations of a kind of codec, whatever the shape.
pub(crate) trait Operations {
    const OPERATIONS: &'static [&'static str];

    /// Its codec of the versions of the record; none of a baseline.
    fn versions(&self) -> Option<&dyn VersionCodecs>;

    /// Codecs that it has for large messages, if any.
    fn large(&self) -> Option<Large<'_>> {
        None
    }
}

/// Bytes, kept from the optimiser and folded.
fn written(encoded: &[u8]) -> u32 {
    fold::bytes(black_box(encoded))
}

/// The inputs of an operation that begins in the middle.
fn prepared<S, I>(
    values: &[S],
    prepare: impl FnMut(&S) -> Result<I, Failure>,
) -> Result<Vec<I>, Said> {
    values.iter().map(prepare).collect::<Result<_, Failure>>().map_err(Failure::said)
}

/// Encodings that `encode` makes of the pool and of its twins.
fn encodings<S: Shape, B>(
    pool: &Pool<S>,
    encode: impl Fn(&S) -> Result<B, Failure>,
) -> Result<(Vec<B>, Vec<B>), Said> {
    Ok((prepared(&pool.values, &encode)?, prepared(&pool.twins, &encode)?))
}

pub(crate) struct Natives<C>(pub(crate) C);

impl<C: VersionCodecs> Operations for Natives<C> {
    const OPERATIONS: &'static [&'static str] =
        &["encode", "decode", "round_trip", "round_trip_unused"];

    fn versions(&self) -> Option<&dyn VersionCodecs> {
        Some(&self.0)
    }
}

impl<S: Shape, C: NativeCodec<S>> Subject<S> for Natives<C> {
    type Bytes = Vec<u8>;

    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        self.0.encode(value)
    }

    fn hold(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        self.0.decode(encoded)
    }

    fn time(&self, operation: &str, pool: &Pool<S>, loops: &Loops<'_>) -> Option<Timed> {
        let codec = &self.0;
        let look = |bytes: &Vec<u8>, wanted: &S| -> Result<u32, Failure> {
            let value = codec.decode(bytes)?;
            Ok(looked(value.fold(), &value, wanted))
        };
        let encode = |value: &S, _: &S| codec.encode(value);
        let look_at_encoded = |bytes: Vec<u8>, wanted: &S| look(&bytes, wanted);
        Some(match operation {
            "encode" => {
                let iteration = |value: &S| Ok(written(&codec.encode(value)?));
                of_values(pool, loops, iteration, encode, look_at_encoded)
            }
            "decode" => encodings(pool, |value| codec.encode(value)).and_then(|encodings| {
                let iteration = |bytes: &Vec<u8>| Ok(black_box(&codec.decode(bytes)?).fold());
                of_encodings(encodings, pool, loops, iteration, look)
            }),
            "round_trip" => {
                let iteration = |value: &S| {
                    let encoded = codec.encode(value)?;
                    Ok(black_box(&codec.decode(black_box(&encoded))?).fold())
                };
                of_values(pool, loops, iteration, encode, look_at_encoded)
            }
            "round_trip_unused" => loops.run(&pool.values, |value| {
                let _ = codec.decode(&codec.encode(value)?)?;
                Ok(0)
            }),
            _ => return None,
        })
    }
}

pub(crate) struct Messages<C>(pub(crate) C);

impl<C: VersionCodecs> Operations for Messages<C> {
    const OPERATIONS: &'static [&'static str] =
        &["to_message", "encode", "decode", "from_message", "round_trip", "round_trip_unused"];

    fn versions(&self) -> Option<&dyn VersionCodecs> {
        Some(&self.0)
    }
}

impl<S: Shape, C: MessageCodec<S>> Subject<S> for Messages<C> {
    type Bytes = Vec<u8>;

    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        self.0.encode(&self.0.to_message(value))
    }

    fn hold(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        self.0.to_native(self.0.decode(encoded)?)
    }

    fn time(&self, operation: &str, pool: &Pool<S>, loops: &Loops<'_>) -> Option<Timed> {
        let codec = &self.0;
        let messages = || prepared(&pool.values, |value| Ok(codec.to_message(value)));
        let look = |message: C::Message, wanted: &S| -> Result<u32, Failure> {
            let fold = codec.fold(&message);
            Ok(looked(fold, &codec.to_native(message)?, wanted))
        };
        Some(match operation {
            "to_message" => {
                let iteration = |value: &S| Ok(codec.fold(black_box(&codec.to_message(value))));
                let look = |value: &S, wanted: &S| look(codec.to_message(value), wanted);
                of_values(pool, loops, iteration, look, at_once)
            }
            "encode" => messages().and_then(|messages| {
                let iteration = |message: &C::Message| Ok(written(&codec.encode(message)?));
                let look = |message: &C::Message, wanted: &S| {
                    look(codec.decode(&codec.encode(message)?)?, wanted)
                };
                of_messages(messages, pool, loops, iteration, look)
            }),
            "decode" => encodings(pool, |value| self.encode(value)).and_then(|encodings| {
                let iteration = |bytes: &Vec<u8>| Ok(codec.fold(black_box(&codec.decode(bytes)?)));
                let look = |bytes: &Vec<u8>, wanted: &S| look(codec.decode(bytes)?, wanted);
                of_encodings(encodings, pool, loops, iteration, look)
            }),
            // Conversion takes the message's strings and lists over; there has to be one to take
            // them from, which in a round trip is there anyway.
            "from_message" => messages().and_then(|messages| {
                let iteration =
                    |message: &C::Message| Ok(black_box(&codec.to_native(message.clone())?).fold());
                let look = |message: &C::Message, wanted: &S| {
                    let value = codec.to_native(message.clone())?;
                    Ok(looked(value.fold(), &value, wanted))
                };
                of_messages(messages, pool, loops, iteration, look)
            }),
            "round_trip" => {
                let iteration = |value: &S| {
                    let encoded = codec.encode(&codec.to_message(value))?;
                    let decoded = codec.decode(black_box(&encoded))?;
                    Ok(black_box(&codec.to_native(decoded)?).fold())
                };
                let encode = |value: &S, _: &S| self.encode(value);
                let look = |bytes: Vec<u8>, wanted: &S| look(codec.decode(&bytes)?, wanted);
                of_values(pool, loops, iteration, encode, look)
            }
            "round_trip_unused" => loops.run(&pool.values, |value| {
                let encoded = codec.encode(&codec.to_message(value))?;
                let _ = codec.to_native(codec.decode(&encoded)?)?;
                Ok(0)
            }),
            _ => return None,
        })
    }
}

pub(crate) struct Views<C>(pub(crate) C);

impl<C: VersionCodecs> Operations for Views<C> {
    const OPERATIONS: &'static [&'static str] =
        &["encode", "decode", "round_trip", "round_trip_unused"];

    fn versions(&self) -> Option<&dyn VersionCodecs> {
        Some(&self.0)
    }
}

impl<S: Shape, C: BorrowedCodec<S>> Subject<S> for Views<C> {
    type Bytes = C::Bytes;

    fn encode(&self, value: &S) -> Result<C::Bytes, Failure> {
        self.0.encode(value)
    }

    fn hold(&self, bytes: &[u8]) -> C::Bytes {
        self.0.hold(bytes)
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        self.0.native(&self.0.decode(encoded)?)
    }

    fn read(&self, encoded: &[u8]) -> Result<u32, Failure> {
        Ok(self.0.fold(black_box(&self.0.decode(encoded)?)))
    }

    fn time(&self, operation: &str, pool: &Pool<S>, loops: &Loops<'_>) -> Option<Timed> {
        let codec = &self.0;
        let look = |bytes: &C::Bytes, wanted: &S| -> Result<u32, Failure> {
            let view = codec.decode(bytes)?;
            Ok(looked(codec.fold(&view), &codec.native(&view)?, wanted))
        };
        let encode = |value: &S, _: &S| codec.encode(value);
        let look_at_encoded = |bytes: C::Bytes, wanted: &S| look(&bytes, wanted);
        Some(match operation {
            "encode" => {
                let iteration = |value: &S| Ok(written(&codec.encode(value)?));
                of_values(pool, loops, iteration, encode, look_at_encoded)
            }
            "decode" => encodings(pool, |value| codec.encode(value)).and_then(|encodings| {
                let iteration = |bytes: &C::Bytes| Ok(codec.fold(black_box(&codec.decode(bytes)?)));
                of_encodings(encodings, pool, loops, iteration, look)
            }),
            "round_trip" => {
                let iteration = |value: &S| {
                    let encoded = codec.encode(value)?;
                    Ok(codec.fold(black_box(&codec.decode(black_box(&encoded))?)))
                };
                of_values(pool, loops, iteration, encode, look_at_encoded)
            }
            "round_trip_unused" => loops.run(&pool.values, |value| {
                let encoded = codec.encode(value)?;
                let _ = codec.decode(&encoded)?;
                Ok(0)
            }),
            _ => return None,
        })
    }
}
