//! Variables as the adapter lists them.

use dapdock_schema::{AfterAssignment, MappingRule, Pages};

use super::Quirks;
use crate::dap::types;
use crate::model::{Children, Variable};
use crate::session::values::convert;

/// How to read a range of the elements of a container.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// By `start` and `count` of the `variables` request.
    Requested,
    /// By an expression for all of them.
    Slice(String),
    /// By an expression for each.
    Each(Vec<String>),
}

/// A mapping in which a number is a key, never a position.
#[derive(Debug)]
pub(crate) struct Mapping<'a>(&'a MappingRule);

impl Mapping<'_> {
    /// Whether the children are named by their keys.
    pub(crate) fn has_keys_as_names(&self) -> bool {
        self.0.value.is_none()
    }

    /// The expression for the value of a key of the mapping `expression`; none: the children are
    /// named by their keys.
    pub(crate) fn lookup(&self, expression: &str, key: &str) -> Option<String> {
        let template = self.0.value.as_ref()?;
        Some(template.replace("{expr}", expression).replace("{key}", key))
    }
}

impl Quirks {
    /// A variable without its children; a pointer with the address it holds.
    pub(crate) fn variable(&self, row: types::Variable) -> Variable {
        let address = self.address(&row);
        Variable { address, ..convert::variable(row) }
    }

    /// The address that a pointer holds; none for a null pointer and for any other type.
    fn address(&self, row: &types::Variable) -> Option<String> {
        let ty = row.type_.as_deref()?;
        if !self.0.values.pointers.iter().any(|end| ty.ends_with(end.as_str())) {
            return None;
        }
        let digits = row.memory_reference.as_deref()?.strip_prefix("0x")?;
        let address = u64::from_str_radix(digits, 16).ok()?;
        (address > 0).then(|| format!("{address:#x}"))
    }

    /// An expression for the address that a value holds, if the adapter reports the address in no
    /// other way.
    pub(crate) fn address_expression(&self, variable: &Variable) -> Option<String> {
        let ty = variable.ty.as_deref().filter(|_| variable.address.is_none())?;
        let is_of = |start: &String| ty.starts_with(start.as_str());
        let rule = self.0.values.addresses.iter().find(|rule| rule.types.iter().any(is_of))?;
        Some(rule.value.replace("{expr}", variable.expression.as_deref()?))
    }

    /// Whether the adapter may have cut a displayed value.
    pub(crate) fn is_cut(&self, value: &str) -> bool {
        self.0.values.cut_mark.as_deref().is_some_and(|mark| value.contains(mark))
    }

    /// Are two displayed values the same? One that the adapter cut is compared up to the cut.
    pub(crate) fn is_same_value(&self, a: &str, b: &str) -> bool {
        let Some(mark) = self.0.values.cut_mark.as_deref() else { return a == b };
        if !a.contains(mark) && !b.contains(mark) {
            return a == b;
        }
        let a = a.split(mark).next().unwrap_or_default();
        let b = b.split(mark).next().unwrap_or_default();
        a.starts_with(b) || b.starts_with(a)
    }

    /// Whether the adapter lists a child of this name that is not the program's.
    pub(crate) fn is_hidden(&self, name: &str) -> bool {
        self.0.values.hidden.iter().any(|hidden| hidden == name)
    }

    /// Whether a scope has the frame's locals, by DAP's hint or by its name.
    pub(crate) fn has_locals(&self, scope: &types::Scope) -> bool {
        let by_hint = matches!(
            scope.presentation_hint.as_deref(),
            Some("locals" | "arguments" | "returnValue")
        );
        let names = &self.0.values.locals;
        by_hint || names.iter().any(|name| scope.name.starts_with(name.as_str()))
    }

    /// Whether the adapter answers with this value for something that does not exist.
    pub(crate) fn is_absent(&self, value: &str) -> bool {
        self.0.values.absent.as_deref() == Some(value)
    }

    /// An assignment adds a member that an object does not have.
    pub(crate) fn adds_members(&self) -> bool {
        self.0.values.adds_members
    }

    /// After an assignment scopes still list the values from the time of the stop.
    pub(crate) fn lists_old_values(&self) -> bool {
        self.0.values.after_assignment == AfterAssignment::OfStop
    }

