//! Conformance: every adapter in every scenario, through the tools only, with the real debuggers.
//!
//! The table below is the coverage: where a debugger refuses something, its row names the scenario
//! with the exact error. Places are found by markers in the debugged programs, never by line
//! numbers. Without its debugger a test prints that it is skipped; with `REQUIRE_DEBUGGERS` it
//! fails.

mod adapters;
mod attach;
mod boundaries;
mod breakpoints;
mod compat;
mod core_files;
mod coroutines;
mod deadlocks;
mod debugger_commands;
mod debugpy_patches;
mod documents;
mod endings;
mod gdb;
mod go_logs;
mod go_moves;
mod go_panics;
mod goroutines;
mod invalid_input;
mod isolation;
mod javascript_compiled;
mod javascript_effects;
mod javascript_failures;
mod javascript_listings;
mod javascript_logs;
mod javascript_output;
mod javascript_packages;
mod javascript_programs;
mod javascript_sizes;
mod javascript_steps;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod outsiders;
mod processes;
mod python_projects;
mod reports;
mod runners;
mod sources;
mod stage;
mod steps;
mod structured;
mod targets;
mod values;
mod waits;

use adapters::{choice, fallback, faults, plugin_file, toolchains};
use attach::{c_libraries, debugpy, lost_connections, permissions, servers};
use breakpoints::{
    awaits, function_names, lines_without_code, links, log_points, native_logs, one_line_functions,
    passes, rust_functions, tail_lines, templates, users_code,
};
use compat::{
    examples, gdb_names, go_names, net_exceptions, net_languages, net_names, net_reads, rust_names,
    viewport_names,
};
use endings::{causes, cpp_exceptions, exceptions, failures, program_errors};
use runners::{
    by_name, go_benchmarks, go_subtests, googletest, javascript, javascript_suites, python,
    unmatched,
};
use sources::{edited_sources, missing_sources};
use targets::{
    binaries, build_tools, cargo, cargo_errors, cmake, commands, directories, go_modules, go_tags,
    launch_json, launch_json_editors, other_debuggers,
};
use values::{
    assignments, bounded, containers, contents, debug_information, effects, everyday_python,
    expressions, go_hostile, go_values, hostile, levels, native_hostile, owners, pointers, texts,
    variants,
};

pub use stage::{Language, Stage, marked, run_scenario};

/// `area::scenario => columns;` makes the tests `scenario::column`; `all` stands for every column.
/// Columns with another result have it in the same row: `, else area::other => columns`.
macro_rules! conformance {
    ($($area:ident::$scenario:ident => $($column:ident)+
        $(, else $elsewhere:ident::$other:ident => $($others:ident)+)*;)+) => {
        $(
            conformance!(@tests $area $scenario $($column)+);
            $(conformance!(@tests $elsewhere $other $($others)+);)*
        )+
        /// Every row: its first scenario, and the columns of each of its scenarios.
        const TABLE: &[(&str, &[&[&str]])] = &[$(
            (
                stringify!($scenario),
                &[conformance!(@names $($column)+), $(conformance!(@names $($others)+),)*],
            ),
        )+];
    };
    (@names all) => { &COLUMNS };
    (@names $($column:ident)+) => { &[$(stringify!($column)),+] };
    (@tests $area:ident $scenario:ident all) => {
        conformance!(@tests $area $scenario
            python rust go javascript c c_lldb c_older javascript_older go_older python_older);
    };
    (@tests $area:ident $scenario:ident $($column:ident)+) => {
        mod $scenario {
            $(#[tokio::test]
            async fn $column() {
                let language = super::Language::$column();
                super::run_scenario(language, super::$area::$scenario).await;
            })+
        }
    };
}

/// Scenarios that every debugger passes or refuses: their rows have every column.
const REQUIRED: &[&str] = &[
    "first_stop_shows_place_source_and_locals",
    "condition_stops_where_it_holds",
    "hit_counts",
    "log_breakpoints_write_in_order",
    "function_breakpoint_stops_in_the_function",
    "invalid_breakpoints_are_refused",
    "over_into_out_and_count",
    "until_is_reached_once",
    "until_is_not_reached",
    "pause_in_a_sleep_then_continue",
    "stacks_of_all_threads",
    "deep_stack_is_paged",
    "variables_of_another_frame",
    "nested_by_path",
    "paged_and_filtered",
    "long_text_is_paged",
    "cyclic_value_is_cut",
    "evaluate_value_error_and_several",
    "endless_evaluation_times_out",
    "assigned_variable_is_used",
    "uncaught_error_stops_at_the_users_frame",
    "port_in_use_stops_at_the_users_line",
    "exit_code_is_reported",
    "signal_is_named",
    "arguments_and_environment_arrive_unchanged",
    "relative_program_and_cwd",
    "output_keeps_its_order",
    "test_by_name",
    "process_is_debugged_and_detached",
    "person_agrees_to_the_end_of_a_process",
    "traced_process_is_refused",
    "denied_ptrace_names_the_permission",
    "foreign_process_is_distinguished_from_a_missing_one",
    "restart_keeps_breakpoints_and_watches",
    "core_file_of_c",
    "two_sessions_at_once",
    "child_process_stops_and_all_end",
    "compile_error_is_reported",
    "missing_debugger_names_its_install",
    "too_old_debugger_is_reported",
    "unmatched_python_test_is_reported",
    "edited_source_is_reported",
    "program_without_symbols",
    "killed_adapter_ends_the_session",
    "stop_leaves_no_process",
];

/// The columns: every adapter in its newest version and an older one. Of CodeLLDB only one version
/// can be installed, which is tested with Rust and with C.
/// What the host or a plugin decides alone runs with the newest versions only.
const COLUMNS: [&str; 10] = [
    "python",
    "rust",
    "go",
    "javascript",
    "c",
    "c_lldb",
    "c_older",
    "javascript_older",
    "go_older",
    "python_older",
];

