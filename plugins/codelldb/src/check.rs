//! A program that shows whether CodeLLDB works with the Rust at hand.

use dapdock_plugin::schema::{Check, words};

/// A workspace of its own, wherever it is.
const PACKAGE: &str = "\
[package]
name = \"check\"
version = \"0.0.0\"
edition = \"2021\"

[workspace]
";

const PROGRAM: &str = "\
fn add(one: i32, other: i32) -> i32 {
    let total = one + other;
    std::hint::black_box(total)
}

fn main() {
    println!(\"{}\", add(40, 2));
}
";

pub fn check() -> Check {
    Check {
        files: [("Cargo.toml".into(), PACKAGE.into()), ("src/main.rs".into(), PROGRAM.into())].into(),
        command: words(["cargo", "run", "--offline"]),
        file: "src/main.rs".into(),
        line: 3,
        local: "total".into(),
        value: "42".into(),
    }
}
