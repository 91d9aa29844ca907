//! Lines of a byte stream, with a limit on the memory for each.
//!
//! Refuses to know what a line contains.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// One line, without its newline.
pub(super) struct Line {
    /// The line, or its start up to the limit.
    pub bytes: Vec<u8>,
    /// The line was longer than the limit; the rest was discarded.
    pub is_cut: bool,
}

/// Splits a byte stream into lines.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    limit: usize,
    bytes: Vec<u8>,
    is_cut: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// `limit`: bytes of a line without its newline.
    pub fn new(reader: R, limit: usize) -> Self {
        Self { reader: BufReader::new(reader), limit, bytes: Vec::new(), is_cut: false }
    }

    /// The next line; `None` at the end of the stream. A last line without newline is incomplete
    /// and is dropped.
    ///
    /// Safe to cancel: a partial line stays in `self`, and nothing is awaited between copying
    /// bytes and consuming them.
    pub async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                return Ok(None);
            }
            let newline = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..newline.unwrap_or(available.len())];
            let room = self.limit - self.bytes.len();
            self.is_cut |= part.len() > room;
            self.bytes.extend_from_slice(&part[..part.len().min(room)]);
            let consumed = part.len() + usize::from(newline.is_some());
            self.reader.consume(consumed);
            if newline.is_some() {
                let bytes = std::mem::take(&mut self.bytes);
                return Ok(Some(Line { bytes, is_cut: std::mem::take(&mut self.is_cut) }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(text: &[u8], limit: usize) -> Vec<(String, bool)> {
        let mut lines = Lines::new(text, limit);
        let mut all = Vec::new();
        while let Some(Line { bytes, is_cut }) = lines.next().await.unwrap() {
            all.push((String::from_utf8(bytes).unwrap(), is_cut));
        }
        all
    }

    #[tokio::test]
    async fn line_over_the_limit_is_cut_and_the_next_is_whole() {
        let expected = [("abcd", false), ("", false), ("abcd", true), ("xy", false)];
        let expected = expected.map(|(text, is_cut)| (text.to_owned(), is_cut));
        assert_eq!(all(b"abcd\n\nabcdefghij\nxy\nincomplete", 4).await, expected);
    }

    #[tokio::test]
    async fn cut_line_takes_no_more_memory_than_the_limit() {
        let long = vec![b'x'; 1 << 20];
        let mut lines = Lines::new(long.as_slice(), 1000);
        assert!(lines.next().await.unwrap().is_none());
        assert_eq!((lines.bytes.len(), lines.is_cut), (1000, true));
        assert!(lines.bytes.capacity() <= 16 * 1024, "{}", lines.bytes.capacity());
    }
}
