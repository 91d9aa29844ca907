//! Content-Length framing: bytes in any split to JSON messages, and back.
//!
//! Knows headers and JSON. Refuses to know what a message means, and does no I/O.
//!
//! Adapters print banners on stdout, announce wrong lengths and die half way, so the
//! decoder never gives up: what is not a message becomes a [`Garbage`] with facts, and
//! decoding goes on at the next thing that looks like a header. That is sound because
//! JSON escapes line breaks inside strings: a raw `Content-Length: 12\r\n` cannot be
//! part of a well-formed body's text. The items do not depend on how the bytes were split.

use bytes::{Buf, Bytes, BytesMut};
use serde::Serialize;
use serde_json::Value;

use super::lenient;

const KEY: &[u8] = b"content-length:";
/// Retained when an endless line is discarded: a header may begin in its last bytes.
const KEY_WINDOW: usize = 64;
const EXCERPT: usize = 200;

/// How large one message may be, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameLimits {
    /// All header lines of one message, and any line that never ends.
    pub header: usize,
    /// The announced `Content-Length`.
    pub body: usize,
}

impl Default for FrameLimits {
    /// 16 KiB of header, 64 MiB of body.
    fn default() -> Self {
        Self { header: 16 << 10, body: 64 << 20 }
    }
}

/// Bytes that were not a message. Decoding went on behind them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Garbage {
    /// The fault.
    pub cause: Cause,
    /// How many bytes were discarded.
    pub bytes: usize,
    /// The first of them, at most 200 bytes, lossily decoded.
    pub excerpt: String,
}

/// Why bytes became [`Garbage`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// Text outside of any message: a line, or what stood before a header on its line.
    Noise,
    /// A header section larger than [`FrameLimits::header`].
    HeaderTooLong,
    /// The announced length is larger than [`FrameLimits::body`]; `u64::MAX` if it is larger still.
    BodyTooLong {
        /// The length in the header, in bytes.
        announced: u64,
    },
    /// A body of the announced length that is not JSON; the error of the parser.
    NotJson(String),
    /// JSON that is not a DAP message; the missing part.
    NotDap(&'static str),
    /// The stream ended inside of a message.
    CutShort,
}

/// One step of decoding.
#[derive(Debug, Clone, PartialEq)]
pub enum Frame {
    /// A well-formed JSON body.
    Message(Value),
    /// Something else.
    Garbage(Garbage),
}

/// Writes one message as header and body in one buffer, so that it leaves in one write.
///
/// # Errors
/// When `message` cannot be JSON (a map with keys that are not strings).
pub fn encode(message: &impl Serialize) -> serde_json::Result<Bytes> {
    let body = serde_json::to_vec(message)?;
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend_from_slice(&body);
    Ok(frame.into())
}

/// Finds messages in a growing buffer. The caller appends to the buffer, the decoder consumes.
#[derive(Debug)]
pub struct Decoder {
    limits: FrameLimits,
    /// Bytes of the unfinished line known to hold no line break.
    scanned: usize,
    head: Head,
    noise: Noise,
    body: Option<usize>,
}

/// The header section so far.
#[derive(Debug, Default)]
struct Head {
    length: Option<u64>,
    lines: Vec<u8>,
}

/// Thrown away since the last item, not reported yet.
#[derive(Debug, Default)]
struct Noise {
    bytes: usize,
    start: Vec<u8>,
}

impl Noise {
    fn add(&mut self, bytes: &[u8]) {
        let room = EXCERPT - self.start.len();
        self.start.extend_from_slice(&bytes[..room.min(bytes.len())]);
        self.bytes += bytes.len();
    }

    fn report(&mut self, cause: Cause) -> Option<Frame> {
        let noise = std::mem::take(self);
        let excerpt = String::from_utf8_lossy(&noise.start).into_owned();
        (noise.bytes > 0).then(|| Frame::Garbage(Garbage { cause, bytes: noise.bytes, excerpt }))
    }
}

impl Decoder {
    /// A decoder at the start of a stream.
    pub fn new(limits: FrameLimits) -> Self {
        Self { limits, scanned: 0, head: Head::default(), noise: Noise::default(), body: None }
    }

    /// The next message or garbage, `None` when `buffer` holds no whole one yet.
    pub fn decode(&mut self, buffer: &mut BytesMut) -> Option<Frame> {
        loop {
            if let Some(length) = self.body {
                return (buffer.len() >= length).then(|| self.take_body(buffer, length));
            }
            let line = self.take_line(buffer)?;
            if let Some(frame) = self.read_line(&line) {
                return Some(frame);
            }
        }
    }

