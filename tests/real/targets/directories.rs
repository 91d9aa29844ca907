//! Directories as programs: what each language runs for them, and ties where several languages
//! could.

use serde_json::{Value, json};

use crate::real::stage::{Language, Stage, workspace_with};

const MODULE: &str = "module shop\n\ngo 1.20\n";
const GO: &str = "package main\n\nfunc main() {\n\tn := 42\n\tprintln(n)\n}\n";
const JAVASCRIPT: &str = "const n = 42;\nconsole.log(n);\n";
const PYTHON: &str = "n = 42\nprint(n)\n";

/// Launched in each way it stops at `at` and exits with code 0.
async fn runs(stage: &mut Stage, ways: &[Value], at: &str) {
    for way in ways {
        let mut launch = way.clone();
        launch["breakpoints"] = json!([at]);
        launch["timeout_s"] = json!(50);
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.place().ends_with(at), "{way}: {}", stop.text);
        assert_eq!(stop.local("n"), "42", "{way}: {}", stop.text);
        let end = stage.resume().await.good();
        end.line("□ exited with code 0");
    }
}

/// The `main` of its package.json, with or without the file ending, or its index.js.
pub async fn node_package_runs(stage: &mut Stage) {
    let package = r#"{"main": "./lib/start"}"#;
    let (dir, _) = workspace_with(&[
        ("app/package.json", package),
        ("app/lib/start.js", JAVASCRIPT),
        ("plain/index.js", JAVASCRIPT),
        ("lost/package.json", r#"{"main": "dist/app.js"}"#),
        ("tool/package.json", r#"{"scripts": {"start": "node x.js"}}"#),
    ])
    .await;
    stage.start_in(dir.path()).await;
    let ways = [
        json!({"program": "app"}),
        json!({"program": "app/"}),
        json!({"command": "node ./app"}),
        json!({"command": "node .", "cwd": "app"}),
    ];
    runs(stage, &ways, "app/lib/start.js:2").await;
    runs(
        stage,
        &[json!({"program": "plain"}), json!({"command": "node plain"})],
        "plain/index.js:2",
    )
    .await;
    stage.call("debug_launch", json!({"program": "lost"})).await.fails(
        "error[target-missing] dist/app.js, the `main` of lost/package.json, does not exist. \
         Try: build it, or name the file to run",
    );
    let tool = dir.path().canonicalize().unwrap().join("tool");
    stage.call("debug_launch", json!({"command": "node .", "cwd": "tool"})).await.fails(&format!(
        "error[target-missing] tool has no index.js and no package.json with a `main`. \
         Try: debug_launch {{\"cwd\": \"{}\", \"command\": \"npm run start\"}}",
        tool.display()
    ));
}

pub async fn directory_with_main_runs(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[
        ("shop/__main__.py", PYTHON),
        ("shop/__init__.py", ""),
        ("empty/pyproject.toml", ""),
    ])
    .await;
    stage.start_in(dir.path()).await;
    let ways = [
        json!({"program": "shop"}),
        json!({"command": "python shop"}),
        json!({"command": "python .", "cwd": "shop"}),
        json!({"command": "python -m shop"}),
    ];
    runs(stage, &ways, "shop/__main__.py:2").await;
    stage.call("debug_launch", json!({"program": "empty"})).await.fails(
        "error[target-missing] empty is a directory without __main__.py. \
         Try: name a file, or a module with `python -m NAME`",
    );
}

/// Run by module name, since its imports by package name resolve in no other way.
pub async fn python_package_runs_as_a_module(stage: &mut Stage) {
    let main = "from store.shop import price\nprint(price)\n";
    let files = [
        ("src/store/shop/__main__.py", main),
        ("src/store/shop/__init__.py", "price = 7\n"),
        ("src/store/__init__.py", ""),
    ];
    let (dir, _) = workspace_with(&files).await;
    stage.start_in(dir.path()).await;
    for program in ["src/store/shop", "src/store/shop/__main__.py"] {
        let launch = json!({
            "program": program, "breakpoints": ["src/store/shop/__main__.py:2"], "timeout_s": 50,
        });
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.place(), "<module>  src/store/shop/__main__.py:2", "{}", stop.text);
        stop.says("note: runs as `python -m store.shop`: it is part of a package");
        stage.resume().await.good().says("7");
    }
}

/// The name of the file does not matter.
pub async fn go_package_runs(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[("go.mod", MODULE), ("cmd/shop/shop.go", GO)]).await;
    stage.start_in(dir.path()).await;
    runs(stage, &[json!({"program": "cmd/shop"})], "cmd/shop/shop.go:5").await;
}

