//! Documents of plugins: each command in them exists in the real debugger, in its long and its
//! short form.

use std::path::PathBuf;
use std::process::Stdio;

use tokio::io::AsyncWriteExt;

use super::Language;
use crate::caller::{adapters_config, root};

/// The commands of a document: its headings of the third level.
fn commands(plugin: &str, document: &str) -> Vec<String> {
    let path = root().join("plugins").join(plugin).join("documents").join(document);
    let text = std::fs::read_to_string(path).unwrap();
    let headings = text.lines().filter_map(|line| line.strip_prefix("### "));
    headings.flat_map(|line| line.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// The program of a tool in the configuration.
fn tool(name: &str) -> PathBuf {
    let config: toml::Table = std::fs::read_to_string(adapters_config()).unwrap().parse().unwrap();
    config["tools"][name]["path"].as_str().unwrap().into()
}

/// What a debugger prints for these lines of input.
#[expect(clippy::disallowed_methods, reason = "the debugger alone is what is compared")]
async fn printed(program: PathBuf, arguments: &[&str], input: String) -> String {
    let mut debugger = tokio::process::Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .current_dir(root())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut stdin = debugger.stdin.take().unwrap();
    let write = async move { stdin.write_all(input.as_bytes()).await.unwrap() };
    let (output, ()) = tokio::join!(debugger.wait_with_output(), write);
    String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
}

/// `unknown`: what gdb prints about a command that does not exist.
async fn assert_known(commands: &[String], about: &str, unknown: &str) {
    assert!(commands.len() > 20, "{commands:?}");
    let mut input = format!("{about} nosuch\n");
    for name in commands {
        input.push_str(&format!("{about} {name}\n"));
    }
    let text = printed(tool("gdb"), &["-nx", "-q", "-i=mi"], input).await;
    assert_eq!(text.matches(unknown).count(), 1, "{text}");
}

#[tokio::test]
async fn commands_of_gdb_documents_exist() {
    if !Language::C.is_here() {
        return;
    }
    let (cli, mi) = (commands("gdb", "cli.md"), commands("gdb", "mi.md"));
    assert_known(&cli, "help", "^error,msg=").await;
    assert_known(&mi, "-info-gdb-mi-command", "exists=\"false\"").await;
    let all = [cli, mi].concat();
    let mapping = std::fs::read_to_string(root().join("plugins/gdb/documents/mapping.md")).unwrap();
    for row in mapping.lines().filter(|line| line.starts_with("| ")).skip(2) {
        let gdb: Vec<&str> = row.split('|').skip(2).take(2).collect();
        for name in gdb.concat().split('`').skip(1).step_by(2) {
            assert!(all.iter().any(|known| known == name), "{name} has no description");
        }
    }
}

#[tokio::test]
async fn commands_of_the_delve_document_exist() {
    if !Language::Go.is_here() {
        return;
    }
    let known = commands("delve", "reference.md");
    let help: Vec<_> = known.iter().map(|name| format!("help {name}\n")).collect();
    let input = format!("help nosuch\n{}exit\n", help.concat());
    let program = root().join(Language::Go.program("cart")).display().to_string();
    let arguments = ["exec", program.as_str(), "--allow-non-terminal-interactive=true"];
    let text = printed(tool("dlv"), &arguments, input).await;
    // Errors are on standard error: nothing stands behind the prompt.
    let answers: Vec<&str> = text.split("(dlv) ").skip(1).map(str::trim).collect();
    assert_eq!(answers.first(), Some(&""), "{text}");
    assert!(known.len() > 20 && answers.len() > known.len(), "{text}");
    for (name, answer) in known.iter().zip(&answers[1..]) {
        assert!(answer.len() > 20, "{name}: {answer}");
    }
}

#[tokio::test]
async fn commands_of_the_lldb_document_exist() {
    if !Language::Rust.is_here() {
        return;
    }
    let known = commands("codelldb", "reference.md");
    let lldb = tool("codelldb").parent().unwrap().with_file_name("lldb").join("bin/lldb");
    let mut arguments = vec!["--no-lldbinit".to_owned(), "-b".to_owned()];
    for name in &known {
        arguments.extend(["-o".to_owned(), format!("help {name}")]);
    }
    arguments.extend(["-o".to_owned(), "help nosuch".to_owned()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let text = printed(lldb, &arguments, String::new()).await;
    // LLDB stops at the first command that fails, which is the last one.
    assert!(known.len() > 20, "{known:?}");
    assert_eq!(text.matches("(lldb) help ").count(), known.len() + 1, "{text}");
}
