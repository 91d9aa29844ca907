//! The programs of `dapdock doctor` for CodeLLDB: one in Rust and, for machines without Rust, one
//! in C.

use dapdock_native::check;
use dapdock_plugin::schema::{Check, words};

/// Its own workspace, wherever the directory is.
const PACKAGE: &str = "\
[package]
name = \"check\"
version = \"0.0.0\"
edition = \"2021\"

[workspace]
";

const RUST: &str = "\
fn add(one: i32, other: i32) -> i32 {
    let total = one + other;
    std::hint::black_box(total)
}

fn main() {
    println!(\"{}\", add(40, 2));
}
";

pub fn checks() -> Vec<Check> {
    let package = [("Cargo.toml".into(), PACKAGE.into()), ("src/main.rs".into(), RUST.into())];
    let rust = Check {
        files: package.into(),
        command: words(["cargo", "run", "--offline"]),
        ..check::total("cargo", "src/main.rs")
    };
    vec![rust, check::c()]
}
