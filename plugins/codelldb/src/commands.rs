//! LLDB's command language, as CodeLLDB runs it. Knows which commands leave LLDB.

use dapdock_plugin::schema::{Commands, words};

/// Abbreviations as LLDB 20 accepts them.
const ESCAPES: [&str; 18] = [
    "!",
    // Programs.
    "sh[ell]",
    "pl[atform]",
    "r[un]",
    "pr[ocess] la[unch]",
    // Scripts, libraries and files of commands.
    "sc[ript]",
    "scripti[ng]",
    "com[mand]",
    "plu[gin]",
    "th[read] step-s[cripted]",
    "fr[ame] r[ecognizer]",
    "ty[pe] su[mmary]",
    "ty[pe] sy[nthetic]",
    // An expression of CodeLLDB's own.
    "/ py",
    // Commands that run later.
    "br[eakpoint] com[mand]",
    "w[atchpoint] com[mand]",
    // Interactive.
    "gu[i]",
    "rep[l]",
];

/// Files that LLDB writes, and files with commands of breakpoints or with settings, which load
/// scripts.
const FILES: &str = "me[mory] rea[d] * -o*, me[mory] rea[d] * --o*, x * -o*, x * --o*, \
                     pr[ocess] save-[core], log en[able], ses[sion], se[ttings] w[rite], \
                     se[ttings] rea[d], br[eakpoint] wr[ite], br[eakpoint] rea[d]";

const CARRIERS: &str = "b[reakpoint] rb[reak] tb[reak] _regexp-break _regexp-tbreak w[atchpoint] \
                        ta[rget] disp[lay] _regexp-display ` ? /";

pub fn commands() -> Commands {
    Commands {
        // Not announced; the response has the output (debug_session.rs, `handle_evaluate`).
        context: "_command".into(),
        escapes: [words(ESCAPES), FILES.split(", ").map(String::from).collect()].concat(),
        // `breakpoint set --command`, `target stop-hook add --one-liner`, their aliases, and
        // CodeLLDB's prefixes of commands.
        carriers: CARRIERS.split(' ').map(String::from).collect(),
        // Settings that load scripts.
        escape_texts: words([
            "python-os-plugin",
            "load-script-from-symbol-file",
            "load-cwd-lldbinit",
            "--script-type",
            "--python",
        ]),
        // Python, and attributes of Python's objects that lead to its modules.
        expression_escapes: words(["/py", "__"]),
        delete: Some("breakpoint delete {}".into()),
        ..Commands::default()
    }
}
