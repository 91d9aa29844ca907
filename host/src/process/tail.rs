//! The last bytes of a stream, and its lines for readers.
//!
//! Knows bytes and line ends. The pump that fills it never waits for a reader, so the child is
//! never blocked. Refuses to know what the text means.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::net::unix::pipe::Receiver;
use tokio::sync::watch;

/// The longest piece that [`Pieces::next`] returns, in bytes.
const PIECE: usize = 64 * 1024;

/// Bytes of one read.
const CHUNK: usize = 8 * 1024;

/// The most that a pipe holds, unless a privileged process makes it larger (`pipe(7)`).
const PIPE: usize = 1 << 20;

/// A bounded view of one stream; cheap to clone.
#[derive(Clone, Debug)]
pub struct Tail(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// Locked from a read of the pipe until its bytes are here: they keep their order.
    ring: Mutex<Ring>,
    pipe: OnceLock<Receiver>,
    grown: watch::Sender<u64>,
}

#[derive(Debug)]
struct Ring {
    bytes: VecDeque<u8>,
    cap: usize,
    line_cap: usize,
    /// Stream offset of `bytes[0]`: number of dropped bytes.
    base: u64,
    closed: bool,
}

impl Tail {
    pub(super) fn new(cap: usize, line_cap: usize) -> Self {
        let ring = Ring {
            bytes: VecDeque::new(),
            cap,
            line_cap: line_cap.min(cap),
            base: 0,
            closed: false,
        };
        let (ring, pipe) = (Mutex::new(ring), OnceLock::new());
        Self(Arc::new(Shared { ring, pipe, grown: watch::Sender::new(0) }))
    }

    /// The retained bytes as text, oldest first, with all that was written before this call; bytes
    /// that are not UTF-8 are replaced.
    pub fn text(&self) -> String {
        self.read_pipe();
        let ring = self.ring();
        String::from_utf8_lossy(&ring.slices(0..ring.bytes.len()).concat()).into_owned()
    }

    /// Number of bytes that newer ones displaced.
    pub fn forgotten(&self) -> u64 {
        self.ring().base
    }

    /// Whether every writer has closed the stream.
    pub fn is_closed(&self) -> bool {
        self.ring().closed
    }

    /// The lines from the oldest retained byte on, including lines from before this call.
    pub fn lines(&self) -> Lines {
        Lines { tail: self.clone(), cursor: self.ring().base, grown: self.0.grown.subscribe() }
    }

    /// The same in pieces, as they arrive; from now on as many bytes as `room` are retained.
    pub fn pieces(&self, room: usize) -> Pieces {
        let mut ring = self.ring();
        ring.cap = ring.cap.max(room);
        Pieces { tail: self.clone(), cursor: ring.base, grown: self.0.grown.subscribe() }
    }

    /// Returns once every writer has closed the stream.
    pub async fn closed(&self) {
        let mut grown = self.0.grown.subscribe();
        while !self.is_closed() && grown.changed().await.is_ok() {}
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.0.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, change: impl FnOnce(&mut Ring)) {
        change(&mut self.ring());
        self.0.grown.send_modify(|count| *count += 1);
    }

    /// Reads the pipe to its end; without one the stream is empty.
    pub(super) async fn pump(self, pipe: Option<Receiver>) {
        if let Some(pipe) = pipe {
            let pipe = self.0.pipe.get_or_init(|| pipe);
            let mut chunk = vec![0; CHUNK];
            while pipe.readable().await.is_ok() && self.read_chunk(pipe, &mut chunk) {
                // A pipe that is never empty must not keep the thread.
                tokio::task::coop::consume_budget().await;
            }
        }
        self.update(|ring| ring.closed = true);
    }

