//! What the debuggee printed.

/// Where a line came from, as far as the adapter reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// The debuggee's standard output (and error, with adapters that merge them).
    Stdout,
    /// The debuggee's standard error.
    Stderr,
    /// A log breakpoint's text.
    Log,
    /// The adapter's own words.
    Adapter,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// Counts the session's lines from 0; the cursor of `since`.
    pub number: u64,
    /// Where it came from.
    pub stream: Stream,
    /// Without its end.
    pub text: String,
    /// False while the debuggee has not ended the line, and where a long one goes on in the
    /// stream's next.
    pub complete: bool,
}

/// A page of output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputPage {
    /// In order.
    pub lines: Vec<OutputLine>,
    /// Pass it as `since` for what comes next.
    pub next: u64,
    /// Requested lines that the ring no longer holds.
    pub lost: u64,
    /// Lines that matched and were not returned, because of `tail` or the limit.
    pub skipped: u64,
    /// Where they come before the page: pass it as `since` (without `tail`) for the page that ends
    /// where this one begins.
    pub earlier: Option<u64>,
}
