//! Host functions without a handle: log and platform.

use crate::plugin::engine::bindings::host::{Host, LogLevel};
use crate::plugin::engine::bindings::types::{self, Arch, Os, Platform};
use crate::plugin::engine::store::Guest;

impl types::Host for Guest {}

impl Host for Guest {
    fn log(&mut self, level: LogLevel, message: String) -> wasmtime::Result<()> {
        let (plugin, message) = (&*self.plugin, cut(&message, self.limits().guest_line));
        match level {
            LogLevel::Trace => tracing::trace!(plugin, "{message}"),
            LogLevel::Debug => tracing::debug!(plugin, "{message}"),
            LogLevel::Info => tracing::info!(plugin, "{message}"),
            LogLevel::Warn => tracing::warn!(plugin, "{message}"),
            LogLevel::Error => tracing::error!(plugin, "{message}"),
        }
        if !matches!(level, LogLevel::Trace | LogLevel::Debug) {
            self.log.line(format!("plugin {plugin}: {message}"));
        }
        Ok(())
    }

    fn current_platform(&mut self) -> wasmtime::Result<Platform> {
        let os = match std::env::consts::OS {
            "linux" => Os::Linux,
            "macos" => Os::Macos,
            "windows" => Os::Windows,
            _ => Os::Other,
        };
        let arch = match std::env::consts::ARCH {
            "x86_64" => Arch::X64,
            "aarch64" => Arch::Arm64,
            _ => Arch::Other,
        };
        Ok(Platform { os, arch })
    }
}

fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}
