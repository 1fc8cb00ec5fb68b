//! One response, read as its bytes come.

use super::framing::{Chunks, Framing};
use super::timing;

/// Header fields of a response.
const MOST_FIELDS: usize = 100;
/// A head that is longer is none.
const LARGEST_HEAD: usize = 64 * 1024;
/// Longest body that is kept for an answer.
pub const LARGEST_KEPT: usize = 1024 * 1024;

/// The metric of `Server-Timing` that is all of the server's time.
pub const TOTAL: &str = "total";

/// Figures of the server's spans in the last response.
#[derive(Clone, Debug, Default)]
pub struct Timings {
    /// By span, in nanoseconds; only the first of a name counts.
    pub found: Vec<Option<u64>>,
    /// Duration of `total`.
    pub total: Option<u64>,
}

/// Fault of a response: a class and words.
pub type Wrong = (&'static str, String);

/// The response of one request, from the first byte to the last.
#[derive(Debug, Default)]
pub struct Response {
    /// A head that has not come as a whole.
    head: Vec<u8>,
    body: Option<Framing>,
    /// Its status, 0 until the head has come.
    pub status: u16,
    /// Bytes of its body.
    pub size: u64,
    /// Another request may follow on the connection.
    pub keeps: bool,
    /// Its body is a stream of events.
    pub is_event_stream: bool,
    /// Part of the body that has come, where it is to be kept.
    pub kept: Option<Vec<u8>>,
    bodiless: bool,
    complete: bool,
}

impl Response {
    /// Forgets the last response and waits for one to a request. `bodiless`: to HEAD; `keep`: its
    /// body is asked for.
    pub fn begin(&mut self, bodiless: bool, keep: bool) {
        self.head.clear();
        self.body = None;
        (self.status, self.size, self.keeps) = (0, 0, false);
        self.is_event_stream = false;
        self.kept = keep.then(Vec::new);
        (self.bodiless, self.complete) = (bodiless, false);
    }

    /// Tells whether all of it is there.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Reads `bytes`, and gives how many of them belong to this response: all, unless it is
    /// complete. `timings` is filled from its head; `spans` are the names that are looked for.
    pub fn read(
        &mut self,
        bytes: &[u8],
        spans: &[Box<[u8]>],
        timings: &mut Timings,
    ) -> Result<usize, Wrong> {
        let mut at = 0;
        while at < bytes.len() && !self.complete {
            if self.body.is_some() {
                at += self.read_body(&bytes[at..])?;
            } else if self.head.is_empty() {
                match self.read_head(&bytes[at..], spans, timings)? {
                    Some(used) => at += used,
                    None => {
                        self.head.extend_from_slice(&bytes[at..]);
                        at = bytes.len();
                    }
                }
            } else {
                at += self.read_head_in_parts(&bytes[at..], spans, timings)?;
            }
        }
        Ok(at)
    }

    /// The peer has ended the connection: whether that is the end of this response, too.
    pub fn end(&mut self) -> bool {
        self.complete |= matches!(self.body, Some(Framing::UntilEnd));
        self.complete
    }

    fn read_head_in_parts(
        &mut self,
        bytes: &[u8],
        spans: &[Box<[u8]>],
        timings: &mut Timings,
    ) -> Result<usize, Wrong> {
        let mut head = std::mem::take(&mut self.head);
        let before = head.len();
        head.extend_from_slice(bytes);
        let Some(used) = self.read_head(&head, spans, timings)? else {
            self.head = head;
            return Ok(bytes.len());
        };
        // What was kept was not a whole head, so this one ends after it.
        Ok(used - before)
    }

    /// The length of the head when it has come as a whole.
    fn read_head(
        &mut self,
        bytes: &[u8],
        spans: &[Box<[u8]>],
        timings: &mut Timings,
    ) -> Result<Option<usize>, Wrong> {
        let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
        let mut head = httparse::Response::new(&mut fields);
        let used = match head.parse(bytes) {
            Ok(httparse::Status::Complete(used)) => used,
            Ok(httparse::Status::Partial) if bytes.len() <= LARGEST_HEAD => return Ok(None),
            Ok(httparse::Status::Partial) => {
                return Err((
                    "OversizedHead",
                    format!("no end after {LARGEST_HEAD} bytes"),
                ));
            }
            Err(error) => return Err(("Garbage", format!("the head of a response: {error}"))),
        };
        let status = head.code.unwrap_or(0);
        if status == 101 || status < 100 {
            return Err(("Garbage", format!("status {status} was not asked for")));
        }
        // Others of this class say that the response is still to come.
        if status >= 200 {
            self.keeps = head.version == Some(1);
            self.status = status;
            self.take_fields(head.headers, spans, timings)?;
        }
        Ok(Some(used))
    }

    fn take_fields(
        &mut self,
        fields: &[httparse::Header<'_>],
        spans: &[Box<[u8]>],
        timings: &mut Timings,
    ) -> Result<(), Wrong> {
        let mut length = None;
        let mut chunked = false;
        timings.total = None;
        timings.found.clear();
        timings.found.resize(spans.len(), None);
        for field in fields {
            // By length first: this is done for every field of every response.
            match field.name.len() {
                14 if field.name.eq_ignore_ascii_case("content-length") => {
                    let own = content_length(field.value)?;
                    if length.is_some_and(|known| known != own) {
                        return Err(("Garbage", "two lengths of one body".into()));
                    }
                    length = Some(own);
                }
                12 if field.name.eq_ignore_ascii_case("content-type") => {
                    let kind = field
                        .value
                        .split(|byte| *byte == b';')
                        .next()
                        .unwrap_or(b"");
                    self.is_event_stream =
                        kind.trim_ascii().eq_ignore_ascii_case(b"text/event-stream");
                }
                17 if field.name.eq_ignore_ascii_case("transfer-encoding") => {
                    if !field.value.trim_ascii().eq_ignore_ascii_case(b"chunked") {
                        return Err((
                            "Garbage",
                            "a transfer encoding that was not asked for".into(),
                        ));
                    }
                    chunked = true;
                }
                10 if field.name.eq_ignore_ascii_case("connection") => {
                    for option in field.value.split(|byte| *byte == b',') {
                        let option = option.trim_ascii();
                        if option.eq_ignore_ascii_case(b"close") {
                            self.keeps = false;
                        } else if option.eq_ignore_ascii_case(b"keep-alive") {
                            self.keeps = true;
                        }
                    }
                }
                13 if field.name.eq_ignore_ascii_case("server-timing") => {
                    timings.take(field.value, spans);
                }
                _ => {}
            }
        }
        if chunked && length.is_some() {
            // RFC 9112, 6.3: what smuggles requests.
            return Err(("Garbage", "a body with a length and in chunks".into()));
        }
        self.complete = self.bodiless || matches!(self.status, 204 | 304) || length == Some(0);
        if !self.complete {
            self.body = Some(match (chunked, length) {
                (true, _) => Framing::Chunked(Chunks::default()),
                (false, Some(length)) => Framing::Length(length),
                (false, None) => {
                    self.keeps = false;
                    Framing::UntilEnd
                }
            });
        }
        Ok(())
    }

    fn read_body(&mut self, bytes: &[u8]) -> Result<usize, Wrong> {
        let Some(body) = &mut self.body else {
            return Ok(0);
        };
        let taken = body.take(bytes).map_err(|what| ("Garbage", what))?;
        self.size += taken.content.len() as u64;
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(&bytes[taken.content]);
            if kept.len() > LARGEST_KEPT {
                self.kept = None;
            }
        }
        self.complete = taken.complete;
        Ok(taken.used)
    }
}

impl Timings {
    fn take(&mut self, value: &[u8], spans: &[Box<[u8]>]) {
        timing::durations(value, |name, ns| {
            if name == TOTAL.as_bytes() {
                self.total.get_or_insert(ns);
            }
            if let Some(span) = spans.iter().position(|span| **span == *name) {
                self.found[span].get_or_insert(ns);
            }
        });
    }
}

fn content_length(value: &[u8]) -> Result<u64, Wrong> {
    let digits = value.trim_ascii();
    let known = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    known
        .then(|| std::str::from_utf8(digits).ok()?.parse().ok())
        .flatten()
        .ok_or_else(|| ("Garbage", "the length of a body is no number".into()))
}

#[cfg(test)]
#[path = "response_tests.rs"]
mod tests;
