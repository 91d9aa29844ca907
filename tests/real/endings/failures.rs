//! Exceptions that code outside the program catches and reports: the program goes on, but a test, a
//! request, a task, a child process or the work of a pool has failed.

use serde_json::json;

use crate::real::Stage;

/// The argument of the fixture, the text that could not be parsed, and the exit code.
const FAILURES: [(&str, &str, &str); 5] = [
    ("test", "'zwölf'", "1"),
    ("request", "'zehn'", "0"),
    ("task", "'neun'", "0"),
    ("child", "'sieben'", "0"),
    ("pool", "'sechs'", "1"),
];

pub async fn failures_stop_where_they_were_raised(stage: &mut Stage) {
    for (how, text, code) in FAILURES {
        let stop = stage.launch("failures", json!({"args": [how]})).await.good();
        stage.assert_stop(&stop, "failures", "parse", "parse");
        assert!(stop.reason().starts_with("exception ValueError"), "{how}: {}", stop.text);
        assert_eq!(stop.local("text"), text, "{}", stop.text);
        assert!(stop.local("number").parse::<u32>().is_ok(), "{}", stop.text);
        stage.resume().await.good().line(&format!("□ exited with code {code}"));
    }
}

pub async fn reported_exceptions_that_the_program_caught_do_not_stop(stage: &mut Stage) {
    let end = stage.launch("failures", json!({"args": ["caught"]})).await.good();
    end.line("□ exited with code 0");
    stage.printed("collected 1").await;
}

const LOOKED_UP: &str = "class Lazy:
    def __getattr__(self, name):
        raise AttributeError(name)


lazy = Lazy()


def test_default():
    assert getattr(lazy, 'x', 1) == 1


def test_failure():
    assert lazy.x == 1
";

/// pytest looks up attributes of everything that it collects.
pub async fn attributes_that_a_library_looks_up_do_not_stop(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("test_lazy.py"), LOOKED_UP).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"command": "pytest -q", "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), "__getattr__  test_lazy.py:3", "{}", stop.text);
    stop.says("<- #1 test_failure  test_lazy.py:14");
    assert_eq!(stop.local("name"), "'x'");
    stage.resume().await.good().line("□ exited with code 1");
}

const UNWOUND: &str = "def charge(cents):
    balance = 100
    state = 'charging'
    try:
        balance -= cents
        if balance < 0:
            raise ValueError('overdrawn')
    finally:
        balance = 100
        state = 'rolled back'


charge(250)
";

/// The frame has ended when it is known that nothing catches the exception.
pub async fn values_after_a_finally_are_noted(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("charge.py"), UNWOUND).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "charge.py", "timeout_s": 50});
    let stop = stage.call("debug_launch", launch.clone()).await.good();
    assert_eq!((stop.place(), stop.local("balance")), ("charge  charge.py:7", "100"));
    stop.line(
        "note: values from after the exception: `finally`, `except` or `with` ran up to line 10; \
         debug_breakpoints exceptions=[\"ValueError\"] stops where it is raised",
    );
    stage.resume().await.good().line("□ exited with code 1");
    stage.call("debug_breakpoints", json!({"exceptions": ["ValueError"]})).await.good();
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!((stop.place(), stop.local("balance")), ("charge  charge.py:7", "-150"));
    assert!(!stop.text.contains("note: "), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 1");
}

const RECURSION: &str = "def deep(n):
    return deep(n + 1)


def later(k):
    doubled = k * 2
    return doubled


for turn in range(2):
    try:
        deep(0)
    except RecursionError:
        print('too deep', flush=True)
    later(turn)
";

/// Up to Python 3.11 the interpreter stops tracing when the debugger's own function exceeds the
/// limit.
pub async fn breakpoints_stop_after_a_caught_recursion_error(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("deep.py"), RECURSION).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "deep.py", "breakpoints": ["deep.py:7"], "timeout_s": 50});
    let mut stop = stage.call("debug_launch", launch).await.good();
    for turn in 0..2 {
        assert_eq!((stop.reason(), stop.place()), ("breakpoint #1", "later  deep.py:7"));
        assert_eq!(stop.local("doubled"), (2 * turn).to_string());
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 0");
}

const CHAIN: &str = "class ConfigError(Exception):
    pass


def load(table, name):
    return table[name]


def build(name):
    try:
        return load({}, name)
    except KeyError as missing:
        raise ConfigError('no\\n' + name) from missing


build('port')
";

pub async fn causes_are_named_at_the_stop(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("chain.py"), CHAIN).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "chain.py", "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), "build  chain.py:13", "{}", stop.text);
    stop.line("  caused by KeyError: 'port'  chain.py:6 load");
    assert!(!stop.text.contains("note: "), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 1");
}
