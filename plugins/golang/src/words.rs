//! Words for values of Go's runtime and standard library whose fields say nothing to callers:
//! locks, channels, atomic values, times, timers, contexts, large numbers. Knows their fields in Go
//! 1.20 to 1.26.

use crate::{numbers, scan};

/// Types whose values are named by their type, unless their state is in the text.
const OPAQUE: [&str; 21] = [
    "sync.Mutex",
    "internal/sync.Mutex",
    "sync.RWMutex",
    "sync.WaitGroup",
    "sync.Once",
    "sync.Cond",
    "sync.Map",
    "sync.Pool",
    "sync.noCopy",
    "sync/atomic.Value",
    "sync/atomic.Bool",
    "sync/atomic.noCopy",
    "time.Timer",
    "time.Ticker",
    "context.emptyCtx",
    "context.backgroundCtx",
    "context.todoCtx",
    "context.cancelCtx",
    "context.timerCtx",
    "context.valueCtx",
    "context.withoutCancelCtx",
];
/// A type of the same kind for each type of its target.
const POINTER: &str = "sync/atomic.Pointer[";
const NUMBERS: [&str; 5] = [
    "sync/atomic.Int32",
    "sync/atomic.Int64",
    "sync/atomic.Uint32",
    "sync/atomic.Uint64",
    "sync/atomic.Uintptr",
];
const TIME: &str = "time.Time(";

/// The word for a value of this type, which begins with its fields.
pub fn word(ty: &str, fields: &str) -> Option<String> {
    if let Some(time) = fields.strip_prefix(TIME).filter(|_| ty == "time.Time") {
        let (time, fields) = time.split_once(')')?;
        return Some(with_fraction(time, fields));
    }
    if let Some(number) = large(ty, fields) {
        return Some(number);
    }
    (is_known(ty) && fields.starts_with('{')).then(|| of_fields(ty, fields))
}

/// A number of `math/big`.
fn large(ty: &str, fields: &str) -> Option<String> {
    match ty {
        "math/big.Int" => numbers::integer(fields),
        "math/big.Rat" => numbers::fraction(fields),
        _ => None,
    }
}

fn is_known(ty: &str) -> bool {
    OPAQUE.contains(&ty) || NUMBERS.contains(&ty) || ty.starts_with(POINTER)
}

/// Whether the word says all about a value of this type: below it are fields that callers neither
/// read nor set, unlike the number of an atomic one.
pub fn is_whole(ty: &str, word: &str) -> bool {
    let ty = ty.trim_start_matches('*');
    let is_state = OPAQUE.contains(&ty) && !ty.ends_with(word);
    let is_number = matches!(ty, "time.Time" | "math/big.Int" | "math/big.Rat");
    (is_state && !ty.starts_with("sync/atomic.")) || (is_number && !word.starts_with('{'))
}

/// The word for the value at the beginning, with its type, and the length of that value.
pub fn at(text: &str) -> Option<(String, usize)> {
    let target = text.trim_start_matches('*');
    let stars = text.len() - target.len();
    if let Some(rest) = target.strip_prefix(TIME) {
        let close = TIME.len() + rest.find(')')? + 1;
        let fields = scan::part(&target[close..], &[',']).unwrap_or(target.len() - close);
        let time = &target[TIME.len()..close - 1];
        let time = with_fraction(time, &target[close..close + fields]);
        return Some((time, stars + close + fields));
    }
    if is_channel(target) {
        let length = scan::part(target, &[',']).unwrap_or(target.len());
        let (_, state) = target[..length].rsplit_once(' ')?;
        return is_state(state).then(|| (channel(state), stars + length));
    }
    let (ty, fields) = target.split_once(" {")?;
    let fields = &target[ty.len() + 1..fields.len() + ty.len() + 2];
    let whole = scan::part(fields, &[]);
    let length = whole.unwrap_or(fields.len());
    if let Some(number) = large(ty, &fields[..length]) {
        return Some((number, stars + ty.len() + 1 + length));
    }
    if !is_known(ty) {
        return None;
    }
    let mut word = of_fields(ty, &fields[..length]);
    if whole.is_none() {
        word.push_str("...");
    }
    Some((word, stars + ty.len() + 1 + length))
}

