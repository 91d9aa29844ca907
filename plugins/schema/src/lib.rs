//! dapdock-schema.
