//! `dapdock take` and `dapdock give`. Refuses to know what a claim means.

use std::process::ExitCode;

use super::super::Claim;
use super::exit::Failure;
use super::hosts::Needs;
use super::{Style, calls, hosts, print_answer, print_error, reader};
use crate::mcp::{Answer, Joining};

/// Runs `dapdock take`.
pub async fn take(flags: Claim) -> ExitCode {
    run(flags, Joining::Take).await
}

/// Runs `dapdock give`.
pub async fn give(flags: Claim) -> ExitCode {
    run(flags, Joining::Give).await
}

async fn run(flags: Claim, joining: Joining) -> ExitCode {
    let style = if flags.json { Style::Json } else { Style::Text };
    match answer(flags, joining, style).await {
        Ok(answer) => print_answer(style, answer, false),
        Err(failure) => {
            print_error(style, &failure);
            failure.exit().into()
        }
    }
}

async fn answer(flags: Claim, joining: Joining, style: Style) -> Result<Answer, Failure> {
    let origin = hosts::origin(flags.common)?;
    let (client, session) =
        hosts::client(&origin, flags.session.name(), Needs::AgentSession, reader(style)).await?;
    let answer = client.join(joining, session.as_deref()).await;
    client.close().await;
    let mut answer = answer.map_err(|error| Failure::host(error.to_string()))?;
    if let Some(typed) = flags.session.name() {
        calls::name_session(&mut answer, typed);
        let give = |name: &str| format!("`dapdock give {name}`");
        let name = typed.rsplit('/').next().unwrap_or(typed);
        answer.text = answer.text.replace(&give(name), &give(typed));
    }
    Ok(answer)
}
