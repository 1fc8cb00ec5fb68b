//! Compressing what users send.

use flate2::{Compress, Compression, FlushCompress};

/// End of every compressed message on its way out, which is sent without it (RFC 7692, 7.2.1).
pub const TAIL: [u8; 4] = [0, 0, 0xff, 0xff];

/// Room for what a message needs beyond its own length when it cannot be compressed.
const SPARE: usize = 64;

/// One compressor for all users of a thread, because each message stands for itself.
pub struct Deflater {
    compress: Compress,
}

impl Default for Deflater {
    fn default() -> Self {
        Self {
            compress: Compress::new(Compression::default(), false),
        }
    }
}

impl Deflater {
    /// The payload of the compressed message `plain`.
    pub fn deflate(&mut self, plain: &[u8]) -> Vec<u8> {
        self.compress.reset();
        let mut packed = Vec::with_capacity(plain.len() + SPARE);
        let mut taken = 0;
        loop {
            // A compressor without an error of its own has none here: it gets room until it is done.
            let _ = self
                .compress
                .compress_vec(&plain[taken..], &mut packed, FlushCompress::Sync);
            taken = self.compress.total_in() as usize;
            if taken == plain.len() && packed.len() < packed.capacity() {
                break;
            }
            packed.reserve(SPARE + plain.len() - taken);
        }
        if packed.ends_with(&TAIL) {
            packed.truncate(packed.len() - TAIL.len());
        }
        packed
    }
}
