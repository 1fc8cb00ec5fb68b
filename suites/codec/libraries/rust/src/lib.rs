//! Everything of a Rust contender of the codec suite but its library: native values and their
//! pools, folds, answers, batch loops and the protocol with the core.
//!
//! A contender implements one of three traits for the seven shapes and calls the function of the
//! same name: [`NativeCodec`] and [`run_natives`] when its library reads and writes native values,
//! [`MessageCodec`] and [`run_messages`] when it has messages of its own, [`BorrowedCodec`] and
//! [`run_views`] when what it decodes points into the bytes. The versions of the record of the scenario
//! `evolution` are native values for all of them ([`VersionCodecs`]). Who has a [`LargeCodec`] as well calls
//! [`run_natives_and_large`], [`run_messages_and_large`] or [`run_views_and_large`].

mod answers;
mod audits;
mod baseline;
mod blobs;
mod codec;
mod conformance;
mod evolution;
mod fold;
mod large;
mod library;
mod memory;
mod natives;
mod pools;
mod steps;
mod streams;
mod subject;
mod versions;
mod worker;

pub use blobs::{Blob, BlobView};
pub use codec::{BorrowedCodec, MessageCodec, NativeCodec};
pub use fold::{Fold, counted, float, positions, string, total, weighted};
pub use large::LargeCodec;
pub use library::Library;
pub use natives::{
    Author, Chat, Position, Record, Shape, Stroke, T1, T2, T3, T4, T5, Telemetry, TelemetryPoint,
};
pub use steps::{
    BorrowedCodecs, MessageCodecs, NativeCodecs, run_baseline, run_messages,
    run_messages_and_large, run_natives, run_natives_and_large, run_views, run_views_and_large,
};
pub use streams::{Ends, RecordSink, RecordSource, Repeated, is_over};
pub use versions::{
    Added, Base, Enumeration, Level, Removed, Renamed, Reordered, Required, Retyped, VersionCodecs,
    Widened, WiderLevel,
};
pub use wirelab_sdk::batches::Failure;
