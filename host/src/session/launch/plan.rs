//! The plan for a request: the plugin's decisions and the builds between them.
//!
//! Refuses to know how a plan is carried out.

use tokio::time::Instant;

use crate::model::plan::{Built, LaunchPlan, Resolution};
use crate::plugin;
use crate::provision;
use crate::session::Error;
use crate::session::launch::build::{build, command_line};
use crate::session::launch::install;
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
    let refused = plugin::Refused::from(error.clone());
    let lacks = refused.missing_adapter() == Some(order.plugin.name());
    if !lacks || !matches!(provision::state(&order.plugin), provision::State::Available { .. }) {
        return Ok(false);
    }
    let (owner, limits) = (order.owner.clone(), order.limits.clone());
    install::adapter(&order.plugin, owner, limits, order.progress.clone()).await?;
    Ok(true)
}
