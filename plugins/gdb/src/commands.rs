//! gdb's command language, as its DAP server runs it. Knows which commands leave gdb.

use dapdock_plugin::schema::{Commands, words};

/// Abbreviations as gdb 16.3 and 18.1 accept them.
const ESCAPES: [&str; 27] = [
    // Programs.
    "!",
    "|",
    "sh[ell]",
    "mak[e]",
    "pip[e]",
    "e[dit]",
    "compi[le]",
    "expr[ession]",
    // The program's arguments are expanded by a shell, and debug_restart starts it again.
    "r[un]",
    "star[ti]",
    // `target remote | COMMAND`.
    "ta[rget]",
    // Scripts, libraries and files of commands.
    "py[thon]",
    "python-[interactive]",
    "pi",
    "gu[ile]",
    "guile-[repl]",
    "gr",
    "so[urce]",
    "ji[t-reader-load]",
    "add-a[uto-load-safe-path]",
    "add-auto-load-sc[ripts-directory]",
    "set au[to-load]",
    // Commands that are not visible as such.
    "al[ias]",
    "ev[al]",
    "interp[reter-exec]",
    // gdb's standard input is the connection to its client.
    "explo[re]",
    "new[-ui]",
];

pub fn commands() -> Commands {
    Commands {
        context: "repl".into(),
        escapes: words(ESCAPES),
        carriers: words([
            "w[ith]",
            "server",
            "t[hread]",
            "f[rame]",
            "taas",
            "tfaas",
            "faas",
            "mt",
            "ma[intenance]",
        ]),
        // A function that runs a shell's command.
        escape_texts: words(["$_shell"]),
        delete: Some("delete {}".into()),
        ..Commands::default()
    }
}
