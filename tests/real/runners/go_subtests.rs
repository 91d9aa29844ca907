//! Subtests of Go by name: names with slashes and spaces, of tables and of loops, seeds of fuzz
//! tests, and benchmarks with several sizes.

use serde_json::json;

use crate::real::stage::{Stage, marked, workspace_with};

const MODULE: (&str, &str) = ("go.mod", "module shop\n\ngo 1.20\n");
const FILE: &str = "cart/cart_test.go";
const CART: &str = r#"package cart

import (
	"fmt"
	"testing"
)

func TestCart(t *testing.T) {
	t.Run("empty", func(t *testing.T) {
		t.Run("no/items at all", func(t *testing.T) {
			n := 0
			t.Log(n) // [stop: nested]
		})
	})
	t.Run("full (of pens)", func(t *testing.T) {
		n := 1
		t.Log(n) // [stop: full]
	})
	t.Run("::1", func(t *testing.T) {
		n := 2
		t.Log(n) // [stop: colons]
	})
}

func TestSum(t *testing.T) {
	tests := []struct {
		name      string
		one, want int
	}{
		{"plus", 1, 2},
		{name: "minus one", one: 1, want: 5},
		{name: "last", one: 1, want: 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Log("begin")
			if got := tt.one + 1; got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want) // [stop: failure]
			}
		})
	}
}

func FuzzHalf(f *testing.F) {
	f.Add(4)
	f.Add(6)
	f.Fuzz(func(t *testing.T, n int) {
		t.Log(n / 2) // [stop: seed]
	})
}

func BenchmarkHalf(b *testing.B) {
	for _, size := range []int{10, 20} {
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			b.Log(size) // [stop: size]
		})
	}
}
"#;

async fn module(stage: &mut Stage) -> tempfile::TempDir {
    let corpus = ("cart/testdata/fuzz/FuzzHalf/stored", "go test fuzz v1\nint(8)\n");
    let (dir, _) = workspace_with(&[MODULE, (FILE, CART), corpus]).await;
    stage.start_in(dir.path()).await;
    dir
}

/// The line with the mark, as `file:line`.
fn at(dir: &tempfile::TempDir, mark: &str) -> String {
    format!("{FILE}:{}", marked(&dir.path().join(FILE), mark))
}

/// Only the named subtest runs, by the name in the source and by the one that Go prints.
pub async fn go_subtests_run_by_name(stage: &mut Stage) {
    let dir = module(stage).await;
    for (test, mark, local) in [
        ("TestCart/empty/no/items at all", "nested", ("n", "0")),
        ("TestCart/empty/no/items_at_all", "nested", ("n", "0")),
        ("cart/cart_test.go::TestCart/full (of pens)", "full", ("n", "1")),
        ("TestCart/::1", "colons", ("n", "2")),
        ("cart/cart_test.go::TestCart/::1", "colons", ("n", "2")),
        ("TestSum/minus one", "failure", ("got", "2")),
        ("FuzzHalf/seed#1", "seed", ("n", "6")),
        ("FuzzHalf/stored", "seed", ("n", "8")),
        ("BenchmarkHalf/size=20", "size", ("size", "20")),
    ] {
        let marks = ["nested", "full", "colons", "failure", "seed", "size"];
        let launch = json!({
            "test": test, "breakpoints": marks.map(|mark| at(&dir, mark)), "timeout_s": 50,
        });
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.place().ends_with(&at(&dir, mark)), "{test}: {}", stop.text);
        let value = json!({"expressions": [local.0]});
        let value = stage.call("debug_evaluate", value).await.good();
        value.says(&format!("{} = {}  (int)", local.0, local.1));
        stage.call("debug_stop", json!({})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
    let none = json!({"test": "TestSum/minu", "timeout_s": 50});
    stage
        .call("debug_launch", none)
        .await
        .good()
        .says("no test was run that `^TestSum$/^minu$` matches; there are TestSum/minus_one");
}

/// The list has the subtests whose names the source shows, as names for a launch.
pub async fn go_subtests_are_listed(stage: &mut Stage) {
    let dir = module(stage).await;
    let listed = stage.call("debug_targets", json!({"limit": 50})).await.good();
    let text = std::fs::read_to_string(dir.path().join(FILE)).unwrap();
    for (name, line) in [
        ("TestCart", "func TestCart("),
        ("TestCart/empty", "\tt.Run(\"empty\""),
        ("TestCart/empty/no/items_at_all", "\t\tt.Run(\"no/items"),
        ("TestCart/full_(of_pens)", "\tt.Run(\"full"),
        ("TestSum/plus", "\t\t{\"plus\""),
        ("TestSum/minus_one", "\t\t{name: \"minus"),
        ("FuzzHalf/seed#0", "\tf.Add(4)"),
        ("FuzzHalf/seed#1", "\tf.Add(6)"),
    ] {
        let number = text.lines().position(|one| one.starts_with(line)).unwrap() + 1;
        listed.line(&format!("  test {FILE}::{name}  line {number}"));
    }
    let found = stage.call("debug_targets", json!({"filter": "minus_one"})).await.good();
    found.says("next: debug_launch test=cart/cart_test.go::TestSum/minus_one");
}

/// The failed subtest of a table leads to its message, whether the others pass after it or not.
pub async fn failed_go_subtest_leads_to_its_line(stage: &mut Stage) {
    let dir = module(stage).await;
    let at = at(&dir, "failure");
    for target in ["\"test\": \"TestSum\"", "\"test\": \"TestSum/minus one\""] {
        let launch: serde_json::Value =
            serde_json::from_str(&format!("{{{target}, \"timeout_s\": 50}}")).unwrap();
        let end = stage.call("debug_launch", launch.clone()).await.good();
        end.line("□ exited with code 1");
        end.says(&format!(
            "a test failed; its last message is at {at}: debug_launch {{{target}, \
             \"breakpoints\": [\"{at}\"]}}"
        ));
        let mut launch = launch;
        launch["breakpoints"] = json!([at]);
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.place().ends_with(&at), "{}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}