/// A directory with programs of several languages is a tie, and each choice runs.
pub async fn directory_of_several_languages_is_a_tie(stage: &mut Stage) {
    let package = r#"{"main": "app.js"}"#;
    let (dir, _) = workspace_with(&[
        ("both/package.json", package),
        ("both/app.js", JAVASCRIPT),
        ("both/__main__.py", PYTHON),
        ("all/package.json", package),
        ("all/app.js", JAVASCRIPT),
        ("all/__main__.py", PYTHON),
        ("all/go.mod", MODULE),
        ("all/all.go", GO),
        // A tsconfig.json marks a project but no program.
        ("one/__main__.py", PYTHON),
        ("one/tsconfig.json", "{}"),
        // Node could not run these packages.
        ("tools/package.json", r#"{"scripts": {"test": "jest"}}"#),
        ("tools/__main__.py", PYTHON),
        ("broken/package.json", "{"),
        ("broken/__main__.py", PYTHON),
        ("index/package.json", "{}"),
        ("index/index.js", JAVASCRIPT),
        ("index/pyproject.toml", ""),
    ])
    .await;
    stage.start_in(dir.path()).await;
    for (program, adapters) in
        [("both", "debugpy or js-debug"), ("all", "debugpy or delve or js-debug")]
    {
        stage.call("debug_launch", json!({"program": program})).await.fails(&format!(
            "error[which-adapter] {program} can be debugged by {adapters}. \
             Try: debug_launch {{\"program\": \"{program}\", \"adapter\": \"debugpy\"}}"
        ));
    }
    for (adapter, at) in
        [("debugpy", "all/__main__.py:2"), ("js-debug", "all/app.js:2"), ("delve", "all/all.go:5")]
    {
        // The file of a breakpoint decides as well.
        let launches = [json!({"program": "all", "adapter": adapter}), json!({"program": "all"})];
        runs(stage, &launches, at).await;
    }
    for (program, at) in
        [("one", "__main__.py:2"), ("tools", "__main__.py:2"), ("broken", "__main__.py:2")]
    {
        runs(stage, &[json!({"program": program})], &format!("{program}/{at}")).await;
    }
    runs(stage, &[json!({"program": "index"})], "index/index.js:2").await;
}

/// Paths are relative to the working directory of the call, also where the workspace has the same
/// path.
pub async fn paths_are_relative_to_the_working_directory(stage: &mut Stage) {
    let main = |shop: &str| match stage.language {
        Language::Python => format!("# {shop}\n{PYTHON}"),
        Language::JavaScript => format!("// {shop}\n{JAVASCRIPT}"),
        _ => GO.to_owned(),
    };
    let (name, module, at) = match stage.language {
        Language::Python => ("__main__.py", "", "__main__.py:3"),
        Language::JavaScript => ("index.js", "{}", "index.js:3"),
        _ => ("main.go", MODULE, "main.go:5"),
    };
    let manifest = if stage.language == Language::JavaScript { "package.json" } else { "go.mod" };
    let (here, there) = (main("here"), main("there"));
    let mut files = vec![("ws/pkg", name, here.as_str()), ("other/pkg", name, there.as_str())];
    if !module.is_empty() {
        files.extend([("ws/pkg", manifest, module), ("other/pkg", manifest, module)]);
    }
    let dir = tempfile::tempdir().unwrap();
    for (below, name, text) in files {
        std::fs::create_dir_all(dir.path().join(below)).unwrap();
        std::fs::write(dir.path().join(below).join(name), text).unwrap();
    }
    stage.start_in(&dir.path().join("ws")).await;
    let other = dir.path().join("other").display().to_string();
    let ways = [
        (json!({"program": ".", "cwd": "../other/pkg"}), at.to_owned()),
        (json!({"program": "pkg", "cwd": "../other"}), format!("pkg/{at}")),
        (json!({"program": format!("{other}/pkg")}), format!("{other}/pkg/{at}")),
    ];
    for (way, breakpoint) in ways {
        let mut launch = way.clone();
        launch["breakpoints"] = json!([breakpoint]);
        launch["timeout_s"] = json!(50);
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.place().ends_with(&format!("{other}/pkg/{at}")), "{way}: {}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
    // A path that only the workspace has.
    let launch = json!({
        "program": "pkg", "cwd": other, "breakpoints": [format!("pkg/{at}")], "timeout_s": 50,
    });
    std::fs::remove_dir_all(dir.path().join("other/pkg")).unwrap();
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.place().ends_with(&format!("  pkg/{at}")), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
}

/// The test runs in the given directory, but is searched in the workspace first.
pub async fn test_runs_in_another_directory(stage: &mut Stage) {
    let case = |name: &str| {
        format!(
            "import os\nimport unittest\n\n\nclass {name}(unittest.TestCase):\n    def \
            test_it(self):\n        \
             n = os.path.basename(os.getcwd())\n        self.assertTrue(n)\n"
        )
    };
    let dir = tempfile::tempdir().unwrap();
    for (file, text) in [("ws/test_cart.py", case("Cart")), ("other/test_shop.py", case("Shop"))] {
        let path = dir.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    stage.start_in(&dir.path().join("ws")).await;
    for (test, file) in [
        ("test_cart.py::Cart::test_it", "ws/test_cart.py"),
        ("Cart.test_it", "ws/test_cart.py"),
        ("Shop.test_it", "other/test_shop.py"),
    ] {
        let at = format!("{}:8", dir.path().join(file).display());
        let launch = json!({"test": test, "cwd": "../other", "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.local("n"), "'other'", "{test}: {}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
}
