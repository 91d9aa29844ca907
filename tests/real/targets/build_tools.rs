//! Programs that make and CMake build, by the commands that build, start or test them, and shell
//! scripts that start them.

use serde_json::{Value, json};

use crate::real::stage::{Language, Stage, workspace_with};

const MAKEFILE: &str = "CFLAGS = -g\nOBJS = main.o cart.o\n\nall: cart\n\ncart: $(OBJS)\n\t$(CC) \
    $(CFLAGS) -o $@ $^\n\nrun: cart\n\tCART_FAST=1 ./cart --fast \"a b\" < \
    orders.txt\n\nclean:\n\trm -f cart *.o\n\nreport:\n\tpython3 report.py cart\n\n.PHONY: all run \
    clean report\n";
const MAIN: &str = "#include <stdio.h>\n#include <stdlib.h>\nint add(int a, int b);\nint main(int \
    argc, char **argv) {\n    char order[16] = \"\";\n    if (!fgets(order, sizeof order, stdin)) \
    order[0] = '-';\n    int total = add(argc, getenv(\"CART_FAST\") ? 40 : 10);\n    \
    printf(\"total %d %s\\n\", total, argv[argc - 1]);\n    return total != 43;\n}\n";
const CART: &str = "int add(int a, int b) {\n    int sum = a + b;\n    return sum;\n}\n";
/// Stops there with `total` computed.
const PRINTS: &str = "main.c:8";

fn makes() -> Vec<(&'static str, &'static str)> {
    vec![
        ("Makefile", MAKEFILE),
        ("main.c", MAIN),
        ("cart.c", CART),
        ("orders.txt", "pen\n"),
        ("report.py", "print(1)\n"),
    ]
}

/// Launched in this way it stops with these values and ends.
async fn stops(stage: &mut Stage, launch: Value, total: &str, order: &str) {
    let mut launch = launch;
    launch["breakpoints"] = json!([PRINTS]);
    launch["timeout_s"] = json!(50);
    let stop = stage.call("debug_launch", launch.clone()).await.good();
    assert!(stop.place().ends_with(PRINTS), "{launch}: {}", stop.text);
    assert_eq!(stop.local("total"), total, "{launch}: {}", stop.text);
    let values = json!({"expressions": ["order[0]"]});
    let order_is = stage.call("debug_evaluate", values).await.good();
    assert!(order_is.text.contains(order), "{launch}: {}", order_is.text);
    stage.resume().await.good().line(if total == "43" {
        "□ exited with code 0"
    } else {
        "□ exited with code 1"
    });
}

/// What a Makefile builds, starts, and neither builds nor starts.
pub async fn make_leads_to_its_program(stage: &mut Stage) {
    let (dir, _) = workspace_with(&makes()).await;
    stage.start_in(dir.path()).await;
    let listed = stage.call("debug_targets", json!({})).await.good();
    listed.line("  command make cart  main.c:4");
    assert!(!listed.text.contains("program main.c"), "{}", listed.text);
    stops(stage, json!({"command": "make run"}), "43", "'p'").await;
    // Everything is up to date.
    stops(stage, json!({"command": "make run"}), "43", "'p'").await;
    stops(stage, json!({"command": "make"}), "11", "'-'").await;
    if stage.language == Language::LldbC {
        stops(stage, json!({"program": "."}), "11", "'-'").await;
    }
    let again = json!({"command": "make cart", "args": ["a"], "cwd": dir.path()});
    stops(stage, again, "12", "'-'").await;
    let adapter = stage.language.adapter();
    stage.call("debug_launch", json!({"command": "make report"})).await.fails(&format!(
        "error[unsupported] `make report` starts `python3 report.py cart`, which is not machine \
         code. Try: debug_launch {{\"adapter\": \"{adapter}\", \"command\": \"python3 report.py \
         cart\"}}"
    ));
    stage.call("debug_launch", json!({"command": "make clean"})).await.fails(&format!(
        "error[target-missing] `make clean` builds and starts no program of this project. \
         Try: debug_launch {{\"adapter\": \"{adapter}\", \"command\": \"make cart\"}}"
    ));
    stage.call("debug_launch", json!({"command": "make crat"})).await.fails(&format!(
        "error[target-missing] `make crat`: No rule to make target 'crat'. \
         Try: debug_launch {{\"adapter\": \"{adapter}\", \"command\": \"make cart\"}}"
    ));
}

