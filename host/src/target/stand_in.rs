//! Other adapters for a target whose own adapter is missing or too old.

use dapdock_schema::Language;

use crate::model::answer::RefusalKind;
use crate::model::plan::TargetRef;
use crate::plugin::{Catalog, Plugin, Refused, installs};
use crate::provision::{self, State};
use crate::target::claim::Claim;

/// Which adapters may stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StandIns {
    /// Installed ones.
    Installed,
    /// If none is installed, also one that the launch installs.
    Installable,
}

/// Gives the claim of winners whose adapter cannot run to other plugins: to those with an equal
/// claim, to those that claim machine code, and to those that share a language. Without such a
/// plugin the claims stay. `best` is the winning claim; `is_claimed` says whether the table of a
/// language claims the file.
pub(crate) async fn inherited(
    claims: Vec<(Claim, Plugin)>,
    best: Claim,
    stand_ins: StandIns,
    is_claimed: impl Fn(&Language) -> bool,
) -> Vec<(Claim, Plugin)> {
    let mut unusable: Vec<&Plugin> = Vec::new();
    for (claim, plugin) in &claims {
        if *claim == best && best.is_some() && !plugin.is_usable().await {
            unusable.push(plugin);
        }
    }
    if unusable.is_empty() {
        return claims;
    }
    let mut languages: Vec<&str> = Vec::new();
    if best == Claim::TABLE {
        for language in unusable.iter().flat_map(|plugin| plugin.languages()) {
            if is_claimed(language) {
                languages.push(&language.name);
            }
        }
    }
    let (mut usable, mut others) = (Vec::new(), Vec::new());
    for (claim, plugin) in &claims {
        let is_unusable = unusable.iter().any(|one| one.name() == plugin.name());
        let claim = inherits(*claim, best, plugin, &languages);
        if claim.is_some() && !is_unusable {
            let list = if plugin.is_usable().await { &mut usable } else { &mut others };
            list.push((claim, plugin.clone()));
        }
    }
    // A plugin whose own adapter can be installed needs no other.
    let own = unusable.iter().any(|plugin| is_installable(plugin));
    if usable.is_empty() && stand_ins == StandIns::Installable && !own {
        others.retain(|(_, plugin)| is_installable(plugin));
        usable = others;
    }
    if usable.is_empty() {
        return claims;
    }
    let mut inherited = usable;
    for (_, plugin) in claims {
        if inherited.iter().all(|(_, heir)| heir.name() != plugin.name()) {
            inherited.push((Claim::NONE, plugin));
        }
    }
    inherited
}

/// The claim of a plugin in place of an unusable one.
fn inherits(claim: Claim, best: Claim, plugin: &Plugin, languages: &[&str]) -> Claim {
    let is_of_machine_code = best < Claim::TABLE && claim >= Claim::FALLBACK;
    if claim == best || is_of_machine_code {
        return claim;
    }
    let shares = plugin.languages().any(|language| languages.contains(&language.name.as_str()));
    if shares { best } else { Claim::NONE }
}

/// Whether its adapter is missing and pinned for this machine.
fn is_installable(plugin: &Plugin) -> bool {
    !plugin.is_equipped() && is_pinned(plugin)
}

fn is_pinned(plugin: &Plugin) -> bool {
    matches!(provision::state(plugin), State::Available { .. })
}

/// Adds to a refusal about a missing adapter the command that installs another one for the same
/// language, if its own is not pinned.
pub(crate) async fn with_other_adapter(
    refusal: Refused,
    plugin: &Plugin,
    catalog: &Catalog,
    target: Option<&TargetRef>,
) -> Refused {
    let Refused::Request {
        kind: kind @ (RefusalKind::ToolMissing | RefusalKind::ToolTooOld),
        message,
        hint,
    } = refusal
    else {
        return refusal;
    };
    let one_file = matches!(target, Some(TargetRef::Path(_) | TargetRef::Pid(_)));
    let other = if one_file && !is_pinned(plugin) && !plugin.is_usable().await {
        installable(plugin, catalog).await
    } else {
        None
    };
    let other = other.map(|name| format!("`{}`, which debugs it too", installs::command(&name)));
    let hint = match (other, hint) {
        (Some(other), Some(hint)) => Some(format!("{other}; or {hint}")),
        (other, hint) => other.or(hint),
    };
    Refused::Request { kind, message, hint }
}

/// Name of a pinned plugin that shares a language with this one.
async fn installable(plugin: &Plugin, catalog: &Catalog) -> Option<String> {
    for other in catalog.all().await.iter().flatten() {
        let shares = other
            .languages()
            .any(|one| plugin.languages().any(|language| language.name == one.name));
        if shares && is_pinned(other) {
            return Some(other.name().to_owned());
        }
    }
    None
}
