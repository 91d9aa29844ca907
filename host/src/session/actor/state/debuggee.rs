//! The debuggee: where it comes from, whether it is under control, its process, and how it exited.
//!
//! Some adapters resume an attached debuggee first (`continues_attached` of its quirks); then its
//! first event is the proof that it is under control:
//!
//! ```text
//!            configured                 event
//!  Awaited ─────────────▶ EventMissing ───────▶ Established, started
//!     │ event
//!     └─────────────────▶ Established ─────────▶ started once configured
//! ```

use super::cpu_sample::CpuSample;
use crate::model::ExitStatus;
use crate::process::ProcessId;

/// The target of an attach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Attached {
    Process(u32),
    /// Host and port.
    Address(String),
}

/// Whether the debuggee is under control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    Established,
    /// Neither the event has come nor is the start sequence complete.
    Awaited,
    /// Only the event is missing.
    EventMissing,
}

pub(crate) struct Debuggee {
    /// The process or address of an attach; `None` for a launch.
    attached_to: Option<Attached>,
    /// The target is a core file, or has ended before.
    post_mortem: bool,
    /// The adapter launches the debuggee.
    launched: bool,
    control: Control,
    /// It has run under our control.
    was_started: bool,
    /// Its process id, as the adapter reports it.
    pid: Option<u32>,
    /// The same process, if it was found on this machine.
    process: Option<ProcessId>,
    /// CPU time at a moment since its latest move.
    cpu_sample: Option<CpuSample>,
    exit: Option<ExitStatus>,
    /// The adapter has sent `terminated`.
    terminated: bool,
}

impl Debuggee {
    /// As requested. `process`: that of an attach, if it was found.
    pub(crate) fn new(
        attached_to: Option<Attached>,
        post_mortem: bool,
        process: Option<ProcessId>,
    ) -> Self {
        Self {
            launched: attached_to.is_none(),
            attached_to,
            post_mortem,
            control: Control::Established,
            was_started: false,
            pid: None,
            process,
            cpu_sample: None,
            exit: None,
            terminated: false,
        }
    }

    /// As planned. `ended_before`: there is nothing to run. `resumes_first`: the adapter resumes an
    /// attached debuggee before it is under control.
    pub(crate) fn on_prepared(&mut self, launched: bool, ended_before: bool, resumes_first: bool) {
        self.launched = launched;
        self.post_mortem |= ended_before;
        if !launched && resumes_first {
            self.control = Control::Awaited;
        }
    }

    pub(crate) fn attached_to(&self) -> Option<&Attached> {
        self.attached_to.as_ref()
    }

    /// The address of an attach.
    pub(crate) fn address(&self) -> Option<&str> {
        match &self.attached_to {
            Some(Attached::Address(address)) => Some(address),
            Some(Attached::Process(_)) | None => None,
        }
    }

    /// The process of an attach.
    pub(crate) fn attached_process(&self) -> Option<u32> {
        match self.attached_to {
            Some(Attached::Process(pid)) => Some(pid),
            Some(Attached::Address(_)) | None => None,
        }
    }

    pub(crate) fn is_launched(&self) -> bool {
        self.launched
    }

    pub(crate) fn set_launched(&mut self, launched: bool) {
        self.launched = launched;
    }

    pub(crate) fn is_post_mortem(&self) -> bool {
        self.post_mortem
    }

    pub(crate) fn was_started(&self) -> bool {
        self.was_started
    }

    /// The start sequence is complete. Returns whether the debuggee has started.
    pub(crate) fn on_configured(&mut self) -> bool {
        let starts = self.control != Control::Awaited;
        if !starts {
            self.control = Control::EventMissing;
        }
        starts
    }

    /// An event shows that the debuggee runs or stands under our control. Returns whether it has
    /// started by that.
    pub(crate) fn on_event(&mut self) -> bool {
        std::mem::replace(&mut self.control, Control::Established) == Control::EventMissing
    }

    pub(crate) fn on_started(&mut self) {
        self.was_started = true;
    }

    /// The process id as the adapter reports it.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.pid
    }

    /// The process on this machine.
    pub(crate) fn process(&self) -> Option<ProcessId> {
        self.process
    }

    pub(crate) fn set_process(&mut self, pid: u32, process: Option<ProcessId>) {
        (self.pid, self.process) = (Some(pid), process);
    }

    pub(crate) fn cpu_sample(&self) -> Option<&CpuSample> {
        self.cpu_sample.as_ref()
    }

    pub(crate) fn set_cpu_sample(&mut self, sample: Option<CpuSample>) {
        self.cpu_sample = sample;
    }

    pub(crate) fn exit(&self) -> Option<ExitStatus> {
        self.exit
    }

    /// How it exited; the first report counts.
    pub(crate) fn on_exited(&mut self, status: ExitStatus) {
        self.exit.get_or_insert(status);
    }

    pub(crate) fn is_terminated(&self) -> bool {
        self.terminated
    }

    pub(crate) fn on_terminated(&mut self) {
        self.terminated = true;
    }

    /// It has ended, and the session goes on without it: the next one counts as launched, unless
    /// its adapter says otherwise.
    pub(crate) fn forget(&mut self) {
        (self.pid, self.process, self.launched) = (None, None, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attached(resumes_first: bool) -> Debuggee {
        let mut debuggee = Debuggee::new(Some(Attached::Process(1)), false, None);
        debuggee.on_prepared(false, false, resumes_first);
        debuggee
    }

    #[derive(Clone, Copy, Debug)]
    enum Happens {
        Configured,
        Event,
    }

    /// For each order of the two, whether the debuggee starts with each of them.
    #[test]
    fn debuggee_starts_once_it_is_configured_and_under_control() {
        use Happens::{Configured, Event};
        for (resumes_first, order, starts) in [
            (false, &[Configured, Event][..], &[true, false][..]),
            (false, &[Event, Configured], &[false, true]),
            (true, &[Configured, Event, Event], &[false, true, false]),
            (true, &[Event, Configured], &[false, true]),
        ] {
            let mut debuggee = attached(resumes_first);
            assert_eq!(order.len(), starts.len());
            for (what, starts) in order.iter().zip(starts) {
                let started = match what {
                    Configured => debuggee.on_configured(),
                    Event => debuggee.on_event(),
                };
                assert_eq!(started, *starts, "{resumes_first} {order:?} {what:?}");
            }
        }
    }

    #[test]
    fn request_says_whether_it_is_launched_until_the_plan_does() {
        assert!(Debuggee::new(None, false, None).is_launched());
        assert!(!Debuggee::new(Some(Attached::Process(1)), false, None).is_launched());
        let mut planned = Debuggee::new(None, false, None);
        planned.on_prepared(false, true, false);
        assert!(!planned.is_launched() && planned.is_post_mortem());
    }

    #[test]
    fn first_exit_counts() {
        let mut debuggee = attached(false);
        debuggee.on_exited(ExitStatus::Code(3));
        debuggee.on_exited(ExitStatus::Code(0));
        assert_eq!(debuggee.exit(), Some(ExitStatus::Code(3)));
    }
}
