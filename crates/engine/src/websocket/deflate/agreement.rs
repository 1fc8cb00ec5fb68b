//! Agreement that the handshake comes to.

/// The extension as servers name it in the fact `compression`.
pub const NAME: &str = "permessage-deflate";

/// Offer of compression. No limit of the client's window is offered, because the compressor has
/// none.
pub const OFFER: &str = "permessage-deflate; client_no_context_takeover";

/// Terms that a server has agreed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The server begins each message without what was in earlier ones.
    pub fresh: bool,
}

/// Agreement of the server's header fields `Sec-WebSocket-Extensions`; why they cannot be accepted
/// otherwise. None: nothing was offered, and nothing is spoken.
pub fn agreed<'a>(
    offered: bool,
    fields: impl Iterator<Item = &'a str>,
) -> Result<Option<Agreement>, String> {
    let said = fields.collect::<Vec<_>>().join(", ");
    match (offered, said.is_empty()) {
        (false, true) => Ok(None),
        (false, false) => Err(format!(
            "the server chose an extension that was not offered: {said}"
        )),
        (true, true) => Err(format!(
            "{NAME} was offered, and the server did not accept it"
        )),
        (true, false) => read(&said).map(Some),
    }
}

fn read(said: &str) -> Result<Agreement, String> {
    let wrong = |why: &str| format!("extensions `{said}`: {why}");
    let mut parts = said.split(';').map(str::trim);
    if parts.next() != Some(NAME) {
        return Err(wrong("not the one that was offered"));
    }
    let mut agreement = Agreement::default();
    let mut seen = Vec::new();
    for part in parts {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim().trim_matches('"'))),
            None => (part, None),
        };
        if seen.contains(&name) {
            return Err(wrong("a parameter twice"));
        }
        seen.push(name);
        match (name, value) {
            ("server_no_context_takeover", None) => agreement.fresh = true,
            ("client_no_context_takeover", None) => {}
            // Every window is within the largest, which is what the decompressor has.
            ("server_max_window_bits", Some(bits)) if is_window(bits) => {}
            _ => {
                return Err(wrong(
                    "a parameter that was not offered, or has no such value",
                ));
            }
        }
    }
    Ok(agreement)
}

fn is_window(bits: &str) -> bool {
    matches!(bits, "8" | "9" | "10" | "11" | "12" | "13" | "14" | "15")
}

#[cfg(test)]
mod tests {
    use super::{Agreement, NAME, agreed};
    use proptest::prelude::*;

    fn answer(said: &str) -> Result<Option<Agreement>, String> {
        agreed(true, Some(said).into_iter())
    }

    #[test]
    fn what_servers_answer() {
        for (said, fresh) in [
            ("permessage-deflate", false),
            ("permessage-deflate; client_no_context_takeover", false),
            ("permessage-deflate;server_no_context_takeover", true),
            ("permessage-deflate; server_max_window_bits=12", false),
            (
                "permessage-deflate; server_max_window_bits=\"8\"; server_no_context_takeover",
                true,
            ),
        ] {
            assert_eq!(answer(said), Ok(Some(Agreement { fresh })), "{said}");
        }
    }

    #[test]
    fn what_was_not_offered_is_refused() {
        for said in [
            "x-webkit-deflate-frame",
            "permessage-deflate, permessage-deflate",
            "permessage-deflate; client_max_window_bits=10",
            "permessage-deflate; server_max_window_bits",
            "permessage-deflate; server_max_window_bits=16",
            "permessage-deflate; server_max_window_bits=08",
            "permessage-deflate; server_no_context_takeover=1",
            "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        ] {
            assert!(answer(said).is_err(), "{said}");
        }
        assert!(agreed(false, Some(NAME).into_iter()).is_err());
    }

    #[test]
    fn a_server_that_does_not_speak_it_is_told_so() {
        let said = agreed(true, std::iter::empty()).expect_err("refused");
        assert!(said.contains("did not accept it"), "{said}");
        assert_eq!(agreed(false, std::iter::empty()), Ok(None));
    }

    proptest! {
        #[test]
        fn anything_may_be_answered(said in "(permessage-deflate)?[; a-z_=\"0-9,]{0,60}") {
            let _ = answer(&said);
        }
    }
}
