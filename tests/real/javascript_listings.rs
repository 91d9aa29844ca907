//! What is listed of JavaScript values: what the program has, under names that are paths.

use serde_json::json;

use crate::real::stage::{Stage, marked};

const LISTED: &str = "class Cart {
  constructor() {
    this.items = [1, 2];
    this.total = 3;
  }
  sum(add) {
    return add + this.total; // [stop: sum]
  }
}
const map = new Map([['a b', { n: 1 }], [7, 'seven'], [{}, 0]]);
const text = 'one\\n`two` ${three} \\\\ \"four\"\\n' + 'x'.repeat(9000) + 'end';
console.log(new Cart().sum(4), map.size, text.length); // [stop: top]
";

/// No variables of Node or of the debugger; functions come last.
pub async fn locals_are_the_programs_own(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("own.js"), LISTED).unwrap();
    let at = |name: &str| format!("own.js:{}", marked(&dir.path().join("own.js"), name));
    stage.start_in(dir.path()).await;
    let launch =
        json!({"program": "own.js", "breakpoints": [at("top"), at("sum")], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    let locals = stop.line("locals: ");
    assert!(locals.starts_with("map=Map(3) "), "{}", stop.text);
    for name in ["module=", "exports=", "require=", "__dirname=", "__filename=", "this="] {
        assert!(!locals.contains(name), "{}", stop.text);
    }
    assert!(locals.find("text=") < locals.find("Cart="), "{}", stop.text);
    let stop = stage.resume_to(2).await;
    // V8 stops once more on the line, with the value that the function returns.
    let place = stop.place().to_owned();
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!(stop.place(), place, "{}", stop.text);
    assert!(!stop.text.contains("Return value"), "{}", stop.text);
    assert_eq!(stop.local("add"), "4", "{}", stop.text);
    stage.call("debug_continue", json!({})).await.good().line("□ exited with code 0");
}

/// Each entry of a map is listed under its key, if that can be written in a path.
pub async fn entries_of_a_map_are_listed_by_their_keys(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("own.js"), LISTED).unwrap();
    let at = format!("own.js:{}", marked(&dir.path().join("own.js"), "top"));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "own.js", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let all = stage.call("debug_variables", json!({"path": "map"})).await.good();
    all.says(r#"["a b"]: Object = {n: 1}"#);
    all.says("[7]: string = 'seven'");
    let deep = stage.call("debug_variables", json!({"path": "map", "depth": 3})).await.good();
    deep.says("  [\"a b\"]: Object\n    n: number = 1\n");
    let inner = stage.call("debug_variables", json!({"path": r#"map["a b"]"#})).await.good();
    inner.says("  n: number = 1");
    let seven = stage.call("debug_variables", json!({"path": "map[7]"})).await.good();
    seven.says("seven");
    for (target, value, answer) in [
        ("map[7]", "'sieben'", "map[7] = 'sieben'  (was 'seven')"),
        ("map[\"a b\"].n", "2", "map[\"a b\"].n = 2  (was 1)"),
        ("map[\"new\"]", "map.get('a b')", "map[\"new\"] = {n: 2}  (new)"),
    ] {
        let set = json!({"target": target, "value": value});
        assert_eq!(stage.call("debug_set", set).await.good().text, answer);
    }
    // The characters of the text itself.
    let length = 9_031;
    let page = json!({"path": "text", "start": 0, "count": 20});
    let page = stage.call("debug_variables", page).await.good();
    page.says(&format!("text: string · {length} characters"));
    page.says("\none\n`two` ${three} \\\n");
    let page = json!({"path": "text", "start": length - 4, "count": 20});
    let page = stage.call("debug_variables", page).await.good();
    assert!(page.text.ends_with("\nxend"), "{}", page.text);
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("\n  7 4 9031\n");
}

const MAPS: &str = "const one = { id: 1 };
const two = { id: 2 };
const map = new Map([[one, 'first'], ['a => b', { x: 1 }], [null, 5], [0, 'zero'],
  [two, new Map([[one, { deep: true }]])]]);
const long = new Map(Array.from({ length: 300 }, (_, n) => [{ n }, { half: n / 2 }]));
const list = [{ f: x => x, set only(v) {} }, { text: 'a => b' }];
const set = new Set([1, '1', { q: 1 }]), bytes = new Uint8Array([7]);
console.log(map.size, long.size, list.length); // [stop: end]
";

/// Each name that a listing of a map has is a path.
pub async fn names_of_entries_are_paths(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("maps.js"), MAPS).unwrap();
    let at = format!("maps.js:{}", marked(&dir.path().join("maps.js"), "end"));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "maps.js", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    for (query, rows) in [
        (
            json!({"path": "map"}),
            "  [entry@0]: Object = {key: {…}, value: 'first'}\n  [\"a => b\"]: Object = {x: 1}\n  \
             [entry@2]: Object = {key: null, value: 5}\n  [0]: string = 'zero'\n  \
             [entry@4]: Object = {key: {…}, value: Map(1)}\n  size: number = 5",
        ),
        (json!({"path": "map[entry@0]"}), "  key: Object = {id: 1}\n  value: string = 'first'"),
        (json!({"path": "map[entry@0].key"}), "  id: number = 1"),
        (json!({"path": "map[\"a => b\"].x"}), "1"),
        (json!({"path": "map[entry@4].value[entry@0].value.deep"}), "true"),
        (json!({"path": "map[0]"}), "'zero'"),
        (
            json!({"path": "long", "start": 298}),
            "  [entry@298]: Object = {key: {…}, value: {…}}\n  \
             [entry@299]: Object = {key: {…}, value: {…}}",
        ),
        (json!({"path": "long[entry@299].value.half"}), "149.5"),
        (json!({"path": "list"}), "  [0]: Object = {f: ƒ}\n  [1]: Object = {text: 'a => b'}"),
        (json!({"path": "list[0]", "depth": 4}), "  only = (setter)\n  f: Function = x => x"),
        (
            json!({"path": "set"}),
            "  [0]: number = 1\n  [1]: string = '1'\n  [2]: Object = {q: 1}\n  size: number = 3",
        ),
        (json!({"path": "set[2].q"}), "1"),
        (json!({"path": "bytes"}), "  [0]: number = 7"),
    ] {
        let answer = stage.call("debug_variables", query.clone()).await.good();
        let (_, found) = answer.text.split_once('\n').unwrap();
        assert_eq!(found.trim_end(), rows, "{query}: {}", answer.text);
    }
    let none = stage.call("debug_variables", json!({"path": "map[entry@5]"})).await;
    none.says("error[no-such-variable] map has no `entry@5`");
    stage.resume().await.good().line("□ exited with code 0");
}

const UNSET: &str = "class Cart {
  constructor() {
    this.items = [1, 2];
  }
  sum() {
    for (const item of this.items) {
      this.total = (this.total ?? 0) + item; // [stop: loop]
      const later = item;
    }
    let result;
    let { length } = this.items;
    { const length = 7; } // [stop: inner]
    return [result, this.total, length]; // [stop: end]
  }
}
const sum = new Cart().sum(); // [stop: top]
let unset;
console.log(sum.length, unset);
";

/// A variable before its declaration is not yet set; one that is undefined is. `this` has its
/// content.
pub async fn variables_before_their_declaration_are_not_yet_set(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("unset.mjs"), UNSET).unwrap();
    let breakpoints = ["top", "loop", "inner", "end"]
        .map(|name| format!("unset.mjs:{}", marked(&dir.path().join("unset.mjs"), name)));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "unset.mjs", "breakpoints": breakpoints, "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!([stop.local("sum"), stop.local("unset")], ["not yet set"; 2], "{}", stop.text);
    let stop = stage.resume_to(2).await;
    for name in ["later", "result", "length"] {
        assert_eq!(stop.local(name), "not yet set", "{}", stop.text);
    }
    assert_eq!((stop.local("item"), stop.local("this")), ("1", "Cart {items: Array(2)}"));
    let stop = stage.resume_to(2).await;
    assert_eq!(stop.local("later"), "not yet set", "{}", stop.text);
    let stop = stage.resume_to(3).await;
    assert_eq!(stop.local("length"), "not yet set", "{}", stop.text);
    let stop = stage.resume_to(4).await;
    assert_eq!((stop.local("result"), stop.local("length")), ("undefined", "2"), "{}", stop.text);
    assert_eq!(stop.local("this"), "Cart {items: Array(2), total: 3}", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
}

const ERRORS: &str = "class AppError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
    this.detail = { retry: true };
  }
}
function all() {
  const own = new AppError('boom', 42);
  const plain = new TypeError('low');
  const outer = new Error('top', { cause: plain });
  const none = new Error();
  return [own, plain, outer, none]; // [stop: errors]
}
console.log(all().length);
";

/// An error is its class, message and own fields, without its stack.
pub async fn errors_are_listed_with_their_fields(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("errors.js"), ERRORS).unwrap();
    let at = format!("errors.js:{}", marked(&dir.path().join("errors.js"), "errors"));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "errors.js", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    for (name, value) in [
        ("own", "AppError: boom {code: 42, detail: {…}}"),
        ("plain", "TypeError: low"),
        ("outer", "Error: top {cause: TypeError: low}"),
        ("none", "Error"),
    ] {
        assert_eq!(stop.local(name), value, "{}", stop.text);
    }
    let value = stage.call("debug_evaluate", json!({"expressions": ["own"]})).await.good();
    value.says("own = AppError: boom {code: 42, detail: {…}}  (AppError)");
    let fields = stage.call("debug_variables", json!({"path": "own"})).await.good();
    fields.says("  stack: string = 'Error: boom\\n    at all (");
    stage.resume().await.good().line("□ exited with code 0");
}
