//! Conformance: every adapter through every scenario, by the tools alone, against the real
//! debuggers.
//!
//! The table below is what is covered: what a debugger refuses has its exact error asserted, in the
//! line of the scenario that others pass. Places are told by markers in the debugged programs,
//! never by line numbers. Without its debugger a test prints that it was skipped; with
//! `REQUIRE_DEBUGGERS` it fails.

mod absent;
mod addresses;
mod assigned;
mod attach;
mod bad_adapters;
mod bad_input;
mod benchmarks;
mod breaks;
mod cargo;
mod cargo_asked;
mod chosen;
mod commands;
mod compiled;
mod configured;
mod containers;
mod cores;
mod directories;
mod doctor;
mod editors;
mod ends;
mod exceptions;
mod expressions;
mod family;
mod functions;
mod googletest;
mod goroutines;
mod held;
mod hindered;
mod isolation;
mod linked;
mod listens;
mod lost;
mod machine;
mod mended;
mod misspelt;
mod mistakes;
mod modules;
mod moved;
mod named;
mod newer;
mod no_code;
mod one_line;
mod others;
mod passed_over;
mod passes;
mod pointers;
mod refused;
mod runners;
mod scripts;
mod served;
mod stage;
mod steps;
mod strangers;
mod suites;
mod thrown;
mod toolchains;
mod unmatched;
mod values;
mod variants;
mod waits;

pub use stage::{Language, Stage, play as on_stage};

/// `area::scenario => languages;` makes the tests `scenario::language`. Where the others are
/// refused, or told something else, `, else area::other => languages` makes theirs, so that one
/// line has all.
macro_rules! conformance {
    ($($area:ident::$scenario:ident => $($language:ident)+
        $(, else $elsewhere:ident::$other:ident => $($others:ident)+)*;)+) => {
        $(
            conformance!(@tests $area $scenario $($language)+);
            $(conformance!(@tests $elsewhere $other $($others)+);)*
        )+
        /// Every line: its scenario, and all languages in it.
        const TABLE: &[(&str, &[&str])] = &[$(
            (stringify!($scenario), &[$(stringify!($language),)+ $($(stringify!($others),)+)*]),
        )+];
    };
    (@tests $area:ident $scenario:ident $($language:ident)+) => {
        mod $scenario {
            $(#[tokio::test]
            async fn $language() {
                super::on_stage(super::Language::$language(), super::$area::$scenario).await;
            })+
        }
    };
}

/// What every debugger does, or refuses.
const REQUIRED: &[&str] = &[
    "first_stop_shows_place_source_and_locals",
    "condition_holds",
    "hit_counts",
    "log_breakpoints_write_in_order",
    "function_breakpoint_stops_in_the_function",
    "breakpoints_that_cannot_be",
    "over_into_out_and_count",
    "until_is_reached_once",
    "until_is_not_reached",
    "pause_in_a_sleep_then_continue",
    "stacks_of_all_threads",
    "a_deep_stack_says_that_there_is_more",
    "variables_of_another_frame",
    "nested_by_path",
    "paged_and_filtered",
    "long_text_is_told_page_by_page",
    "cycle_ends",
    "evaluate_value_error_and_several",
    "endless_evaluation_runs_out_of_time",
    "a_set_variable_is_used",
    "uncaught_error_stops_at_the_users_frame",
    "a_port_that_is_taken_names_the_users_line",
    "exit_code_is_told",
    "signal_is_named",
    "arguments_and_environment_arrive_unchanged",
    "relative_program_and_cwd",
    "output_keeps_its_order",
    "test_by_name",
    "process_is_debugged_and_let_go",
    "what_is_traced_already_is_refused",
    "what_may_not_be_traced_says_what_permits_it",
    "a_process_that_is_not_ours_is_told_from_one_that_is_gone",
    "starting_again_keeps_breakpoints_and_watches",
    "core_of_c",
    "two_sessions_at_once",
    "child_process_stops_and_all_end",
    "compile_error_is_told",
    "a_debugger_that_is_nowhere_says_what_installs_it",
    "a_debugger_that_is_too_old_is_told",
    "python_that_runs_no_test_says_so",
    "an_edited_source_is_told",
    "a_program_without_symbols",
    "killed_adapter_ends_the_session",
    "stop_leaves_nothing",
];