/// Several programs, in a directory of their own.
pub async fn make_of_several_programs_lists_them(stage: &mut Stage) {
    let makefile = "all: shop/one shop/two\nshop/%: %.c\n\t@mkdir -p shop\n\tgcc -g $< -o \
                    $@\ncheck: all\n\t./shop/one\n\t./shop/two x\n";
    let source = "#include <stdio.h>\nint main(int argc, char **argv) {\n    int n = 41 + \
                  argc;\n    return puts(argv[0]) < 0;\n}\n";
    let files = [("src/Makefile", makefile), ("src/one.c", source), ("src/two.c", source)];
    let (dir, _) = workspace_with(&files).await;
    stage.start_in(dir.path()).await;
    let adapter = stage.language.adapter();
    stage.call("debug_launch", json!({"command": "make -C src"})).await.fails(&format!(
        "error[target-ambiguous] `make -C src` builds 2 programs: src/shop/one, src/shop/two. \
         Try: debug_launch {{\"adapter\": \"{adapter}\", \"command\": \"make -C src shop/one\"}}"
    ));
    stage.call("debug_launch", json!({"command": "make check", "cwd": "src"})).await.fails(
        &format!(
            "error[target-ambiguous] `make check` starts 2 programs: `./shop/one`, `./shop/two x`. \
         Try: debug_launch {{\"cwd\": \"src\", \"adapter\": \"{adapter}\", \"command\": \"make \
         shop/one\"}}"
        ),
    );
    let listed = stage.call("debug_targets", json!({"filter": "shop"})).await.good();
    listed.line("  command make -C src shop/one  src/one.c:2");
    listed.line("  command make -C src shop/two  src/two.c:2");
    let launch = json!({
        "command": "make -C src shop/two", "breakpoints": ["src/two.c:4"], "args": ["x"],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.local("n"), "43", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
}

/// Each directory has its own make, and one needs what another makes: a dry run alone fails.
pub async fn recursive_make_leads_to_its_program(stage: &mut Stage) {
    let top = "SUBDIRS = src app\nall: $(SUBDIRS)\n$(SUBDIRS):\n\t$(MAKE) -C $@\napp: src\nrun: \
               all\n\tcd app && ./shop -v 2>&1 | tee log.txt\n.PHONY: all run $(SUBDIRS)\n";
    let shop = "int x(int a);\nint main(int argc, char **argv) {\n    int n = x(argc);\n    \
                return n - 2 * argc;\n}\n";
    let files = [
        ("Makefile", top),
        ("src/Makefile", "CFLAGS = -g\nlibx.a: x.o\n\tar rcs $@ $^\n"),
        ("app/Makefile", "CFLAGS = -g\nshop: shop.o ../src/libx.a\n"),
        ("src/x.c", "int x(int a) {\n    return a * 2;\n}\n"),
        ("app/shop.c", shop),
    ];
    let (dir, _) = workspace_with(&files).await;
    stage.start_in(dir.path()).await;
    let listed = stage.call("debug_targets", json!({})).await.good();
    listed.line("  command make -C app shop  app/shop.c:2");
    for (command, n) in [("make run", "4"), ("make -j 4", "2"), ("make -C app", "2")] {
        let launch = json!({"command": command, "breakpoints": ["app/shop.c:4"], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.local("n"), n, "{command}: {}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
}

/// Without -g in the flags of the project the answer has the command that adds it.
pub async fn make_without_debug_information_says_how_to_add_it(stage: &mut Stage) {
    let makefile = MAKEFILE.replace("CFLAGS = -g", "CFLAGS = -O0");
    let mut files = makes();
    files[0].1 = &makefile;
    let (dir, _) = workspace_with(&files).await;
    stage.start_in(dir.path()).await;
    let launch = json!({"command": "make run", "timeout_s": 50});
    let end = stage.call("debug_launch", launch).await.good();
    end.line("□ exited with code 0");
    end.line(
        "note: to build it with debug information: debug_launch {\"command\": \"make -B 'CC=cc -g' \
         run\"}",
    );
    stops(stage, json!({"command": "make -B 'CC=cc -g' run"}), "43", "'p'").await;
}

/// One source of a program of several cannot be linked alone.
pub async fn source_of_a_project_leads_to_its_program(stage: &mut Stage) {
    let (dir, _) = workspace_with(&makes()).await;
    stage.start_in(dir.path()).await;
    let failed = stage.call("debug_launch", json!({"program": "main.c"})).await;
    assert!(failed.is_error && failed.text.starts_with("error[build-failed] "), "{}", failed.text);
    failed.says("undefined reference to `add'");
    failed.says("Try: debug_launch {\"command\": \"make cart\"}");
}

/// The program that a script starts, built or not.
pub async fn script_names_the_program_it_starts(stage: &mut Stage) {
    let mut files = makes();
    files.extend([
        ("run.sh", "#!/bin/sh\nset -e\ncd \"$(dirname \"$0\")\"\nmake cart\nexec ./cart \"$@\"\n"),
        ("odd", "#!/usr/bin/env bash\nfor one in *; do echo $one; done\n"),
        ("app.sh", "cd tools\nFAST=1 python3 tool.py --all\n"),
        ("tools/tool.py", "print(1)\n"),
    ]);
    let (dir, _) = workspace_with(&files).await;
    stage.start_in(dir.path()).await;
    let adapter = stage.language.adapter();
    let script = json!({"program": "run.sh", "args": ["--fast", "a b"]});
    stage.call("debug_launch", script.clone()).await.fails(&format!(
        "error[unsupported] run.sh is a shell script, which starts `./cart --fast 'a b'`. \
         Try: debug_launch {{\"args\": [\"--fast\", \"a b\"], \"adapter\": \"{adapter}\", \
         \"command\": \"make cart\"}}"
    ));
    stops(stage, json!({"command": "make cart"}), "11", "'-'").await;
    stage.call("debug_launch", json!({"command": "sh run.sh --fast"})).await.fails(&format!(
        "error[unsupported] run.sh is a shell script, which starts `./cart --fast`. \
         Try: debug_launch {{\"adapter\": \"{adapter}\", \"command\": \"./cart --fast\"}}"
    ));
    stage.call("debug_launch", json!({"program": "odd"})).await.fails(
        "error[unsupported] odd is a shell script, which cannot be debugged. \
         Try: name the program that it starts: debug_launch {\"command\": \"PROGRAM ARGUMENTS\"}",
    );
    stage.call("debug_launch", json!({"program": "app.sh"})).await.fails(&format!(
        "error[unsupported] app.sh is a shell script, which starts `python3 tool.py --all`. \
         Try: debug_launch {{\"adapter\": \"{adapter}\", \"command\": \"python3 tool.py --all\", \
         \"cwd\": \"tools\", \"env\": {{\"FAST\": \"1\"}}}}"
    ));
}
