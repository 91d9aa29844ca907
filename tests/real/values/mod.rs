//! Values: evaluated, watched, opened by path, paged, shortened, assigned. Stacks are in
//! `real::stacks`.

pub mod assignments;
pub mod bounded;
pub mod containers;
pub mod contents;
pub mod debug_information;
pub mod effects;
pub mod evaluations;
pub mod everyday_python;
pub mod expressions;
pub mod go_hostile;
pub mod go_values;
pub mod hostile;
pub mod levels;
pub mod native_hostile;
pub mod optimised;
pub mod owners;
pub mod pages;
pub mod paths;
pub mod pointers;
pub mod texts;
pub mod variants;
pub mod watches;
