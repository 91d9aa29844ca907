//! The binary.
use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|verb| verb == "guard") {
        return dapdock::process::guard::main();
    }
    ExitCode::SUCCESS
}
