//! Output of the debuggee and of the adapter, in lines.

/// Origin of a line, as far as the adapter reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// The debuggee's standard output (and error, with adapters that merge them).
    Stdout,
    /// The debuggee's standard error.
    Stderr,
    /// The message of a log breakpoint.
    Log,
    /// A message of the adapter.
    Adapter,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// Number in the session, from 0; `since` takes it.
    pub number: u64,
    /// The origin.
    pub stream: Stream,
    /// Without its line end.
    pub text: String,
    /// Whether the line has ended. False if the debuggee has not ended it yet, or if the next line
    /// of the stream continues it.
    pub complete: bool,
}

/// A page of output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputPage {
    /// In order.
    pub lines: Vec<OutputLine>,
    /// The value of `since` for the next page.
    pub next: u64,
    /// Number of requested lines that are no longer stored.
    pub lost: u64,
    /// Number of matching lines that `tail` or the limit left out.
    pub skipped: u64,
    /// The value of `since`, without `tail`, for the page that ends before this one, if lines were
    /// left out there.
    pub earlier: Option<u64>,
    /// One of the standard streams was requested; they are one stream here, which the page shows.
    pub merged: bool,
}
