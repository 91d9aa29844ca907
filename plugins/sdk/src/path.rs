//! Paths as callers write them. Knows how they read, not what is there: the
//! workspace answers that.

/// `path`, seen from `directory`; one that is absolute, also as Windows writes it, stays.
pub fn join(directory: &str, path: &str) -> String {
    let absolute = path.starts_with(['/', '\\']) || path.get(1..2) == Some(":");
    match absolute {
        true => path.to_owned(),
        false => format!(
            "{}/{}",
            directory.trim_end_matches('/'),
            path.strip_prefix("./").unwrap_or(path)
        ),
    }
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
