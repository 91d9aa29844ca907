//! Defaults in descriptions of parameters are those that calls have: a call with the default
//! returns what the same call without it returns, and a call with another value does not.
//!
//! Of tools that only read: one that moves the program cannot be called twice at one place. Without
//! those for which the fake adapter has nothing to read here.

use std::path::Path;

use dapdock::limits::Limits;
use serde_json::{Value, json};

use super::faked::{start, write};
use crate::caller::Caller;

/// No program is found, and the stop is for no exception.
const EMPTY: [&str; 2] = ["debug_targets", "debug_exception"];

/// A parameter with a number or a word as default.
#[derive(Debug)]
struct Documented {
    tool: String,
    name: String,
    default: Value,
    other: Value,
}

impl Documented {
    /// `None`: the description has no default, or describes it.
    fn of(tool: &str, name: &str, schema: &Value) -> Option<Self> {
        let (_, text) = schema["description"].as_str()?.split_once("efault")?;
        let text = text.trim_start_matches([':', ' ']);
        let word = text.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
        let words = schema["enum"].as_array();
        let (default, other) = match (word.parse::<u64>(), words) {
            (Ok(number), _) if number < 2 => (json!(number), json!(number + 1)),
            (Ok(number), _) => (json!(number), json!(number / 2)),
            (Err(_), Some(words)) => {
                let other = words.iter().rfind(|other| *other != word)?;
                words
                    .iter()
                    .find(|known| *known == word)
                    .map(|word| (word.clone(), other.clone()))?
            }
            (Err(_), None) => return None,
        };
        Some(Self { tool: tool.to_owned(), name: name.to_owned(), default, other })
    }
}

/// A stop with more frames, locals and lines of output than any default shows.
async fn stopped(root: &Path) -> Caller {
    write(&root.join("shop.fake"));
    let mut caller = start(root, &[]).await;
    let mut locals = json!({"cart": {"item": {"price": 3}}});
    for number in 0..60 {
        locals[format!("n{number}")] = json!(number);
    }
    let callers: Vec<Value> = (0..30).map(|at| json!([format!("caller{at}"), 5])).collect();
    let output: Vec<Value> = (0..60).map(|at| json!(["stdout", format!("line {at}\n")])).collect();
    let place = json!({"line": 3, "locals": locals, "callers": callers, "output": output});
    let script = json!({"source": root.join("shop.fake"), "program": [place]});
    let launch = json!({
        "program": "shop.fake", "breakpoints": ["shop.fake:3"], "options": {"script": script},
        "timeout_s": 50,
    });
    caller.call("debug_launch", launch).await.good();
    caller
}

async fn list(caller: &mut Caller) -> Vec<Value> {
    let request = caller.send("tools/list", json!({})).await;
    caller.reply(request).await["result"]["tools"].as_array().unwrap().clone()
}

#[tokio::test]
async fn documented_defaults_are_those_of_calls() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = stopped(&dir.path().canonicalize().unwrap()).await;
    let (mut read, mut waits) = (Vec::new(), 0);
    for tool in list(&mut caller).await {
        let name = tool["name"].as_str().unwrap();
        for (parameter, schema) in tool["inputSchema"]["properties"].as_object().unwrap() {
            let Some(documented) = Documented::of(name, parameter, schema) else { continue };
            if parameter == "timeout_s" {
                assert_eq!(documented.default, Limits::default().wait.as_secs(), "{name}");
                waits += 1;
            } else if tool["annotations"]["readOnlyHint"] == true && !EMPTY.contains(&name) {
                read.push(documented);
            }
        }
    }
    // A session gets older between two calls.
    let age = regex::Regex::new(r" · [0-9.]+ m?s").unwrap();
    for Documented { tool, name, default, other } in &read {
        let usual = caller.call(tool, json!({})).await.good().text;
        let same = caller.call(tool, json!({name: default})).await.good().text;
        let (usual, same) = (age.replace_all(&usual, ""), age.replace_all(&same, ""));
        assert_eq!(usual, same, "{tool} {name}: {default}");
        let differs = caller.call(tool, json!({name: other})).await.good().text;
        assert_ne!(usual, age.replace_all(&differs, ""), "{tool} {name}: {other}");
    }
    assert!(read.len() >= 7 && waits >= 6, "{waits} {read:?}");
}