/// A time with its fraction of a second, which debuggers leave out: `wall` has the nanoseconds in
/// its lowest 30 bits (time/time.go, `Time`).
fn with_fraction(time: &str, fields: &str) -> String {
    let wall = field(fields, "{wall: ");
    let end = wall.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    let nanoseconds = wall[..end].parse::<u64>().unwrap_or(0) & ((1 << 30) - 1);
    // The zone begins after the seconds. A year may have more than four digits.
    let end = time.find('T').map(|at| at + "T15:04:05".len());
    match end.and_then(|end| time.split_at_checked(end)) {
        Some((seconds, zone)) if nanoseconds > 0 => {
            let fraction = format!("{nanoseconds:09}");
            let fraction = fraction.trim_end_matches('0');
            format!("{seconds}.{fraction}{zone}")
        }
        _ => time.to_owned(),
    }
}

/// Whether it is the type of a channel.
pub fn is_channel(ty: &str) -> bool {
    ["chan ", "<-chan ", "chan<- "].iter().any(|start| ty.starts_with(start))
}

/// Whether it is the state of a channel: `nil` or `0/1`. Else the text is the name of a type.
fn is_state(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text == "nil"
        || text.split_once('/').is_some_and(|(used, size)| is_number(used) && is_number(size))
}

/// The elements that a channel buffers, of as many as it can: `0/1`.
pub fn channel(state: &str) -> String {
    match state.split_once('/') {
        Some((used, size)) => format!("chan({used} of {size})"),
        None => state.to_owned(),
    }
}

fn of_fields(ty: &str, fields: &str) -> String {
    let state = match ty {
        "sync.Mutex" | "internal/sync.Mutex" => after(fields, "state: ").map(mutex),
        "sync.RWMutex" => after(field(fields, "readerCount: "), "v: ").map(readers),
        "sync.WaitGroup" => {
            after(field(fields, "state: "), "v: ").map(|v| format!("waits for {}", v >> 32))
        }
        "sync.Once" => once(fields),
        "sync/atomic.Bool" => after(fields, "v: ").map(|v| (v != 0).to_string()),
        _ if ty.starts_with(POINTER) => {
            field(fields, "v: ").starts_with("unsafe.Pointer(0x0)").then(|| "nil".to_owned())
        }
        _ if NUMBERS.contains(&ty) => after(fields, "v: ").map(|v| v.to_string()),
        _ => None,
    };
    state.unwrap_or_else(|| ty.rsplit("internal/").next().unwrap_or(ty).to_owned())
}

fn mutex(state: i64) -> String {
    if state & 1 == 1 { "locked" } else { "unlocked" }.into()
}

/// A lock for writing subtracts a large number (sync/rwmutex.go, `Lock`).
fn readers(count: i64) -> String {
    match count {
        0 => "unlocked".into(),
        1 => "locked by 1 reader".into(),
        2.. => format!("locked by {count} readers"),
        _ => "locked".into(),
    }
}

/// Up to Go 1.21 `done` is a number.
fn once(fields: &str) -> Option<String> {
    let done = after(fields, "done: ").or_else(|| after(field(fields, "done: "), "v: "))?;
    Some(if done == 0 { "not done" } else { "done" }.into())
}

/// The text from a field on.
fn field<'a>(fields: &'a str, name: &str) -> &'a str {
    fields.split_once(name).map_or("", |(_, rest)| rest)
}

