//! LLDB's command language, as CodeLLDB runs it. Knows which commands leave LLDB.

use dapdock_plugin::schema::{Commands, words};

/// Abbreviations as LLDB 20 accepts them.
const ESCAPES: [&str; 17] = [
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
    // Commands that run later.
    "br[eakpoint] com[mand]",
    "w[atchpoint] com[mand]",
    // Interactive.
    "gu[i]",
    "rep[l]",
];

pub fn commands() -> Commands {
    Commands {
        // Not announced; the response has the output (debug_session.rs, `handle_evaluate`).
        context: "_command".into(),
        escapes: words(ESCAPES),
        // `breakpoint set --command`, `target stop-hook add --one-liner`.
        carriers: words(["b[reakpoint]", "w[atchpoint]", "ta[rget]"]),
        // Settings that load scripts.
        escape_texts: words([
            "python-os-plugin",
            "load-script-from-symbol-file",
            "load-cwd-lldbinit",
            "--script-type",
            "--python",
        ]),
        delete: Some("breakpoint delete {}".into()),
        ..Commands::default()
    }
}
