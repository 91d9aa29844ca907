//! The program that `doctor` debugs to check that js-debug works.

use dapdock_plugin::schema::Check;

const PROGRAM: &str = "\
function add(one, other) {
  const total = one + other;
  return total;
}

add(40, 2);
";

pub fn check() -> Check {
    Check {
        files: [("check.js".into(), PROGRAM.into())].into(),
        file: "check.js".into(),
        line: 3,
        local: "total".into(),
        value: "42".into(),
        ..Check::default()
    }
}
