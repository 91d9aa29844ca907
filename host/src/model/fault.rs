//! The party at fault; decided once, where the error is defined.

/// The party that can act on an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request cannot be met; another call can succeed.
    Caller,
    /// The program under test.
    Debuggee,
    /// The DAP process.
    Adapter,
    /// The component that knows the adapter.
    Plugin,
    /// dapdock itself, or the machine it runs on.
    Host,
}