/// The columns of the table that have to be full: every adapter in its newest version and an older
/// one. Of CodeLLDB one version can be installed; it stands for Rust and for C.
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
fn required_scenarios_are_shown_or_refused_under_every_debugger() {
    for required in REQUIRED {
        let line = TABLE.iter().find(|(scenario, _)| scenario == required);
        let (_, languages) = line.unwrap_or_else(|| panic!("no line of the table is {required}"));
        let blank: Vec<_> = COLUMNS.iter().filter(|column| !languages.contains(column)).collect();
        assert!(blank.is_empty(), "{required} has no {blank:?}");
    }
}

conformance! {
    breaks::first_stop_shows_place_source_and_locals => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    breaks::condition_holds => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    breaks::hit_counts => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    breaks::a_count_that_is_not_reached_is_told => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    breaks::a_condition_that_does_not_hold_is_no_hit => python rust c c_lldb c_older;
    breaks::a_condition_stops_where_another_only_writes => c c_older;
    breaks::condition_and_hit_count_together => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    breaks::log_breakpoints_write_in_order => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    breaks::log_breakpoints_are_thinned => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    breaks::hits_of_all_threads_count => python python_older;
    breaks::every_hit_of_every_thread_stops => python python_older;
    breaks::function_breakpoint_stops_in_the_function => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    breaks::function_breakpoints_stop_where_the_body_begins => python python_older;
    breaks::qualified_names_mean_one_function => python python_older;
    breaks::coroutines_generators_and_methods_of_one_name_are_functions => python;
    breaks::main_is_the_programs_own => rust;
    functions::a_name_means_the_users_own => rust;
    functions::generic_functions_are_found => rust;
    functions::methods_of_traits_are_found => rust;
    functions::an_async_function_is_entered_once => rust;
    functions::names_of_one_function_stop_together => rust;
    functions::names_are_settled_while_it_stands => rust;
    misspelt::a_misspelt_function_is_told_with_those_like_it => rust go c c_lldb c_older go_older;
    misspelt::a_name_of_several_functions_is_told_with_them => go go_older;
    breaks::second_call_keeps_the_first_breakpoint => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    breaks::breakpoint_set_while_running_stops => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    breaks::condition_is_checked_beside_a_running_program => python rust go javascript c_lldb javascript_older go_older python_older;
    breaks::breakpoints_from_before_follow_what_sessions_do => python;
    breaks::words_for_exceptions_from_before_may_mean_nothing => python rust go javascript c c_lldb c_older javascript_older go_older;
    breaks::code_that_is_loaded_later_stops => javascript javascript_older;
    breaks::a_condition_that_assigns_is_refused => rust javascript c c_older javascript_older;
    breaks::a_condition_of_unknown_names_is_told => c c_lldb c_older;
    breaks::a_condition_refused_beside_a_running_program_is_told => c c_older;
    no_code::lines_with_code_are_named_beside_one_without => rust go javascript c c_lldb c_older go_older;
    no_code::lines_beside_one_set_at_the_launch_are_named => go c c_older go_older;
    breaks::disabled_breakpoint_is_passed => python rust go javascript c c_lldb c_older javascript_older go_older python_older;

    passes::the_thread_that_is_told_is_the_one_that_fits => rust;
    passes::a_line_of_rust_stops_once_a_pass => rust;
    passes::a_line_that_is_within_a_call_is_hit_behind_it => rust;
    passes::lines_beside_each_other_stop_in_their_order => rust;
    passes::a_condition_is_judged_where_the_line_declares_its_names => rust;
    passes::passes_of_a_line_are_counted_and_logged_once => rust;
    passes::a_line_of_cpp_stops_once_a_pass => c_lldb;

    steps::over_into_out_and_count => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    steps::into_one_call_of_a_line => python rust javascript c_lldb javascript_older python_older,
        else steps::one_call_of_a_line_cannot_be_named => go c c_older go_older;
    steps::into_a_call_of_a_function_that_recurses => rust c_lldb;
    steps::into_a_call_of_several_lines => c_lldb;
    steps::out_of_a_library_that_was_stepped_into => rust;
    steps::a_function_of_c_is_not_stepped_into => python;
    steps::over_a_call_with_a_log_breakpoint_inside => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    steps::a_step_that_a_breakpoint_interrupts_is_over => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    steps::a_step_that_ends_at_a_breakpoint_is_no_hit_of_it => rust c c_lldb c_older;
    steps::until_is_reached_once => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    steps::until_a_line_without_code_is_refused => python;
    steps::until_is_not_reached => python rust go javascript c c_lldb c_older javascript_older go_older python_older;

    scripts::locals_of_a_module_are_its_variables => javascript javascript_older;
    scripts::a_function_is_found_in_the_sources => javascript javascript_older;
    scripts::a_failing_assertion_stops_where_it_is_made => javascript javascript_older;
    scripts::a_getter_is_called_where_it_is_asked_for => javascript javascript_older;
    scripts::a_step_passes_over_what_is_nodes_own => javascript javascript_older;
    scripts::a_debugger_statement_stops => javascript javascript_older;
    scripts::nothing_is_written_unasked => javascript javascript_older;
    scripts::an_inspector_that_stays_open_is_told => javascript javascript_older;
    scripts::an_exit_reaches_back_to_the_error => javascript javascript_older;
    scripts::a_module_that_fails_tells_how_to_stop_there => javascript javascript_older;

    one_line::a_breakpoint_knows_the_arguments => c c_lldb c_older;
    one_line::a_condition_knows_the_arguments => c c_lldb c_older;
    one_line::a_step_in_knows_the_arguments => c c_lldb c_older;

    pointers::a_pointer_is_where_it_points => c c_lldb c_older;
    pointers::smart_pointers_lead_on => c_lldb;
    pointers::a_step_by_instruction_tells_which => c c_lldb c_older;
    pointers::a_step_out_tells_what_was_returned => c c_lldb c_older;
    pointers::what_rust_returns_in_parts_is_not_told => c c_older;

    values::evaluate_value_error_and_several => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    values::watches_and_changes_at_each_stop => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    values::only_what_changed_is_told => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    values::watches_cost_little => python rust go javascript c c_lldb c_older javascript_older go_older;
    values::nested_by_path => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    values::paged_and_filtered => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    values::a_path_calls_nothing_and_names_one_key => python;
    values::keys_of_a_mapping => python rust go javascript javascript_older go_older python_older;
    values::numbers_behind_a_mapping_are_keys => python rust go javascript javascript_older;
    values::long_text_is_told_page_by_page => python rust go javascript c c_lldb c_older javascript_older python_older,
        else values::long_text_ends_where_the_adapter_cuts_it => go_older;
    values::bytes_are_told_page_by_page => python;
    values::what_a_scope_leaves_out_is_told => python;
    values::a_set_variable_is_used => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    values::what_an_expression_assigned_is_shown => python javascript c c_lldb c_older javascript_older python_older;
    values::the_innermost_of_a_name_is_meant => javascript c c_lldb c_older javascript_older;
    values::a_new_key_is_set => python javascript javascript_older;
    values::what_cannot_be_read_or_set_says_why => python;
    values::an_opened_enum_names_its_variant => rust;
    values::a_deep_stack_says_that_there_is_more => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    values::cycle_ends => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    values::variables_of_another_frame => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    goroutines::each_says_why_it_waits => go go_older;
    goroutines::a_step_that_cannot_be_made_says_so => go go_older;
    goroutines::a_deadlock_says_what_it_waits_for => go go_older;
    goroutines::many_are_told_in_pages => go go_older;
    goroutines::more_than_the_debugger_lists_are_no_secret => go;
    values::stacks_of_all_threads => python rust go javascript c c_lldb c_older javascript_older python_older,
        else values::threads_without_labels_are_called_by_their_functions => go_older;
    values::endless_evaluation_runs_out_of_time => python javascript c c_lldb javascript_older python_older,
        else values::endless_call_keeps_the_debugger => go c_older go_older,
        else expressions::rust_runs_nothing => rust;
    values::what_does_not_end_is_left => python javascript javascript_older;
    values::an_endless_call_of_cpp_is_left => c_lldb;
    values::an_evaluation_may_wait_for_another_thread => python;
    values::an_exit_within_an_expression_is_its_error => python python_older;
    values::a_long_container_below_another_says_that_there_is_more => python;
    values::a_move_comes_after_an_evaluation_that_takes_long => python;

    expressions::rust_computes_as_rust => rust;
    expressions::c_texts_are_told_page_by_page => c_lldb;
    expressions::cpp_computes_as_cpp => c_lldb;
    expressions::cpp_looks_through_all_elements => c_lldb;
    expressions::cpp_runs_what_it_may => c_lldb;
    expressions::conditions_are_true_or_told => rust;
    expressions::a_format_is_of_one_answer => rust;
    expressions::calls_are_a_part_of_their_expression => c c_lldb c_older;
    expressions::a_condition_that_fails_says_so_in_the_stop => rust c c_lldb c_older;
    expressions::a_condition_that_fails_stops => go javascript javascript_older;
    expressions::go_calls_what_it_may => go go_older;
    expressions::go_assigns_by_setting_alone => go go_older;

    held::what_is_held_is_shown => rust;
    variants::a_reference_shows_its_variant_at_every_stop => rust;
    variants::a_condition_reads_a_variant_behind_a_reference => rust;
    variants::a_variants_fields_are_set => rust;
    variants::a_returned_value_is_right_or_unknown => rust;

    containers::functions_of_a_class_are_called_where_that_is_allowed => c_lldb;
    containers::an_optional_is_what_it_holds => c_lldb;
    containers::entries_of_a_mapping_have_their_keys_for_names => c c_older;

    assigned::rust_takes_what_fits => rust;
    assigned::cpp_takes_what_fits => c_lldb;
    assigned::what_would_be_cut_is_refused => go c c_lldb c_older;
    assigned::what_is_of_another_kind_is_refused => c c_older;
    assigned::a_text_is_put_into_the_program => c c_older;
    assigned::a_text_is_not_put_into_the_program => c_lldb;

    waits::pause_in_a_sleep_then_continue => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    waits::a_step_from_a_sleep_leads_to_the_users_code => rust c c_lldb;
    waits::deadlock_tells_where_each_thread_waits => python;
    waits::threads_without_work_tell_where_they_wait => python;
    waits::blocked_threads_are_told_at_once => python;
    waits::a_late_pause_is_told_when_it_comes => python;
    waits::a_pause_outlives_changes_of_breakpoints => javascript;
    waits::wait_that_runs_out_tells_how_it_runs => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    waits::wait_for_named_breakpoints => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    waits::stop_at_entry => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    waits::two_sessions_at_once => python rust go javascript c c_lldb c_older javascript_older go_older python_older;

    ends::exit_code_is_told => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::signal_is_named => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::uncaught_error_stops_at_the_users_frame => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    mistakes::a_port_that_is_taken_names_the_users_line => python rust go javascript javascript_older go_older python_older,
        else mistakes::a_port_that_is_taken_ends_the_program => c c_lldb c_older;
    cargo::compile_error_is_told => rust,
        else modules::compile_error_of_go_is_told => go go_older,
        else machine::compile_error_of_c_is_told => c c_lldb c_older,
        else mistakes::a_syntax_error_of_python_names_its_place => python python_older,
        else mistakes::a_syntax_error_of_javascript_names_its_place => javascript javascript_older;
    ends::a_panic_is_told_whole => rust;
    ends::fatal_errors_stop_and_recovered_panics_do_not => go go_older;
    ends::arguments_and_environment_arrive_unchanged => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::starting_again_keeps_breakpoints_and_watches => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::starting_again_heeds_what_was_set_since => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::a_program_that_cannot_be_run_says_so => rust c c_lldb c_older;
    ends::what_is_over_is_changed_for_its_restart => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::nothing_runs_once_it_is_ended => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::relative_program_and_cwd => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::standard_input_is_at_its_end => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::a_file_is_standard_input => python rust go c c_lldb c_older go_older;
    ends::no_file_is_standard_input => javascript;
    ends::output_keeps_its_order => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::killed_adapter_ends_the_session => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    ends::a_stop_behind_much_output_is_told_whole => python javascript javascript_older python_older;
    ends::stop_leaves_nothing => python rust go javascript c c_lldb c_older javascript_older go_older python_older;

    attach::process_is_debugged_and_let_go => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    attach::server_is_debugged_and_let_go => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    linked::what_has_libraries_is_stopped_as_others_are => go go_older;
    listens::a_program_that_waits_for_its_debugger_is_debugged => python python_older;
    listens::a_program_that_runs_already_is_debugged => python python_older;
    attach::what_a_signal_ends_says_which => rust c c_lldb c_older;
    attach::what_is_killed_where_it_stands_has_ended => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    attach::an_address_needs_its_program => rust;
    attach::an_address_needs_no_adapter => python go javascript c javascript_older go_older python_older;
    attach::an_address_of_nobody_known_needs_its_adapter => c;
    attach::server_that_runs_is_let_go_and_ended => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    lost::a_server_for_one_ends_with_its_session => go go_older;
    lost::what_was_launched_is_not_let_go => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    lost::a_server_without_a_program_says_so => go go_older;
    lost::what_failed_to_start_is_not_ended_in_anothers_place => python;
    lost::a_server_that_is_killed_beside_its_program_is_told => c c_lldb c_older;
    lost::a_server_that_is_killed_at_a_stop_is_told => c c_lldb c_older;
    attach::coroutines_and_threads_of_what_runs_stop => python;
    attach::what_was_loaded_before_has_its_breakpoints => javascript javascript_older;
    attach::a_programs_own_servers_are_not_asked => javascript javascript_older;
    attach::what_was_just_attached_to_is_let_go_at_once => python javascript javascript_older;
    attach::what_is_not_its_language_is_refused => python go javascript javascript_older go_older python_older;
    attach::what_is_traced_already_is_refused => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    refused::what_may_not_be_traced_says_what_permits_it => python rust go c c_lldb c_older go_older python_older,
        else refused::what_may_not_be_signalled_says_so => javascript javascript_older;
    refused::a_process_that_is_not_ours_is_told_from_one_that_is_gone => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    attach::host_that_ends_lets_go => python rust go javascript c c_lldb c_older javascript_older go_older python_older;

    exceptions::each_exception_is_told_once => python python_older;
    exceptions::endless_recursion_stops => python;
    thrown::what_cpp_throws_is_told_by_type_and_text => c c_lldb c_older;
    thrown::what_cpp_does_not_catch_is_told_by_type_and_text => c c_lldb c_older;
    exceptions::types_of_what_is_attached_to_stop => python;
    exceptions::exceptions_stop_by_their_types => python javascript javascript_older python_older;
    exceptions::the_users_frame_is_found_below_a_librarys => javascript javascript_older;
    exceptions::types_of_exceptions_are_refused => rust go c c_lldb c_older go_older;
    exceptions::types_of_exceptions_change_while_it_stands => python javascript javascript_older;
    exceptions::only_what_a_test_does_not_expect_stops => python;

    family::child_process_stops_and_all_end => python javascript javascript_older python_older,
        else family::a_child_is_not_followed => rust go c c_lldb c_older go_older;
    family::a_child_that_runs_is_told_to_go_unseen => rust go c c_lldb c_older go_older;
    family::a_child_is_followed_where_it_is_asked => go go_older;
    family::spawned_child_stops => python python_older;
    family::a_cluster_worker_stops => javascript javascript_older;
    family::forked_child_stops => python python_older;
    family::a_function_that_children_ran_was_bound => python;
    family::a_worker_that_stands_alone_goes_on_by_itself => javascript javascript_older;
    family::worker_threads_stop_one_after_the_other => python javascript javascript_older python_older;
    family::a_step_beside_another_threads_hit_loses_neither => python;
    family::breakpoints_change_before_the_other_threads_hit_is_told => python;
    family::condition_that_raises_is_told_in_children_too => python;
    family::what_a_child_says_is_not_held_back => python;
    family::a_step_stays_with_its_child => python javascript javascript_older python_older;
    family::breakpoint_in_parent_and_child => python javascript javascript_older;
    family::stop_ends_the_child_too => python javascript javascript_older python_older;

    mended::threads_that_come_by_first_count_together => python;
    mended::code_is_loaded_while_breakpoints_change => python;
    mended::code_is_loaded_whatever_fails_beside_it => python;
    mended::what_a_program_says_in_the_debuggers_words_is_its_own => python;
    mended::what_the_debugger_says_of_itself_is_logged => python;
    mended::python_that_loads_nothing_says_what_it_lacks => python;
    mended::a_value_that_takes_long_holds_nothing_up => python python_older;
    mended::a_server_does_not_hear_of_it => python;
    mended::its_like_has_less_time_the_next_time => python;

    isolation::project_modules_do_not_replace_the_debuggers => python python_older;
    isolation::pythonpath_reaches_the_program_alone => python c c_lldb c_older python_older;
    isolation::node_options_reach_the_program_alone => javascript javascript_older;
    isolation::adapter_starts_in_a_neutral_folder => python rust go javascript c_lldb javascript_older go_older python_older;

    moved::a_plugin_elsewhere_serves_unchanged => python rust go javascript c c_lldb;

    bad_input::breakpoints_that_cannot_be => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    bad_input::a_thread_that_is_not_there_is_told => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    strangers::a_command_of_somebody_else_is_told => rust go c c_lldb c_older go_older;
    strangers::the_debugger_itself_is_not_attached_to => rust;
    strangers::the_callers_environment_is_the_builds => rust go;
    strangers::the_users_frame_of_another_thread_is_meant => c c_lldb c_older;
    strangers::a_thread_has_no_name_while_nobody_lists_it => rust go javascript c c_lldb c_older javascript_older go_older;
    bad_adapters::a_debugger_that_is_nowhere_says_what_installs_it => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    bad_adapters::a_debugger_that_is_too_old_is_told => python python_older,
        else bad_adapters::a_codelldb_that_is_too_old => rust c_lldb,
        else bad_adapters::a_node_that_is_too_old => javascript javascript_older,
        else toolchains::a_program_of_a_go_that_delve_does_not_know => go go_older,
        else machine::an_old_gdb_is_told => c c_older;
    toolchains::what_builds_it_is_nowhere => rust go c c_lldb c_older;
    toolchains::what_builds_it_is_too_old => rust go;
    bad_input::a_program_without_symbols => rust c c_lldb c_older,
        else bad_input::a_program_of_go_without_symbols => go go_older,
        else absent::a_program_of_bytecode_alone => python python_older,
        else absent::a_program_without_its_source_map => javascript javascript_older;
    absent::a_source_that_is_not_here_is_named => python rust go c c_lldb c_older go_older python_older,
        else absent::what_was_made_of_a_source_that_is_not_here_is_shown => javascript javascript_older;

    newer::an_edited_source_is_told => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    newer::an_older_program_says_so => rust go c c_lldb c_older go_older,
        else newer::what_was_made_of_an_older_source_says_so => javascript javascript_older;

    configured::module_of_launch_json => python;
    configured::arguments_and_environment_of_launch_json => javascript;
    configured::compound_of_launch_json => python;
    editors::a_launch_of_launch_json_is_heeded => python rust go javascript c c_older javascript_older go_older python_older;
    editors::stopping_at_entry_by_launch_json => python rust go javascript c;
    editors::tests_of_go_by_launch_json => go go_older;
    editors::build_flags_of_go_by_launch_json => go go_older;
    editors::options_of_node_by_launch_json => javascript javascript_older;
    configured::attach_of_launch_json => python rust go javascript c c_lldb c_older javascript_older go_older python_older;
    configured::what_launch_json_cannot_say_is_told => python;

    named::test_by_name => python go javascript javascript_older go_older python_older,
        else cargo::rust_test_by_name => rust,
        else googletest::googletest_by_name => c c_lldb c_older;
    named::unittest_by_name => python python_older;
    named::a_name_that_no_test_has => python python_older;
    named::pytest_names_and_settings => python;
    named::a_test_of_a_table_that_is_not_there => python;
    named::suites_and_runners => javascript javascript_older;
    googletest::a_test_of_googletest_that_fails_says_why => c c_lldb c_older;
    googletest::tests_of_cpp_are_listed => c_lldb;
    googletest::googletest_without_ctest_finds_its_program => c c_lldb c_older;
    runners::one_test_of_jest => javascript javascript_older;
    runners::one_test_of_mocha => javascript javascript_older;
    runners::one_test_of_vitest => javascript javascript_older;
    runners::a_file_says_who_runs_it => javascript javascript_older;
    suites::the_first_line_of_what_jest_compiles_stops => javascript javascript_older;
    suites::a_suite_of_jest_says_why_it_fails => javascript javascript_older;
    suites::a_test_that_fails_says_why => javascript javascript_older;
    suites::a_test_within_a_test_runs => javascript javascript_older;
    suites::packages_may_be_installed_behind_a_link => javascript javascript_older;
    suites::a_file_of_tests_is_no_program => javascript javascript_older;
    unmatched::python_that_runs_no_test_says_so => python python_older,
        else unmatched::javascript_that_runs_no_test_says_so => javascript javascript_older,
        else unmatched::cargo_without_a_test_is_refused => rust,
        else unmatched::go_without_a_test_is_refused => go go_older,
        else unmatched::googletest_that_runs_no_test_says_so => c c_lldb c_older;
    unmatched::python_that_cannot_begin_says_why => python python_older,
        else unmatched::javascript_that_cannot_begin_says_why => javascript javascript_older;
    unmatched::go_without_a_test_within_one_says_so => go go_older;
    named::programs_of_c_are_listed => c;
    named::targets_of_a_language_are_those_named_so_too => javascript;
    named::targets_are_listed => python rust go javascript javascript_older go_older python_older;

    commands::pytest => python python_older;
    hindered::settings_of_pytest_are_taken_back => python;
    hindered::options_of_pytest_are_taken_back => python;
    hindered::servers_stop_in_one_process => python;
    commands::failing_unittest_stops => python python_older;
    commands::failing_pytest_shows_only_its_own_locals => python python_older;
    commands::named_interpreter_runs_the_program => python python_older;
    commands::virtual_environment_of_the_workspace_runs_the_program => python python_older;
    commands::module => python python_older;
    commands::npm_script => javascript javascript_older;
    others::what_another_debugger_would_debug_is_run => python go javascript;
    others::what_another_debugger_would_attach_to_is_refused => python go javascript;
    others::a_tool_of_the_package_by_npx => javascript javascript_older;
    commands::node_with_options => javascript javascript_older;
    commands::node_test_by_name => javascript javascript_older;
    commands::typescript_through_its_source_map => javascript javascript_older;
    cargo::cargo_run => rust;
    cargo::cargo_test => rust;
    cargo_asked::cargo_packages_are_named_where_others_are_alike => rust;
    cargo_asked::cargo_says_what_it_lacks => rust;
    cargo_asked::ignored_tests_run_where_they_are_named => rust;
    cargo_asked::words_that_choose_tests_are_read_as_they_are => rust;
    cargo::source_files_through_codelldb => rust;
    cargo::the_project_says_whose_a_test_is => rust;
    compiled::rust_is_known_without_cargo => rust;
    compiled::a_program_of_go_is_known_in_a_command => go;
    compiled::rust_is_known_by_its_process => rust;
    compiled::c_is_known_by_its_process => c_lldb;

    chosen::a_script_is_its_interpreters => python javascript;
    chosen::a_tie_lists_the_choices => python;
    chosen::narrowed_languages_are_heeded => c;
    chosen::gdb_steps_back => c;
    passed_over::an_old_gdb_is_passed_over => c;
    passed_over::what_is_installed_instead_of_an_old_gdb_is_told => c;
    directories::a_package_of_node_runs => javascript javascript_older;
    directories::a_directory_with_main_runs => python;
    directories::a_package_runs_by_its_name => python;
    directories::a_package_of_go_runs => go go_older;
    directories::a_directory_of_several_is_a_tie => python;
    directories::paths_are_those_of_the_working_directory => python go javascript;
    directories::a_test_of_the_workspace_runs_elsewhere => python;

    modules::go_run => go go_older;
    modules::go_test => go go_older;
    modules::go_targets_that_are_not_there => go go_older;
    benchmarks::benchmarks_of_go_by_command => go go_older;
    benchmarks::all_packages_of_a_module => go go_older;
    benchmarks::benchmarks_and_examples_by_name => go go_older;
    benchmarks::fuzzing_of_go_by_command => go go_older;

    cores::core_of_c => c c_lldb c_older,
        else modules::core_of_go => go go_older,
        else cores::a_core_finds_its_adapter => rust go c,
        else cores::a_core_is_refused => python javascript javascript_older python_older;
    cores::a_core_of_another_program_is_refused => rust go c c_lldb c_older go_older;
    cores::a_core_that_is_not_there => rust go c c_lldb c_older go_older;

    machine::source_file_of_c => c c_lldb c_older;
    machine::containers_of_cpp => c c_lldb c_older;
    machine::backwards => c c_older;
    machine::a_recording_is_refused => c_lldb;
    machine::backwards_needs_a_record => c c_lldb;
    machine::rust_and_go_by_the_name_of_gdb => c c_older;
}
