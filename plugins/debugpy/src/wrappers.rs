//! Commands that run a program in an environment of Python. Knows their options that take a value.

use dapdock_plugin::schema::{Wrapper, words};

/// Of `uv run` and `uv tool run` (`uv help run`, 0.13).
const UV: [&str; 47] = [
    "--allow-insecure-host",
    "--cache-dir",
    "--color",
    "--config-file",
    "--config-setting",
    "-C",
    "--config-settings-package",
    "--default-index",
    "--directory",
    "--env-file",
    "--exclude-newer",
    "--exclude-newer-package",
    "--extra",
    "--extra-index-url",
    "--find-links",
    "-f",
    "--fork-strategy",
    "--from",
    "--group",
    "--index",
    "--index-strategy",
    "--index-url",
    "-i",
    "--keyring-provider",
    "--link-mode",
    "--no-binary-package",
    "--no-build-isolation-package",
    "--no-build-package",
    "--no-extra",
    "--no-group",
    "--only-group",
    "--package",
    "--prerelease",
    "--project",
    "--python",
    "-p",
    "--python-platform",
    "--refresh-package",
    "--reinstall-package",
    "--resolution",
    "--upgrade-group",
    "--upgrade-package",
    "-P",
    "--with",
    "-w",
    "--with-editable",
    "--with-requirements",
];

pub fn wrappers() -> Vec<Wrapper> {
    let wrapper = |command, values| Wrapper { words: command, values };
    vec![
        wrapper(words(["uv", "run"]), words(UV)),
        wrapper(words(["uv", "tool", "run"]), words(UV)),
        wrapper(words(["uvx"]), words(UV)),
        wrapper(words(["conda", "run"]), words(["-n", "--name", "-p", "--prefix", "--cwd"])),
    ]
}
