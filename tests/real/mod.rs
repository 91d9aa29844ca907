//! Conformance: every adapter through every scenario, by the tools alone, against the real debuggers.
//!
//! The table below is what is covered. Places are told by markers in the debugged programs, never by line numbers.
//! Without its debugger a test prints that it was skipped; with `REQUIRE_DEBUGGERS` it fails.

mod attach;
mod bad_input;
mod breaks;
mod commands;
mod ends;
mod family;
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
    breaks::first_stop_shows_place_source_and_locals => python rust go javascript;
    breaks::condition_holds => python rust go javascript;
    breaks::hit_counts => python rust go javascript;
    breaks::condition_and_hit_count_together => python rust go javascript;
    breaks::log_breakpoints_write_in_order => python rust go javascript;
    breaks::log_breakpoints_are_thinned => python rust go javascript;
    breaks::function_breakpoint_stops_in_the_function => python rust go;
    breaks::function_breakpoint_is_refused => javascript;
    breaks::second_call_keeps_the_first_breakpoint => python rust go javascript;
    breaks::breakpoint_set_while_running_stops => python rust go javascript;
    breaks::condition_is_checked_beside_a_running_program => python rust javascript;
    breaks::breakpoints_from_before_follow_what_sessions_do => python;
    breaks::disabled_breakpoint_is_passed => python rust go javascript;

    steps::over_into_out_and_count => python rust go javascript;
    steps::over_a_call_with_a_log_breakpoint_inside => python rust go javascript;
    steps::until_is_reached_once => python rust go javascript;
    steps::until_is_not_reached => python rust go javascript;

    values::evaluate_value_error_and_several => python rust go javascript;
    values::watches_and_changes_at_each_stop => python rust go javascript;
    values::watches_cost_little => python rust go javascript;
    values::nested_by_path => python rust go javascript;
    values::paged_and_filtered => python rust go javascript;
    values::a_path_calls_nothing_and_names_one_key => python;
    values::keys_of_a_mapping => python rust go javascript;
    values::long_text_is_told_page_by_page => python rust go javascript;
    values::cycle_ends => python go javascript;
    values::variables_of_another_frame => python rust go javascript;
    values::stacks_of_all_threads => python rust go javascript;
    values::endless_evaluation_runs_out_of_time => python javascript;

    waits::pause_in_a_sleep_then_continue => python rust go javascript;
    waits::wait_that_runs_out_tells_how_it_runs => python rust go javascript;
    waits::wait_for_named_breakpoints => python rust go javascript;
    waits::stop_at_entry => python rust go javascript;
    waits::two_sessions_at_once => python rust go javascript;

    ends::exit_code_is_told => python rust go javascript;
    ends::signal_is_named => python rust go javascript;
    ends::uncaught_error_stops_at_the_users_frame => python rust go javascript;
    ends::fatal_errors_stop_and_recovered_panics_do_not => go;
    ends::arguments_and_environment_arrive_unchanged => python rust go javascript;
    ends::relative_program_and_cwd => python rust go javascript;
    ends::output_keeps_its_order => python rust go javascript;
    ends::stop_leaves_nothing => python rust go javascript;

    attach::process_is_debugged_and_let_go => rust go;
    attach::host_that_ends_lets_go => rust go;

    family::child_process_stops_and_all_end => javascript;
    family::worker_threads_stop_one_after_the_other => javascript;
    family::breakpoint_in_parent_and_child => javascript;
    family::stop_ends_the_child_too => javascript;

    commands::pytest => python;
    commands::failing_unittest_stops => python;
    commands::named_interpreter_runs_the_program => python;
    commands::module => python;
    commands::npm_script => javascript;
    commands::node_with_options => javascript;
    commands::node_test_by_name => javascript;
    commands::typescript_through_its_source_map => javascript;
    commands::cargo_run => rust;
    commands::cargo_test => rust;
    commands::compile_error_is_told => rust;
    commands::go_run => go;
    commands::go_test => go;
    commands::go_targets_that_are_not_there => go;
    commands::compile_error_of_go_is_told => go;
    commands::core_of_go => go;
}
