//! `breakpoint_set_exception`, and its breakpoints under the other names.
//!
//! Ours has a breakpoint for each word, and none for a first or a second chance: these are stored
//! here, for one caller, and the words are made of those that are enabled. A debugger gets those
//! that it has: they outlive a session, and the next one may be of another language. It may stop at
//! more than one of them wants (every uncaught exception, derived types): hits are only the stops
//! that fit.
//! Refuses to know the types of a language.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{Refusal, good, report};
use super::name;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours, run};
use crate::mcp::notifications::ExceptionHits;
use crate::model::{Epoch, SessionId, Stop, StopClass};
use crate::session::{BreakpointReport, Collector, Event, EventKind, names_type};

/// Words for all exceptions.
const ALL: [&str; 2] = ["*", "all"];

/// Names of types that all exceptions are derived from.
const ROOTS: [&str; 3] = ["Exception", "System.Exception", "BaseException"];

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Name of the type; `*`: all
    exception_type: String,
    /// Stop when it is raised, also if it is caught later; default true
    break_on_first_chance: Option<bool>,
    /// Stop when nothing catches it; default true
    break_on_second_chance: Option<bool>,
    /// Types derived from it too; default true
    include_subtypes: Option<bool>,
}

impl Arguments {
    fn is_first(&self) -> bool {
        self.break_on_first_chance.unwrap_or(true)
    }

    fn is_second(&self) -> bool {
        self.break_on_second_chance.unwrap_or(true)
    }

    fn with_subtypes(&self) -> bool {
        self.include_subtypes.unwrap_or(true)
    }

    fn is_every(&self) -> bool {
        let ty = self.exception_type.trim();
        ALL.contains(&ty) || (self.with_subtypes() && ROOTS.contains(&ty))
    }

    /// The word of ours. There is none for a type that nothing catches: all of those stop.
    fn word(&self) -> String {
        match (self.is_first(), self.is_every()) {
            (false, _) => "uncaught".to_owned(),
            (true, true) => "all".to_owned(),
            (true, false) => self.exception_type.trim().to_owned(),
        }
    }

    /// Whether it wants a stop by an exception of these types, its own first.
    fn wants(&self, types: &[String], first_chance: Option<bool>) -> bool {
        let wants_chance = match first_chance {
            Some(true) => self.is_first(),
            Some(false) => self.is_second(),
            None => true,
        };
        let count = if self.with_subtypes() { types.len() } else { 1 };
        let mut types = types.iter().take(count);
        wants_chance && (self.is_every() || types.any(|ty| self.is_type(ty)))
    }

    /// Whether a debugger's name is that of the type. One of both may lack the module.
    fn is_type(&self, ty: &str) -> bool {
        names_type(self.exception_type.trim(), ty)
    }
}

/// One breakpoint.
#[derive(Clone)]
pub(super) struct One {
    pub id: String,
    pub enabled: bool,
    pub verified: bool,
    /// Why it is not verified.
    pub message: Option<String>,
    /// Number of its stops in the present session.
    pub hits: u32,
    arguments: Arguments,
}

impl One {
    pub fn exception_type(&self) -> String {
        self.arguments.exception_type.clone()
    }
}