    /// Would listing all children take the adapter too long?
    pub(crate) fn is_long(&self, variable: &Variable) -> bool {
        let rule = &self.0.values.elements;
        rule.pages != Pages::Listed
            && matches!(variable.children, Children::Count(count) if count > rule.at_once)
    }

    /// How many elements one response may have.
    pub(crate) fn page_size(&self) -> u64 {
        self.0.values.elements.at_once.max(1)
    }

    /// Does each element cost an evaluation?
    pub(crate) fn evaluates_each_element(&self) -> bool {
        matches!(self.0.values.elements.pages, Pages::Each(_))
    }

    /// Are the entries of this long mapping read and named by their positions, not by their keys?
    pub(crate) fn numbers_entries(&self, parent: &Variable) -> bool {
        self.evaluates_each_element() && self.is_long(parent) && self.mapping(parent).is_some()
    }

    /// How to read the elements `from` to `to` (exclusive); none: they cannot be read apart from
    /// the others.
    pub(crate) fn page(&self, parent: &Variable, from: u64, to: u64) -> Option<Page> {
        match (&self.0.values.elements.pages, &parent.expression) {
            (Pages::Requested, _) => Some(Page::Requested),
            (Pages::Slice(slice), Some(expression)) => {
                let slice = slice.replace("{expr}", expression);
                let (from, to) = (from.to_string(), to.to_string());
                Some(Page::Slice(slice.replace("{start}", &from).replace("{end}", &to)))
            }
            (Pages::Each(element), Some(expression)) => {
                let element = element.replace("{expr}", expression);
                let each = (from..to).map(|number| element.replace("{n}", &number.to_string()));
                Some(Page::Each(each.collect()))
            }
            (Pages::Listed | Pages::Slice(_) | Pages::Each(_), _) => None,
        }
    }

    /// Whether a child holds the number of elements, or stands for those that are not listed.
    pub(crate) fn counts_elements(&self, name: &str) -> bool {
        let rule = &self.0.values.elements;
        rule.count.as_deref() == Some(name) || rule.rest.iter().any(|rest| rest == name)
    }

    /// Removes the children that count elements. Returns the number of elements, if one has it.
    pub(crate) fn take_count(
        &self,
        mut rows: Vec<types::Variable>,
    ) -> (Vec<types::Variable>, Option<u64>) {
        let Some(count) = &self.0.values.elements.count else { return (rows, None) };
        let row = rows.iter().find(|child| child.name == *count);
        let Some(elements) = row.and_then(|child| child.value.parse().ok()) else {
            return (rows, None);
        };
        rows.retain(|child| !self.counts_elements(&child.name));
        (rows, Some(elements))
    }

    /// The rule for mappings of this type; none: its children have the names that a path gives
    /// them.
    pub(crate) fn mapping(&self, parent: &Variable) -> Option<Mapping<'_>> {
        let ty = parent.ty.as_deref()?.trim_start_matches(['&', '*']);
        let ty = ["mut ", "const "].iter().fold(ty, |ty, word| ty.strip_prefix(word).unwrap_or(ty));
        let is_of = |name: &String| {
            if name.contains('<') { ty.starts_with(name.as_str()) } else { ty == name }
        };
        let numbered = &self.0.values.mappings;
        numbered.iter().find(|rule| rule.types.iter().any(is_of)).map(Mapping)
    }
}

#[cfg(test)]
mod tests {
    use dapdock_schema::{AddressRule, Profile};

    use super::*;

    #[test]
    fn type_name_makes_a_pointer() {
        let mut profile = Profile::default();
        profile.values.pointers = vec!["*".into()];
        let quirks = Quirks::new(profile);
        let row = |ty: &str, reference: &str| types::Variable {
            type_: Some(ty.into()),
            memory_reference: Some(reference.into()),
            ..types::Variable::default()
        };
        for (ty, reference, expect) in [
            ("Node *", "0x7FFFFFFFE4B0", Some("0x7fffffffe4b0")),
            ("Node", "0x7FFFFFFFE4B0", None),
            ("Node *", "0x0", None),
            ("Node *", "17", None),
        ] {
            let address = quirks.variable(row(ty, reference)).address;
            assert_eq!(address.as_deref(), expect, "{ty} {reference}");
        }
        assert_eq!(Quirks::default().variable(row("Node *", "0x10")).address, None);
    }

