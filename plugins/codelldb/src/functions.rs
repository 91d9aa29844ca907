//! Functions by name, as CodeLLDB takes them: a name, or `/re ` and a regular expression.

/// The program's own `main`: rustc adds a C `main` around it, where the plain name stops first.
pub fn breakpoint(function: String, rust: bool) -> String {
    match (function.as_str(), rust) {
        ("main", true) => r"/re ^[A-Za-z0-9_]+::main$".to_owned(),
        _ => function,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_main_of_rust_is_another() {
        let named = |name: &str, rust| breakpoint(name.to_owned(), rust);
        assert_eq!(named("main", false), "main");
        assert_eq!(named("total_of", true), "total_of");
        assert_eq!(named("main", true), "/re ^[A-Za-z0-9_]+::main$");
    }
}
