//! Programs of `dapdock doctor` for debuggers of machine code.

use dapdock_plugin::schema::{Check, words};

const C: &str = "\
static int add(int one, int other) {
    int total = one + other;
    return total;
}

int main(void) { return add(40, 2) != 42; }
";

/// A check by a program with the tool that makes it; on line 3 of the file the local `total` is 42.
pub fn total(tool: &str, file: &str) -> Check {
    Check {
        needs: words([tool]),
        file: file.into(),
        line: 3,
        local: "total".into(),
        value: "42".into(),
        ..Check::default()
    }
}

/// A check by a program in C.
pub fn c() -> Check {
    Check { files: [("check.c".into(), C.into())].into(), ..total("gcc", "check.c") }
}
