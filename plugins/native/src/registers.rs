//! Marks registers that have changed since they were listed at an earlier stop. Knows threads and
//! names; knows neither the registers of a machine nor the requests for them.

use std::collections::BTreeMap;

use dapdock_plugin::prelude::*;

/// Values of earlier stops that are stored: those of some dozens of threads.
const STORED: usize = 4_000;

/// Values by thread and name.
type Values = BTreeMap<String, String>;

/// What was listed at this stop and at earlier ones.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct Registers {
    listed: Values,
    before: Values,
}

impl Registers {
    /// The text of a register with this value, a number.
    pub fn text(&mut self, thread: u64, name: &str, value: String) -> String {
        let key = format!("{thread} {name}");
        let before = self.before.get(&key).filter(|before| **before != value);
        let text = before.map(|before| format!("{value} (was {before})"));
        self.listed.insert(key, value.clone());
        text.unwrap_or(value)
    }

    /// The values that were listed are now those of an earlier stop.
    pub fn on_stopped(&mut self) {
        if self.before.len() > STORED {
            self.before.clear();
        }
        self.before.append(&mut self.listed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_of_the_earlier_stop_follows() {
        let mut found = Registers::default();
        assert_eq!(found.text(1, "rax", "0xd".into()), "0xd");
        assert_eq!(found.text(1, "rax", "0x5".into()), "0x5", "at the same stop");
        found.on_stopped();
        assert_eq!(found.text(1, "rax", "0x6".into()), "0x6 (was 0x5)");
        assert_eq!(found.text(1, "rax", "0x6".into()), "0x6 (was 0x5)", "listed again");
        assert_eq!(found.text(1, "rbx", "0x1".into()), "0x1");
        assert_eq!(found.text(2, "rax", "0x7".into()), "0x7", "of another thread");
        found.on_stopped();
        found.on_stopped();
        assert_eq!(found.text(1, "rax", "0x6".into()), "0x6");
        assert_eq!(found.text(1, "rbx", "0x2".into()), "0x2 (was 0x1)");
    }
}
