//! The program that `doctor` debugs to check that Delve works with the installed Go.

use dapdock_plugin::schema::Check;

const PROGRAM: &str = "\
package main

func add(one, other int) int {
\ttotal := one + other
\treturn total
}

func main() { println(add(40, 2)) }
";

pub fn check() -> Check {
    Check {
        files: [("go.mod".into(), "module check\n".into()), ("main.go".into(), PROGRAM.into())]
            .into(),
        file: "main.go".into(),
        line: 5,
        local: "total".into(),
        value: "42".into(),
        ..Check::default()
    }
}
