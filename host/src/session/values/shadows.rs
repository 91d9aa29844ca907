//! Which variable of one stop is which of another, where a block declares a name again.
//!
//! Adapters list all variables of a name, each in its own way: the innermost first, as `x #2`, or
//! as `(x)`. Entering a block adds the innermost one, so they are matched from the outermost on. An
//! adapter that lists the innermost only needs a plugin that adds the line of its declaration.

use crate::model::Variable;

/// The variables of one stop, to be found by those of another.
pub(crate) struct Shadows<'a> {
    there: &'a [Variable],
    here: &'a [Variable],
}

impl<'a> Shadows<'a> {
    /// Finds variables of `there`, given those of `here`.
    pub(crate) fn new(there: &'a [Variable], here: &'a [Variable]) -> Self {
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
fn outermost_first<'a>(all: &'a [Variable], name: &str) -> Vec<&'a Variable> {
    let mut found: Vec<&Variable> = all.iter().filter(|one| plain(&one.name) == name).collect();
    let is_in_parentheses = |one: &&Variable| one.name.starts_with('(');
    let (mut outer, mut inner): (Vec<&Variable>, Vec<&Variable>) =
        found.drain(..).partition(is_in_parentheses);
    inner.sort_by_key(|one| number(&one.name).map_or(1, |(_, number)| number));
    outer.extend(inner.into_iter().rev());
    outer
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
        let (before, now) = (listed(before), listed(now));
        let earlier = Shadows::new(&before, &now);
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
    }

    #[test]
    fn declarations_distinguish_variables_of_one_name() {
        check("x=7@3", "x=0@6", "x: new");
        check("x=7@3", "x=8@3", "x: 7");
        check("x=0@6, y=1", "x=7@3, y=2", "x: new, y: 1");
    }
}