#[test]
fn required_scenarios_have_every_column() {
    for required in REQUIRED {
        let row = TABLE.iter().find(|(scenario, _)| scenario == required);
        let (_, columns) = row.unwrap_or_else(|| panic!("no row of the table is {required}"));
        let columns = columns.concat();
        let blank: Vec<_> = COLUMNS.iter().filter(|column| !columns.contains(column)).collect();
        assert!(blank.is_empty(), "{required} has no {blank:?}");
    }
}

conformance! {
    // Required of every debugger: it does this, or refuses it as asserted.
    breakpoints::first_stop_shows_place_source_and_locals => all;
    breakpoints::condition_stops_where_it_holds => all;
    breakpoints::hit_counts => all;
    breakpoints::log_breakpoints_write_in_order => all;
    breakpoints::function_breakpoint_stops_in_the_function => all;
    steps::over_into_out_and_count => all;
    steps::until_is_reached_once => all;
    steps::until_is_not_reached => all;
    values::evaluate_value_error_and_several => all;
    values::nested_by_path => all;
    values::paged_and_filtered => all;
    values::assigned_variable_is_used => all;
    values::deep_stack_is_paged => all;
    values::cyclic_value_is_cut => all;
    values::variables_of_another_frame => all;
    waits::pause_in_a_sleep_then_continue => all;
    waits::two_sessions_at_once => all;
    structured::data_says_what_the_text_says => all;
    endings::exit_code_is_reported => all;
    endings::signal_is_named => all;
    endings::uncaught_error_stops_at_the_users_frame => all;
    endings::arguments_and_environment_arrive_unchanged => all;
    endings::restart_keeps_breakpoints_and_watches => all;
    endings::relative_program_and_cwd => all;
    endings::output_keeps_its_order => all;
    endings::killed_adapter_ends_the_session => all;
    endings::stop_leaves_no_process => all;
    attach::process_is_debugged_and_detached => all;
    attach::person_agrees_to_the_end_of_a_process => all;
    attach::attached_program_that_ignores_signals_ends => all;
    attach::traced_process_is_refused => all;
    permissions::foreign_process_is_distinguished_from_a_missing_one => all;
    invalid_input::invalid_breakpoints_are_refused => all;
    faults::missing_debugger_names_its_install => all;
    edited_sources::edited_source_is_reported => all;
    edited_sources::function_of_an_edited_source_is_found_again =>
            python javascript javascript_older;
    values::long_text_is_paged =>
            python python_older rust go javascript javascript_older c c_lldb c_older,
        else values::long_text_is_cut_by_the_adapter => go_older;
    values::stacks_of_all_threads =>
            python python_older rust go javascript javascript_older c c_lldb c_older,
        else values::threads_without_labels_are_named_by_function => go_older;
    values::endless_evaluation_times_out =>
            python python_older javascript javascript_older c c_lldb,
        else values::endless_call_blocks_the_debugger => go go_older c_older,
        else expressions::calls_in_rust_are_refused => rust;
    program_errors::port_in_use_stops_at_the_users_line =>
            python python_older rust go go_older javascript javascript_older,
        else program_errors::port_in_use_ends_the_program => c c_lldb c_older;
    cargo::compile_error_is_reported => rust,
        else go_modules::compile_error_of_go_is_reported => go go_older,
        else gdb::compile_error_of_c_is_reported => c c_lldb c_older,
        else program_errors::syntax_error_of_python_names_its_place => python python_older,
        else program_errors::syntax_error_of_javascript_names_its_place =>
                javascript javascript_older;
    permissions::denied_ptrace_names_the_permission =>
            python python_older rust go go_older c c_lldb c_older,
        else permissions::denied_signal_is_reported => javascript javascript_older;
    processes::child_process_stops_and_all_end => python python_older javascript javascript_older,
        else processes::child_is_not_followed => rust go go_older c c_lldb c_older;
    faults::messages_show_what_the_plugin_does => javascript;
    faults::too_old_debugger_is_reported => python python_older,
        else faults::too_old_codelldb_is_reported => rust c_lldb,
        else faults::too_old_node_is_reported => javascript javascript_older,
        else toolchains::mismatched_go_and_delve_are_reported => go go_older,
        else gdb::too_old_gdb_is_reported => c c_older;
    invalid_input::program_without_symbols => rust c c_lldb c_older,
        else invalid_input::go_program_without_symbols => go go_older,
        else missing_sources::python_bytecode_without_source => python python_older,
        else missing_sources::javascript_without_its_source_map => javascript javascript_older;
    by_name::test_by_name => python python_older go go_older javascript javascript_older,
        else cargo::rust_test_by_name => rust,
        else googletest::googletest_by_name => c c_lldb c_older;
    unmatched::unmatched_python_test_is_reported => python python_older,
        else unmatched::unmatched_javascript_test_is_reported => javascript javascript_older,
        else unmatched::unmatched_cargo_test_is_refused => rust,
        else unmatched::unmatched_go_test_is_refused => go go_older,
        else unmatched::unmatched_googletest_is_reported => c c_lldb c_older;
    core_files::core_file_of_c => c c_lldb c_older,
        else go_modules::core_file_of_go => go go_older,
        else core_files::core_file_selects_its_adapter => rust go c,
        else core_files::core_file_is_refused => python python_older javascript javascript_older;

    // The same under every debugger.
    breakpoints::unreached_hit_count_is_reported => all;
    breakpoints::condition_and_hit_count_together => all;
    breakpoints::log_breakpoints_are_thinned => all;
    breakpoints::second_call_keeps_the_first_breakpoint => all;
    breakpoints::breakpoint_set_while_running_stops => all;
    breakpoints::disabled_breakpoint_is_passed => all;
    steps::over_a_call_with_a_log_breakpoint_inside => all;
    steps::interrupted_step_is_discarded => all;
    values::watches_and_changes_at_each_stop => all;
    values::diff_shows_only_changes => all;
    waits::timed_out_wait_reports_the_running_program => all;
    waits::running_program_says_whether_it_waits => all;
    waits::wait_for_named_breakpoints => all;
    waits::stop_at_entry => all;
    endings::restart_uses_later_breakpoint_edits => all;
    endings::breakpoints_of_an_ended_session_are_edited => all;
    endings::no_line_runs_after_the_end => all;
    endings::standard_input_is_at_its_end => all;
    attach::server_is_debugged_and_detached => all;
    attach::program_killed_at_a_stop_has_ended => all;
    attach::running_server_is_detached_and_ended => all;
    attach::ended_host_detaches => all;
    lost_connections::detach_from_a_launched_program_is_refused => all;
    invalid_input::unknown_thread_is_refused => all;
    launch_json::attach_of_launch_json => all;

    // Several languages.
    breakpoints::false_condition_counts_no_hit => python rust c c_lldb c_older;
    breakpoints::condition_is_checked_while_running =>
            python python_older rust go go_older javascript javascript_older c_lldb;
    breakpoints::earlier_unknown_exception_filters_are_ignored =>
            python rust go go_older javascript javascript_older c c_lldb c_older;
    breakpoints::condition_that_assigns_is_refused => rust javascript javascript_older c c_older;
    function_names::misspelt_function_lists_similar_names => rust go go_older c c_lldb c_older;
    lines_without_code::nearest_lines_with_code_are_listed =>
            rust go go_older javascript c c_lldb c_older;
    lines_without_code::line_without_code_of_a_launch_is_answered =>
            python rust go go_older javascript c c_older c_lldb;
    links::breakpoint_by_the_name_of_a_link_stops => go go_older;
    links::step_ends_at_a_breakpoint_by_the_name_of_a_link => go go_older;
    links::breakpoints_of_javascript_by_the_names_of_links_stop => javascript;
    log_points::every_hit_before_an_exit_is_counted => c_lldb;
    log_points::hits_come_before_the_stop_that_follows => rust c_lldb;
    log_points::failing_condition_of_a_log_point_stops => rust c_lldb;
    log_points::thinned_log_points_count_every_hit => rust c_lldb;
    steps::into_one_call_of_a_line => python python_older rust javascript javascript_older c_lldb,
        else steps::step_into_a_named_call_is_unsupported => go go_older c c_older;
    steps::into_a_call_of_a_function_that_recurses => rust c_lldb;
    steps::step_ending_at_a_breakpoint_is_no_hit => rust c c_lldb c_older;
    values::watches_cost_little =>
            python rust go go_older javascript javascript_older c c_lldb c_older;
    levels::count_and_filter_hold_at_every_level => python go javascript;
    values::keys_of_a_mapping => python python_older rust go go_older javascript javascript_older;
    values::numeric_keys_of_a_mapping => python rust go javascript javascript_older;
    values::assignment_by_an_expression_is_visible =>
            python python_older javascript javascript_older c c_lldb c_older;
    values::innermost_variable_of_a_name_is_selected =>
            javascript javascript_older c c_lldb c_older;
    values::new_key_of_a_mapping_is_set => python javascript javascript_older;
    values::endless_statements_are_abandoned => python javascript javascript_older;
    expressions::failed_condition_is_reported_by_the_stop => rust c c_lldb c_older;
    expressions::failed_condition_stops => go javascript javascript_older;
    assignments::value_out_of_range_is_refused => go c c_lldb c_older;
    waits::step_from_a_sleep_ends_in_user_code => rust c c_lldb;
    endings::program_that_cannot_be_executed_is_reported => rust c c_lldb;
    endings::standard_input_from_a_file => python rust go go_older c c_lldb c_older;
    endings::stop_after_much_output_is_complete => python python_older javascript javascript_older;
    endings::flood_is_counted => python go javascript c c_lldb;
    attach::ending_names_the_signal => rust c c_lldb c_older;
    attach::listener_selects_the_adapter =>
            python python_older go go_older javascript javascript_older c;
    attach::detach_right_after_the_attach => python javascript javascript_older;
    attach::process_of_another_language_is_refused =>
            python go javascript;
    causes::exception_has_causes_frames_and_output => all;
    causes::stop_without_an_exception_is_refused => all;
    causes::missing_value_is_described_by_its_panic => rust;
    causes::rust_errors_are_read_to_their_ends => rust;
    causes::segmentation_fault_has_its_pointer_and_instruction => c c_lldb c_older;
    causes::exception_has_the_values_of_now => python javascript c c_lldb c_older;
    causes::cpp_exceptions_that_end_the_program_have_type_and_text => c c_lldb c_older;
    causes::ignored_signal_is_not_the_end => c c_lldb c_older;
    causes::python_notes_follow_the_message => python;
    causes::javascript_values_are_errors_too => javascript javascript_older;
    causes::javascript_rejection_that_is_handled_later_is_none => javascript javascript_older;
    causes::exception_is_of_the_thread_that_stopped => c c_lldb c_older;
    causes::causes_are_read_only_if_wanted => c c_older;
    causes::members_of_a_long_list_are_read => go;
    causes::javascript_errors_without_an_end_are_bounded => javascript javascript_older;
    causes::javascript_text_is_whole => javascript javascript_older;
    causes::javascript_error_is_that_of_the_stop => javascript javascript_older;
    causes::javascript_program_holds_no_error => javascript javascript_older;
    exceptions::exceptions_stop_by_their_types => python python_older javascript javascript_older;
    exceptions::exceptions_are_breakpoints => python python_older javascript javascript_older;
    exceptions::panics_are_disabled_by_number => rust go;
    exceptions::exception_types_are_refused => go;
    exceptions::exception_types_change_at_a_stop => python javascript javascript_older;
    processes::wait_says_that_a_running_child_is_not_followed => rust go c c_lldb;
    processes::worker_threads_stop_one_after_the_other =>
            python python_older javascript javascript_older;
    processes::step_stays_in_its_child => python python_older javascript javascript_older;
    processes::breakpoint_in_parent_and_child => python javascript javascript_older;
    processes::stop_ends_the_child_too => python python_older javascript javascript_older;
    plugin_file::plugin_loaded_from_a_file => python rust go javascript c c_lldb;
    boundaries::unknown_command_is_refused => rust go c c_lldb;
    boundaries::build_gets_the_callers_environment => rust go;
    boundaries::thread_name_cannot_be_resolved_while_running =>
            rust go go_older javascript javascript_older c c_lldb c_older;
    toolchains::missing_compiler_is_reported => rust go c c_lldb;
    toolchains::too_old_compiler_is_reported => rust go;
    missing_sources::missing_source_is_named =>
            python python_older rust go go_older c c_lldb c_older,
        else missing_sources::generated_code_without_its_source => javascript javascript_older;
    edited_sources::program_older_than_its_source_is_reported => rust go c c_lldb,
        else edited_sources::generated_code_older_than_its_source_is_reported =>
                javascript;
    launch_json_editors::launch_configuration_of_launch_json =>
            python rust go javascript c;
    launch_json_editors::stopping_at_entry_by_launch_json => python rust go javascript c;
    unmatched::failed_python_start_names_the_cause => python,
        else unmatched::failed_javascript_start_names_the_cause => javascript;
    by_name::targets_are_listed =>
            python rust go javascript;
    other_debuggers::command_of_another_debugger_runs_its_program => python go javascript;
    other_debuggers::attach_command_of_another_debugger_is_refused => python go javascript;
    choice::script_belongs_to_its_interpreter => python javascript;
    directories::paths_are_relative_to_the_working_directory => python go javascript;
    core_files::core_file_of_another_program_is_refused => rust go c c_lldb;
    core_files::missing_core_file_is_refused => rust go c c_lldb;
    isolation::pythonpath_reaches_the_program_alone => python c c_lldb;
    isolation::adapter_starts_in_a_neutral_folder =>
            python rust go javascript c_lldb;

    // Python
    isolation::project_modules_do_not_replace_the_debuggers => python;
    breakpoints::hits_of_all_threads_are_counted => python python_older;
    breakpoints::every_hit_of_every_thread_stops => python python_older;
    breakpoints::function_breakpoints_stop_where_the_body_begins => python python_older;
    breakpoints::qualified_names_mean_one_function => python python_older;
    breakpoints::coroutines_generators_and_methods_of_one_name_are_functions => python;
    breakpoints::earlier_breakpoints_have_the_last_sessions_edits => python;
    templates::lines_of_templates_stop => python;
    templates::until_a_line_of_a_template_is_reached => python;
    steps::in_a_library_with_a_breakpoint => python python_older;
    steps::step_into_a_c_function_is_refused => python;
    steps::until_a_line_without_code_is_refused => python;
    effects::reading_runs_no_code_of_the_program => python python_older;
    effects::evaluation_runs_what_changes_nothing => python python_older;
    effects::arguments_are_listed_whatever_they_hold => python;
    effects::hostile_values_do_not_delay_the_stop => python;
    everyday_python::everyday_expressions_have_values => python;
    values::path_calls_nothing_and_selects_one_key => python;
    values::bytes_are_paged => python;
    values::omitted_variables_of_a_scope_are_mentioned => python;
    values::failed_reads_and_assignments_name_the_cause => python;
    values::evaluation_may_wait_for_another_thread => python;
    values::exit_in_an_expression_is_its_error => python python_older;
    values::nested_long_container_is_paged => python;
    containers::listed_keys_of_all_kinds_are_paths => python;
    values::move_is_queued_behind_a_long_evaluation => python;
    waits::deadlock_shows_where_each_thread_waits => python;
    waits::idle_threads_show_where_they_wait => python;
    waits::stacks_of_blocked_threads_are_read_at_once => python;
    waits::blocked_thread_steps_to_its_next_line => python;
    waits::step_of_a_blocked_thread_resumes_the_others => python python_older;
    waits::step_at_its_time_limit_says_what_blocks_it => python;
    waits::blocked_thread_that_goes_on_stops => python;
    debugpy::attach_to_a_waiting_debugpy => python python_older;
    debugpy::attach_to_a_running_debugpy => python python_older;
    debugpy::attach_by_pid_prints_nothing => python python_older;
    lost_connections::failed_attach_does_not_end_another_session => python;
    attach::coroutines_and_threads_stop_after_an_attach => python;
    exceptions::each_exception_stops_once => python python_older;
    exceptions::endless_recursion_stops => python;
    exceptions::exception_types_stop_after_an_attach => python;
    exceptions::expected_exceptions_do_not_stop => python;
    coroutines::step_out_leads_to_the_awaiting_code => python;
    coroutines::step_over_the_end_of_a_task_leads_to_the_awaiting_code => python;
    coroutines::step_out_of_the_outermost_function_is_refused => python;
    coroutines::tasks_show_where_they_wait => python;
    reports::every_hit_of_a_log_breakpoint_is_counted => python;
    reports::every_nth_message_is_logged => python;
    python_projects::test_of_django_runs_through_its_command => python;
    python_projects::linked_environment_runs_the_program => python;
    python_projects::failed_subtests_stop_where_they_failed => python python_older;
    python_projects::messages_have_their_lines => python;
    reports::alternating_streams_keep_their_order => python;
    reports::children_behind_a_shell_are_followed => python;
    failures::failures_stop_where_they_were_raised => python;
    failures::reported_exceptions_that_the_program_caught_do_not_stop => python python_older;
    failures::attributes_that_a_library_looks_up_do_not_stop => python;
    failures::values_after_a_finally_are_noted => python;
    failures::breakpoints_stop_after_a_caught_recursion_error => python;
    failures::causes_are_named_at_the_stop => python;
    processes::spawned_child_stops => python python_older;
    processes::forked_child_stops => python python_older;
    processes::function_breakpoint_in_children_is_bound => python;
    processes::step_and_hit_of_another_thread_are_both_reported => python;
    processes::edited_breakpoints_apply_to_a_pending_hit => python;
    processes::condition_that_raises_in_a_child_is_reported => python;
    processes::output_of_a_child_is_sent_without_delay => python;
    debugpy_patches::first_hits_of_two_threads_share_a_counter => python;
    debugpy_patches::code_is_loaded_while_breakpoints_change => python;
    debugpy_patches::code_is_loaded_despite_a_failure_in_the_patch => python;
    debugpy_patches::program_output_like_the_debuggers_is_reported => python;
    debugpy_patches::debuggers_own_messages_are_logged => python;
    debugpy_patches::isolated_python_is_debugged_without_patches => python;
    debugpy_patches::slow_value_does_not_delay_the_stop => python python_older;
    debugpy_patches::slow_value_does_not_disturb_an_event_loop => python;
    debugpy_patches::second_slow_value_of_a_type_gets_less_time => python;
    launch_json::module_of_launch_json => python;
    launch_json::compound_of_launch_json => python;
    launch_json::invalid_launch_json_is_reported => python;
    by_name::unittest_by_name => python;
    by_name::unknown_test_lists_similar_names => python;
    by_name::pytest_names_and_settings => python;
    by_name::unknown_parameter_set_is_refused => python;
    commands::pytest => python;
    commands::failing_unittest_stops => python;
    commands::failing_pytest_shows_only_its_own_locals => python;
    commands::named_interpreter_runs_the_program => python;
    commands::virtual_environment_of_the_workspace_runs_the_program => python;
    commands::module => python;
    python::pytest_settings_that_hide_tests_are_turned_off => python;
    python::pytest_options_that_hide_tests_are_turned_off => python;
    python::servers_stop_in_one_process => python;
    python::pause_of_a_server_shows_the_waiting_request => python;
    choice::tie_lists_the_choices => python;
    directories::directory_with_main_runs => python;
    directories::python_package_runs_as_a_module => python;
    directories::directory_of_several_languages_is_a_tie => python;
    directories::test_runs_in_another_directory => python;

    // Rust
    breakpoints::main_is_the_programs_main => rust;
    rust_functions::function_name_matches_user_code_only => rust;
    rust_functions::generic_functions_are_found => rust;
    rust_functions::methods_of_traits_are_found => rust;
    rust_functions::async_function_is_entered_once => rust;
    rust_functions::names_of_one_function_stop_together => rust;
    rust_functions::function_breakpoints_change_at_a_stop => rust;
    passes::thread_whose_condition_holds_is_reported => rust;
    passes::line_of_rust_stops_once_a_pass => rust;
    passes::breakpoint_on_a_calling_line_stops_after_the_call => rust;
    passes::breakpoints_on_several_lines_stop_in_order => rust;
    passes::condition_is_evaluated_where_the_line_declares_its_names => rust;
    passes::passes_of_a_line_are_counted_and_logged_once => rust;
    steps::out_of_a_library_that_was_stepped_into => rust;
    values::opened_enum_names_its_variant => rust;
    expressions::expressions_in_rust_follow_its_rules => rust;
    expressions::conditions_in_rust_hold_or_are_refused => rust;
    expressions::format_applies_to_one_answer => rust;
    owners::values_behind_owners => rust;
    variants::reference_shows_its_variant_at_every_stop => rust;
    variants::condition_reads_a_variant_behind_a_reference => rust;
    variants::fields_of_a_variant_are_set => rust;
    variants::returned_value_is_correct_or_unknown => rust;
    assignments::assignments_in_rust_are_checked => rust;
    endings::panic_message_is_complete => rust;
    attach::attach_by_address_needs_the_program => rust;
    boundaries::attach_to_the_host_is_refused => rust;
    cargo::cargo_run => rust;
    cargo::cargo_test => rust;
    cargo::source_files_through_codelldb => rust;
    cargo::project_files_select_the_adapter_of_a_test => rust;
    cargo::declared_crates_run_as_listed => rust;
    cargo::test_in_a_large_tree_is_found => rust;
    cargo_errors::test_that_returns_an_error_is_named => rust;
    cargo_errors::test_binaries_run_in_turn => rust;
    cargo_errors::cargo_errors_propose_a_command => rust;
    cargo_errors::ignored_test_runs_by_name => rust;
    cargo_errors::test_filters_of_cargo_are_unchanged => rust;
    binaries::rust_is_recognised_without_cargo => rust;
    binaries::rust_is_recognised_by_its_process => rust;

    // Go
    function_names::ambiguous_function_lists_its_matches => go go_older;
    goroutines::each_goroutine_shows_why_it_waits => go go_older;
    goroutines::refused_step_is_reported => go go_older;
    goroutines::deadlock_stop_names_what_it_waits_for => go go_older;
    goroutines::many_goroutines_are_paged => go go_older;
    goroutines::unlisted_goroutines_are_mentioned => go;
    go_hostile::hostile_values_of_go_are_read_soon => go go_older;
    expressions::calls_in_go_need_permission => go go_older;
    expressions::assignment_expressions_in_go_name_debug_set => go go_older;
    endings::fatal_errors_stop_and_recovered_panics_do_not => go go_older;
    c_libraries::go_program_with_c_libraries_stops => go;
    lost_connections::single_client_server_ends_with_its_session => go go_older;
    lost_connections::server_without_a_program_is_refused => go;
    processes::child_is_followed_on_request => go go_older;
    launch_json_editors::tests_of_go_by_launch_json => go;
    launch_json_editors::build_flags_of_go_by_launch_json => go;
    unmatched::unmatched_go_subtest_is_reported => go;
    binaries::go_binary_is_recognised_in_a_command => go;
    directories::go_package_runs => go;
    go_modules::go_run => go;
    go_modules::go_test => go;
    go_modules::missing_go_targets_are_refused => go;
    go_benchmarks::benchmarks_of_go_by_command => go;
    go_benchmarks::all_packages_of_a_module => go;
    go_benchmarks::benchmarks_and_examples_by_name => go;
    go_benchmarks::fuzzing_of_go_by_command => go;
    go_values::go_maps_show_keys_and_values => go go_older;
    go_values::every_key_of_a_go_map_is_a_path => go go_older;
    go_values::go_interfaces_show_their_dynamic_type => go go_older;
    go_values::go_internals_are_a_word => go go_older;
    go_values::go_addresses_are_read_on_request => go go_older;
    go_tags::build_tags_of_go_are_found => go;
    go_tags::build_tags_of_the_environment_remain => go;
    go_tags::packages_of_tagged_files_name_their_tags => go;
    go_logs::every_hit_of_a_go_log_breakpoint_is_counted => go;
    go_logs::hits_of_all_goroutines_are_counted => go go_older;
    go_logs::failing_expression_of_a_go_log_breakpoint_is_written_once => go go_older;
    go_logs::conditions_and_counts_of_a_go_log_breakpoint_hold => go go_older;
    go_logs::finished_go_log_breakpoint_costs_nothing => go go_older;
    go_logs::step_to_a_go_log_breakpoint_is_one_hit => go go_older;
    go_logs::texts_of_go_log_breakpoints_have_plain_values => go go_older;
    go_moves::go_steps_say_what_cut_them_short => go go_older;
    go_moves::go_entry_is_the_first_statement => go go_older;
    go_moves::go_entry_follows_breakpoints_of_initialisers => go go_older;
    go_moves::go_streams_keep_their_order => go go_older;
    go_moves::go_output_before_a_stop_is_complete => go go_older;
    go_moves::go_failed_test_leads_to_its_line => go;
    go_panics::all_stops_where_each_go_panic_is_raised => go go_older;
    go_panics::uncaught_leaves_recovered_go_panics => go go_older;
    go_panics::reported_go_panic_stops_where_it_is_raised => go;
    go_subtests::go_subtests_run_by_name => go;
    go_subtests::go_subtests_are_listed => go;
    go_subtests::failed_go_subtest_leads_to_its_line => go;

    // JavaScript
    isolation::node_options_reach_the_program_alone => javascript;
    breakpoints::breakpoint_in_later_loaded_code_stops => javascript javascript_older;
    javascript_programs::locals_of_a_module_are_its_variables => javascript javascript_older;
    javascript_programs::function_breakpoint_is_found_in_the_sources =>
            javascript javascript_older;
    javascript_programs::failed_assertion_stops_at_the_users_line => javascript javascript_older;
    javascript_programs::getter_is_called_on_request_only => javascript javascript_older;
    javascript_programs::step_skips_node_internals => javascript javascript_older;
    javascript_programs::debugger_statement_stops => javascript javascript_older;
    javascript_programs::expression_with_side_effects_needs_permission =>
            javascript javascript_older;
    javascript_programs::inspector_left_open_is_reported => javascript;
    javascript_programs::exit_shows_the_error_above_the_stack => javascript javascript_older;
    javascript_programs::failed_module_stops => javascript javascript_older;
    javascript_compiled::breakpoint_in_a_compiled_file_stops_at_its_line =>
            javascript javascript_older;
    javascript_listings::locals_are_the_programs_own => javascript javascript_older;
    javascript_listings::entries_of_a_map_are_listed_by_their_keys =>
            javascript javascript_older;
    javascript_listings::names_of_entries_are_paths => javascript javascript_older;
    javascript_listings::variables_before_their_declaration_are_not_yet_set =>
            javascript javascript_older;
    javascript_listings::errors_are_listed_with_their_fields => javascript javascript_older;
    javascript_logs::every_hit_is_counted => javascript;
    javascript_logs::a_program_that_logs_is_stopped => javascript javascript_older;
    javascript_logs::texts_are_those_of_a_stop => javascript javascript_older;
    javascript_logs::an_expression_that_fails_leaves_the_rest => javascript javascript_older;
    javascript_logs::a_step_passes_over_an_expression_that_fails =>
            javascript javascript_older;
    javascript_logs::names_are_those_of_the_source => javascript javascript_older;
    javascript_logs::hits_are_logged_in_every_context => javascript javascript_older;
    javascript_output::javascript_streams_keep_their_order => javascript javascript_older;
    javascript_output::javascript_output_that_node_has_not_written_is_noted =>
        javascript javascript_older;
    javascript_packages::compiled_program_is_built_before_it_runs => javascript;
    javascript_packages::runner_above_the_workspace_runs => javascript;
    javascript_steps::entry_is_the_first_statement_that_runs => javascript javascript_older;
    javascript_steps::step_out_ends_in_the_function_that_awaits => javascript javascript_older;
    javascript_effects::looking_changes_nothing => javascript javascript_older;
    javascript_effects::looking_at_a_thread_changes_nothing => javascript javascript_older;
    javascript_effects::expressions_in_an_ended_function_end_in_time =>
        javascript javascript_older;
    javascript_effects::failure_of_another_context_has_its_variables =>
        javascript javascript_older;
    javascript_effects::pause_names_the_functions_that_wait => javascript javascript_older;
    javascript_sizes::large_values_are_read_in_part => javascript javascript_older;
    javascript_sizes::hostile_values_of_javascript_are_read_soon => javascript;
    javascript_effects::pause_in_the_event_loop_has_the_module => javascript javascript_older;
    javascript_failures::handled_rejections_do_not_stop => javascript javascript_older;
    javascript_failures::handler_that_ends_the_program_stops => javascript javascript_older;
    javascript_failures::thrown_objects_have_their_fields => javascript javascript_older;
    javascript_failures::rejection_without_an_error_stops => javascript javascript_older;
    javascript_failures::loop_that_awaits_is_followed => javascript javascript_older;
    javascript_failures::failure_of_a_module_stops => javascript javascript_older;
    javascript_failures::failing_assertion_of_a_runner_stops => javascript javascript_older;
    javascript_failures::failure_in_a_request_handler_stops => javascript javascript_older;
    javascript_failures::all_leaves_what_a_library_catches_itself => javascript;
    waits::pause_survives_breakpoint_edits => javascript;
    waits::computing_program_shows_its_cpu_use => javascript;
    endings::standard_input_is_refused => javascript;
    attach::breakpoints_in_loaded_code_bind_at_the_attach => javascript javascript_older;
    attach::attach_does_not_connect_to_the_programs_servers => javascript javascript_older;
    exceptions::users_frame_is_found_below_library_frames => javascript javascript_older;
    processes::cluster_worker_stops => javascript javascript_older;
    processes::single_stopped_worker_is_resumed_alone => javascript javascript_older;
    launch_json::arguments_and_environment_of_launch_json => javascript;
    launch_json_editors::options_of_node_by_launch_json => javascript;
    by_name::test_in_a_suite_and_missing_runner => javascript;
    by_name::language_filter_matches_target_names_too => javascript;
    javascript::one_test_of_jest => javascript;
    javascript::one_test_of_mocha => javascript;
    javascript::one_test_of_vitest => javascript;
    javascript::imports_of_a_test_file_select_its_runner => javascript;
    javascript_suites::first_line_of_a_babel_module_stops => javascript javascript_older;
    javascript_suites::failed_jest_suite_names_the_cause => javascript javascript_older;
    javascript_suites::failed_javascript_test_names_the_cause => javascript javascript_older;
    javascript_suites::nested_node_test_runs => javascript;
    javascript_suites::packages_installed_behind_a_link => javascript;
    javascript_suites::tests_of_a_table_are_listed => javascript;
    javascript_suites::test_file_run_as_a_program_is_refused => javascript;
    commands::npm_script => javascript;
    commands::node_with_options => javascript;
    commands::node_test_by_name => javascript;
    commands::typescript_through_its_source_map => javascript;
    other_debuggers::package_tool_by_npx => javascript;
    directories::node_package_runs => javascript;

    // C and C++
    breakpoints::condition_stops_at_the_place_of_a_log_breakpoint => c c_older;
    breakpoints::condition_with_unknown_name_is_reported => c c_lldb c_older;
    breakpoints::condition_refused_while_running_is_reported => c c_older;
    passes::line_of_cpp_stops_once_a_pass => c_lldb;
    steps::into_a_call_of_several_lines => c_lldb;
    one_line_functions::breakpoint_in_one_line_function_shows_arguments => c c_lldb c_older;
    one_line_functions::condition_in_one_line_function_reads_arguments => c c_lldb c_older;
    one_line_functions::step_into_a_one_line_function_shows_arguments => c c_lldb c_older;
    pointers::pointer_shows_its_address_and_target => c c_lldb c_older;
    pointers::smart_pointers_are_followed => c_lldb;
    pointers::unreadable_pointer_has_its_address => c c_lldb c_older;
    pointers::fault_without_an_address_says_so => c c_lldb c_older;
    pointers::absent_values_say_why => c c_lldb;
    pointers::instruction_step_shows_the_instruction => c c_lldb c_older;
    pointers::step_out_shows_the_returned_value => c c_lldb c_older;
    pointers::return_value_of_rust_in_gdb_is_omitted => c c_older;
    values::endless_call_of_cpp_is_abandoned => c_lldb;
    expressions::c_strings_are_paged => c_lldb;
    expressions::expressions_in_cpp_follow_its_rules => c_lldb;
    expressions::expressions_in_cpp_search_all_elements => c_lldb;
    expressions::calls_in_cpp_need_permission => c_lldb;
    expressions::call_in_an_expression_is_no_stop => c c_lldb c_older;
    containers::member_functions_are_called_with_permission => c_lldb;
    containers::optional_shows_its_value => c_lldb;
    containers::long_ones_behind_pointers_have_their_elements => rust c_lldb;
    containers::entries_of_a_mapping_are_named_by_key => c c_older;
    bounded::variable_before_its_declaration_is_not_set => c c_lldb c_older;
    hostile::stop_with_hostile_values_costs_little => rust c_lldb;
    bounded::large_containers_cost_little => c c_lldb c_older;
    contents::members_of_c_are_complete => c c_lldb c_older;
    contents::library_values_of_cpp_are_contents => c c_lldb c_older;
    contents::values_of_rust_are_complete_and_bounded => rust;
    cpp_exceptions::exceptions_are_selected_by_type => c c_lldb c_older;
    cpp_exceptions::exceptions_of_cpp_are_breakpoints => c c_lldb c_older;
    pointers::registers_are_numbers_in_full => c c_lldb c_older;
    pointers::memory_is_read_as_an_array => c c_lldb c_older;
    debug_information::build_with_line_tables_only_says_so => rust c c_lldb c_older;
    debug_information::class_without_a_size_names_the_flag => c_lldb;
    native_logs::every_hit_in_machine_code_is_counted => c;
    native_logs::condition_of_a_log_in_machine_code => c c_older;
    native_logs::hits_in_machine_code_are_counted_in_place => c c_older;
    native_hostile::hostile_values_of_machine_code_are_read_soon => c c_older;
    texts::texts_are_paged_by_their_characters => all;
    texts::very_long_text_is_paged_by_its_bytes => c c_lldb c_older;
    pointers::pointer_to_an_incomplete_type_shows_its_address => c c_older;
    gdb::steps_out_end_at_the_outermost_frame => c c_older;
    deadlocks::pause_names_locks_and_their_holders => c c_lldb c_older;
    deadlocks::pause_names_the_holders_of_rusts_locks => rust;
    deadlocks::pause_discards_the_step => c_lldb;
    awaits::line_with_an_await_is_hit_once => rust;
    awaits::step_over_an_await_stays_in_the_future => rust;
    tail_lines::tail_line_of_rust_is_hit_when_it_returns => rust c c_older;
    users_code::implementation_for_a_library_type_is_the_users => rust;
    users_code::template_that_returns_a_library_type_is_the_users => c c_lldb c_older;
    assignments::assignments_in_cpp_are_checked => c_lldb;
    assignments::assignment_of_another_type_is_refused => c c_older;
    assignments::text_for_a_pointer_is_allocated_in_the_program => c c_older;
    assignments::text_for_a_pointer_is_refused => c_lldb;
    attach::unknown_listener_needs_an_adapter => c;
    lost_connections::server_killed_while_running_is_reported => c c_lldb c_older;
    lost_connections::server_killed_at_a_stop_is_reported => c c_lldb c_older;
    cpp_exceptions::thrown_cpp_exception_shows_type_and_text => c c_lldb c_older;
    cpp_exceptions::uncaught_cpp_exception_shows_type_and_text => c c_lldb c_older;
    boundaries::users_frame_of_another_thread_is_selected => c c_lldb c_older;
    googletest::failed_googletest_names_the_cause => c c_lldb;
    googletest::tests_of_cpp_are_listed => c_lldb;
    googletest::googletest_without_ctest_finds_its_program => c c_lldb;
    by_name::programs_of_c_are_listed => c;
    binaries::c_is_recognised_by_its_process => c_lldb;
    build_tools::make_leads_to_its_program => c c_lldb;
    build_tools::make_of_several_programs_lists_them => c c_lldb;
    build_tools::recursive_make_leads_to_its_program => c c_lldb;
    build_tools::make_without_debug_information_says_how_to_add_it => c c_lldb;
    build_tools::source_of_a_project_leads_to_its_program => c c_lldb;
    build_tools::script_names_the_program_it_starts => c c_lldb;
    cmake::cmake_builds_tests_and_programs => c c_lldb;
    choice::configured_languages_select_the_adapter => c;
    choice::gdb_is_chosen_by_name_or_alone => c;
    fallback::other_adapter_replaces_a_too_old_gdb => c;
    fallback::too_old_gdb_names_the_install_of_another_adapter => c;
    gdb::source_file_of_c => c c_lldb c_older;
    gdb::containers_of_cpp => c c_lldb c_older;
    gdb::reverse_execution => c c_older;
    gdb::recording_has_a_beginning_and_an_end => c c_older;
    gdb::recording_is_refused => c_lldb;
    gdb::reverse_execution_needs_a_recording => c c_lldb;
    gdb::gdb_debugs_rust_and_go => c c_older;
    gdb::values_of_rust_in_gdb => c c_older;
    debugger_commands::commands_of_gdb => c c_older;
    debugger_commands::commands_of_lldb => c_lldb;
    debugger_commands::commands_of_delve => go go_older;
    debugger_commands::expressions_run_no_program => c c_older c_lldb rust;
    gdb_names::gdb_names_answer_as_documented => c c_older;
    gdb_names::gdb_programs_come_and_go => c c_older;
    gdb_names::gdb_commands_that_take_long => c c_older;
    gdb_names::gdb_results_of_cancelled_calls_come_next => c c_older;
    gdb_names::gdb_breakpoints_with_commands_go_on => c c_older;
    gdb_names::gdb_errors_are_documented => c c_older;
    gdb_names::gdb_program_output_is_as_printed => c c_older;
    examples::gdb_flow => c;
    go_names::go_names_answer_as_documented => go;
    go_names::go_names_build_and_attach => go;
    go_names::go_continue_returns_an_undelivered_stop => go;
    go_names::go_errors_are_documented => go;
    examples::go_flow => go;
    rust_names::rust_names_answer_as_documented => rust;
    examples::rust_flow => rust;
    examples::net_flow => python;
    net_names::net_names_answer_as_documented => python;
    net_names::net_events_stay_readable => python;
    net_names::net_exception_has_its_context => python;
    net_exceptions::net_names_of_types_select_exceptions => python javascript;
    net_exceptions::net_names_tell_chances_apart => python;
    net_languages::net_exceptions_are_of_their_language => go;
    net_languages::net_errors_are_thrown_in_blocks => javascript javascript_older;
    net_languages::net_signals_are_exceptions => c c_lldb;
    net_languages::net_hits_count_where_the_debugger_counts => python python_older;
    net_reads::net_names_read_the_named_thread => go;
    net_reads::net_names_read_long_answers_in_parts => python;
    net_reads::net_names_stop_at_their_places => python;
    net_reads::net_names_heed_their_time_limits => python;
    net_reads::net_names_split_arguments_and_locals => c;
    net_reads::net_names_find_the_object_of_a_method => python;
    net_reads::net_names_record_every_event => python;
    net_reads::net_names_attach_and_detach => python;
    viewport_names::viewport_names_answer_as_documented => python;
    viewport_names::viewport_launch_configuration_and_breakpoints => python;
    viewport_names::viewport_attaches => python;
    viewport_names::viewport_calls_name_one_of_several_sessions => python;
    viewport_names::viewport_bounds_hold => python;
    viewport_names::viewport_scopes => python go javascript;
    viewport_names::viewport_threads => python;
    examples::viewport_flow => python;
    debugger_commands::adapter_without_commands_says_so => python javascript;
}