    /// What is left when the stream has ended.
    pub fn finish(&mut self, buffer: &mut BytesMut) -> Option<Garbage> {
        let inside = self.body.take().is_some() || self.head.length.is_some();
        self.break_head(&buffer.split());
        let cause = if inside { Cause::CutShort } else { Cause::Noise };
        match self.noise.report(cause) {
            Some(Frame::Garbage(garbage)) => Some(garbage),
            _ if inside => {
                Some(Garbage { cause: Cause::CutShort, bytes: 0, excerpt: String::new() })
            }
            _ => None,
        }
    }

    /// A whole line with its line break. An endless one is discarded as it comes.
    fn take_line(&mut self, buffer: &mut BytesMut) -> Option<BytesMut> {
        if let Some(at) = buffer[self.scanned..].iter().position(|&b| b == b'\n') {
            let line = buffer.split_to(self.scanned + at + 1);
            self.scanned = 0;
            return Some(line);
        }
        if buffer.len() > self.limits.header.max(KEY_WINDOW) {
            self.break_head(&buffer.split_to(buffer.len() - KEY_WINDOW));
        }
        self.scanned = buffer.len();
        None
    }

    fn read_line(&mut self, line: &[u8]) -> Option<Frame> {
        let text = line.trim_ascii_end();
        let clean = self.noise.bytes == 0 && line.len() <= self.limits.header;
        match find_key(text) {
            Some(at) => self.read_length(line, at),
            None if clean && text.is_empty() && self.head.length.is_some() => self.end_head(),
            None if clean && text.is_empty() && self.head.lines.is_empty() => None,
            None if clean && self.is_header(line) => self.grow_head(line),
            None => {
                self.break_head(line);
                self.noise.report(Cause::Noise)
            }
        }
    }

    /// `Name: value` with a name that HTTP would accept. A mere line feed ends a
    /// header only behind the length: else every `Error: …` of a log would be one.
    fn is_header(&self, line: &[u8]) -> bool {
        let name = line.iter().position(|&b| b == b':').map_or(&[][..], |at| &line[..at]);
        let named =
            !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
        named && (line.ends_with(b"\r\n") || self.head.length.is_some())
    }

    /// A line holding the key at `at`; what stands before it is noise.
    fn read_length(&mut self, line: &[u8], at: usize) -> Option<Frame> {
        let digits = line[at + KEY.len()..].trim_ascii();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            self.break_head(line);
            return self.noise.report(Cause::Noise);
        }
        let digits = std::str::from_utf8(digits).unwrap_or_default();
        self.noise.add(&line[..at]);
        self.head.length = Some(digits.parse().unwrap_or(u64::MAX));
        let noise = self.noise.report(Cause::Noise);
        let too_long = self.grow_head(&line[at..]);
        noise.or(too_long)
    }

    fn grow_head(&mut self, line: &[u8]) -> Option<Frame> {
        if self.head.lines.len() + line.len() <= self.limits.header {
            self.head.lines.extend_from_slice(line);
            return None;
        }
        self.break_head(line);
        self.noise.report(Cause::HeaderTooLong)
    }

    /// The header section turned out to be noise, up to and with `line`.
    fn break_head(&mut self, line: &[u8]) {
        let head = std::mem::take(&mut self.head);
        self.noise.add(&head.lines);
        self.noise.add(line);
    }

    fn end_head(&mut self) -> Option<Frame> {
        let announced = self.head.length?;
        let length = usize::try_from(announced).ok().filter(|length| *length <= self.limits.body);
        if length.is_none() {
            self.break_head(b"");
            return self.noise.report(Cause::BodyTooLong { announced });
        }
        self.head = Head::default();
        self.body = length;
        None
    }

    /// The body, or, when it is no JSON, garbage up to the next header inside of it:
    /// the announced length was too large and the next message is in there.
    fn take_body(&mut self, buffer: &mut BytesMut, length: usize) -> Frame {
        self.body = None;
        let error = match lenient::parse(&buffer[..length]) {
            Ok(message) => {
                buffer.advance(length);
                return Frame::Message(message);
            }
            Err(error) => error.to_string(),
        };
        let end = next_header(&buffer[..length]).unwrap_or(length);
        let lost = buffer.split_to(end);
        let excerpt = String::from_utf8_lossy(&lost[..lost.len().min(EXCERPT)]).into_owned();
        Frame::Garbage(Garbage { cause: Cause::NotJson(error), bytes: lost.len(), excerpt })
    }
}

fn find_key(bytes: &[u8]) -> Option<usize> {
    bytes.windows(KEY.len()).position(|window| window.eq_ignore_ascii_case(KEY))
}

/// Where a whole `Content-Length: <digits>` line begins inside of a broken body.
fn next_header(body: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = find_key(&body[from..]).map(|at| from + at) {
        let rest = body[at + KEY.len()..].trim_ascii_start();
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 && matches!(rest.get(digits), Some(b'\r' | b'\n') | None) {
            return Some(at);
        }
        from = at + KEY.len();
    }
    None
}
