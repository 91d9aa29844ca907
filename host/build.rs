//! Builds the bundled plugins as components and embeds them.
//!
//! Knows where the bundled plugins are and how to call cargo for them; refuses to know what they
//! contain. Writes `$OUT_DIR/bundled.rs`: `pub static BUNDLED: &[Bundled]` for a module that has
//! that type.
//!
//! The inner cargo has its own target directory, because the outer cargo locks its own. It gets no
//! variable of the outer cargo: clippy's wrapper or other flags would change the build, and every
//! outer command would build the plugins again.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a build script runs cargo and speaks to it by stdout"
)]

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use sha2::{Digest, Sha256};

const TARGET: &str = "wasm32-wasip2";
const PROFILE: &str = "plugin";
/// Variables of the outer cargo that the inner one gets: directories, downloads, and the job
/// server.
const PASSED: [&str; 8] = [
    "CARGO_HOME",
    "CARGO_HTTP_",
    "CARGO_MAKEFLAGS",
    "CARGO_NET_",
    "CARGO_REGISTRIES_",
    "CARGO_REGISTRY_",
    "CARGO_SOURCE_",
    "RUSTC",
];

fn main() -> ExitCode {
    match bundle() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}

fn bundle() -> Result<(), Box<dyn Error>> {
    let host = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = host.parent().ok_or("the host has no workspace")?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for input in ["Cargo.toml", "Cargo.lock", "wit", "plugins"] {
        println!("cargo::rerun-if-changed={}", root.join(input).display());
    }
    require_target()?;
    let target_dir = target_dir(&out);
    let plugins = plugins(&root.join("plugins"))?;
    build(root, &target_dir, &plugins)?;
    embed(&target_dir.join(TARGET).join(PROFILE), &out, &plugins)
}

/// The bundled plugins: each directory whose package is a component, `dapdock-NAME`.
fn plugins(directory: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let is_component = fs::read_to_string(path.join("Cargo.toml"))
            .is_ok_and(|text| text.contains("\"cdylib\""));
        names.extend(
            path.file_name()
                .and_then(|name| name.to_str())
                .filter(|_| is_component)
                .map(str::to_owned),
        );
    }
    names.sort();
    Ok(names)
}

fn require_target() -> Result<(), Box<dyn Error>> {
    let rustc = env::var("RUSTC")?;
    let printed =
        Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let libdir = String::from_utf8(printed.stdout)?;
    if printed.status.success() && Path::new(libdir.trim()).is_dir() {
        return Ok(());
    }
    Err(format!("the plugins need the {TARGET} target: run `rustup target add {TARGET}`").into())
}

/// `plugins` in the outer target directory, shared by all its profiles. Cargo marks that directory,
/// an ancestor of `OUT_DIR`, with a tag file.
fn target_dir(out: &Path) -> PathBuf {
    let outer = out.ancestors().find(|dir| dir.join("CACHEDIR.TAG").is_file());
    outer.unwrap_or(out).join("plugins")
}

fn build(root: &Path, target_dir: &Path, plugins: &[String]) -> Result<(), Box<dyn Error>> {
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo.current_dir(root);
    cargo.args(["build", "--locked", "--target", TARGET, "--profile", PROFILE]);
    cargo.arg("--target-dir").arg(target_dir);
    for plugin in plugins {
        cargo.args(["--package", &format!("dapdock-{plugin}")]);
    }
    for (name, _) in env::vars_os() {
        let outer = name.to_str().is_some_and(is_outer);
        if outer {
            cargo.env_remove(name);
        }
    }
    let built = cargo.output()?;
    if built.status.success() {
        return Ok(());
    }
    eprintln!("{}", String::from_utf8_lossy(&built.stderr));
    Err("a bundled plugin does not build; its errors are above".into())
}

/// Whether a variable belongs to the outer cargo alone.
fn is_outer(name: &str) -> bool {
    for passed in PASSED {
        if name == passed || (passed.ends_with('_') && name.starts_with(passed)) {
            return false;
        }
    }
    let builds = ["TARGET", "HOST", "PROFILE", "OPT_LEVEL", "DEBUG", "OUT_DIR", "NUM_JOBS"];
    let prefixes = ["CARGO", "RUSTC", "RUSTDOC", "RUSTFLAGS", "CLIPPY"];
    builds.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

fn embed(built: &Path, out: &Path, plugins: &[String]) -> Result<(), Box<dyn Error>> {
    let mut table = String::from("/// The bundled plugins.\npub static BUNDLED: &[Bundled] = &[\n");
    for plugin in plugins {
        let component = out.join(format!("{plugin}.wasm"));
        fs::copy(built.join(format!("dapdock_{}.wasm", plugin.replace('-', "_"))), &component)?;
        let sha256 = format!("{:x}", Sha256::digest(fs::read(&component)?));
        writeln!(
            table,
            "    Bundled {{ name: {plugin:?}, wasm: include_bytes!({component:?}), sha256: \
            {sha256:?} }},"
        )?;
    }
    table.push_str("];\n");
    Ok(fs::write(out.join("bundled.rs"), table)?)
}
