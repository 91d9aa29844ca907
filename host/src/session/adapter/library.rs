//! Modules that belong to libraries: code in them is not the user's. Knows `module` events and the
//! profile's rule for libraries. Refuses to open a module.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dapdock_schema::LibraryRule;
use serde_json::Value;

use crate::dap::types::{Module, StackFrame};

/// The ids of loaded modules that belong to libraries.
#[derive(Debug, Default)]
pub(crate) struct Modules(Mutex<HashSet<String>>);

impl Modules {
    /// A module is loaded or has changed. The program's own file, by any of its names, belongs to
    /// no library.
    pub(crate) fn load(&self, module: &Module, rule: &LibraryRule, program: &[PathBuf]) {
        let Some(path) = &module.path else { return };
        let own = program.iter().any(|name| name == Path::new(path));
        if !own && rule.modules.iter().any(|start| path.starts_with(start.as_str())) {
            self.all().insert(key(&module.id));
        } else {
            // The adapter may reuse the id of an unloaded module.
            self.all().remove(&key(&module.id));
        }
    }

    /// Gives frames in these modules DAP's `presentationHint` for unimportant ones.
    pub(crate) fn mark(&self, frames: &mut [StackFrame]) {
        let all = self.all();
        for frame in frames {
            if frame.module_id.as_ref().is_some_and(|id| all.contains(&key(id))) {
                frame.presentation_hint = Some("subtle".to_owned());
            }
        }
    }

    fn all(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The id as text: in DAP it is a number or a string.
fn key(id: &Value) -> String {
    id.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_in_library_modules_are_subtle() {
        let rule = LibraryRule { modules: vec!["/usr/lib/".into()], ..LibraryRule::default() };
        let modules = Modules::default();
        let module =
            |id: Value, path: &str| Module { id, path: Some(path.into()), ..Module::default() };
        let program = ["/usr/bin/git", "/usr/lib/git/git"].map(PathBuf::from);
        for (id, path) in [
            (Value::from(1), "/usr/lib/libc.so.6"),
            (Value::from(2), "/w/build/usr/lib/libshop.so"),
            (Value::from("1"), "/w/shop"),
            (Value::from(3), "/usr/lib/git/git"),
        ] {
            modules.load(&module(id, path), &rule, &program);
        }
        let frame = |id| StackFrame { module_id: id, ..StackFrame::default() };
        let ids = [Some(1.into()), Some(2.into()), Some("1".into()), Some(3.into()), None];
        let mut frames = ids.map(frame);
        modules.mark(&mut frames);
        assert_eq!(
            frames.map(|frame| frame.presentation_hint),
            [Some("subtle".to_owned()), None, None, None, None]
        );
    }
}