/// The number after a name.
fn after(fields: &str, name: &str) -> Option<i64> {
    let rest = field(fields, name);
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-')?;
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_of_a_lock_is_read_from_its_fields() {
        let count = |count: i64| {
            let fields = format!(
                "{{w: sync.Mutex {{state: 0}}, readerCount: sync/atomic.Int32 {{v: {count}}}}}"
            );
            word("sync.RWMutex", &fields).unwrap()
        };
        assert_eq!([0, 2, -7].map(count), ["unlocked", "locked by 2 readers", "locked"]);
        let unknown = "{w: (*sync.Mutex)(0xc0), readerCount: (*\"sync/atomic.Int32\")(0xc0)}";
        assert_eq!(word("sync.RWMutex", unknown).unwrap(), "sync.RWMutex");
        let group = "{noCopy: sync.noCopy {}, state: sync/atomic.Uint64 {v: 4294967296}, sema: 0}";
        assert_eq!(word("sync.WaitGroup", group).unwrap(), "waits for 1");
        let once = |done: &str| word("sync.Once", &format!("{{done: {done}, m: x}}")).unwrap();
        assert_eq!([once("1"), once("sync/atomic.Uint32 {v: 0}")], ["done", "not done"]);
    }

    #[test]
    fn timers_contexts_and_atomic_pointers_are_named_by_their_types() {
        let timer = "{C: <-chan time.Time 0/1, initTimer: true}";
        assert_eq!(word("time.Timer", timer).unwrap(), "time.Timer");
        let context = "*context.cancelCtx {Context: context.backgroundCtx {emptyCtx: ...}}, x";
        assert_eq!(at(context), Some(("context.cancelCtx".into(), context.len() - 3)));
        let pointer = |v: &str| {
            let fields = format!("{{_: [0]*int [], _: sync/atomic.noCopy {{}}, v: {v}}}");
            word("sync/atomic.Pointer[int]", &fields).unwrap()
        };
        assert_eq!(pointer("unsafe.Pointer(0x0)"), "nil");
        assert_eq!(pointer("unsafe.Pointer(0xc0)"), "sync/atomic.Pointer[int]");
    }

    #[test]
    fn state_of_a_lock_has_nothing_below() {
        assert!(is_whole("sync.Mutex", "locked"));
        assert!(is_whole("*sync.Mutex", "locked"));
        assert!(!is_whole("sync/atomic.Int64", "5"));
        assert!(is_whole("time.Time", "2024-02-29T12:30:00Z"));
        // Its state is not in the text.
        assert!(!is_whole("sync.Mutex", "sync.Mutex"));
        assert!(!is_whole("sync.Map", "sync.Map"));
        assert!(!is_whole("main.Mutex", "locked"));
    }

    #[test]
    fn times_have_their_fraction_of_a_second() {
        let time = |wall: u64, zone: &str| {
            let fields = format!("time.Time(2024-02-29T12:30:00{zone}){{wall: {wall}, ext: 5}}");
            let (text, length) = at(&format!("*{fields}, n: 1")).unwrap();
            assert_eq!(length, fields.len() + 1);
            assert_eq!(word("time.Time", &fields).as_deref(), Some(text.as_str()));
            text
        };
        assert_eq!(time(0, "Z"), "2024-02-29T12:30:00Z");
        assert_eq!(time(5, "Z"), "2024-02-29T12:30:00.000000005Z");
        // With the bit for a monotonic clock, and seconds.
        assert_eq!(
            time(0xe000_0000_0000_0000 | 250_000_000, "+01:00"),
            "2024-02-29T12:30:00.25+01:00"
        );
        let far = "time.Time(12024-02-29T12:30:00Z){wall: 5, ext: 5}";
        assert_eq!(word("time.Time", far).as_deref(), Some("12024-02-29T12:30:00.000000005Z"));
        let cut = "time.Time(2024-02-29T12:3){wall: 5, ext: 5}";
        assert_eq!(word("time.Time", cut).as_deref(), Some("2024-02-29T12:3"));
        let unread = "time.Time(2024-02-29T12:30:00Z)";
        assert_eq!(word("time.Time", unread).as_deref(), Some("2024-02-29T12:30:00Z"));
    }

    #[test]
    fn large_numbers_have_their_digits() {
        let fields = "{neg: true, abs: math/big.nat len: 1, cap: 1, [42]}";
        assert_eq!(word("math/big.Int", fields).as_deref(), Some("-42"));
        assert_eq!(word("main.Int", fields), None);
        let inside = format!("*math/big.Int {fields}, n: 1}}");
        assert_eq!(at(&inside), Some(("-42".into(), inside.len() - 7)));
        assert!(is_whole("*math/big.Int", "-42"));
        assert!(!is_whole("*math/big.Int", "{neg: true, abs: ...}"));
        assert_eq!(at("math/big.Int {neg: false, abs: math/big.nat len: 1..."), None);
    }

    #[test]
    fn only_the_types_of_the_library_have_words() {
        assert_eq!(word("main.Mutex", "{state: 0}"), None);
        assert_eq!(at("main.Mutex {state: 0}, x"), None);
        assert_eq!(at("*sync.Mutex {state: 0}, x"), Some(("unlocked".into(), 22)));
        assert_eq!(at("chan struct {} 0/3}"), Some(("chan(0 of 3)".into(), 18)));
        // A type, as in `(*chan int)(0xc000)` and `main.Box[chan int] {v: 1}`.
        assert_eq!(at("chan int)(0xc000)"), None);
        assert_eq!(at("chan int] {v: 1}"), None);
    }
}
