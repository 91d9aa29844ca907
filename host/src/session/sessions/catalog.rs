//! What can be debugged, by which adapters: questions to the plugins of the configuration.
//!
//! Refuses to know any session.

use std::path::{Path, PathBuf};

use super::Sessions;
use crate::model::plan::TargetQuery;
use crate::model::{BreakpointSpec, LaunchRequest};
use crate::plugin::{Plugin, UnknownTool, Workspace};
use crate::session::Error;
use crate::session::setup::Setup;
use crate::target::launch_json::Overrides;
use crate::target::stand_in::StandIns;
use crate::target::{self, AdapterInfo, Configured, Targets};

impl Sessions {
    /// See [`target::configured`].
    pub async fn configured(
        &self,
        workspace: &Path,
        name: &str,
        overrides: &Overrides,
        breakpoints: &[BreakpointSpec],
    ) -> Result<Vec<Configured>, Error> {
        let catalog = self.catalog()?;
        Ok(target::configured(catalog, workspace, name, overrides, breakpoints).await?)
    }

    /// See [`target::targets`].
    pub async fn targets(&self, workspace: PathBuf, query: &TargetQuery) -> Result<Targets, Error> {
        Ok(target::targets(self.catalog()?, workspace, query).await)
    }

    /// See [`target::sources`].
    pub async fn sources(
        &self,
        workspace: PathBuf,
        most: usize,
        fits: impl Fn(&str) -> bool + Send + 'static,
    ) -> Result<Vec<String>, Error> {
        Ok(target::sources(self.catalog()?, workspace, most, fits).await)
    }

    /// The adapters of the configuration, sorted by name.
    pub async fn adapters(&self) -> Result<Vec<AdapterInfo>, Error> {
        Ok(target::adapters(self.catalog()?).await)
    }

    /// See [`target::document`].
    ///
    /// # Errors
    /// The configuration cannot be read.
    pub async fn document(
        &self,
        adapter: &str,
        name: &str,
    ) -> Result<Result<String, target::NoDocument>, Error> {
        Ok(target::document(self.catalog()?, adapter, name).await)
    }

    /// The tools of the configuration that no plugin has.
    pub async fn unknown_tools(&self) -> Result<Vec<UnknownTool>, Error> {
        Ok(self.catalog()?.unknown_tools().await)
    }
}

/// The plugin for a request.
pub(in crate::session) async fn choose(
    setup: &Setup,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Result<Plugin, Error> {
    let stand_ins = if setup.auto_install { StandIns::Installable } else { StandIns::Installed };
    Ok(target::choose::plugin(&setup.catalog, stand_ins, workspace, request).await?)
}
