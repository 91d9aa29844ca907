//! The plan for a request: the plugin's decisions and the builds between them.
//!
//! Refuses to know how a plan is carried out.

use tokio::time::Instant;

use crate::model::answer::RefusalKind;
use crate::model::plan::{Built, LaunchPlan, Resolution};
use crate::plugin::{self, installs};
use crate::provision::{self, Installer, Progress};
use crate::session::Error;
use crate::session::launch;
use crate::session::launch::build::{build, command_line};
use crate::session::launch::order::Order;

/// The plan, and its builds if there were any.
pub(crate) async fn decide(order: &Order) -> Result<(LaunchPlan, Option<Built>), Error> {
    order.progress.send_replace("preparing".to_owned());
    let mut resolution =
        resolved(order, || order.plugin.resolve(&order.workspace, &order.request)).await?;
    let mut built: Option<Built> = None;
    loop {
        match resolution {
            Resolution::Ready(plan) => return Ok((*plan, built)),
            Resolution::Build(steps) => {
                let start = Instant::now();
                let results = build(order, &steps).await?;
                let all = built.get_or_insert_default();
                all.time += start.elapsed();
                for result in &results {
                    all.commands.extend(steps.steps.get(result.step as usize).map(command_line));
                    all.output.push_str(&result.stderr_tail);
                }
                let resume =
                    || order.plugin.resume(&order.workspace, &order.request, &steps, &results);
                resolution = resolved(order, resume).await?;
            }
        }
    }
}

/// The decision of a call to the plugin. The call is repeated once if it lacked its adapter, which
/// is then installed.
async fn resolved<F>(order: &Order, call: impl Fn() -> F) -> Result<Resolution, Error>
where
    F: Future<Output = Result<Resolution, plugin::Error>>,
{
    let resolution = match call().await {
        Err(error) if order.auto_install && install(order, &error).await? => call().await,
        resolution => resolution,
    };
    resolution.map_err(Error::from_plan)
}

/// Installs the pinned adapter if the error is about it; false if it is not.
async fn install(order: &Order, error: &plugin::Error) -> Result<bool, Error> {
    // Only a pinned tool has this hint; a missing compiler has another one.
    let command = installs::command(order.plugin.name());
    let lacks = error.refusal().is_some_and(|refusal| {
        refusal.kind == RefusalKind::ToolMissing
            && refusal.hint.as_deref() == Some(command.as_str())
    });
    if !lacks || !matches!(provision::state(&order.plugin), provision::State::Available { .. }) {
        return Ok(false);
    }
    let sender = order.progress.clone();
    let progress = Progress::new(move |line| drop(sender.send_replace(line.to_owned())));
    let installer = Installer::new(order.owner.clone(), order.limits.clone());
    if let Err(error) = installer.install(&order.plugin, &progress).await {
        let message = format!("{} cannot be installed: {error}", order.plugin.name());
        return Err(Error::Launch(launch::Error::NotInstalled { message, command }));
    }
    Ok(true)
}
