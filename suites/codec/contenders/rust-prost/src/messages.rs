//! Types that prost-build has made of the suite's schema.

include!(concat!(env!("OUT_DIR"), "/codec.rs"));

pub mod evolution {
    //! The versions of the record of `evolution`.

    include!(concat!(env!("OUT_DIR"), "/codec.evolution.rs"));
}
