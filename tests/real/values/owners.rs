//! Values behind Rust's smart pointers, cells and locks, and Rust's names of types.

use serde_json::json;

use crate::real::Stage;

/// Each expression with its value and, where it matters, the state of its owner.
const VALUES: [(&str, &str); 24] = [
    ("none", "()  (())"),
    ("byte", "200  (u8)"),
    ("small", "-3  (i8)"),
    ("letter", "'ß'  (char)"),
    ("grid", "[{1, 2, 3}, {4, 5, 6}]  ([[u16; 3]; 2])"),
    ("free", "[1, 2]  (std::sync::poison::mutex::Mutex<alloc::vec::Vec<i64>>)"),
    (
        "locked",
        "\"Füller\" (locked) (strong=1, weak=0)  \
        (alloc::sync::Arc<std::sync::poison::mutex::Mutex<alloc::string::String>>)",
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
        "[\"a\", \"b\"] (borrowed) (strong=1, weak=1)  \
        (alloc::rc::Rc<core::cell::RefCell<alloc::vec::Vec<&str>>>)",
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
        "BTreeMap(300){0: 'x', 1: 'x', 2: 'x', 3: 'x', 4: 'x', …}  \
        (alloc::collections::btree::map::BTreeMap<u32, char>)",
    ),
    ("boxed", "12  (i64 *)"),
    ("once", "\"Atlas\"  (std::sync::once_lock::OnceLock<&str>)"),
    ("never", "<not set>  (std::sync::once_lock::OnceLock<alloc::string::String>)"),
];

pub async fn values_behind_owners(stage: &mut Stage) {
    let poisoned =
        stage.launch("held", json!({"breakpoints": [stage.at("held", "held")]})).await.good();
    assert!(poisoned.reason().starts_with("on panic"), "{}", poisoned.text);
    stage.resume().await.good();
    // One call takes eight expressions.
    for some in VALUES.chunks(8) {
        let names: Vec<&str> = some.iter().map(|(name, _)| *name).collect();
        let read = stage.call("debug_evaluate", json!({"expressions": names})).await.good();
        for (name, value) in some {
            assert_eq!(read.line(&format!("{name} = ")), *value, "{}", read.text);
        }
    }
    let shelf = stage.call("debug_variables", json!({"path": "shelf"})).await.good();
    shelf.says(
        "books: alloc::collections::btree::map::BTreeMap<alloc::string::String, u32> = \
        BTreeMap(2){\"Atlas\": 3, \"Heft\": 7}",
    );
    let all = stage.call("debug_variables", json!({})).await.good();
    for line in ["none: () = ()", "byte: u8 = 200", "grid: [[u16; 3]; 2] = [{1, 2, 3}, {4, 5, 6}]"]
    {
        all.line(&format!("  {line}"));
    }
    let refused = stage.call("debug_evaluate", json!({"expressions": ["byte.len()"]})).await.good();
    refused.says("the length of `byte`, which is u8, is not known; use its fields");
}
