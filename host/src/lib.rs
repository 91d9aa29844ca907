//! dapdock.

pub mod model;