#[derive(Default)]
pub(super) struct Exceptions {
    stored: Mutex<Stored>,
    /// Held while the breakpoints are changed here and in the debugger.
    edit: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Stored {
    all: Vec<One>,
    last: u32,
    /// The words that were in force before the first one.
    base: Vec<String>,
    /// The last stops that hit some, the newest last.
    stops: VecDeque<Hit>,
}

/// A stop that hit some, with the numbers of their hits.
struct Hit {
    stop: (SessionId, Epoch),
    hits: Vec<(String, u32)>,
}

/// Stops that are stored: a notification may be that late.
const STOPS: usize = 256;

impl Exceptions {
    fn stored(&self) -> MutexGuard<'_, Stored> {
        self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collector for Exceptions {
    /// Counts a stop for those that want it.
    fn take(&self, event: &Event) {
        let EventKind::Stopped(stop, _) = &event.kind else { return };
        if !is_exception(stop) {
            return;
        }
        let mut stored = self.stored();
        let mut hits = Vec::new();
        for one in stored.all.iter_mut().filter(|one| one.enabled) {
            if one.arguments.wants(&stop.types, stop.first_chance) {
                one.hits += 1;
                let is_own = stop.types.first().is_some_and(|ty| one.arguments.is_type(ty));
                hits.push((is_own, (one.id.clone(), one.hits)));
            }
        }
        hits.sort_by_key(|(is_own, _)| !is_own);
        let hits = hits.into_iter().map(|(_, hit)| hit).collect();
        stored.stops.push_back(Hit { stop: (stop.session.clone(), stop.epoch), hits });
        if stored.stops.len() > STOPS {
            stored.stops.pop_front();
        }
    }
}

impl ExceptionHits for Exceptions {
    fn of(&self, stop: &Stop) -> Vec<(String, u32)> {
        let stored = self.stored();
        let is_it = |hit: &&Hit| hit.stop.0 == stop.session && hit.stop.1 == stop.epoch;
        stored.stops.iter().rev().find(is_it).map_or_else(Vec::new, |hit| hit.hits.clone())
    }
}

/// All of this caller.
pub(super) fn all(call: &Call) -> Vec<One> {
    call.memory.of::<Exceptions>().stored().all.clone()
}

/// The same, as far as the debugger knows them: an open session stops at what it has in force;
/// without one, types are only names.
pub(super) fn all_checked(call: &Call, report: &BreakpointReport) -> Vec<One> {
    let exceptions = call.memory.of::<Exceptions>();
    let mut stored = exceptions.stored();
    let is_open = call.sessions.all().iter().any(|handle| !handle.is_over());
    for one in stored.all.iter_mut().filter(|one| one.enabled) {
        let word = one.arguments.word();
        one.message = if is_open && !report.exceptions.contains(&word) {
            Some(format!("the debugger of this program has no exceptions named `{word}`"))
        } else if !is_open && report.unchecked.contains(&word) {
            Some("pending: no debugger has checked the type yet".to_owned())
        } else {
            None
        };
        one.verified = one.message.is_none();
    }
    stored.all.clone()
}

/// The one with this id.
pub(super) fn named(call: &Call, id: &str) -> Option<One> {
    all(call).into_iter().find(|one| one.id == id.trim())
}

/// Those that a stop has hit, with the numbers of their hits, one of the type itself first.
pub(super) fn hit(call: &Call, stop: &Stop) -> Vec<(String, u32)> {
    let mut hits = call.memory.of::<Exceptions>().of(stop);
    hits.retain(|(id, _)| named(call, id).is_some());
    hits
}

pub(super) fn is_exception(stop: &Stop) -> bool {
    matches!(
        stop.class,
        StopClass::Exception | StopClass::Panic | StopClass::Assertion | StopClass::Signal
    )
}

/// Requests those of the last session for the next one, which counts its own hits.
pub(super) async fn renew(call: &Call) -> Result<(), Refusal> {
    let exceptions = call.memory.of::<Exceptions>();
    let _edit = exceptions.edit.lock().await;
    for one in &mut exceptions.stored().all {
        one.hits = 0;
    }
    let all = all(call);
    if all.is_empty() { Ok(()) } else { apply(call, &all).await }
}

/// Why some of the enabled ones do not stop the program that was just started.
pub(super) async fn unfit(call: &Call) -> Result<Vec<String>, Refusal> {
    if all(call).is_empty() {
        return Ok(Vec::new());
    }
    let report = report(good(run(call, Ours::new("debug_breakpoints", json!({}))).await)?)?;
    let mut notes = Vec::new();
    for one in all_checked(call, &report).into_iter().filter(|one| one.enabled) {
        notes.extend(one.message.map(|message| format!("{}: {message}", one.id)));
    }
    Ok(notes)
}

/// Enables, disables or, with `None`, removes one.
pub(super) async fn change(call: &Call, id: &str, enabled: Option<bool>) -> Result<(), Refusal> {
    let exceptions = call.memory.of::<Exceptions>();
    let _edit = exceptions.edit.lock().await;
    let change = |all: &mut Vec<One>| match enabled {
        None => all.retain(|one| one.id != id),
        Some(enabled) => {
            for one in all.iter_mut().filter(|one| one.id == id) {
                one.enabled = enabled;
            }
        }
    };
    let mut changed = all(call);
    change(&mut changed);
    apply(call, &changed).await?;
    change(&mut exceptions.stored().all);
    Ok(())
}

/// Sets the words of ours for these breakpoints. The caller holds `edit`.
async fn apply(call: &Call, all: &[One]) -> Result<(), Refusal> {
    let mut words = call.memory.of::<Exceptions>().stored().base.clone();
    for word in all.iter().filter(|one| one.enabled).map(|one| one.arguments.word()) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.retain(|word| word != "none");
    if words.is_empty() {
        words.push("none".to_owned());
    }
    let edit = json!({"exceptions": words, "fitting_exceptions": true});
    let report = report(good(run(call, Ours::new("debug_breakpoints", edit)).await)?)?;
    all_checked(call, &report);
    Ok(())
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Set {
    breakpoint: Breakpoint,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Breakpoint {
    id: String,
    exception_type: String,
    break_on_first_chance: bool,
    break_on_second_chance: bool,
    include_subtypes: bool,
    enabled: bool,
    verified: bool,
    hit_count: u32,
    /// Why it is not verified.
    message: Option<String>,
}

name! {
    SetException(Arguments) -> Set,
    "breakpoint_set_exception", "Stop at exceptions", Sets,
    r#"{"exception_type": "*"}"#,
    "Stops at exceptions of a type: when one is raised, or only when nothing catches it."
}

/// Adds a breakpoint, unless the debugger refuses its word.
async fn add(call: &Call, arguments: &Arguments) -> Result<One, Refusal> {
    let exceptions = call.memory.of::<Exceptions>();
    let _edit = exceptions.edit.lock().await;
    let before = report(good(run(call, Ours::new("debug_breakpoints", json!({}))).await)?)?;
    let (id, with_it) = {
        let mut stored = exceptions.stored();
        if stored.all.is_empty() {
            stored.base = before.exceptions;
        }
        stored.last += 1;
        let id = format!("ex-{}", stored.last);
        // Before the debugger has it: the first stop counts.
        stored.all.push(One {
            id: id.clone(),
            enabled: true,
            verified: false,
            message: None,
            hits: 0,
            arguments: arguments.clone(),
        });
        (id, stored.all.clone())
    };
    if let Err(refusal) = apply(call, &with_it).await {
        exceptions.stored().all.retain(|one| one.id != id);
        return Err(refusal);
    }
    named(call, &id).ok_or_else(|| crate::session::Error::HostFault.into())
}

impl SetException {
    async fn answer(call: &Call, arguments: Arguments) -> Result<Set, Refusal> {
        if !arguments.is_first() && !arguments.is_second() {
            return Err(Refusal::with_next(
                "bad-argument",
                "one of break_on_first_chance and break_on_second_chance must be true",
                &call.request.without(&["break_on_first_chance"]).text(),
            ));
        }
        let one = add(call, &arguments).await?;
        Ok(Set {
            breakpoint: Breakpoint {
                id: one.id,
                exception_type: arguments.exception_type.clone(),
                break_on_first_chance: arguments.is_first(),
                break_on_second_chance: arguments.is_second(),
                include_subtypes: arguments.with_subtypes(),
                enabled: one.enabled,
                verified: one.verified,
                hit_count: one.hits,
                message: one.message,
            },
        })
    }
}

impl Compatible for SetException {
    fn ours(arguments: &Arguments) -> Ours {
        Ours::new("debug_breakpoints", json!({"exceptions": [arguments.word()]}))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json};

    use super::Arguments;

    #[test]
    fn stop_is_wanted_for_its_type_base_types_and_chance() {
        let of = |ty: &str| json!({"exception_type": ty});
        let exact = |ty: &str| json!({"exception_type": ty, "include_subtypes": false});
        let first = |is: bool| json!({"exception_type": "E", "break_on_first_chance": is});
        let second = |is: bool| json!({"exception_type": "E", "break_on_second_chance": is});
        let rows: &[(Value, &[&str], Option<bool>, bool)] = &[
            (of("E"), &["E"], None, true),
            (of("E"), &["F"], None, false),
            (of("E"), &["F", "E"], None, true),
            (exact("E"), &["F", "E"], None, false),
            (exact("E"), &["E", "F"], None, true),
            (of("E"), &[], None, false),
            (of("E"), &["a.E"], None, true),
            (of("a.E"), &["E"], None, true),
            (of("a::E"), &["b::E"], None, false),
            (of("a.E"), &["b.E"], None, false),
            (of("E"), &["SomeE"], None, false),
            (of(" E "), &["E"], None, true),
            (of("*"), &["F"], None, true),
            (of("all"), &[], None, true),
            (of("System.Exception"), &["F"], None, true),
            (exact("Exception"), &["F", "Exception"], None, false),
            (exact("*"), &["F"], None, true),
            (first(false), &["E"], Some(true), false),
            (first(false), &["E"], Some(false), true),
            (second(false), &["E"], Some(true), true),
            (second(false), &["E"], Some(false), false),
            (second(false), &["E"], None, true),
        ];
        for (given, types, chance, expect) in rows {
            let arguments: Arguments = from_value(given.clone()).expect("they fit");
            let types: Vec<String> = types.iter().map(|ty| (*ty).to_owned()).collect();
            assert_eq!(arguments.wants(&types, *chance), *expect, "{given} {types:?} {chance:?}");
        }
    }
}
