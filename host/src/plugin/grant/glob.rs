//! Patterns of paths, and the entries of a project that match one.
//!
//! `*` and `?` match within a name; `**` as a whole name matches any number of directories. None
//! of them matches a leading dot. Anything else stands for itself. Links to directories are not
//! followed.
//!
//! A plugin wrote the pattern. The walk therefore uses no recursion, reads each directory once,
//! matches names in linear time, and checks at each entry whether the call still waits.

use std::collections::{BTreeSet, VecDeque};
use std::fs::DirEntry;
use std::path::Path;

use regex::Regex;

use crate::pattern;
use crate::plugin::grant::blocking::Waiter;
use crate::plugin::grant::denied::Denied;

/// The longest pattern, in bytes.
const LONGEST: usize = 1024;

/// A pattern, cut at its slashes.
pub(super) struct Glob(Vec<Segment>);

enum Segment {
    /// `**`
    Directories,
    /// Without a wildcard.
    Name(String),
    /// With one; a leading dot is part of the pattern.
    Names { form: Regex, hidden: bool },
}

impl Segment {
    fn new(text: &str) -> Result<Self, Denied> {
        if text == "**" {
            return Ok(Self::Directories);
        }
        if !text.contains(['*', '?']) {
            return Ok(Self::Name(text.to_owned()));
        }
        let mut form = String::from(r"(?s)\A");
        for c in text.chars() {
            match c {
                '*' if form.ends_with(".*") => {}
                '*' => form.push_str(".*"),
                '?' => form.push('.'),
                c => form.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
            }
        }
        form.push_str(r"\z");
        let form = pattern::compile(&form).map_err(|_| Denied::LargePattern(text.len()))?;
        Ok(Self::Names { form, hidden: text.starts_with('.') })
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Directories => false,
            Self::Name(own) => own == name,
            Self::Names { form, hidden } => {
                (*hidden || !name.starts_with('.')) && form.is_match(name)
            }
        }
    }
}

/// What one entry means for the segments that its directory has reached.
#[derive(Default)]
struct Step {
    matches: bool,
    /// Segments to look for in it.
    next: BTreeSet<usize>,
}

impl Glob {
    pub fn new(pattern: &str) -> Result<Self, Denied> {
        if pattern.len() > LONGEST {
            return Err(Denied::LargePattern(pattern.len()));
        }
        let mut texts: Vec<&str> =
            pattern.split('/').filter(|text| !text.is_empty() && *text != ".").collect();
        if pattern.starts_with('/') || texts.contains(&"..") {
            return Err(Denied::Pattern(pattern.to_owned()));
        }
        texts.dedup_by(|one, other| one == other && *one == "**");
        Ok(Self(texts.into_iter().map(Segment::new).collect::<Result<_, _>>()?))
    }

    /// Paths below `root` that match, of its first `visits` entries.
    pub fn find(&self, root: &Path, mut visits: usize, waiter: &Waiter) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = VecDeque::from([(String::new(), self.reach([0].into()))]);
        while let Some((directory, segments)) = open.pop_front() {
            for entry in self.entries(&root.join(&directory), &segments) {
                if visits == 0 || waiter.is_gone() {
                    return found;
                }
                visits -= 1;
                let Some((name, is_directory)) = entry else { continue };
                let Step { matches, next } = self.step(&segments, &name, is_directory);
                let path = if directory.is_empty() { name } else { format!("{directory}/{name}") };
                if matches {
                    found.push(path.clone());
                }
                if is_directory && !next.is_empty() {
                    open.push_back((path, self.reach(next)));
                }
            }
        }
        found
    }

    /// `**` matches no directory, too.
    fn reach(&self, mut segments: BTreeSet<usize>) -> BTreeSet<usize> {
        let passed: Vec<usize> = segments
            .iter()
            .filter(|at| matches!(self.0.get(**at), Some(Segment::Directories)))
            .map(|at| at + 1)
            .collect();
        segments.extend(passed);
        segments.retain(|at| *at < self.0.len());
        segments
    }

    /// Entries that may match: name, and whether it is a directory. None for what has no name in
    /// UTF-8. A directory is read only where a segment has a wildcard.
    fn entries(
        &self,
        directory: &Path,
        segments: &BTreeSet<usize>,
    ) -> Box<dyn Iterator<Item = Option<(String, bool)>>> {
        let mut names = BTreeSet::new();
        for at in segments {
            let Segment::Name(name) = &self.0[*at] else {
                let read = std::fs::read_dir(directory).into_iter().flatten().flatten();
                return Box::new(read.map(|entry| named(&entry)));
            };
            names.insert(name.clone());
        }
        let directory = directory.to_owned();
        Box::new(names.into_iter().map(move |name| {
            let facts = directory.join(&name).symlink_metadata().ok()?;
            Some((name, facts.is_dir()))
        }))
    }

    fn step(&self, segments: &BTreeSet<usize>, name: &str, is_directory: bool) -> Step {
        let mut step = Step::default();
        for at in segments.iter().copied() {
            let is_last = at + 1 == self.0.len();
            match &self.0[at] {
                Segment::Directories if name.starts_with('.') => {}
                Segment::Directories if is_directory => {
                    step.next.insert(at);
                }
                Segment::Directories => step.matches |= is_last,
                segment if !segment.matches(name) => {}
                _ if is_last => step.matches = true,
                _ => {
                    step.next.insert(at + 1);
                }
            }
        }
        step
    }
}

fn named(entry: &DirEntry) -> Option<(String, bool)> {
    Some((entry.file_name().into_string().ok()?, entry.file_type().ok()?.is_dir()))
}
