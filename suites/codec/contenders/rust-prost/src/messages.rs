//! What prost-build has made of the suite's schema.

include!(concat!(env!("OUT_DIR"), "/codec.rs"));