    /// Reads once. False: the pipe has ended.
    fn read_chunk(&self, pipe: &Receiver, chunk: &mut [u8]) -> bool {
        let mut ring = self.ring();
        match pipe.try_read(chunk) {
            Ok(count @ 1..) => ring.push(&chunk[..count]),
            Ok(_) => return false,
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
        drop(ring);
        self.0.grown.send_modify(|count| *count += 1);
        true
    }

    /// Reads what the pipe holds, whether or not the runtime has noticed it.
    fn read_pipe(&self) {
        let Some(pipe) = self.0.pipe.get() else { return };
        let (mut chunk, mut read) = ([0; CHUNK], 0);
        let mut ring = self.ring();
        while read < PIPE
            && let Ok(count @ 1..) = rustix::io::read(pipe, &mut chunk)
        {
            ring.push(&chunk[..count]);
            read += count;
        }
        drop(ring);
        if read > 0 {
            self.0.grown.send_modify(|count| *count += 1);
        }
    }
}

#[cfg(test)]
impl Tail {
    /// A tail without a stream.
    pub(crate) fn detached() -> Self {
        Self::new(64, 64)
    }

    /// Adds bytes as if they came from the stream.
    pub(crate) fn bring(&self, bytes: &[u8]) {
        self.update(|ring| ring.push(bytes));
    }
}

impl Ring {
    fn push(&mut self, new: &[u8]) {
        self.bytes.extend(new);
        let excess = self.bytes.len().saturating_sub(self.cap);
        self.bytes.drain(..excess);
        self.base += excess as u64;
    }

    /// Retained bytes, by their positions in `bytes`.
    fn slices(&self, range: Range<usize>) -> [&[u8]; 2] {
        let (front, back) = self.bytes.as_slices();
        let in_front = range.start.min(front.len())..range.end.min(front.len());
        let in_back =
            range.start.saturating_sub(front.len())..range.end.saturating_sub(front.len());
        [&front[in_front], &back[in_back]]
    }

    /// The text of at most so many bytes from `cursor` on and the offset after it, without an
    /// incomplete last character.
    fn piece_at(&self, cursor: u64, most: usize) -> Option<(Piece, u64)> {
        let start = cursor.max(self.base);
        let first = (start - self.base) as usize;
        let end = first.saturating_add(most).min(self.bytes.len());
        let rest = self.slices(first..end).concat();
        let is_last = self.closed && end == self.bytes.len();
        let complete = match std::str::from_utf8(&rest) {
            Err(error) if error.error_len().is_none() && !is_last => error.valid_up_to(),
            _ => rest.len(),
        };
        let text = String::from_utf8_lossy(&rest[..complete]).into_owned();
        (complete > 0).then(|| (Piece { lost: start - cursor, text }, start + complete as u64))
    }

    /// The line at `cursor` and the offset after it, if the line is complete, too long, or the
    /// last.
    fn line_at(&self, cursor: u64) -> Option<(String, u64)> {
        let start = cursor.max(self.base);
        let first = (start - self.base) as usize;
        let end = first.saturating_add(self.line_cap).min(self.bytes.len());
        let (line, used) = match self.bytes.range(first..end).position(|byte| *byte == b'\n') {
            Some(length) => (first..first + length, length + 1),
            None if first == end => return None,
            None if self.closed || end - first == self.line_cap => (first..end, end - first),
            None => return None,
        };
        let line = self.slices(line).concat();
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        Some((String::from_utf8_lossy(line).into_owned(), start + used as u64))
    }
}

/// Follows a [`Tail`] piece by piece; see [`Tail::pieces`].
#[derive(Debug)]
pub struct Pieces {
    tail: Tail,
    cursor: u64,
    grown: watch::Receiver<u64>,
}

/// Text since the previous piece.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Dropped bytes before it: the reader was too slow.
    pub lost: u64,
    /// Whole characters; bytes that are not UTF-8 are replaced.
    pub text: String,
}

impl Pieces {
    /// The next piece, or `None` once the stream is closed and read. Cancel safe.
    pub async fn next(&mut self) -> Option<Piece> {
        loop {
            self.grown.mark_unchanged();
            let closed = self.tail.is_closed();
            match self.read(PIECE) {
                Some(piece) => return Some(piece),
                None if closed => return None,
                None => self.grown.changed().await.ok()?,
            }
        }
    }

