//! Output of a debuggee that inherits the adapter's own pipes.
//!
//! Knows nothing of DAP. Each stream keeps its order; the order between the two is known only where
//! both are one pipe.

use super::Actor;
use crate::model::{Note, Stream};
use crate::process::{Piece, Pieces, Process, Tail};

/// The pipes that are followed; empty: the debuggee's output comes by events.
#[derive(Default)]
pub(super) struct Pipes(pub(super) Vec<(Stream, Pieces)>);

impl Pipes {
    /// Pipes of a process, from their beginning, each with room for so many unread bytes.
    pub(super) fn of(process: &Process, streams: &[Stream], room: usize) -> Self {
        let pieces = |stream: &Stream| (*stream, tail(process, *stream).pieces(room));
        Self(streams.iter().map(pieces).collect())
    }

    /// The next piece; `None` once there will be none. Cancel safe.
    pub(super) async fn next(&mut self) -> Option<(Stream, Piece)> {
        let waiting = self
            .0
            .iter_mut()
            .map(|(stream, pieces)| Box::pin(async { (*stream, pieces.next().await) }));
        let waiting: Vec<_> = waiting.collect();
        if waiting.is_empty() {
            return None;
        }
        let ((stream, piece), ..) = futures_util::future::select_all(waiting).await;
        if piece.is_none() {
            self.0.retain(|(other, _)| *other != stream);
        }
        Some((stream, piece.unwrap_or_default()))
    }

    /// The pieces that can be read now.
    fn ready(&mut self) -> Vec<(Stream, Piece)> {
        self.0.iter_mut().filter_map(|(stream, pieces)| Some((*stream, pieces.ready()?))).collect()
    }
}

/// What a process writes to one of its standard streams.
pub(super) fn tail(process: &Process, stream: Stream) -> &Tail {
    match stream {
        Stream::Stderr => process.stderr(),
        Stream::Stdout | Stream::Log | Stream::Adapter => process.stdout(),
    }
}

impl Actor {
    pub(super) fn on_printed(&mut self, stream: Stream, piece: &Piece) {
        if piece.lost > 0 {
            self.on_lost(piece.lost);
        }
        self.output.write(stream, &piece.text);
    }

    /// Adds to the one note about lost output.
    fn on_lost(&mut self, more: u64) {
        for note in &mut self.notes {
            if let Note::OutputLost { bytes } = note {
                *bytes += more;
                return;
            }
        }
        self.notes.push(Note::OutputLost { bytes: more });
    }

    /// Records what was printed until now.
    pub(super) fn read_printed(&mut self) {
        for (stream, piece) in self.processes.pipes.ready() {
            self.on_printed(stream, &piece);
        }
    }

    /// Records the last output, before the end is published.
    pub(super) fn on_all_printed(&mut self) {
        self.read_printed();
        self.processes.pipes = Pipes::default();
    }
}
