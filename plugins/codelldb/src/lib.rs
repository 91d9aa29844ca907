//! dapdock-codelldb.
