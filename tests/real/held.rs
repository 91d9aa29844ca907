//! Values of Rust that others own, share, guard or count, and types in Rust's words.

use serde_json::json;

use super::Stage;

/// Each with what it holds, and with how it is held where that is more than usual.
const HELD: [(&str, &str); 24] = [
    ("none", "()  (())"),
    ("byte", "200  (u8)"),
    ("small", "-3  (i8)"),
    ("letter", "'ß'  (char)"),
    ("grid", "[{1, 2, 3}, {4, 5, 6}]  ([[u16; 3]; 2])"),
    ("free", "[1, 2]  (std::sync::poison::mutex::Mutex<alloc::vec::Vec<i64>>)"),
    (
        "locked",
        "\"Füller\" (locked) (strong=1, weak=0)  (alloc::sync::Arc<std::sync::poison::mutex::Mutex<alloc::string::String>>)",
    ),
    (
        "locked.data",
        "\"Füller\" (locked)  (std::sync::poison::mutex::Mutex<alloc::string::String>)",
    ),
    ("guard", "\"Füller\"  (std::sync::poison::mutex::MutexGuard<alloc::string::String>)"),
    (
        "poisoned",
        "7 (poisoned) (strong=1, weak=0)  (alloc::sync::Arc<std::sync::poison::mutex::Mutex<u32>>)",
    ),
    ("read", "9 (read by 1)  (std::sync::poison::rwlock::RwLock<i16>)"),
    ("reader", "9  (std::sync::poison::rwlock::RwLockReadGuard<i16>)"),
    (
        "shared",
        "[\"a\", \"b\"] (borrowed) (strong=1, weak=1)  (alloc::rc::Rc<core::cell::RefCell<alloc::vec::Vec<&str>>>)",
    ),
    ("weak", "(strong=1, weak=1)  (alloc::rc::Weak<core::cell::RefCell<alloc::vec::Vec<&str>>>)"),
    ("borrow", "[\"a\", \"b\"]  (core::cell::Ref<alloc::vec::Vec<&str>>)"),
    ("changed", "4 (borrowed mutably)  (core::cell::RefCell<u64>)"),
    ("change", "4  (core::cell::RefMut<u64>)"),
    ("counter", "5  (core::sync::atomic::AtomicUsize)"),
    ("ready", "true  (core::sync::atomic::AtomicBool)"),
    ("shelf.open", "true  (core::cell::Cell<bool>)"),
    (
        "many",
        "size=300 {0: 'x', 1: 'x', 2: 'x', 3: 'x', 4: 'x', …}  (alloc::collections::btree::map::BTreeMap<u32, char>)",
    ),
    ("boxed", "12  (i64 *)"),
    ("once", "\"Atlas\"  (std::sync::once_lock::OnceLock<&str>)"),
    ("never", "<not set>  (std::sync::once_lock::OnceLock<alloc::string::String>)"),
];

pub async fn what_is_held_is_shown(stage: &mut Stage) {
    let poisoned =
        stage.launch("held", json!({"breakpoints": [stage.at("held", "held")]})).await.good();
    assert!(poisoned.reason().starts_with("panic"), "{}", poisoned.text);
    stage.resume().await.good();
    // An answer takes so many expressions.
    for some in HELD.chunks(8) {
        let names: Vec<&str> = some.iter().map(|(name, _)| *name).collect();
        let read = stage.call("debug_evaluate", json!({"expressions": names})).await.good();
        for (name, told) in some {
            assert_eq!(read.line(&format!("{name} = ")), *told, "{}", read.text);
        }
    }
    let shelf = stage.call("debug_variables", json!({"path": "shelf"})).await.good();
    shelf.says("books: alloc::collections::btree::map::BTreeMap<alloc::string::String, u32> = BTreeMap{[\"Atlas\"]: 3, [\"Heft\"]: 7}");
    let all = stage.call("debug_variables", json!({})).await.good();
    for line in ["none: () = ()", "byte: u8 = 200", "grid: [[u16; 3]; 2] = [{1, 2, 3}, {4, 5, 6}]"]
    {
        all.line(&format!("  {line}"));
    }
    let refused = stage.call("debug_evaluate", json!({"expressions": ["byte.len()"]})).await.good();
    refused.says("`byte` is u8, whose length is not known here");
}
