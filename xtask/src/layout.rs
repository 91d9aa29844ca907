//! The paths of a checkout. Creates nothing.

use std::path::{Path, PathBuf};

/// The directories that tasks read and write, all absolute.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The checkout.
    pub root: PathBuf,
}

impl Layout {
    /// The checkout of `cargo xtask`: from cargo at run time, or from the build for a binary that
    /// is started directly.
    pub fn find() -> Self {
        let xtask = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = xtask.parent().unwrap_or(&xtask).to_path_buf();
        Self { root }
    }

    /// One directory per installed adapter.
    pub fn adapters(&self) -> PathBuf {
        self.root.join("target/adapters")
    }

    /// The config file that names the installed adapters.
    pub fn config(&self) -> PathBuf {
        self.adapters().join("dapdock.toml")
    }

    /// The binary of `cargo build`.
    pub fn dapdock(&self) -> PathBuf {
        self.root.join("target/debug/dapdock")
    }

    /// Build output of the Rust programs that tests debug: `debug/NAME`, and
    /// `nodebug/NAME` without debug information.
    pub fn fixtures(&self) -> PathBuf {
        self.root.join("target/fixtures")
    }

    /// Build output of the Go programs that tests debug.
    pub fn go_programs(&self) -> PathBuf {
        self.fixtures().join("go")
    }

    /// The same, built by the older Go.
    pub fn older_go_programs(&self) -> PathBuf {
        self.fixtures().join("go_older")
    }

    /// The Go that came with the older Delve.
    pub fn older_go(&self) -> PathBuf {
        self.adapters().join("delve-older/sdk/go1.20.14/bin/go")
    }

    /// The Go module of those programs.
    pub fn go_fixtures(&self) -> PathBuf {
        self.root.join("tests/fixtures/go")
    }

    /// Build output of the C and C++ programs that tests debug.
    pub fn c_programs(&self) -> PathBuf {
        self.fixtures().join("c")
    }

    /// A project with tests of GoogleTest: sources, and what was built of them.
    pub fn googletest_project(&self) -> PathBuf {
        self.fixtures().join("gtest")
    }

    /// The source of those tests.
    pub fn googletest_source(&self) -> PathBuf {
        self.root.join("tests/fixtures/gtest/cart_test.cc")
    }

    /// The sources of those programs.
    pub fn c_fixtures(&self) -> PathBuf {
        self.root.join("tests/fixtures/c")
    }

    /// The real projects that `cargo xtask real` debugs: one directory each.
    pub fn real_projects(&self) -> PathBuf {
        self.root.join("tests/real_projects")
    }

    /// Their copies, with what they need and what was built.
    pub fn real_builds(&self) -> PathBuf {
        self.root.join("target/real")
    }

    /// The cargo workspace of the Rust programs that tests debug.
    pub fn rust_fixtures(&self) -> PathBuf {
        self.root.join("tests/fixtures/rust")
    }
}

/// `path` as text for a config file or a message.
pub fn text(path: &Path) -> String {
    path.display().to_string()
}
