//! Failures of the debugged program that have a source line: syntax errors, and a port that is in
//! use.

use std::net::TcpListener;

use serde_json::json;

use crate::real::stage::{Language, Stage, marked, workspace_with};

const PYTHON: &str = "import socket\nimport sys\n\n\ndef serve(port):\n    \
                      server = socket.create_server((\"127.0.0.1\", port))  # [stop: taken]\n    \
                      return server\n\n\n\
                      serve(int(sys.argv[1]))\n";
const JAVASCRIPT: &str = "const http = require(\"node:http\");\n\nfunction serve(port) {\n  \
                          const server = http.createServer(() => {});\n  \
                          server.listen(port, \"127.0.0.1\"); // [stop: taken]\n  return \
                          server;\n}\n\n\
                          serve(Number(process.argv[2]));\n";
const GO: &str = "package main\n\nimport (\n\t\"net\"\n\t\"os\"\n)\n\nfunc serve(port string) \
    net.Listener {\n\t\
                  server, err := net.Listen(\"tcp\", \"127.0.0.1:\"+port)\n\tif err != nil {\n\t\t\
                  panic(err) // [stop: taken]\n\t}\n\treturn server\n}\n\nfunc main() \
                  {\n\tserve(os.Args[1])\n}\n";
const RUST: &str = "use std::net::TcpListener;\n\nfn serve(port: u16) -> TcpListener {\n    \
                    TcpListener::bind((\"127.0.0.1\", port)).unwrap() // [stop: taken]\n}\n\nfn \
                    main() {\n    \
                    serve(std::env::args().nth(1).unwrap().parse().unwrap());\n}\n";

const C: &str = "#include <arpa/inet.h>\n#include <stdio.h>\n#include <stdlib.h>\n\nint main(int \
    argc, char **argv) {\n    \
                 int port = atoi(argv[argc - 1]);\n    int server = socket(AF_INET, SOCK_STREAM, \
                 0);\n    \
                 struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};\n    \
                 at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);\n    \
                 if (bind(server, (struct sockaddr *)&at, sizeof at) != 0) {\n        char \
                 what[32];\n        \
                 snprintf(what, sizeof what, \"bind to %d\", port);\n        \
                 perror(what);\n        return 1;\n    }\n    \
                 return 0;\n}\n";

/// Another program has the port: the stop shows the user's own line and the port.
pub async fn port_in_use_stops_at_the_users_line(stage: &mut Stage) {
    let (file, text) = stage.pick(
        ("shop.py", PYTHON),
        ("shop.rs", RUST),
        ("shop.go", GO),
        ("shop.js", JAVASCRIPT),
        ("", ""),
    );
    let (dir, _) = workspace_with(&[(file, text)]).await;
    stage.start_in(dir.path()).await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let launch = json!({"program": file, "args": [port], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    let function = stage.pick("serve", "shop::serve", "main.serve", "serve", "");
    let at = format!("{file}:{}", marked(&dir.path().join(file), "taken"));
    assert_eq!(stop.place(), format!("{function}  {at}"), "{}", stop.text);
    stop.says(&format!("→ {} ", at.rsplit(':').next().unwrap()));
    stop.says(stage.pick(
        "Address already in use",
        "AddrInUse",
        "address already in use",
        "EADDRINUSE",
        "",
    ));
    if stage.language != Language::Rust {
        stop.says(&port);
    }
    if stage.language.newest() == Language::JavaScript {
        // The evaluation reads Node's own frame.
        stage
            .call("debug_evaluate", json!({"expressions": ["er.code"]}))
            .await
            .good()
            .says("'EADDRINUSE'");
    }
}

/// C code does not stop there: the ending shows the output and the exit code.
pub async fn port_in_use_ends_the_program(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[("shop.c", C)]).await;
    stage.start_in(dir.path()).await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let launch = json!({"program": "shop.c", "args": [port], "timeout_s": 50});
    let end = stage.call("debug_launch", launch).await.good();
    end.line("□ exited with code 1");
    end.says(&format!("\n  bind to {port}: Address already in use\n"));
}

/// The ending shows the file, the line and the parser's message.
pub async fn syntax_error_of_python_names_its_place(stage: &mut Stage) {
    let (dir, _) =
        workspace_with(&[("bad.py", "def f():\n    return 1 +\n"), ("use.py", "import bad\n")])
            .await;
    stage.start_in(dir.path()).await;
    let place =
        format!("File \"{}\", line 2", dir.path().canonicalize().unwrap().join("bad.py").display());
    let end =
        stage.call("debug_launch", json!({"program": "bad.py", "timeout_s": 50})).await.good();
    end.line("□ exited with code 1");
    end.says(&format!("  stderr|   {place}\n  stderr|     return 1 +\n"));
    end.says("\n  stderr| SyntaxError: invalid syntax\n");
    let stop =
        stage.call("debug_launch", json!({"program": "use.py", "timeout_s": 50})).await.good();
    assert_eq!(
        (stop.reason(), stop.place()),
        ("exception SyntaxError", "<module>  use.py:1"),
        "{}",
        stop.text
    );
    assert_eq!(stop.line("! "), "invalid syntax (bad.py, line 2)");
    stage.resume().await.good().says(&place);
}

pub async fn syntax_error_of_javascript_names_its_place(stage: &mut Stage) {
    let bad = "const a = 1;\nfunction f() {\n  return a +;\n}\n";
    let (dir, _) = workspace_with(&[
        ("bad.js", bad),
        ("use.js", "require(\"./bad.js\");\n"),
        ("bad.mjs", "export const a = ;\n"),
        ("use.mjs", "import \"./bad.mjs\";\n"),
        ("typed.ts", "const n: number = 1;\nconst m: = 2;\n"),
    ])
    .await;
    stage.start_in(dir.path()).await;
    let root = dir.path().canonicalize().unwrap();
    let root = root.display();
    for program in ["bad.js", "use.js"] {
        let stop =
            stage.call("debug_launch", json!({"program": program, "timeout_s": 50})).await.good();
        assert_eq!(stop.reason(), "exception SyntaxError: Unexpected token ';'", "{}", stop.text);
        assert_eq!(stop.line("! "), format!("{root}/bad.js:3: return a +;"));
        // The other program's locals are those of Node's module loader.
        assert_eq!(
            stop.text.contains("\nlocals: none of the program's own\n"),
            program == "bad.js",
            "{}",
            stop.text
        );
        assert!(!stop.text.contains("cjsModuleInstance"), "{}", stop.text);
    }
    let end =
        stage.call("debug_launch", json!({"program": "use.mjs", "timeout_s": 50})).await.good();
    end.line("□ exited with code 1");
    end.says(&format!("stderr| file://{root}/bad.mjs:1\n"));
    end.says("stderr| SyntaxError: Unexpected token ';'\n");
    let stop =
        stage.call("debug_launch", json!({"program": "typed.ts", "timeout_s": 50})).await.good();
    assert!(stop.line("! ").starts_with(&format!("{root}/typed.ts:")), "{}", stop.text);
    stop.says("(this Node.js cannot run TypeScript: `npx tsx typed.ts`");
}
