//! Counts in the text of Rust files. Knows syntax; refuses to know which file stands where.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Counts of one or more files, test modules left out.
#[derive(Default)]
pub struct Counts {
    /// All lines, test modules included, and those with more than 100 columns.
    pub lines: usize,
    pub wide_lines: usize,
    /// Lines of code: no comments, no blank lines.
    pub code_lines: usize,
    pub closures: usize,
    /// `let name = |…| …`.
    pub let_closures: usize,
    /// `match` expressions with an arm for `true` or `false`.
    pub bool_matches: usize,
    /// Lines of each function.
    pub functions: Vec<usize>,
    /// Named fields by struct.
    pub fields: BTreeMap<String, Vec<String>>,
    /// Fields that struct expressions set, by struct.
    pub set: BTreeMap<String, BTreeSet<String>>,
    /// Fields that assignments set, by the field that they are in: `x.section.key = …`.
    pub assigned: BTreeMap<String, BTreeSet<String>>,
}

impl Counts {
    /// Adds a file.
    pub fn add(&mut self, text: &str) -> Result<()> {
        let file = syn::parse_file(text)?;
        let lines: Vec<&str> = text.lines().collect();
        self.lines += lines.len();
        self.code_lines += code_lines(&lines);
        for item in &file.items {
            if let syn::Item::Mod(item) = item
                && is_test(&item.attrs)
            {
                let span = item.span();
                self.code_lines -= code_lines(&lines[span.start().line - 1..span.end().line]);
            }
        }
        self.wide_lines += text.lines().filter(|line| line.chars().count() > 100).count();
        self.visit_file(&file);
        Ok(())
    }

    /// Median, ninth decile and maximum of the lines of functions.
    pub fn lengths(&self) -> [usize; 3] {
        let mut sorted = self.functions.clone();
        sorted.sort_unstable();
        let at = |index: usize| sorted.get(index).copied().unwrap_or(0);
        [at(sorted.len() / 2), at(sorted.len() * 9 / 10), at(sorted.len().saturating_sub(1))]
    }
}

impl<'ast> Visit<'ast> for Counts {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.functions.push(lines(item.sig.span()) - 1 + lines(item.block.span()));
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.functions.push(lines(item.sig.span()) - 1 + lines(item.block.span()));
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.closures += 1;
        visit::visit_expr_closure(self, closure);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if local.init.as_ref().is_some_and(|init| matches!(*init.expr, syn::Expr::Closure(_))) {
            self.let_closures += 1;
        }
        visit::visit_local(self, local);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let syn::Pat::Lit(pattern) = &arm.pat
            && matches!(&pattern.lit, syn::Lit::Bool(value) if value.value)
        {
            self.bool_matches += 1;
        }
        visit::visit_arm(self, arm);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let fields = item.fields.iter().filter_map(|field| Some(field.ident.as_ref()?.to_string()));
        self.fields.insert(item.ident.to_string(), fields.collect());
    }

    fn visit_expr_assign(&mut self, assignment: &'ast syn::ExprAssign) {
        if let syn::Expr::Field(field) = &*assignment.left
            && let syn::Expr::Field(section) = &*field.base
            && let (syn::Member::Named(key), syn::Member::Named(section)) =
                (&field.member, &section.member)
        {
            self.assigned.entry(section.to_string()).or_default().insert(key.to_string());
        }
        visit::visit_expr_assign(self, assignment);
    }

    fn visit_expr_struct(&mut self, literal: &'ast syn::ExprStruct) {
        if let Some(name) = literal.path.segments.last() {
            let set = self.set.entry(name.ident.to_string()).or_default();
            for field in &literal.fields {
                if let syn::Member::Named(field) = &field.member {
                    set.insert(field.to_string());
                }
            }
        }
        visit::visit_expr_struct(self, literal);
    }
}

fn code_lines(lines: &[&str]) -> usize {
    let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    lines.iter().filter(is_code).count()
}

fn lines(span: Span) -> usize {
    span.end().line + 1 - span.start().line
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("cfg") && list.is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

/// The number of identifiers with one of `words` as a part.
pub fn identifiers(text: &str, words: &[String]) -> Result<usize> {
    Ok(in_tokens(syn::parse_str(text)?, words))
}

fn in_tokens(tokens: TokenStream, words: &[String]) -> usize {
    let mut found = 0;
    for token in tokens {
        found += match token {
            TokenTree::Group(group) => in_tokens(group.stream(), words),
            TokenTree::Ident(name) => usize::from(has_part(&name.to_string(), words)),
            _ => 0,
        };
    }
    found
}

fn has_part(name: &str, words: &[String]) -> bool {
    let mut parts = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !parts.ends_with(|last: char| last.is_uppercase() || last == '_') {
            parts.push('_');
        }
        parts.push(c);
    }
    parts.to_lowercase().split('_').any(|part| words.iter().any(|word| word == part))
}

/// The texts of a constant list.
pub fn list(text: &str, constant: &str) -> Vec<String> {
    let start = text.split_once(&format!("const {constant}:"));
    let list = start.and_then(|(_, rest)| rest.split_once("];")).unwrap_or_default().0;
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
struct Actor { one: u8, two: u8 }
const WORDS: &[&str] = &[\"told\", \"kept\"];
fn f(it: bool) -> Profile {
    let g = |n: u8| n + 1;
    let told_by = match it {
        true => 1,
        false => [1].map(|n| n)[0],
    };
    Profile { key: g(told_by), asKept: 1, ..Default::default() }
}
#[cfg(test)]
mod tests {
    fn t() { let f = || match true { true => 1, _ => 2 }; }
}
";

    #[test]
    fn counts_leave_test_modules_out() {
        let mut counts = Counts::default();
        counts.add(SOURCE).unwrap();
        assert_eq!((counts.lines, counts.code_lines, counts.wide_lines), (14, 10, 0));
        assert_eq!((counts.closures, counts.let_closures, counts.bool_matches), (2, 1, 1));
        assert_eq!((counts.functions.as_slice(), counts.lengths()), (&[8][..], [8; 3]));
        assert_eq!(counts.fields["Actor"], ["one", "two"]);
        let set: Vec<&str> = counts.set["Profile"].iter().map(String::as_str).collect();
        assert_eq!(set, ["asKept", "key"]);
    }

    #[test]
    fn identifiers_with_a_listed_part_are_counted() {
        let words = list(SOURCE, "WORDS");
        assert_eq!(words, ["told", "kept"]);
        assert_eq!(identifiers(SOURCE, &words).unwrap(), 3);
    }
}