    /// All that was written before this call, if anything.
    pub fn ready(&mut self) -> Option<Piece> {
        self.tail.read_pipe();
        self.read(usize::MAX)
    }

    fn read(&mut self, most: usize) -> Option<Piece> {
        let (piece, next) = self.tail.ring().piece_at(self.cursor, most)?;
        self.cursor = next;
        Some(piece)
    }
}

/// Follows a [`Tail`] line by line; see [`Tail::lines`].
#[derive(Debug)]
pub struct Lines {
    tail: Tail,
    cursor: u64,
    grown: watch::Receiver<u64>,
}

impl Lines {
    /// The next line without its end, or `None` once the stream is closed and read.
    ///
    /// A slow reader loses lines and never blocks the child. A line longer than `line_bytes` comes
    /// in pieces. Cancel safe.
    pub async fn next(&mut self) -> Option<String> {
        loop {
            self.grown.mark_unchanged();
            if let Some(line) = self.ready() {
                return Some(line);
            }
            if self.tail.is_closed() && self.tail.ring().line_at(self.cursor).is_none() {
                return None;
            }
            self.grown.changed().await.ok()?;
        }
    }

    /// The next line, if it has arrived.
    pub fn ready(&mut self) -> Option<String> {
        let (line, next) = self.tail.ring().line_at(self.cursor)?;
        self.cursor = next;
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn pieces_are_whole_characters_and_count_lost_bytes() {
        let tail = Tail::new(8, 8);
        let mut pieces = tail.pieces(0);
        let mut next = |bytes: &[u8]| {
            tail.update(|ring| ring.push(bytes));
            pieces.ready().map(|piece| (piece.lost, piece.text))
        };
        assert_eq!(next(b"0123456gr\xc3"), Some((2, "23456gr".into())));
        assert_eq!(next(b"\xbc"), Some((0, "ü".into())));
        assert_eq!(next(b""), None);
        assert_eq!(next(b"\xffx"), Some((0, "\u{fffd}x".into())));
    }

    /// What follows the pipe has not run since the write.
    #[tokio::test]
    async fn what_the_pipe_holds_is_read_at_once() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let tail = Tail::new(PIECE, PIECE);
        let mut pieces = tail.pieces(0);
        let pipe = Receiver::from_owned_fd(reader.into()).ok();
        let mut pump = Box::pin(tail.clone().pump(pipe));
        assert!(futures_util::poll!(pump.as_mut()).is_pending());
        for text in ["one\n", "two\n"] {
            writer.write_all(text.as_bytes()).unwrap();
            assert_eq!(pieces.ready().map(|piece| piece.text), Some(text.to_owned()));
        }
        assert_eq!(pieces.ready(), None);
        writer.write_all(b"three\n").unwrap();
        drop(writer);
        pump.await;
        assert_eq!(pieces.next().await.map(|piece| piece.text), Some("three\n".to_owned()));
        assert_eq!(pieces.next().await, None);
    }

    #[test]
    fn unread_bytes_have_the_room_of_their_reader() {
        let tail = Tail::new(8, 8);
        let mut pieces = tail.pieces(2 * PIECE);
        let text = "gr\u{fc}n ".repeat(PIECE / 6 + 2);
        tail.update(|ring| ring.push(text.as_bytes()));
        let piece = pieces.read(PIECE).unwrap();
        assert_eq!((piece.lost, PIECE - piece.text.len() < 2), (0, true));
        let rest = pieces.ready().unwrap();
        assert_eq!((rest.lost, piece.text + &rest.text), (0, text));
        tail.update(|ring| ring.push(&vec![b'x'; 2 * PIECE + 5]));
        assert_eq!(
            pieces.ready().map(|piece| (piece.lost, piece.text.len())),
            Some((5, 2 * PIECE))
        );
    }
}
