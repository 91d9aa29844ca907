//! Texts are paged by their own characters: quotes and escapes of a literal are none. Very long
//! ones are paged by their bytes.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::real::stage::{Stage, marked};

/// A literal of 28 characters in every language, and what it stands for.
const LITERAL: &str = r#""ab\"c'd\ne\tf\\g é 日 hijklmnop.!""#;
const UNIT: &str = "ab\"c'd\ne\tf\\g é 日 hijklmnop.!";

const PYTHON: &str = "text = LITERAL * 100
print(len(text))  # [stop: texts]
";

const JAVASCRIPT: &str = "const text = LITERAL.repeat(100);
console.log(text.length); // [stop: texts]
";

const RUST: &str = "fn main() {
    let text = LITERAL.repeat(100);
    let slice = text.as_str();
    println!(\"{} {}\", text.len(), slice.len()); // [stop: texts]
}
";

const GO: &str = "package main

import \"strings\"

func main() {
	text := strings.Repeat(LITERAL, 100)
	pointer := &text
	var content any = text
	println(len(text), pointer, content) // [stop: texts]
}
";

const CPP: &str = "#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
int main() {
    std::string text;
    for (int n = 0; n < 100; n++) text += LITERAL;
    std::string_view view = text;
    const char *pointer = text.c_str();
    char array[4000];
    std::strcpy(array, pointer);
    std::printf(\"%zu %zu %s %s\", text.size(), view.size(), pointer, array); // [stop: texts]
}
";

pub async fn texts_are_paged_by_their_characters(stage: &mut Stage) {
    let (file, source) = stage.pick(
        ("texts.py", PYTHON),
        ("texts.rs", RUST),
        ("texts.go", GO),
        ("texts.js", JAVASCRIPT),
        ("texts.cpp", CPP),
    );
    let paths = stage.pick(
        &["text"][..],
        &["text", "slice"],
        &["text", "*pointer", "content.data"],
        &["text"],
        &["text", "view", "pointer", "array"],
    );
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(file), source.replace("LITERAL", LITERAL)).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("{file}:{}", marked(&dir.path().join(file), "texts"));
    let launch = json!({
        "program": file, "adapter": stage.language.adapter(), "breakpoints": [at],
        "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    for path in paths {
        let read = |start, count| json!({"path": path, "start": start, "count": count});
        let whole = stage.call("debug_variables", read(0, 4_000)).await.good();
        let (head, text) = whole.text.split_once('\n').unwrap();
        assert!(head.starts_with(&format!("{path}: ")), "{head}");
        assert!(head.contains(" · 2800 characters · "), "{head}");
        assert_eq!(text, UNIT.repeat(100), "{path}");
        for start in [0, 28, 1_400, 2_744] {
            let page = stage.call("debug_variables", read(start, 28)).await.good();
            let text = page.text.split_once('\n').unwrap().1;
            let left = 2_800 - start - 28;
            let more = format!("\n{left} characters more: debug_variables path=");
            assert!(text.starts_with(&format!("{UNIT}{more}")), "{path} {start}: {}", page.text);
        }
        let last = stage.call("debug_variables", read(2_772, 28)).await.good();
        assert_eq!(last.text.split_once('\n').unwrap().1, UNIT, "{path}");
        let none = stage.call("debug_variables", read(2_801, 28)).await.good();
        none.says("it has only 2800 characters");
    }
}

const LARGE: &str = "#include <cstdio>
#include <cstring>
static char chars[1u << 30];
int main() {
    std::memset(chars, 'y', sizeof chars - 1);
    std::memcpy(chars + sizeof chars - 8, \"theend!\", 8);
    std::printf(\"%c\", chars[5]); // [stop: large]
}
";

/// What a read may take; a hang takes as long as the tool's own limits.
const SOON: Duration = Duration::from_secs(2);

pub async fn very_long_text_is_paged_by_its_bytes(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("large.cpp"), LARGE).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("large.cpp:{}", marked(&dir.path().join("large.cpp"), "large"));
    let launch = json!({
        "program": "large.cpp", "adapter": stage.language.adapter(), "breakpoints": [at],
        "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    let size = 1_u64 << 30;
    let more = format!("{} bytes more: debug_variables path=chars start=12", size - 12);
    for (start, count, page) in [
        (0, 12, format!("yyyyyyyyyyyy\n{more}")),
        (size - 12, 11, "yyyytheend!\n1 byte more: debug_variables path=chars start=".to_owned()),
        (size + 1, 11, format!("  it has only {size} bytes")),
    ] {
        let began = Instant::now();
        let read = json!({"path": "chars", "start": start, "count": count});
        let reply = stage.call("debug_variables", read).await.good();
        let took = began.elapsed();
        let (head, text) = reply.text.split_once('\n').unwrap();
        assert!(head.contains(&format!(" · {size} bytes · ")), "{head}");
        assert!(text.starts_with(&page), "{}", reply.text);
        assert!(took < SOON, "{start} took {took:?}");
    }
}

pub async fn long_text_is_paged(stage: &mut Stage) {
    let stop =
        stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    assert!(stop.text.len() < 2500, "{}", stop.text);
    assert!(stop.line("locals: ").contains("(in full: debug_variables path="), "{}", stop.text);
    let first = stage.call("debug_variables", json!({"path": "text"})).await.good();
    let lines: Vec<_> = first.text.lines().collect();
    assert!(lines[0].contains(" · 102400 characters · "), "{}", lines[0]);
    let digits = "0123456789".repeat(400);
    let more = "98400 characters more: debug_variables path=text start=4000";
    assert_eq!(lines[1..3], [digits.as_str(), more]);
    let last =
        stage.call("debug_variables", json!({"path": "text", "start": 102_390})).await.good();
    assert_eq!(last.text.lines().nth(1), Some("0123456789"));
}

/// Delve before 1.27 reads at most 4096 bytes of a string, and says how many it leaves out: others
/// are read by the numbers of their bytes.
pub async fn long_text_is_cut_by_the_adapter(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let last =
        stage.call("debug_variables", json!({"path": "text", "start": 102_390})).await.good();
    let lines: Vec<_> = last.text.lines().collect();
    assert!(lines[0].contains(" · 102400 bytes · "), "{}", lines[0]);
    assert_eq!(lines[1], "0123456789");
}
