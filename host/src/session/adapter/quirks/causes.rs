//! Where the value of an exception has its message and its causes.

use dapdock_schema::CauseRule;

use super::Quirks;
use crate::model::Variable;

/// Reads the parts of an exception's value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Causes<'a>(&'a CauseRule);

impl Quirks {
    /// None: only `exceptionInfo` has causes.
    pub(crate) fn causes(&self) -> Option<Causes<'_>> {
        self.0.values.causes.as_deref().map(Causes)
    }
}

impl<'a> Causes<'a> {
    /// The function that raises exceptions.
    pub(crate) fn function(self) -> &'a str {
        &self.0.function
    }

    /// An expression for the exception in the frame of that function.
    pub(crate) fn value(self) -> &'a str {
        &self.0.value
    }

    /// Does the only child stand for the value itself?
    pub(crate) fn is_transparent(self, child: &Variable) -> bool {
        self.0.through.contains(&child.name)
    }

    pub(crate) fn is_message(self, field: &Variable) -> bool {
        self.0.messages.contains(&field.name)
    }

    pub(crate) fn is_cause(self, field: &Variable) -> bool {
        has_type(&self.0.causes, field) || self.is_list(field)
    }

    /// Does the field have a list of causes?
    pub(crate) fn is_list(self, field: &Variable) -> bool {
        has_type(&self.0.lists, field)
    }
}

/// Whether the field is of one of these types. A name that ends in a sign is the beginning of one.
fn has_type(names: &[String], field: &Variable) -> bool {
    let ty = field.ty.as_deref().unwrap_or_default();
    names.iter().any(|name| {
        ty == name || (!name.ends_with(char::is_alphanumeric) && ty.starts_with(name.as_str()))
    })
}

#[cfg(test)]
impl Quirks {
    /// An adapter whose exceptions have fields of the type `error` and a field `msg`.
    pub(crate) fn with_causes() -> Self {
        let words = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
        let mut profile = dapdock_schema::Profile::default();
        profile.values.causes = Some(Box::new(CauseRule {
            causes: words(&["error", "error("]),
            lists: words(&["[]error"]),
            messages: words(&["msg"]),
            ..CauseRule::default()
        }));
        Self::new(profile)
    }
}
