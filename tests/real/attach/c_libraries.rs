//! Programs of Go with libraries of the system, as what imports `net` is where there is a C
//! compiler.

use serde_json::json;

use crate::real::attach::spawn;
use crate::real::stage::{Stage, marked, workspace_with};

const PROGRAM: &str = "package main\n\n// int one(void) { return 1; }\nimport \"C\"\nimport \
    (\n\t\"fmt\"\n\t\"os\"\n\t\"time\"\n)\n\n\
                       func main() {\n\tfmt.Println(\"ready\")\n\tfor i := 0; i < 3 || \
                       len(os.Args) > 1 && i < 6000; i++ {\n\t\t\
                       time.Sleep(20 * time.Millisecond) // [stop: \
                       loop]\n\t}\n\tfmt.Println(C.one())\n}\n";

/// While the loader runs, Go's symbols are not there yet; an attached program takes a pause and
/// breakpoints without an earlier stop.
pub async fn go_program_with_c_libraries_stops(stage: &mut Stage) {
    let (dir, _) =
        workspace_with(&[("go.mod", "module linked\n\ngo 1.20\n"), ("main.go", PROGRAM)]).await;
    let program = dir.path().canonicalize().unwrap().join("linked");
    #[expect(clippy::disallowed_methods, reason = "no process of the host")]
    let mut build = std::process::Command::new(stage.language.compiler());
    let build =
        build.args(["build", "-gcflags=all=-N -l", "-o"]).arg(&program).current_dir(dir.path());
    let built = build.env("CGO_ENABLED", "1").output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    stage.start_in(dir.path()).await;
    let at = format!("main.go:{}", marked(&dir.path().join("main.go"), "loop"));
    let launch =
        json!({"program": "linked", "breakpoints": [format!("{at} if i == 2")], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(
        (stop.place(), stop.local("i")),
        (format!("main.main  {at}").as_str(), "2"),
        "{}",
        stop.text
    );
    let again = stage.call("debug_restart", json!({})).await.good();
    assert_eq!(again.local("i"), "2");
    let bad =
        json!({"program": "linked", "breakpoints": [format!("{at} if i ==")], "timeout_s": 50});
    let refused = stage.call("debug_launch", bad).await;
    assert!(
        refused.text.starts_with("error[bad-condition] condition `i ==` does not parse: "),
        "{}",
        refused.text
    );
    stage.call("debug_stop", json!({"all": true})).await.good();
    for set_breakpoint in [false, true] {
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        let child = spawn(&[program.display().to_string(), "long".to_owned()]).await;
        stage
            .call("debug_attach", json!({"pid": child.id().unwrap()}))
            .await
            .good()
            .line("▶ running");
        if set_breakpoint {
            stage.call("debug_breakpoints", json!({"set": [at]})).await.good();
            let stop = stage.call("debug_wait", json!({})).await.good();
            assert_eq!(stop.place(), format!("main.main  {at}"), "{}", stop.text);
        } else {
            assert_eq!(stage.call("debug_pause", json!({})).await.good().reason(), "by pause");
        }
        stage.call("debug_stop", json!({"mode": "terminate"})).await.good();
    }
}
