//! gdb's command language, as its DAP server runs it. Knows which commands leave gdb.

use dapdock_plugin::schema::{Commands, words};

/// Abbreviations as gdb 16.3 and 18.1 accept them.
const ESCAPES: [&str; 47] = [
    // Programs.
    "!",
    "|",
    "sh[ell]",
    "mak[e]",
    "pip[e]",
    "e[dit]",
    "compi[le]",
    "expr[ession]",
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
    "w[ith] au[to-load]",
    // Directories that gdb loads scripts and libraries from.
    "set da[ta-directory]",
    "w[ith] da[ta-directory]",
    "set debug-f[ile-directory]",
    "w[ith] debug-f[ile-directory]",
    "set libt[hread-db-search-path]",
    "w[ith] libt[hread-db-search-path]",
    // Programs that a server of gdb's protocol names.
    "set remote sy[stem-call-allowed]",
    "w[ith] remote sy[stem-call-allowed]",
    // Commands that are not visible as such.
    "al[ias]",
    "ev[al]",
    "interp[reter-exec]",
    // Files that gdb writes.
    "set logg[ing]",
    "w[ith] logg[ing]",
    "set hist[ory]",
    "w[ith] hist[ory]",
    "du[mp]",
    "app[end]",
    "sa[ve]",
    "rec[ord] sav[e]",
    "tsa[ve]",
    "ma[intenance] pr[int]",
    "mt pr[int]",
    "rem[ote]",
    "set exec-w[rapper]",
    "w[ith] exec-w[rapper]",
    // gdb's standard input is the connection to its client.
    "explo[re]",
    "new[-ui]",
];

/// In a session that was launched: the program's arguments are expanded by a shell, debug_restart
/// starts it again, and `target remote | COMMAND` runs a command. debug_stop ends or detaches it:
/// gdb's server is silent after `quit`, and reports exit code 0 after `kill` and `detach`. A core
/// file may be written over any other.
const OF_LAUNCHED: [&str; 9] = [
    "r[un]",
    "star[ti]",
    "ta[rget]",
    "q[uit]",
    "exi[t]",
    "k[ill]",
    "det[ach]",
    "gc[ore]",
    "gen[erate-core-file]",
];

/// In a session without a launch, which these commands are for.
const OF_OPENED: [&str; 15] = [
    "ta[rget] rem[ote] |",
    "ta[rget] ext[ended-remote] |",
    "-target-select remote |",
    "-target-select extended-remote |",
    "-gdb-set au[to-load]",
    "-gdb-set da[ta-directory]",
    "-gdb-set debug-f[ile-directory]",
    "-gdb-set libt[hread-db-search-path]",
    "-gdb-set exec-w[rapper]",
    // Files that gdb writes.
    "-gdb-set logg[ing]",
    "-gdb-set hist[ory]",
    "-trace-save",
    "-target-file-get",
    "-target-file-put",
    // Its argument is an expression of Python.
    "-var-set-visualizer",
];

/// Commands whose arguments a shell expands for the program.
const ARGUMENTS: [&str; 6] =
    ["r[un]", "star[ti]", "set ar[gs]", "w[ith] ar[gs]", "-exec-arguments", "-gdb-set ar[gs]"];

/// By these a shell runs other programs or writes files.
const OF_SHELLS: [&str; 7] = ["`", "$", ";", "|", "& +", ">", "("];

/// Of a session without a launch: gdb's user starts programs and connects to targets.
pub fn opened() -> Commands {
    let commands = commands();
    let mut escapes = commands.escapes;
    escapes.retain(|escape| !OF_LAUNCHED.contains(&escape.as_str()));
    escapes.extend(words(OF_OPENED));
    for command in ARGUMENTS {
        escapes.extend(OF_SHELLS.map(|end| format!("{command} * {end}")));
    }
    Commands { escapes, ..commands }
}

pub fn commands() -> Commands {
    Commands {
        context: "repl".into(),
        escapes: [words(ESCAPES), words(OF_LAUNCHED)].concat(),
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
            "-interpreter-exec",
            "-break-commands",
        ]),
        // A function that runs a shell's command.
        escape_texts: words(["$_shell"]),
        delete: Some("delete {}".into()),
        records: Some("record".into()),
        ..Commands::default()
    }
}
