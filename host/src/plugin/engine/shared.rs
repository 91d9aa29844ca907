//! What all guest calls of one engine share: options, the cache on disk, and answers of probes.

use crate::limits::Limits;
use crate::plugin::engine::cache::Cache;
use crate::plugin::engine::options::Options;
use crate::plugin::grant::probe::Probes;

pub(crate) struct Shared {
    pub options: Options,
    pub cache: Option<Cache>,
    pub probes: Probes,
}

impl Shared {
    pub fn new(options: Options) -> Self {
        let cache = options.cache.clone().map(Cache::at);
        let probes = Probes::new(options.owner.clone(), cache.clone());
        Self { options, cache, probes }
    }

    pub fn limits(&self) -> &Limits {
        &self.options.limits
    }
}
