//! The files of a crate that each file uses, by its `use` items and paths.
//!
//! The use of a re-exported name counts for the file that defines it. A re-export and a `mod` item
//! are no use: they only give a name a shorter path. Does not see methods and expansions of macros.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Item, ItemMod, ItemUse, UseTree, Visibility};

/// Segments of a module's path below the crate's root.
type Module = Vec<String>;

/// The files of one crate and what each uses.
pub struct Imports {
    /// By module: its file.
    files: BTreeMap<Module, String>,
    /// By module and name: the path that the module re-exports by that name.
    exports: BTreeMap<(Module, String), Module>,
    /// By module: the paths that it names.
    paths: BTreeMap<Module, BTreeSet<Module>>,
}

impl Imports {
    /// Reads a crate from the files below its `src`: path relative to it, and text.
    pub fn read(sources: &[(String, String)]) -> Self {
        let mut imports =
            Self { files: BTreeMap::new(), exports: BTreeMap::new(), paths: BTreeMap::new() };
        for (file, _) in sources {
            imports.files.insert(module(file), file.clone());
        }
        for (file, text) in sources {
            let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{file}: {error}"));
            imports.read_file(module(file), &parsed);
        }
        imports
    }

    fn read_file(&mut self, module: Module, file: &syn::File) {
        let mut reader = Reader { paths: BTreeSet::new(), exports: Vec::new() };
        reader.visit_file(file);
        for (name, path) in reader.exports {
            if let Some(path) = self.absolute(&module, &path) {
                self.exports.insert((module.clone(), name), path);
            }
        }
        let paths = reader.paths.iter().filter_map(|path| self.absolute(&module, path)).collect();
        self.paths.insert(module, paths);
    }

    /// A path of a module as a path from the crate's root; `None` for a path of another crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.clone(),
            "super" => module[..module.len().checked_sub(1)?].to_vec(),
            child
                if self.files.contains_key(&[module.as_slice(), &[child.to_owned()]].concat()) =>
            {
                [module.as_slice(), &[child.to_owned()]].concat()
            }
            _ => return None,
        };
        for segment in rest {
            if segment == "super" {
                base.pop();
            } else {
                base.push(segment.clone());
            }
        }
        Some(base)
    }

    /// The path with its first re-exported name replaced. The name of a module is never replaced: a
    /// function of the same name may be re-exported next to it.
    fn follow(&self, path: &Module) -> Option<Module> {
        (0..path.len()).filter(|end| !self.files.contains_key(&path[..=*end])).find_map(|end| {
            let real = self.exports.get(&(path[..end].to_vec(), path[end].clone()))?;
            Some([real.as_slice(), &path[end + 1..]].concat())
        })
    }

    /// The module that defines a path.
    fn definition(&self, path: &Module) -> Option<Module> {
        let mut path = path.clone();
        while let Some(next) = self.follow(&path) {
            path = next;
        }
        (0..=path.len()).rev().map(|end| path[..end].to_vec()).find(|m| self.files.contains_key(m))
    }

    /// By file: the files that it uses.
    pub fn uses(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut uses = BTreeMap::new();
        for (module, paths) in &self.paths {
            let used = paths.iter().filter_map(|path| self.definition(path));
            // Methods of a type of a `mod.rs` stand in the files below: they count as one file.
            let used = used.filter(|used| !used.starts_with(module) && !module.starts_with(used));
            let used = used.map(|used| self.files[&used].as_str());
            uses.insert(self.files[module].as_str(), used.collect());
        }
        uses
    }
}

/// Sets of files that use one another, directly or through others.
pub fn circles<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<BTreeSet<&'a str>> {
    let reach = |from: &'a str| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&str> = uses[from].iter().copied().collect();
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                open.extend(uses.get(next).into_iter().flatten());
            }
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|file| (*file, reach(file))).collect();
    let mut circles = BTreeSet::new();
    for (file, others) in &reached {
        let circle: BTreeSet<&str> =
            others.iter().copied().filter(|other| reached[other].contains(file)).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

/// `session/actor/mod.rs` is `session::actor`.
fn module(file: &str) -> Module {
    let mut segments: Module = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if segments.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        segments.pop();
    }
    segments
}

/// Collects the paths of one file without its tests.
struct Reader {
    paths: BTreeSet<Vec<String>>,
    exports: Vec<(String, Vec<String>)>,
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let is_test = item.attrs.iter().any(|attr| attr.path().is_ident("cfg"));
        if !is_test {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        visit::visit_item(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut leaves = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut leaves);
        if matches!(item.vis, Visibility::Inherited) {
            self.paths.extend(leaves.into_iter().map(|(_, path)| path));
        } else {
            self.exports.extend(leaves);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let segments = path.segments.iter().map(|segment| segment.ident.to_string());
            self.paths.insert(segments.collect());
        }
        visit::visit_path(self, path);
    }
}

/// The names that a `use` brings, each with its path.
fn flatten(tree: &UseTree, prefix: &mut Vec<String>, leaves: &mut Vec<(String, Vec<String>)>) {
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, leaves);
            prefix.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|item| flatten(item, prefix, leaves)),
        UseTree::Name(name) if name.ident == "self" => {
            leaves.push((prefix.last().cloned().unwrap_or_default(), prefix.clone()));
        }
        UseTree::Name(name) => {
            let path = [prefix.as_slice(), &[name.ident.to_string()]].concat();
            leaves.push((name.ident.to_string(), path));
        }
        UseTree::Rename(rename) => {
            let path = [prefix.as_slice(), &[rename.ident.to_string()]].concat();
            leaves.push((rename.rename.to_string(), path));
        }
        UseTree::Glob(_) => leaves.push(("*".to_owned(), prefix.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circle_through_a_reexport_is_found() {
        let sources = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod inner; pub use inner::Thing;"),
            ("a/inner.rs", "use crate::b::Other; pub struct Thing(Other);"),
            ("b.rs", "pub struct Other; fn f(_: crate::a::Thing) {}"),
        ];
        let sources = sources.map(|(file, text)| (file.to_owned(), text.to_owned()));
        let imports = Imports::read(&sources);
        let circle = BTreeSet::from(["a/inner.rs", "b.rs"]);
        assert_eq!(circles(&imports.uses()), [circle]);
    }

    #[test]
    fn uses_of_test_modules_do_not_count() {
        let sources = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "pub struct A; #[cfg(test)] mod tests { use crate::b::B; }"),
            ("b.rs", "use crate::a::A; pub struct B(A);"),
        ];
        let sources = sources.map(|(file, text)| (file.to_owned(), text.to_owned()));
        assert!(circles(&Imports::read(&sources).uses()).is_empty());
    }
}
