//! Optional: rewrites a caller's text for the debugger.

use crate::adapter::{Error, Json, Session};
use crate::answers::value;
use crate::bindings::translate::exports::dapdock::plugin::translate as wit;
use crate::dap::{self, lenient};

pub use wit::{
    BreakOn, BreakpointText, EvaluateIntent, Evaluation, ExceptionFilter, Risk, SourceLine,
};

/// `interface translate` in `wit/plugin.wit` documents it.
pub trait Translate {
    /// The text and context of an `evaluate`; `None` leaves it to the host.
    fn evaluation_text(
        session: &Session,
        text: &str,
        intent: EvaluateIntent,
    ) -> Result<Option<Evaluation>, Error> {
        let _ = (session, text, intent);
        Ok(None)
    }

    /// Checks and rewrites the texts of one breakpoint; by default unchanged.
    fn breakpoint(session: &Session, spec: BreakpointText) -> Result<BreakpointText, Error> {
        let _ = session;
        Ok(spec)
    }

    /// The adapter's filters for what the caller wants, out of those it offers; `None` leaves it to
    /// the table in the manifest.
    fn exception_filters(
        session: &Session,
        want: &[BreakOn],
        types: &[String],
        offered: &[dap::ExceptionFilter],
    ) -> Result<Option<Vec<ExceptionFilter>>, Error> {
        let _ = (session, want, types, offered);
        Ok(None)
    }
}

impl<P: Translate> wit::Guest for P {
    fn evaluation_text(
        session: &Session,
        text: String,
        intent: EvaluateIntent,
    ) -> Result<Option<Evaluation>, Error> {
        P::evaluation_text(session, &text, intent)
    }

    fn breakpoint(session: &Session, spec: BreakpointText) -> Result<BreakpointText, Error> {
        P::breakpoint(session, spec)
    }

    fn exception_filters(
        session: &Session,
        want: Vec<BreakOn>,
        types: Vec<String>,
        offered: Json,
    ) -> Result<Option<Vec<ExceptionFilter>>, Error> {
        let offered: Vec<dap::ExceptionFilter> =
            lenient::decode(&value(&offered)).unwrap_or_default();
        P::exception_filters(session, &want, &types, &offered)
    }
}
