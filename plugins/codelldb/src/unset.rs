//! Marks variables of C and C++ that LLDB lists before their declaration has run, and says why a
//! frame has none. The script `unset_variables.py` reads both with the scopes of a frame. Knows the
//! order of the requests; does not know when a variable is set.

use dapdock_plugin::hooks::{Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::prelude::*;

use crate::{runtime, types};

/// The script that reads the names.
const MODULE: &str = "unset_variables";
/// What is displayed in place of the value.
const UNSET: &str = "<not yet set>";
/// Scopes whose names are stored.
const SCOPES: usize = 8;

/// What the script says of a frame.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
struct Frame {
    /// Names of variables that are not set yet.
    unset: Vec<String>,
    /// Why the frame has no variables.
    missing: Option<String>,
}

/// The frames by the reference of their first scope, the newest last.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct Unset {
    read: Frame,
    of_scopes: Vec<(i64, Frame)>,
}

/// Reads the names before the scopes.
pub fn on_request(arguments: dap::FrameArguments) -> RequestAction {
    let report = format!("{MODULE}.report()");
    let mut requests = runtime::in_frame(MODULE, &report, Some(arguments.frame_id));
    requests.push(Request::new::<dap::Scopes>(arguments));
    RequestAction::in_turn(requests)
}

impl Unset {
    /// Stores what a response has of the names. False: it has nothing.
    pub fn store(&mut self, request: &Request, response: &Response) -> bool {
        if let Some(arguments) = request.of::<dap::Evaluate>() {
            if !runtime::is_in_frame(&arguments, MODULE) {
                return false;
            }
            let text = response.of::<dap::Evaluate>().map(|body| body.result);
            let names = text.and_then(|text| serde_json::from_str(&text).ok());
            self.read = names.unwrap_or_default();
            return true;
        }
        let Some(scopes) = response.of::<dap::Scopes>() else { return false };
        let Some(first) = scopes.scopes.first() else { return false };
        self.of_scopes.push((first.variables_reference, std::mem::take(&mut self.read)));
        let excess = self.of_scopes.len().saturating_sub(SCOPES);
        self.of_scopes.drain(..excess);
        true
    }

    /// The variables of a scope with marks, or why there are none; None if neither is needed.
    pub fn marked(&self, request: &Request, response: &Response) -> Option<ResponseAction> {
        let reference = request.of::<dap::Variables>()?.variables_reference;
        let (_, frame) = self.of_scopes.iter().rfind(|(scope, _)| *scope == reference)?;
        let mut body = response.of::<dap::Variables>()?;
        if let Some(why) = frame.missing.as_ref().filter(|_| body.variables.is_empty()) {
            return Some(ResponseAction::failed(Error::invalid_request(why.clone())));
        }
        if frame.unset.is_empty() {
            return None;
        }
        for variable in &mut body.variables {
            if frame.unset.contains(&variable.name) {
                variable.value = UNSET.into();
                variable.variables_reference = 0;
            } else {
                types::describe_absent(variable);
            }
        }
        Some(ResponseAction::replaced::<dap::Variables>(body))
    }
}
