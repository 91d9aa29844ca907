//! `breakpoint_set_exception`, and its breakpoints under the other names.
//!
//! Ours has one list of words for exceptions, without numbers: the breakpoints are stored here, for
//! one caller, and the list is made of those that are enabled. Refuses to know the types of a
//! language.

use std::sync::{Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{Refusal, good, report};
use super::name;
use super::timeline::Timeline;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours, run};
use crate::model::{Stop, StopClass};

/// Names of the type of all exceptions.
const EVERY: [&str; 5] = ["*", "all", "Exception", "System.Exception", "BaseException"];

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

    fn is_every(&self) -> bool {
        EVERY.contains(&self.exception_type.trim())
    }

    /// The word of ours. There is none for a type that nothing catches: all of those stop.
    fn word(&self) -> String {
        match (self.is_first(), self.is_every()) {
            (false, _) => "uncaught".to_owned(),
            (true, true) => "all".to_owned(),
            (true, false) => self.exception_type.trim().to_owned(),
        }
    }

    /// Whether it stops at an exception of this type.
    fn stops_at(&self, ty: &str) -> bool {
        let last = |name: &str| name.rsplit(['.', ':']).next().map(str::to_owned);
        let is_same = last(ty) == last(self.exception_type.trim());
        is_same || self.is_every() || self.include_subtypes.unwrap_or(true)
    }
}

/// One breakpoint.
#[derive(Clone)]
pub(super) struct One {
    pub id: String,
    pub enabled: bool,
    pub verified: bool,
    arguments: Arguments,
    /// The first event after it was set.
    from: u64,
}

impl One {
    pub fn hits(&self, call: &Call) -> u32 {
        let timeline = call.memory.of::<Timeline>();
        timeline.exceptions(self.from, |ty| self.arguments.stops_at(ty))
    }

    pub fn exception_type(&self) -> String {
        self.arguments.exception_type.clone()
    }
}

#[derive(Default)]
pub(super) struct Exceptions(Mutex<Stored>);

#[derive(Default)]
struct Stored {
    all: Vec<One>,
    last: u32,
    /// The words that were in force before the first one.
    base: Vec<String>,
}

impl Exceptions {
    fn stored(&self) -> MutexGuard<'_, Stored> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All of this caller.
pub(super) fn all(call: &Call) -> Vec<One> {
    call.memory.of::<Exceptions>().stored().all.clone()
}

/// The same, where these types are those that are only names: an open session has accepted all.
pub(super) fn all_checked(call: &Call, unchecked: &[String]) -> Vec<One> {
    let exceptions = call.memory.of::<Exceptions>();
    let mut stored = exceptions.stored();
    let is_open = call.sessions.all().iter().any(|handle| !handle.is_over());
    for one in &mut stored.all {
        one.verified = is_open || !unchecked.contains(&one.arguments.word());
    }
    stored.all.clone()
}

/// The one with this id.
pub(super) fn named(call: &Call, id: &str) -> Option<One> {
    all(call).into_iter().find(|one| one.id == id.trim())
}

/// The one that a stop has hit, with the number of its hits.
pub(super) fn hit(call: &Call, stop: &Stop) -> Option<(String, u32)> {
    if !is_exception(stop) {
        return None;
    }
    let mut hit = all(call);
    hit.retain(|one| one.enabled && one.arguments.stops_at(&stop.title));
    let exact = |one: &&One| one.arguments.exception_type.trim() == stop.title;
    let one = hit.iter().find(exact).or(hit.first())?;
    Some((one.id.clone(), one.hits(call)))
}

pub(super) fn is_exception(stop: &Stop) -> bool {
    matches!(stop.class, StopClass::Exception | StopClass::Panic | StopClass::Assertion)
}

/// Requests those of the last session for the next one.
pub(super) async fn renew(call: &Call) -> Result<(), Refusal> {
    let all = all(call);
    if !all.is_empty() {
        apply(call, all).await?;
    }
    Ok(())
}

/// Enables, disables or, with `None`, removes one.
pub(super) async fn change(call: &Call, id: &str, enabled: Option<bool>) -> Result<(), Refusal> {
    let all = all(call).into_iter().filter_map(|one| match enabled {
        _ if one.id != id => Some(one),
        Some(enabled) => Some(One { enabled, ..one }),
        None => None,
    });
    apply(call, all.collect()).await
}

/// Replaces the breakpoints.
async fn apply(call: &Call, all: Vec<One>) -> Result<(), Refusal> {
    let exceptions = call.memory.of::<Exceptions>();
    let mut words = exceptions.stored().base.clone();
    for word in all.iter().filter(|one| one.enabled).map(|one| one.arguments.word()) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.retain(|word| word != "none");
    if words.is_empty() {
        words.push("none".to_owned());
    }
    let set = Ours::new("debug_breakpoints", json!({"exceptions": words}));
    let unchecked = report(good(run(call, set).await)?)?.unchecked;
    exceptions.stored().all = all;
    all_checked(call, &unchecked);
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
    /// false: no debugger has checked the type yet.
    verified: bool,
    hit_count: u32,
}

name! {
    SetException(Arguments) -> Set,
    "breakpoint_set_exception", "Stop at exceptions", Sets,
    r#"{"exception_type": "*"}"#,
    "Stops at exceptions of a type: when one is raised, or only when nothing catches it."
}

impl SetException {
    async fn answer(call: &Call, arguments: Arguments) -> Result<Set, Refusal> {
        if !arguments.is_first() && !arguments.is_second() {
            return Err(Refusal::Documented {
                code: "bad-argument",
                message: "one of break_on_first_chance and break_on_second_chance must be true"
                    .to_owned(),
                details: json!({"next": Self::next(&arguments)}),
            });
        }
        let exceptions = call.memory.of::<Exceptions>();
        let before = report(good(run(call, Ours::new("debug_breakpoints", json!({}))).await)?)?;
        let id = {
            let mut stored = exceptions.stored();
            if stored.all.is_empty() {
                stored.base = before.exceptions;
            }
            stored.last += 1;
            format!("ex-{}", stored.last)
        };
        let from = call.memory.of::<Timeline>().next();
        let (enabled, verified) = (true, false);
        let one = One { id: id.clone(), enabled, verified, arguments: arguments.clone(), from };
        let mut all = all(call);
        all.push(one);
        apply(call, all).await?;
        let verified = named(call, &id).is_some_and(|one| one.verified);
        Ok(Set {
            breakpoint: Breakpoint {
                id,
                exception_type: arguments.exception_type.clone(),
                break_on_first_chance: arguments.is_first(),
                break_on_second_chance: arguments.is_second(),
                include_subtypes: arguments.include_subtypes.unwrap_or(true),
                enabled,
                verified,
                hit_count: 0,
            },
        })
    }

    fn next(arguments: &Arguments) -> String {
        let ty = Value::from(arguments.exception_type.as_str());
        format!(r#"breakpoint_set_exception {{"exception_type": {ty}}}"#)
    }
}

impl Compatible for SetException {
    fn ours(arguments: &Arguments) -> Ours {
        Ours::new("debug_breakpoints", json!({"exceptions": [arguments.word()]}))
    }
}
