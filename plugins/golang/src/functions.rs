//! Names of functions and of the closures inside them: `main.pay`, `main.pay.func1`.

/// The function around a closure: `func1`, and inside of that `1`.
pub fn outer(name: &str) -> &str {
    let mut outer = name;
    while let Some((before, last)) = outer.rsplit_once('.') {
        let number = last.strip_prefix("func").unwrap_or(last);
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        outer = before;
    }
    outer
}

/// Whether a closure is inside of a function. Delve before 1.21 names functions with the whole path
/// of the package.
pub fn is_inside(closure: &str, function: &str) -> bool {
    let rest = base(closure).strip_prefix(base(function));
    rest.is_some_and(|rest| rest.starts_with('.'))
}

fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closures_are_inside_of_functions() {
        assert_eq!(outer("http.(*conn).serve.func1.1"), "http.(*conn).serve");
        assert_eq!(outer("main.main"), "main.main");
        assert!(is_inside("encoding/json.Marshal.func1", "json.Marshal"));
        assert!(!is_inside("encoding/json.MarshalIndent.func1", "json.Marshal"));
    }
}
