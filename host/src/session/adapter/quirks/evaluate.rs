//! Contexts of `evaluate`, and the debugger's own commands.

use dapdock_schema::{Assignment, Busy, CheckNeeds, Commands};

use super::Quirks;
use crate::model::Effects;

impl Quirks {
    /// The context that reads values, or the one that may run statements.
    pub(crate) fn context(&self, effects: Effects) -> &str {
        match effects {
            Effects::None => &self.0.evaluate.value,
            Effects::Allow => &self.0.evaluate.statement,
        }
    }

    /// Whether the context for statements takes assignments.
    pub(crate) fn assigns(&self) -> bool {
        self.0.evaluate.assignment == Assignment::Statement
    }

    /// Whether statements have a context of their own.
    pub(crate) fn has_statement_context(&self) -> bool {
        self.0.evaluate.value != self.0.evaluate.statement
    }

    /// During an evaluation the adapter reads no other request.
    pub(crate) fn evaluates_alone(&self) -> bool {
        self.0.evaluate.busy == Busy::Waits
    }

    /// Whether the syntax of conditions can be checked.
    pub(crate) fn checks_syntax(&self) -> bool {
        self.0.evaluate.check.is_some()
    }

    /// Whether checks of the syntax need a debuggee, after the event `initialized`.
    pub(crate) fn checks_need_debuggee(&self) -> bool {
        let check = self.0.evaluate.check.as_ref();
        check.is_some_and(|check| check.needs == CheckNeeds::Debuggee)
    }

    /// The expression that checks the syntax of a condition, and its context.
    pub(crate) fn syntax_check(&self, condition: &str) -> Option<(String, String)> {
        let check = self.0.evaluate.check.as_ref()?;
        let json = serde_json::Value::String(condition.to_owned()).to_string();
        let expression = check.expression.replace("{json}", &json).replace("{text}", condition);
        Some((expression, check.context.clone()))
    }

    /// The debugger's own commands; none: the adapter takes none.
    pub(crate) fn commands(&self) -> Option<&Commands> {
        self.0.evaluate.commands.as_deref()
    }

    /// The command that deletes the breakpoint with this number of the adapter.
    pub(crate) fn delete_command(&self, number: i64) -> Option<String> {
        let command = self.commands()?.delete.as_ref()?;
        Some(command.replace("{}", &number.to_string()))
    }
}
