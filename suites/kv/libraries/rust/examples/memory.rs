//! A store without a database, for the tests: it computes the records that the suite's `README.md`
//! defines, which depend on no secret here. Of its reads as many end as the parameter `ends` says.

use std::convert::Infallible;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha512};
use wirelab_kv::{Failure, Library, Row, Rows, Spec, Status, Store, run};

const FOUND: [u64; 10] = [0, 840, 895, 645, 575, 980, 760, 910, 0, 690];
const CARDINALITY: [u64; 5] = [100_000, 50_000, 20_000, 10_000, 3];

struct Memory {
    left: AtomicU64,
}

impl Store for Memory {
    type MultiGet = Rows;
    type Error = Infallible;

    fn prepare(&self, set: u64, keys: &[String]) -> Result<Rows, Failure> {
        let number = |key: &String| key.trim_start_matches('k').parse::<u64>();
        keys.iter().map(|key| Ok(record(set, number(key)?))).collect()
    }

    async fn read(&self, multi_get: &Rows) -> Result<Rows, Infallible> {
        let left =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if left.is_err() {
            std::future::pending::<()>().await;
        }
        Ok(multi_get.clone())
    }

    fn explain(error: &Infallible) -> (Status, String) {
        match *error {}
    }
}

fn record(set: u64, key: u64) -> Option<Row> {
    let digests = [0_u32, 1].map(|number| -> [u8; 64] {
        let message = [&(set as u32).to_le_bytes()[..], &key.to_le_bytes(), &number.to_le_bytes()];
        Sha512::digest(message.concat()).into()
    });
    let bits = digests.as_flattened().as_chunks::<8>().0;
    let bin = |j: usize| u64::from_le_bytes(bits[j]);
    (mix(set << 32 | key) % 1000 < FOUND[set as usize]).then(|| Row {
        c: std::array::from_fn(|j| (bin(j) % CARDINALITY[j]).cast_signed()),
        d: std::array::from_fn(|j| (bin(5 + j) >> 11) as f64 / (1_u64 << 53) as f64),
    })
}

fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

fn main() -> ExitCode {
    run(Library::locked(include_str!("../Cargo.lock"), "wirelab-kv"), async |spec: &Spec| {
        Ok(Memory { left: AtomicU64::new(spec.parameter("ends", u64::MAX)?) })
    })
}
