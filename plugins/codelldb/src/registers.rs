//! Registers in responses: those that have changed have marks, as under gdb, and all numbers are
//! hexadecimal. Knows the order of the requests; does not know the registers of a machine.

use dapdock_native::registers;
use dapdock_plugin::hooks::{Request, Response};
use dapdock_plugin::prelude::*;

/// The scope of a frame that has the groups of registers.
const SCOPE: &str = "Registers";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct Registers {
    /// The scopes of this stop by their references, each with the thread of an innermost frame.
    scopes: Vec<(i64, Option<u64>)>,
    /// The groups in them.
    groups: Vec<(i64, Option<u64>)>,
    all: registers::Registers,
}

impl Registers {
    /// Stores the scope of a frame: the innermost one of this thread, if there is one.
    pub fn on_scopes(&mut self, thread: Option<u64>, response: &Response) {
        let scopes = response.of::<dap::Scopes>().map(|body| body.scopes).unwrap_or_default();
        let scope = scopes.iter().find(|scope| scope.name == SCOPE);
        self.scopes.extend(scope.map(|scope| (scope.variables_reference, thread)));
    }

    /// The registers of a group, or the groups; None for other variables.
    pub fn marked(
        &mut self,
        request: &Request,
        response: &Response,
    ) -> Option<dap::VariablesResponse> {
        let reference = request.of::<dap::Variables>()?.variables_reference;
        let of_reference = |one: &&(i64, Option<u64>)| one.0 == reference;
        let group = self.groups.iter().find(of_reference).copied();
        let (_, thread) = group.or_else(|| self.scopes.iter().find(of_reference).copied())?;
        let mut body = response.of::<dap::Variables>()?;
        for one in &mut body.variables {
            if group.is_some() {
                self.mark(thread, one);
            } else {
                self.groups.push((one.variables_reference, thread));
            }
        }
        Some(body)
    }

    /// One with a number; another value is that of a vector, with its parts inside. The registers
    /// of a byte have decimal ones, by the format of `unsigned char` in `aggregates.py`.
    fn mark(&mut self, thread: Option<u64>, one: &mut dap::Variable) {
        if let Ok(number) = one.value.parse::<u8>() {
            one.value = format!("{number:#04x}");
        }
        if let Some(thread) = thread.filter(|_| one.value.starts_with("0x")) {
            one.value = self.all.text(thread, &one.name, std::mem::take(&mut one.value));
        }
    }

    /// At a new stop the adapter numbers values from the beginning again.
    pub fn on_stopped(&mut self) {
        self.scopes.clear();
        self.groups.clear();
        self.all.on_stopped();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_hexadecimal_and_marked() {
        let mut registers = Registers::default();
        let mut value = |thread: Option<u64>, name: &str, value: &str| {
            let (name, value) = (name.into(), value.into());
            let mut one = dap::Variable { name, value, ..Default::default() };
            registers.mark(thread, &mut one);
            registers.on_stopped();
            one.value
        };
        assert_eq!(value(Some(1), "rax", "0x05"), "0x05");
        assert_eq!(value(Some(1), "rax", "0x06"), "0x06 (was 0x05)");
        assert_eq!(value(None, "rax", "0x07"), "0x07", "of an outer frame");
        assert_eq!(value(Some(1), "al", "7"), "0x07");
        assert_eq!(value(Some(1), "al", "255"), "0xff (was 0x07)");
        assert_eq!(value(None, "al", "16"), "0x10");
        assert_eq!(value(Some(1), "xmm0", "{0x00}"), "{0x00}");
        assert_eq!(value(Some(1), "xmm0", "{0x01}"), "{0x01}");
    }
}
