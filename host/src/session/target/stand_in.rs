//! Who takes a target over whose own adapter cannot be used: not there, or too old. Its claim goes
//! to those who claim the same, or are for the same language.

use dapdock_schema::Language;

use crate::model::answer::RefusalKind;
use crate::model::plan::TargetRef;
use crate::plugin;
use crate::plugin::{Catalog, Plugin, installs};
use crate::provision::{self, State};
use crate::session::Error;
use crate::session::target::claim::{FALLBACK, TABLE};

/// Who may take a target over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heirs {
    /// Whose adapter is there.
    Equipped,
    /// Where there is none, whose adapter the launch installs.
    Installed,
}

/// Claims, where those of who cannot be used have gone to others that can. They stand as they are
/// where nobody can. `best`: the claim that wins; `may`: who may take over; `meant`: is a table's
/// claim of a file made for this language?
pub(crate) async fn inherited(
    scores: Vec<(u8, Plugin)>,
    best: u8,
    may: Heirs,
    meant: impl Fn(&Language) -> bool,
) -> Vec<(u8, Plugin)> {
    let mut unfit = Vec::new();
    for (_, plugin) in scores.iter().filter(|(score, _)| *score == best && best > 0) {
        if !plugin.is_usable().await {
            unfit.push(plugin.clone());
        }
    }
    if unfit.is_empty() {
        return scores;
    }
    let is_unfit = |plugin: &Plugin| unfit.iter().any(|one| one.name() == plugin.name());
    let of_tables = unfit
        .iter()
        .flat_map(Plugin::languages)
        .filter(|language| best == TABLE && meant(language));
    let languages: Vec<&str> = of_tables.map(|language| language.name.as_str()).collect();
    let (mut usable, mut others) = (Vec::new(), Vec::new());
    for (score, plugin) in &scores {
        let speaks =
            || plugin.languages().any(|language| languages.contains(&language.name.as_str()));
        let claim = match *score {
            score if score == best || (best < TABLE && score >= FALLBACK) => score,
            _ if speaks() => best,
            _ => 0,
        };
        if claim > 0 && !is_unfit(plugin) {
            let known = if plugin.is_usable().await { &mut usable } else { &mut others };
            known.push((claim, plugin.clone()));
        }
    }
    let mut heirs = usable;
    // One that is installed itself needs no other.
    if heirs.is_empty() && may == Heirs::Installed && !unfit.iter().any(is_installable) {
        heirs.extend(others.into_iter().filter(|(_, plugin)| is_installable(plugin)));
    }
    if heirs.is_empty() {
        return scores;
    }
    let others = scores
        .into_iter()
        .filter(|(_, plugin)| heirs.iter().all(|(_, heir)| heir.name() != plugin.name()));
    let others: Vec<_> = others.map(|(_, plugin)| (0, plugin)).collect();
    heirs.extend(others);
    heirs
}

/// Is its adapter not there, and pinned for this machine?
fn is_installable(plugin: &Plugin) -> bool {
    !plugin.is_equipped() && matches!(provision::state(plugin), State::Available { .. })
}

/// A refusal for want of the adapter, with what installs another for the same where none is pinned
/// for it itself.
pub(crate) async fn lacking(
    refusal: Error,
    plugin: &Plugin,
    catalog: &Catalog,
    target: Option<&TargetRef>,
) -> Error {
    let Error::Plugin(plugin::Refused::Request {
        kind: kind @ (RefusalKind::ToolMissing | RefusalKind::ToolTooOld),
        message,
        hint,
    }) = refusal
    else {
        return refusal;
    };
    let own = matches!(provision::state(plugin), State::Available { .. });
    let one_file = matches!(target, Some(TargetRef::Path(_) | TargetRef::Pid(_)));
    let other = if one_file && !own && !plugin.is_usable().await {
        installable(plugin, catalog).await
    } else {
        None
    };
    let ways = other.map(|name| format!("`{}`, which debugs it too", installs::command(&name)));
    let hint = match (ways, hint) {
        (Some(way), Some(hint)) => Some(format!("{way}; or {hint}")),
        (way, hint) => way.or(hint),
    };
    Error::Plugin(plugin::Refused::Request { kind, message, hint })
}

/// One for a language of this plugin's that is pinned for this machine.
async fn installable(plugin: &Plugin, catalog: &Catalog) -> Option<String> {
    let all = catalog.all().await;
    let shared = |other: &&Plugin| {
        other.languages().any(|one| plugin.languages().any(|language| language.name == one.name))
            && matches!(provision::state(other), State::Available { .. })
    };
    all.iter().flatten().find(shared).map(|other| other.name().to_owned())
}
