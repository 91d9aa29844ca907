//! The builds of a plan.
//!
//! Refuses to know what a failed build means: the plugin decides.

use crate::model::Names;
use crate::model::plan::{Build, BuildResult, BuildStep};
use crate::process::{self, Exit, Finish, Run};
use crate::session::Error;
use crate::session::launch;
use crate::session::launch::order::Order;
use crate::session::launch::spawn::{command, contradiction, words};

/// Runs the steps up to the first that fails.
pub(crate) async fn build(order: &Order, build: &Build) -> Result<Vec<BuildResult>, Error> {
    let mut results = Vec::new();
    for (step, number) in build.steps.iter().zip(0..) {
        let result = run_step(order, step, number).await?;
        let failed = result.exit_code != 0;
        results.push(result);
        if failed {
            break;
        }
    }
    Ok(results)
}

/// The step's command as a shell reads it.
pub(crate) fn command_line(step: &BuildStep) -> String {
    match Names::default().command(&step.command) {
        Ok(line) => words(&line),
        Err(_) => step.label.clone(),
    }
}

async fn run_step(order: &Order, step: &BuildStep, number: u32) -> Result<BuildResult, Error> {
    order.progress.send_replace(step.label.clone());
    let line = Names::default().command(&step.command).map_err(contradiction)?;
    order.workspace.log.command(format!("build: {}", words(&line)));
    let mut command = command(line, &step.label, order);
    // As in a shell, variables of the command count for its build too.
    command.env = order.request.env.iter().cloned().chain(command.env).collect();
    let run = Run { stdin: None, timeout: step.timeout, stdout_cap: order.limits.build_output };
    let on_line = |stream, text: &str| {
        if stream == process::Stream::Stderr && !text.trim().is_empty() {
            order.progress.send_replace(text.trim().to_owned());
        }
    };
    let output = order
        .owner
        .run(&command, run, on_line)
        .await
        .map_err(|error| Error::Launch(launch::Error::Spawn { cause: error.to_string() }))?;
    let exit_code = match output.finish {
        Finish::Exited(Exit::Code(code)) => code,
        Finish::Exited(Exit::Signal(signal)) => 128 + signal,
        Finish::TimedOut => {
            return Err(Error::Limit {
                what: format!("`{}`", step.label),
                value: format!("{} s", step.timeout.as_secs()),
                raise: "the adapter's settings".to_owned(),
            });
        }
    };
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(BuildResult { step: number, exit_code, stdout, stderr_tail: output.stderr_tail })
}
