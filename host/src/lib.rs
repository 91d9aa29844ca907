//! dapdock.
