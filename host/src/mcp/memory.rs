//! What calls of one caller leave for later ones, one value for each type.
//!
//! Refuses to know what a value means. Sessions, breakpoints and output belong to sessions.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

type Values = HashMap<TypeId, Arc<dyn Any + Send + Sync>>;

/// The values of one caller.
#[derive(Default)]
pub(super) struct Memory(Mutex<Values>);

impl Memory {
    /// The value of this type, which starts as its default.
    pub fn of<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = values.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default()));
        value.clone().downcast().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn value_of_a_type_is_one() {
        let memory = Memory::default();
        memory.of::<AtomicU32>().store(3, Ordering::Relaxed);
        assert_eq!(memory.of::<AtomicU32>().load(Ordering::Relaxed), 3);
        assert_eq!(*memory.of::<String>(), "");
    }
}
