//! How `dapdock install` gets debugpy: into a virtual environment made by the user's Python.

use dapdock_plugin::schema::{Install, Package, Pip, Source, words};

/// The tool that the installation provides: an interpreter with debugpy. PATH has no such name.
pub const TOOL: &str = "debugpy-python";
const VERSION: &str = "1.8.22";

/// SHA-256 of the wheels on the package index.
const WHEELS: [&str; 6] = [
    "a9e9d3550e15ca479c59333e90845029190531f0cacfedab3b815a57bd913947", // py2.py3-none-any
    "7bf29e0d8ce80b100d37fb333e1b193b790d962739f3067796c2b03ffdc9afee", // cp310 manylinux x86_64
    "192b73e8d53bbd60225220c0943627bf249ac93d0ea3090e23c45f3e0ceb6a35", // cp311 manylinux x86_64
    "8a697acec45dbc70d17fb5d9f4f61989fc294d273c69de487fd10cb35fdd75eb", // cp312 manylinux x86_64
    "c1ffb9953708b648ecf6acd2e5ad2c002bf68785ed618197dd4463a2a7226f39", // cp313 manylinux x86_64
    "0c1104233340196e5cbf5514e7dfdbb98968e730cfd7fdd6f3d72a082be838a9", // cp314 manylinux x86_64
];

pub fn install() -> Install {
    let package = Package { require: format!("debugpy=={VERSION}"), sha256: words(WHEELS) };
    Install {
        tool: TOOL.into(),
        version: VERSION.into(),
        platforms: Vec::new(),
        path: "bin/python".into(),
        source: Source::Pip(Pip { client: "python".into(), packages: vec![package] }),
    }
}
