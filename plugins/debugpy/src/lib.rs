//! dapdock-debugpy.
