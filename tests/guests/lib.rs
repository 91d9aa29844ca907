//! Guests for the tests. Each is an example of this package and a component of its own. Those that
//! misbehave do not use the SDK, which would prevent it; `minimal` is the one in
//! `plugins/README.md`.
