//! Messages of gRPC in a stream of bytes: a flag, the length, and a text as Protocol Buffers have it
//! (`google.protobuf.StringValue`).

use prost::Message;
use prost::bytes::Bytes;

use crate::http::response::Wrong;

/// Before each message: whether it is compressed, and how long it is.
const HEAD: usize = 5;
/// Nothing in the suite is near this long.
const LONGEST: usize = 1024 * 1024;

/// A stream of which bytes come bit by bit.
#[derive(Debug, Default)]
pub struct GrpcMessages {
    bytes: Vec<u8>,
    /// Offset of the message that is read next.
    at: usize,
}

impl GrpcMessages {
    /// Takes what has come.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next text that is complete.
    pub fn next_text(&mut self) -> Result<Option<String>, Wrong> {
        let Some(([flag, length @ ..], rest)) = self.bytes[self.at..].split_first_chunk::<HEAD>()
        else {
            return Ok(None);
        };
        if *flag != 0 {
            return Err((
                "Garbage",
                "a compressed message, though no compression was agreed on".into(),
            ));
        }
        let length = u32::from_be_bytes(*length) as usize;
        if length > LONGEST {
            return Err(("OversizedFrame", format!("a message of {length} bytes")));
        }
        let Some(message) = rest.get(..length) else {
            return Ok(None);
        };
        let text = String::decode(message).map_err(|error| ("Garbage", error.to_string()))?;
        self.at += HEAD + length;
        Ok(Some(text))
    }
}

/// A text as a message, with its head.
pub fn framed(text: &str) -> Bytes {
    let text = text.to_owned();
    let length = text.encoded_len();
    let mut bytes = Vec::with_capacity(HEAD + length);
    bytes.push(0);
    bytes.extend_from_slice(&(length as u32).to_be_bytes());
    bytes.extend_from_slice(&text.encode_to_vec());
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::{GrpcMessages, HEAD, LONGEST, framed};
    use proptest::prelude::*;

    /// The texts that come in these pieces, or the class of what is wrong.
    fn read(pieces: &[&[u8]]) -> Result<Vec<String>, &'static str> {
        let mut messages = GrpcMessages::default();
        let mut texts = Vec::new();
        for piece in pieces {
            messages.feed(piece);
            while let Some(text) = messages.next_text().map_err(|(class, _)| class)? {
                texts.push(text);
            }
        }
        Ok(texts)
    }

    #[test]
    fn a_text_has_flag_length_field_and_length() {
        assert_eq!(&framed("hello")[..], b"\0\0\0\0\x07\x0a\x05hello");
        assert_eq!(&framed("")[..], [0; HEAD]);
    }

    #[test]
    fn what_is_no_message_is_named() {
        assert_eq!(read(&[b"\x01\0\0\0\x01x"]), Err("Garbage"));
        let long = [&[0][..], &(LONGEST as u32 + 1).to_be_bytes()].concat();
        assert_eq!(read(&[&long]), Err("OversizedFrame"));
        // A field that ends behind its message, and a text that is no UTF-8.
        assert_eq!(read(&[b"\0\0\0\0\x02\x0a\x05"]), Err("Garbage"));
        assert_eq!(read(&[b"\0\0\0\0\x03\x0a\x01\xff"]), Err("Garbage"));
    }

    fn cut<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        ends.extend([0, bytes.len()]);
        ends.sort_unstable();
        ends.windows(2)
            .map(|pair| &bytes[pair[0]..pair[1]])
            .collect()
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_wherever_it_is_cut(
            texts in prop::collection::vec(".{0,200}", 0..6),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let bytes: Vec<u8> = texts.iter().flat_map(|text| framed(text)).collect();
            prop_assert_eq!(read(&cut(&bytes, &cuts)), Ok(texts));
        }

        #[test]
        fn cuts_change_nothing_whatever_comes(
            bytes in prop::collection::vec(prop_oneof![Just(0_u8), 0..8_u8, any::<u8>()], 0..80),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            prop_assert_eq!(read(&cut(&bytes, &cuts)), read(&[&bytes]));
        }
    }
}
