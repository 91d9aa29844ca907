//! Moves: steps, runs to a place, pauses, and refusals. What a wait for their stop returns is in
//! `session::waits`.

mod pauses;
mod refusals;
mod runs;
mod steps;
mod threads;
