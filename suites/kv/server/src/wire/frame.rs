//! Frames: a header of 8 bytes (version, type, length of the body), and a body.

use super::Malformed;

/// Bytes of a frame's header.
pub const HEADER: usize = 8;
/// Bytes of the largest body taken. A batch of 5,000 keys that repeats nothing has 0.5 MB.
pub const LARGEST: usize = 4 * 1024 * 1024;

const VERSION: u8 = 2;
const INFO: u8 = 1;
const MESSAGE: u8 = 3;

/// Kind of the body of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Names, a line each, or names with their values.
    Info,
    /// A record's message, or several.
    Message,
}

/// The frame that `bytes` begin with: its kind, and its length with the header; none while its
/// header has not come.
///
/// # Errors
/// When it is none this server takes, or is too large. That is known from its header alone, so
/// nobody has to keep what has come of it.
pub fn heading(bytes: &[u8]) -> Result<Option<(Kind, usize)>, Malformed> {
    let Some(header) = bytes.first_chunk::<HEADER>() else {
        return Ok(None);
    };
    let [version, kind, length @ ..] = *header;
    if version != VERSION {
        return Err(Malformed("a frame of another version than 2"));
    }
    let kind = match kind {
        INFO => Kind::Info,
        MESSAGE => Kind::Message,
        _ => return Err(Malformed("a frame that is neither info nor a message")),
    };
    let length = length
        .iter()
        .fold(0_u64, |so_far, byte| so_far << 8 | u64::from(*byte));
    match usize::try_from(length) {
        Ok(length) if length <= LARGEST => Ok(Some((kind, HEADER + length))),
        _ => Err(Malformed("a frame of more than 4 MiB")),
    }
}

/// Begins a frame in `out`; [`end`] writes its length. Returns where it begins.
pub fn begin(out: &mut Vec<u8>, kind: Kind) -> usize {
    let at = out.len();
    let kind = match kind {
        Kind::Info => INFO,
        Kind::Message => MESSAGE,
    };
    out.extend_from_slice(&[VERSION, kind, 0, 0, 0, 0, 0, 0]);
    at
}

/// Ends the frame that begins at `at`.
pub fn end(out: &mut [u8], at: usize) {
    let length = (out.len() - at - HEADER) as u64;
    out[at + 2..at + HEADER].copy_from_slice(&length.to_be_bytes()[2..]);
}

#[cfg(test)]
mod tests {
    use super::{HEADER, Kind, LARGEST, begin, end, heading};

    #[test]
    fn what_is_written_is_read() {
        let mut out = b"before".to_vec();
        let at = begin(&mut out, Kind::Message);
        out.extend_from_slice(&[7; 300]);
        end(&mut out, at);
        assert_eq!(heading(&out[at..]), Ok(Some((Kind::Message, HEADER + 300))));
        assert_eq!(heading(&out[at..at + 7]), Ok(None));
    }

    #[test]
    fn other_frames_are_refused_by_their_header() {
        let header = |version, kind, length: u64| {
            let mut header =
                (length | u64::from(kind) << 48 | u64::from(version) << 56).to_be_bytes();
            header[0] = version;
            header
        };
        assert!(heading(&header(2_u8, 1_u8, LARGEST as u64)).is_ok());
        assert!(heading(&header(2, 3, LARGEST as u64 + 1)).is_err());
        assert!(heading(&header(2, 3, 0xFFFF_FFFF_FFFF)).is_err());
        assert!(heading(&header(3, 3, 1)).is_err());
        assert!(heading(&header(2, 4, 1)).is_err());
    }
}
