//! The program that `doctor` debugs to check that debugpy works.

use dapdock_plugin::schema::Check;

const PROGRAM: &str = "\
def add(one, other):
    total = one + other
    return total


add(40, 2)
";

pub fn check() -> Check {
    Check {
        files: [("check.py".into(), PROGRAM.into())].into(),
        file: "check.py".into(),
        line: 3,
        local: "total".into(),
        value: "42".into(),
        ..Check::default()
    }
}