    #[test]
    fn cut_values_are_equal_as_far_as_they_go() {
        assert!(!Quirks::default().is_same_value("{a:1, b:2}", "{a:1, …}"));
        let mut profile = Profile::default();
        profile.values.cut_mark = Some("…".into());
        let quirks = Quirks::new(profile);
        assert!(quirks.is_same_value("{a:1, b:2}", "{a:1, …}"));
        assert!(!quirks.is_same_value("{a:2, b:2}", "{a:1, …}"));
        assert!(!quirks.is_same_value("{a:2, b:2}", "{a:2, b:3}"));
    }

    #[test]
    fn mappings_are_known_by_their_type() {
        let numbered = MappingRule { types: vec!["map<".into(), "Map".into()], value: None };
        let mut profile = Profile::default();
        profile.values.mappings.push(numbered);
        let quirks = Quirks::new(profile);
        for (ty, expect) in [
            ("map<int, int>", true),
            ("&mut map<int>", true),
            ("my::map<int>", false),
            ("int", false),
            ("Map", true),
            ("MapView", false),
        ] {
            let row = types::Variable { type_: Some(ty.into()), ..types::Variable::default() };
            assert_eq!(quirks.mapping(&convert::variable(row)).is_some(), expect, "{ty}");
        }
    }

    #[test]
    fn positions_in_a_long_mapping_are_no_keys() {
        let mut profile = Profile::default();
        profile.values.mappings.push(MappingRule { types: vec!["map<".into()], value: None });
        profile.values.elements.pages = Pages::Each("{expr}[{n}]".into());
        let of = |profile: &Profile, ty: &str, count: u64| {
            let row = types::Variable { type_: Some(ty.into()), ..types::Variable::default() };
            let children = Children::Count(count);
            let variable = Variable { children, ..convert::variable(row) };
            Quirks::new(profile.clone()).numbers_entries(&variable)
        };
        let most = profile.values.elements.at_once;
        assert!(of(&profile, "map<int>", most + 1));
        assert!(!of(&profile, "map<int>", most));
        assert!(!of(&profile, "vector<int>", most + 1));
        profile.values.elements.pages = Pages::Requested;
        assert!(!of(&profile, "map<int>", most + 1));
    }

    #[test]
    fn address_is_an_expression_for_certain_types() {
        let rule = AddressRule { types: vec!["*".into()], value: "addr({expr})".into() };
        let mut profile = Profile::default();
        profile.values.addresses.push(rule);
        let quirks = Quirks::new(profile);
        let of = |ty: &str, address: Option<&str>| {
            let row = types::Variable { type_: Some(ty.into()), ..types::Variable::default() };
            let expression = Some("a.b".to_owned());
            let address = address.map(str::to_owned);
            let variable = Variable { expression, address, ..convert::variable(row) };
            quirks.address_expression(&variable)
        };
        assert_eq!(of("*int", None).as_deref(), Some("addr(a.b)"));
        assert_eq!([of("int*", None), of("*int", Some("0x5"))], [None, None]);
    }

    #[test]
    fn page_is_an_expression_where_the_adapter_does_not_page() {
        let parent = Variable {
            expression: Some("a.b".into()),
            ..convert::variable(types::Variable::default())
        };
        let page = |pages: Pages, parent: &Variable| {
            let mut profile = Profile::default();
            profile.values.elements.pages = pages;
            Quirks::new(profile).page(parent, 2, 4)
        };
        let slice = || Pages::Slice("{expr}[{start}:{end}]".into());
        assert_eq!(page(Pages::Listed, &parent), None);
        assert_eq!(page(Pages::Requested, &parent), Some(Page::Requested));
        assert_eq!(page(slice(), &parent), Some(Page::Slice("a.b[2:4]".into())));
        let each = vec!["a.b[2]".to_owned(), "a.b[3]".to_owned()];
        assert_eq!(page(Pages::Each("{expr}[{n}]".into()), &parent), Some(Page::Each(each)));
        assert_eq!(page(slice(), &Variable { expression: None, ..parent }), None);
    }
}
