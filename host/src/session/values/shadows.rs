//! Which variable of one stop is which of another, where a block declares a name again.
//!
//! Adapters list all variables of a name, each in its own way: the innermost first, as `x #2`, or
//! as `(x)`. Entering a block adds the innermost one, so they are matched from the outermost on. An
//! adapter that lists the innermost only needs a plugin that adds the line of its declaration.

use crate::model::Variable;

/// Variables of a frame as the adapter lists them.
#[derive(Clone, Copy)]
pub(crate) struct Listed<'a> {
    pub(crate) variables: &'a [Variable],
    /// How many of them, at the beginning, are arguments: they are outside of every block.
    arguments: usize,
}

impl<'a> Listed<'a> {
    pub(crate) fn new(variables: &'a [Variable], arguments: usize) -> Self {
        Self { variables, arguments }
    }
}

/// The variables of one stop, to be found by those of another.
pub(crate) struct Shadows<'a> {
    there: Listed<'a>,
    here: Listed<'a>,
}

impl<'a> Shadows<'a> {
    /// Finds variables of `there`, given those of `here`.
    pub(crate) fn new(there: Listed<'a>, here: Listed<'a>) -> Self {
        Self { there, here }
    }

    /// The same variable `there`.
    pub(crate) fn of(&self, variable: &Variable) -> Option<&'a Variable> {
        let name = plain(&variable.name);
        let (there, here) = (outermost_first(self.there, name), outermost_first(self.here, name));
        if variable.declared.is_some() {
            return there.into_iter().find(|one| one.declared == variable.declared);
        }
        let at = here.iter().position(|one| std::ptr::eq(*one, variable))?;
        there.get(at).copied()
    }
}

/// The name without the mark of a shadowed variable.
fn plain(name: &str) -> &str {
    if let Some(inner) = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return inner;
    }
    number(name).map_or(name, |(plain, _)| plain)
}

/// `x` and 2 of `x #2`.
fn number(name: &str) -> Option<(&str, u32)> {
    let (plain, number) = name.rsplit_once(" #")?;
    Some((plain, number.parse().ok()?))
}

/// All variables of a name. In parentheses, an adapter lists the outermost first.
fn outermost_first<'a>(listed: Listed<'a>, name: &str) -> Vec<&'a Variable> {
    let (arguments, others) =
        listed.variables.split_at(listed.arguments.min(listed.variables.len()));
    let named = |one: &&Variable| plain(&one.name) == name;
    let mut found: Vec<&Variable> = arguments.iter().filter(named).collect();
    let is_in_parentheses = |one: &&Variable| one.name.starts_with('(');
    let (outer, mut inner): (Vec<&Variable>, Vec<&Variable>) =
        others.iter().filter(named).partition(is_in_parentheses);
    inner.sort_by_key(|one| number(&one.name).map_or(1, |(_, number)| number));
    found.extend(outer.into_iter().chain(inner.into_iter().rev()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Children;

    fn listed(text: &str) -> Vec<Variable> {
        let mut all = Vec::new();
        for word in text.split(", ").filter(|word| !word.is_empty()) {
            let (name, value) = word.split_once('=').unwrap();
            let (value, declared) = match value.split_once('@') {
                Some((value, line)) => (value, line.parse().ok()),
                None => (value, None),
            };
            all.push(Variable {
                name: name.to_owned(),
                value: value.to_owned(),
                ty: None,
                children: Children::None,
                preview: Vec::new(),
                expression: None,
                reference: 0,
                lazy: false,
                address: None,
                declared,
                function: false,
            });
        }
        all
    }

    #[track_caller]
    fn check(before: &str, now: &str, expect: &str) {
        check_with_arguments(0, before, now, expect);
    }

    #[track_caller]
    fn check_with_arguments(arguments: usize, before: &str, now: &str, expect: &str) {
        let (before, now) = (listed(before), listed(now));
        let earlier = Shadows::new(Listed::new(&before, arguments), Listed::new(&now, arguments));
        let words = now.iter().map(|one| {
            let then = earlier.of(one).map_or("new", |then| then.value.as_str());
            format!("{}: {then}", one.name)
        });
        assert_eq!(words.collect::<Vec<_>>().join(", "), expect);
    }

    #[test]
    fn variables_of_one_name_are_matched_from_the_outermost() {
        check("x=7, y=1", "x=8, y=1", "x: 7, y: 1");
        check("x=12, x #2=0", "x=24, x #2=12, x #3=0", "x: new, x #2: 12, x #3: 0");
        check("x=24, x #2=12, x #3=0", "x=12, x #2=0", "x: 12, x #2: 0");
        check("(x)=7, x=1", "x=7", "x: 7");
        check("x=7", "x=1, (x)=7", "x: new, (x): 7");
        check("(x)=1, (x)=2, x=3", "(x)=1, x=2", "(x): 1, x: 2");
        check("x=7", "x=1, x=7", "x: new, x: 7");
        check_with_arguments(1, "x=22", "x=22, x=121", "x: 22, x: new");
        check_with_arguments(1, "x=22, x=121", "x=22", "x: 22");
    }

    #[test]
    fn declarations_distinguish_variables_of_one_name() {
        check("x=7@3", "x=0@6", "x: new");
        check("x=7@3", "x=8@3", "x: 7");
        check("x=0@6, y=1", "x=7@3, y=2", "x: new, y: 1");
    }
}
