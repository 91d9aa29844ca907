//! Conformance: every adapter through every scenario, by the tools alone, against the real debuggers.
//!
//! The table below is what is covered. Places are told by markers in the debugged programs, never by line numbers.
//! Without its debugger a test prints that it was skipped; with `REQUIRE_DEBUGGERS` it fails.

mod attach;
mod bad_input;
mod breaks;
mod commands;
mod ends;
mod stage;
mod steps;
mod values;
mod waits;

pub use stage::{Language, Stage, play as on_stage};

/// `area::scenario => languages;` makes the tests `scenario::language`.
macro_rules! conformance {
    ($($area:ident::$scenario:ident => $($language:ident)+;)+) => {
        $(mod $scenario {
            $(#[tokio::test]
            async fn $language() {
                super::on_stage(super::Language::$language(), super::$area::$scenario).await;
            })+
        })+
    };
}

conformance! {
    breaks::first_stop_shows_place_source_and_locals => python rust go;
    breaks::condition_holds => python rust go;
    breaks::hit_counts => python rust go;
    breaks::condition_and_hit_count_together => python rust go;
    breaks::log_breakpoints_write_in_order => python rust go;
    breaks::log_breakpoints_are_thinned => python rust go;
    breaks::function_breakpoint_stops_in_the_function => python rust go;
    breaks::second_call_keeps_the_first_breakpoint => python rust go;
    breaks::breakpoint_set_while_running_stops => python rust go;
    breaks::condition_is_checked_beside_a_running_program => python rust;
    breaks::breakpoints_from_before_follow_what_sessions_do => python;
    breaks::disabled_breakpoint_is_passed => python rust go;

    steps::over_into_out_and_count => python rust go;
    steps::over_a_call_with_a_log_breakpoint_inside => python rust go;
    steps::until_is_reached_once => python rust go;
    steps::until_is_not_reached => python rust go;

    values::evaluate_value_error_and_several => python rust go;
    values::watches_and_changes_at_each_stop => python rust go;
    values::watches_cost_little => python rust go;
    values::nested_by_path => python rust go;
    values::paged_and_filtered => python rust go;
    values::a_path_calls_nothing_and_names_one_key => python;
    values::keys_of_a_mapping => python rust go;
    values::long_text_is_told_page_by_page => python rust go;
    values::cycle_ends => python go;
    values::variables_of_another_frame => python rust go;
    values::stacks_of_all_threads => python rust go;
    values::endless_evaluation_runs_out_of_time => python;

    waits::pause_in_a_sleep_then_continue => python rust go;
    waits::wait_that_runs_out_tells_how_it_runs => python rust go;
    waits::wait_for_named_breakpoints => python rust go;
    waits::stop_at_entry => python rust go;
    waits::two_sessions_at_once => python rust go;

    ends::exit_code_is_told => python rust go;
    ends::signal_is_named => python rust go;
    ends::uncaught_error_stops_at_the_users_frame => python rust go;
    ends::fatal_errors_stop_and_recovered_panics_do_not => go;
    ends::arguments_and_environment_arrive_unchanged => python rust go;
    ends::relative_program_and_cwd => python rust go;
    ends::output_keeps_its_order => python rust go;
    ends::stop_leaves_nothing => python rust go;

    attach::process_is_debugged_and_let_go => rust go;
    attach::host_that_ends_lets_go => rust go;

    commands::pytest => python;
    commands::failing_unittest_stops => python;
    commands::named_interpreter_runs_the_program => python;
    commands::module => python;
    commands::cargo_run => rust;
    commands::cargo_test => rust;
    commands::compile_error_is_told => rust;
    commands::go_run => go;
    commands::go_test => go;
    commands::go_targets_that_are_not_there => go;
    commands::compile_error_of_go_is_told => go;
    commands::core_of_go => go;
}
