//! Files and environment variables of a project that load code into Python, Node.js, gdb or LLDB:
//! they reach the program, and neither the debugger nor its probes.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::Stage;
use super::stage::{Language, marked};
use crate::caller::{Caller, Start};

/// Names of Python's own modules, and debugpy's.
pub const MODULES: [&str; 5] = ["ast", "types", "debugpy", "json", "signal"];

/// A module that writes its name to the file `loaded` in its directory, and fails.
const MODULE: &str = "import sys
with open(__file__[: -len(__name__ + '.py')] + 'loaded', 'a') as file:
    file.write(__name__ + ' by ' + ' '.join(sys.argv) + '\\n')
raise ImportError('this is ' + __file__)
";

/// A directory in which each of [`MODULES`] is a file with the text of [`MODULE`].
pub struct Traps(tempfile::TempDir);

impl Traps {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in MODULES {
            std::fs::write(dir.path().join(format!("{name}.py")), MODULE).unwrap();
        }
        Self(dir)
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    /// What was loaded, a line each.
    pub fn loaded(&self) -> String {
        std::fs::read_to_string(self.0.path().join("loaded")).unwrap_or_default()
    }
}

/// A host that works in that directory, with more in its environment.
async fn start(stage: &mut Stage, cwd: &Path, env: Vec<(&'static str, String)>) {
    let start = Start { cwd: cwd.to_owned(), env, ..stage.language.start() };
    stage.caller = Caller::start(start).await;
}

pub async fn project_modules_do_not_replace_the_debuggers(stage: &mut Stage) {
    let traps = Traps::new();
    traps.write("shop.py", "total = 42\n");
    traps.write(
        "main.py",
        "import os\nimport sys\nfrom shop import total\n\nfirst = os.path.abspath(sys.path[0])\n\
         print(first == os.getcwd())  # [stop: first]\n",
    );
    start(stage, &traps.path(), Vec::new()).await;
    let at = format!("main.py:{}", marked(&traps.path().join("main.py"), "first"));
    for launch in [json!({"program": "main.py"}), json!({"command": "python -m main"})] {
        let mut launch = launch;
        launch["breakpoints"] = json!([format!("{at} if total > 1")]);
        launch["timeout_s"] = json!(50);
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.place().ends_with(&at), "{}", stop.text);
        let value = stage.call("debug_evaluate", json!({"expressions": ["total + 1"]})).await;
        assert_eq!(value.good().text, "total + 1 = 43  (int)");
        let end = stage.resume().await.good();
        end.line("□ exited with code 0");
        end.says("True");
        assert_eq!(traps.loaded(), "");
    }
}

/// debugpy, gdb and LLDB all run Python, each a version of its own.
pub async fn pythonpath_reaches_the_program_alone(stage: &mut Stage) {
    let traps = Traps::new();
    let path = traps.path().display().to_string();
    let (name, text) = match stage.language.newest() {
        Language::Python => (
            "main.py",
            "import os\n\ntotal = 42\nprint(os.environ.get('PYTHONPATH'))  # [stop: first]\n",
        ),
        _ => (
            "main.c",
            "#include <stdio.h>\n#include <stdlib.h>\n\nint main(void) {\n    int total = 42;\n    \
             puts(getenv(\"PYTHONPATH\")); // [stop: first]\n    return total - 42;\n}\n",
        ),
    };
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    std::fs::write(root.join(name), text).unwrap();
    let init = |words: &str| format!("{words} echo init >> {path}/loaded\n");
    std::fs::write(root.join(".gdbinit"), init("shell")).unwrap();
    std::fs::write(root.join(".lldbinit"), init("platform shell --host --")).unwrap();
    start(stage, &root, vec![("PYTHONPATH", path.clone())]).await;
    let at = format!("{name}:{}", marked(&root.join(name), "first"));
    let mut launch = json!({"program": name, "breakpoints": [at], "timeout_s": 50});
    // pydevd, in the program itself, would import from there.
    let python = stage.language.newest() == Language::Python;
    if python {
        launch["env"] = json!({"PYTHONPATH": null});
    }
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.place().ends_with(&at), "{}", stop.text);
    assert_eq!(stop.local("total"), "42");
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    stage.printed(if python { "None" } else { &path }).await;
    assert_eq!(traps.loaded(), "");
}

pub async fn node_options_reach_the_program_alone(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
    let loaded = root.join("loaded");
    let trap = format!("require('fs').appendFileSync({loaded:?}, `${{process.argv[1]}}\\n`);\n");
    write("trap.js", &trap);
    // js-debug's server loads it where it can be found, and does without it.
    std::fs::create_dir(root.join("modules")).unwrap();
    write("modules/bufferutil.js", &trap);
    write("package.json", "{\"main\": \"main.js\"}");
    write(
        "main.js",
        "function add(one, other) {\n    const total = one + other; \n    \
         return total; // [stop: first]\n}\n\nconsole.log(add(40, 2), process.env.NODE_PATH);\n",
    );
    let options = format!("--require {}", root.join("trap.js").display());
    let modules = root.join("modules").display().to_string();
    let env = vec![("NODE_OPTIONS", options), ("NODE_PATH", modules.clone())];
    start(stage, &root, env).await;
    let at = format!("main.js:{}", marked(&root.join("main.js"), "first"));
    let breakpoints = [format!("{at} if total > 1"), "add".to_owned()];
    let launch = json!({"program": "main.js", "breakpoints": breakpoints, "timeout_s": 50});
    let entered = stage.call("debug_launch", launch).await.good();
    assert!(entered.place().starts_with("add  main.js:"), "{}", entered.text);
    let stop = stage.resume().await.good();
    assert!(stop.place().ends_with(&at), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
    stage.printed(&format!("42 {modules}")).await;
    // The program loads both: js-debug's own script in it looks for `bufferutil`, too.
    let program = root.join("main.js").display().to_string();
    let loaders = std::fs::read_to_string(&loaded).unwrap();
    assert!(loaders.lines().all(|loader| loader == program), "{loaders}");
}

/// Nothing of the project is in the adapter's working directory.
pub async fn adapter_starts_in_a_neutral_folder(stage: &mut Stage) {
    let at = stage.at("cart", "tax");
    let stop = stage.launch("cart", json!({"breakpoints": [at]})).await.good();
    stop.line("■ stopped ");
    let adapter = stage.caller.mark.adapter();
    let folder = std::fs::read_link(format!("/proc/{adapter}/cwd")).unwrap();
    assert_eq!(folder, Path::new("/"));
}
