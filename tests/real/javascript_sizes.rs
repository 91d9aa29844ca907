//! JavaScript values so large that reading all of them would stop the debugger for many seconds,
//! and values whose own code does not end.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::real::stage::{Stage, marked};

const LARGE: &str = "function main() {
  const small = { n: 1 };
  const list = Array.from({ length: 1e7 }, (_, i) => i);
  const map = new Map(Array.from({ length: 1e6 }, (_, i) => [i, 2 * i]));
  const set = new Set(Array.from({ length: 1e6 }, (_, i) => i));
  const wide = Object.fromEntries(Array.from({ length: 3e5 }, (_, i) => ['k' + i, i]));
  const text = '€'.repeat(5e8);
  const texts = { long: text, short: 'a' };
  const digits = 2n ** 10000000n;
  let nested = {};
  for (let i = 0; i < 1e5; i += 1) nested = { nested };
  return small; // [stop: return]
}
main();
";

/// Each is read in part, with its size, and none hides another.
pub async fn large_values_are_read_in_part(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("large.js"), LARGE).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("large.js:{}", marked(&dir.path().join("large.js"), "return"));
    let launch = json!({"program": "large.js", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let all = stage.call("debug_variables", json!({})).await.good();
    for line in [
        "  small: Object = {n: 1}",
        "  list: Array = (10000000) [0, 1, 2, ",
        "  map: Map = Map(1000000) {0 => 0, 1 => 2, ",
        "  set: Set = Set(1000000) {0, 1, ",
        "  wide: Object = {k0: 0, k1: 1, ",
        "  texts: Object = {long: '… (500000000 characters)', short: 'a'",
        "  digits: string = 'a bigint of more than 30,000 digits'",
        "  nested: Object = {nested: {…}}",
    ] {
        all.says(line);
    }
    assert!(all.line("  text: string = '").ends_with("… (500000000 characters)'"), "{}", all.text);
    // A page in the middle, an element, and the number of the names that are not listed.
    let page = json!({"path": "map", "start": 500_000});
    stage.call("debug_variables", page).await.good().says("  [500000]: number = 1000000\n");
    let wide = stage.call("debug_variables", json!({"path": "wide"})).await.good();
    wide.says("  …: string = '298000 more properties'\n");
    wide.says("  k1: number = 1\n");
    let values = ["map.get(999999)", "list.at(-1)", "wide.k299999", "text.length", "text"];
    let answer = stage.call("debug_evaluate", json!({"expressions": values})).await.good();
    for line in [
        "map.get(999999) = 1999998  (number)",
        "list.at(-1) = 9999999  (number)",
        "wide.k299999 = 299999  (number)",
        "text.length = 500000000  (number)",
        "text = '",
    ] {
        answer.says(line);
    }
    stage.resume().await.good().line("□ exited with code 0");
}

const HOSTILE: &str = "function main() {
  const cycle = { name: 'c' };
  cycle.self = cycle;
  const throws = { a: 1, get bad() { throw new Error('no'); }, z: 2 };
  const endless = { a: 1, get bad() { for (;;); }, z: 2 };
  const stuck = new Proxy({ a: 1 }, { ownKeys() { for (;;); }, getPrototypeOf() { for (;;); } });
  const thrower = new Proxy({ b: 1 }, { ownKeys() { throw new Error('keys'); } });
  class Late extends Error { get message() { for (;;); } }
  const late = new Late();
  const errors = { first: late, n: 5 };
  const text = 'x'.repeat(1000).repeat(5e5);
  const small = 1; // [stop: before]
  return [cycle, throws, endless, stuck, thrower, errors, text, small].length; // [stop: values]
}
main();
";

/// What a stop or a read may take.
const SOON: Duration = Duration::from_secs(2);

/// A stop and each read take little time, and none of the values hides another.
pub async fn hostile_values_of_javascript_are_read_soon(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("hostile.js");
    std::fs::write(&file, HOSTILE).unwrap();
    stage.start_in(dir.path()).await;
    let at = ["before", "values"].map(|mark| format!("hostile.js:{}", marked(&file, mark)));
    let launch = json!({"program": "hostile.js", "breakpoints": at, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let began = Instant::now();
    let stop = stage.resume().await.good();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert_eq!(stop.local("small"), "1", "{}", stop.text);
    let began = Instant::now();
    let all = stage.call("debug_variables", json!({})).await.good();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    for line in [
        "  cycle: Object = {name: 'c', self: {…}}",
        "  throws: Object = {a: 1, bad: <accessor>, z: 2}",
        "  endless: Object = {a: 1, bad: <accessor>, z: 2}",
        "  stuck: Object = Proxy(Object) {a: 1}",
        "  thrower: Object = Proxy(Object) {b: 1}",
        "  late: Late = Late",
        "  errors: Object = {first: Late, n: 5",
        "  text: string = 'xxx",
        "  small: number = 1",
    ] {
        all.says(line);
    }
    for (path, part) in [
        ("cycle.self.self", "name: string = 'c'"),
        ("endless", "  bad = (getter)"),
        ("endless.bad", "'<the getter takes longer than 500 ms>'"),
        ("stuck", "its properties were not listed in time"),
        ("errors.first", "  message = (getter)"),
    ] {
        let began = Instant::now();
        stage.call("debug_variables", json!({"path": path})).await.good().says(part);
        assert!(began.elapsed() < SOON, "{path}: {:?}", began.elapsed());
    }
    stage.resume().await.good().line("□ exited with code 0");
}
