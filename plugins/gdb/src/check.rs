//! The program of `dapdock doctor` for gdb.

use dapdock_plugin::schema::Check;

const PROGRAM: &str = "\
static int add(int one, int other) {
    int total = one + other;
    return total;
}

int main(void) { return add(40, 2) != 42; }
";

pub fn check() -> Check {
    Check {
        files: [("check.c".into(), PROGRAM.into())].into(),
        file: "check.c".into(),
        line: 3,
        local: "total".into(),
        value: "42".into(),
        ..Check::default()
    }
}
