//! Result codes of the protocol that this server gives.

/// Done.
pub const OK: u8 = 0;
/// There is no such record.
pub const NOT_FOUND: u8 = 2;
/// The record has another generation than the write expects.
pub const GENERATION: u8 = 3;
/// The request cannot be understood.
pub const PARAMETER: u8 = 4;
/// There is such a record already.
pub const EXISTS: u8 = 5;
/// No room for what is written.
pub const FULL: u8 = 8;
/// The node does not own the record's partition.
pub const PARTITION_UNAVAILABLE: u8 = 11;
/// The record would be larger than this server keeps.
pub const TOO_BIG: u8 = 13;
/// The request asks for something this server does not do.
pub const UNSUPPORTED: u8 = 16;
/// There is no such namespace.
pub const NO_NAMESPACE: u8 = 20;
/// The batch has more keys than the server takes.
pub const BATCH_TOO_LARGE: u8 = 151;
