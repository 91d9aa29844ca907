//! Guests for the tests. Each is an example of this package and a component of its own. Those that
//! misbehave are written without the SDK, which would keep them honest; `minimal` is the one that
//! `plugins/README.md` shows.
