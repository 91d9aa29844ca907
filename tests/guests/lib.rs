//! Guests for the tests of the plugin host. Each is an example of this package and a component of its own, written
//! without the SDK, which would keep them honest.
