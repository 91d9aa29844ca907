//! Paths as callers write them. Knows their syntax, not which files exist: the workspace knows
//! that.

/// Resolves `path` against `directory`; an absolute path, also in Windows syntax, stays unchanged.
pub fn join(directory: &str, path: &str) -> String {
    let absolute = path.starts_with(['/', '\\']) || path.get(1..2) == Some(":");
    if absolute {
        return path.to_owned();
    }
    let relative = path.strip_prefix("./").unwrap_or(path);
    format!("{}/{relative}", directory.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_relative_paths_are_seen_from_the_directory() {
        for (path, expect) in [
            ("x.py", "/w/x.py"),
            ("./a/x.py", "/w/a/x.py"),
            ("../x.py", "/w/../x.py"),
            ("/x.py", "/x.py"),
            (r"C:\x.py", r"C:\x.py"),
            ("é", "/w/é"),
        ] {
            assert_eq!(join("/w/", path), expect);
        }
    }
}
