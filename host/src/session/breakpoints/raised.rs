//! Which breakpoints on exceptions a stop has hit: adapters do not name them.
//!
//! Knows the exception of a stop: its types, and whether the program may still catch it. Refuses to
//! read them.

use super::set::Breakpoints;
use crate::model::answer::BreakOn;
use crate::model::{BreakpointId, StopClass};
use crate::session::adapter::exceptions::{break_on, names};

/// The exception of a stop.
#[derive(Clone, Copy, Debug)]
pub(in crate::session) struct Raised<'a> {
    pub(in crate::session) class: StopClass,
    /// Its type and those that it is derived from, as far as they are known.
    pub(in crate::session) types: &'a [String],
    /// Whether the program may still catch it.
    pub(in crate::session) first_chance: Option<bool>,
}

impl Breakpoints {
    /// The breakpoints that this exception hit, by the first of these rules that finds any:
    /// - its type or its kind is that of the breakpoint;
    /// - it is on one of the adapter's own filters (`own`): only the adapter knows what these mean;
    /// - it is the only one on a type: the types that the exception is derived from may be unknown;
    /// - it is the only one.
    pub(in crate::session) fn raised(
        &self,
        raised: &Raised<'_>,
        own: &[String],
    ) -> Vec<BreakpointId> {
        let mut all = Vec::new();
        for (id, entry) in &self.entries {
            if let Some(word) = entry.translated.place.exception().filter(|_| entry.enabled) {
                all.push((*id, word));
            }
        }
        let ids = |fits: &dyn Fn(&str) -> bool| -> Vec<BreakpointId> {
            all.iter().filter(|(_, word)| fits(word)).map(|(id, _)| *id).collect()
        };
        let fitting = ids(&|word: &str| raised.fits(word));
        if !fitting.is_empty() || raised.class == StopClass::Signal {
            return fitting;
        }
        let is_own = |word: &str| own.iter().any(|own| own == word);
        let of_adapter = ids(&|word: &str| break_on(word).is_none() && is_own(word));
        if !of_adapter.is_empty() {
            return of_adapter;
        }
        let typed = ids(&|word: &str| break_on(word).is_none());
        let is_by_caller =
            raised.class == StopClass::Exception && self.editor_exceptions.is_empty();
        if is_by_caller && typed.len() == 1 {
            typed
        } else if is_by_caller && typed.is_empty() && all.len() == 1 {
            vec![all[0].0]
        } else {
            Vec::new()
        }
    }
}

impl Raised<'_> {
    /// Whether it is one of those that the word stands for. A word of an adapter stands for types.
    fn fits(&self, word: &str) -> bool {
        let is_signal = self.class == StopClass::Signal;
        match break_on(word) {
            Some(BreakOn::Never) => false,
            Some(BreakOn::All) => !is_signal,
            Some(BreakOn::Uncaught) => !is_signal && self.first_chance != Some(true),
            Some(BreakOn::Caught) => self.first_chance == Some(true),
            Some(BreakOn::Panic) => self.class == StopClass::Panic,
            Some(BreakOn::Assertion) => self.class == StopClass::Assertion,
            Some(BreakOn::Signal) => is_signal,
            None => self.types.iter().any(|ty| names(word, ty)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::BreakpointEdit;

    /// The words of the breakpoints that an exception hits.
    fn hit(words: &[&str], class: StopClass, types: &[&str], first_chance: Option<bool>) -> String {
        let mut set = Breakpoints::new(9);
        let own = ["raised", "uncaught", "all"].map(str::to_owned);
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let exceptions: Option<Vec<String>> = Some(owned(words));
        set.edit(BreakpointEdit { exceptions, ..Default::default() }, Vec::new()).unwrap();
        let types: Vec<String> = owned(types);
        let raised = Raised { class, types: &types, first_chance };
        let word = |id| set.get(id).unwrap().spec.place.exception().unwrap().to_owned();
        set.raised(&raised, &own).into_iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn exception_hits_those_that_it_fits() {
        use StopClass::{Assertion, Exception, Panic, Signal};
        let (may, cannot) = (Some(true), Some(false));
        for (words, class, types, first_chance, expect) in [
            (&["KeyError", "uncaught"][..], Exception, &["KeyError"][..], may, "KeyError"),
            (&["KeyError", "uncaught"], Exception, &["OSError"], cannot, "uncaught"),
            (&["KeyError", "uncaught"], Exception, &["KeyError"], cannot, "KeyError uncaught"),
            (
                &["LookupError", "KeyError"],
                Exception,
                &["KeyError", "LookupError"],
                may,
                "LookupError KeyError",
            ),
            (&["shop.Gone"], Exception, &["Gone"], may, "shop.Gone"),
            (&["std::exception", "Late"], Exception, &["shop::Late"], may, "Late"),
            // The types that it is derived from are not known.
            (&["std::exception"], Exception, &["shop::Late"], may, "std::exception"),
            (&["std::exception", "Gone"], Exception, &["shop::Late"], may, ""),
            (&["Error", "uncaught"], Exception, &["TypeError"], may, "Error"),
            (&["std::exception"], Signal, &[], None, ""),
            (&["std::exception"], Panic, &[], None, ""),
            (&["all", "panic"], Exception, &[], None, "all"),
            (&["all", "panic"], Panic, &[], None, "all panic"),
            (&["all", "panic"], Signal, &[], None, ""),
            (&["signal", "all"], Signal, &[], None, "signal"),
            (&["caught", "assertion"], Assertion, &[], cannot, "assertion"),
            (&["caught", "uncaught"], Exception, &[], may, "caught"),
            (&["raised", "KeyError"], Exception, &["OSError"], may, "raised"),
            (&["raised", "KeyError"], Exception, &["KeyError"], may, "KeyError"),
            (&["none"], Exception, &[], None, ""),
        ] {
            assert_eq!(hit(words, class, types, first_chance), expect, "{words:?} {types:?}");
        }
    }

    #[test]
    fn disabled_one_is_not_hit() {
        let mut set = Breakpoints::new(9);
        let exceptions = Some(vec!["all".to_owned()]);
        let edit = BreakpointEdit { exceptions, ..Default::default() };
        let ids = set.edit(edit, Vec::new()).unwrap();
        let raised = Raised { class: StopClass::Exception, types: &[], first_chance: None };
        assert_eq!(set.raised(&raised, &[]), ids);
        set.edit(BreakpointEdit { disable: ids, ..Default::default() }, Vec::new()).unwrap();
        assert!(set.raised(&raised, &[]).is_empty());
    }
}
