//! Marks variables of C and C++ that LLDB lists before their declaration has run, and what has no
//! place in optimised code; says why a frame has no variables. The script `unset_variables.py`
//! reads these with the scopes of a frame. Knows the order of the requests; does not know when a
//! variable is set.

use std::collections::BTreeMap;

use dapdock_plugin::hooks::{Request, RequestAction, Response};
use dapdock_plugin::prelude::*;

use crate::runtime;
use crate::stops::OPTIMIZED_OUT;

/// The script that reads the names.
const MODULE: &str = "unset_variables";
/// What is displayed in place of the value.
const UNSET: &str = "<not yet set>";
/// Scopes whose names are stored.
const SCOPES: usize = 8;
/// Values whose members are stored.
const VALUES: usize = 64;

/// What the script says of a frame.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
struct Frame {
    /// Names of variables that are not set yet.
    unset: Vec<String>,
    /// Names of variables that have no place.
    lost: Vec<String>,
    /// Names of members that have no place, by the variable.
    lost_members: BTreeMap<String, Vec<String>>,
    /// Variables that the adapter does not list.
    others: Vec<Other>,
    /// Lines of the declarations of names that the function declares several times.
    declared: BTreeMap<String, i64>,
    /// The dimensions of variable length arrays, `[3][2]`, by the variable.
    dimensions: BTreeMap<String, String>,
    /// The texts of variable length arrays that LLDB cannot read.
    texts: BTreeMap<String, String>,
    /// The thread, if this is its innermost frame.
    thread: Option<u64>,
    /// Why the frame has no variables.
    missing: Option<String>,
}

/// A variable that the adapter leaves out, because a later one has its name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde")]
struct Other {
    name: String,
    value: String,
    #[serde(rename = "type")]
    ty: Option<String>,
}

/// The frames by the reference of their first scope, the newest last.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct Unset {
    read: Frame,
    of_scopes: Vec<(i64, Frame)>,
    /// Names of members that have no place, by the reference of the value.
    of_values: Vec<(i64, Vec<String>)>,
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

    /// The thread of the scopes that were read last, if they are of its innermost frame.
    pub fn thread(&self) -> Option<u64> {
        self.of_scopes.last().and_then(|(_, frame)| frame.thread)
    }

    /// The variables of a scope or the members of a value with marks, or the error that says why
    /// there are none; None if neither is needed.
    pub fn marked(
        &mut self,
        request: &Request,
        response: &Response,
    ) -> Option<Result<dap::VariablesResponse, Error>> {
        let reference = request.of::<dap::Variables>()?.variables_reference;
        let mut body = response.of::<dap::Variables>()?;
        if let Some((_, lost)) = self.of_values.iter().rfind(|(value, _)| *value == reference) {
            mark(&mut body, lost, OPTIMIZED_OUT);
            return Some(Ok(body));
        }
        let (_, frame) = self.of_scopes.iter().rfind(|(scope, _)| *scope == reference)?;
        if let Some(why) = frame.missing.as_ref().filter(|_| body.variables.is_empty()) {
            return Some(Err(Error::invalid_request(why.clone())));
        }
        let is_plain = frame.unset.is_empty() && frame.lost.is_empty() && frame.others.is_empty();
        let is_usual = frame.declared.is_empty() && frame.dimensions.is_empty();
        if is_plain && is_usual && frame.lost_members.is_empty() {
            return None;
        }
        for variable in &mut body.variables {
            variable.declared = frame.declared.get(&variable.name).copied();
            resize(variable, &frame.dimensions);
            if let Some(text) = frame.texts.get(&variable.name) {
                (variable.value, variable.variables_reference) = (text.clone(), 0);
            }
        }
        add(&mut body, &frame.others);
        mark(&mut body, &frame.unset, UNSET);
        mark(&mut body, &frame.lost, OPTIMIZED_OUT);
        for variable in &body.variables {
            if let Some(lost) = frame.lost_members.get(&variable.name) {
                self.of_values.push((variable.variables_reference, lost.clone()));
            }
        }
        let excess = self.of_values.len().saturating_sub(VALUES);
        self.of_values.drain(..excess);
        Some(Ok(body))
    }

    /// At a new stop the adapter numbers values from the beginning again.
    pub fn on_stopped(&mut self) {
        self.of_values.clear();
    }
}

/// Adds these variables behind the ones with their names.
fn add(body: &mut dap::VariablesResponse, others: &[Other]) {
    for other in others {
        let name = other.name.split(' ').next();
        let at = body.variables.iter().position(|one| Some(one.name.as_str()) == name);
        let Some(at) = at else { continue };
        let Other { name, value, ty } = other.clone();
        let added = dap::Variable { name, value, type_: ty, ..Default::default() };
        body.variables.insert(at + 1, added);
    }
}

/// Writes the dimensions of a variable length array into its type.
fn resize(variable: &mut dap::Variable, dimensions: &BTreeMap<String, String>) {
    let found = dimensions.get(&variable.name);
    let ty = variable.type_.as_deref().and_then(|ty| ty.split_once('['));
    if let Some((found, (element, _))) = found.zip(ty) {
        variable.type_ = Some(format!("{element}{found}"));
    }
}

/// Displays this text in place of the values of these names.
fn mark(body: &mut dap::VariablesResponse, names: &[String], text: &str) {
    for variable in &mut body.variables {
        if names.contains(&variable.name) {
            variable.value = text.into();
            variable.variables_reference = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_is_left_out_follows_the_one_with_its_name() {
        let variable = |name: &str| dap::Variable { name: name.into(), ..Default::default() };
        let variables = ["ids", "sum"].map(variable).into();
        let mut body = dap::VariablesResponse { variables };
        let other = |name: &str| Other { name: name.into(), value: "[1]".into(), ty: None };
        add(&mut body, &[other("ids #2"), other("gone #2")]);
        let names: Vec<_> = body.variables.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["ids", "ids #2", "sum"]);
        assert_eq!(body.variables[1].value, "[1]");
    }
}
