//! dapdock-plugin.
