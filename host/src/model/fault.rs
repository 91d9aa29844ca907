//! Whose fault an error is; decided once, where the error is defined.

/// Who has to do something about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// What was asked for cannot be had; another call can.
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
