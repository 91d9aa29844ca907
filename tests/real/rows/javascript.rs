//! Rows of JavaScript alone.

conformance! {
    links::breakpoints_of_javascript_by_the_names_of_links_stop => javascript javascript_older;
    causes::javascript_values_are_errors_too => javascript javascript_older;
    causes::javascript_rejection_that_is_handled_later_is_none => javascript javascript_older;
    causes::javascript_errors_without_an_end_are_bounded => javascript javascript_older;
    causes::javascript_text_is_whole => javascript javascript_older;
    causes::javascript_error_is_that_of_the_stop => javascript javascript_older;
    causes::javascript_program_holds_no_error => javascript javascript_older;
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
    javascript_programs::unfollowed_child_is_explained => javascript javascript_older;
    javascript_programs::node_behind_a_shell_is_followed => javascript javascript_older;
    processes::values_of_each_worker_are_set => javascript javascript_older;
    javascript_compiled::breakpoint_in_a_compiled_file_stops_at_its_line =>
            javascript javascript_older;
    javascript_listings::locals_are_the_programs_own => javascript javascript_older;
    javascript_listings::entries_of_a_map_are_listed_by_their_keys =>
            javascript javascript_older;
    javascript_listings::names_of_entries_are_paths => javascript javascript_older;
    javascript_listings::variables_before_their_declaration_are_not_yet_set =>
            javascript javascript_older;
    javascript_listings::errors_are_listed_with_their_fields => javascript javascript_older;
    javascript_logs::every_hit_is_counted => javascript javascript_older;
    javascript_logs::a_program_that_logs_is_stopped => javascript javascript_older;
    javascript_logs::texts_are_those_of_a_stop => javascript javascript_older;
    javascript_logs::an_expression_that_fails_leaves_the_rest => javascript javascript_older;
    javascript_logs::a_step_passes_over_an_expression_that_fails =>
            javascript javascript_older;
    javascript_logs::names_are_those_of_the_source => javascript javascript_older;
    javascript_logs::hits_are_logged_in_every_context => javascript javascript_older;
    javascript_output::javascript_streams_keep_their_order => javascript javascript_older;
    javascript_output::javascript_logs_keep_their_order => javascript javascript_older;
    javascript_output::javascript_output_that_node_has_not_written_is_noted =>
        javascript javascript_older;
    javascript_packages::compiled_program_is_built_before_it_runs => javascript;
    javascript_packages::runner_above_the_workspace_runs => javascript;
    javascript_steps::entry_is_the_first_statement_that_runs => javascript javascript_older;
    javascript_steps::step_out_ends_in_the_function_that_awaits => javascript javascript_older;
    javascript_steps::step_over_an_error_for_a_framework_stops_behind_it =>
            javascript javascript_older;
    javascript_steps::step_over_a_framework_that_catches_ends_behind_it =>
            javascript javascript_older;
    javascript_steps::step_out_at_an_error_for_a_framework_leaves_the_caller =>
            javascript javascript_older;
    javascript_effects::looking_changes_nothing => javascript javascript_older;
    javascript_effects::length_with_splice_does_not_run => javascript javascript_older;
    javascript_effects::looking_at_a_thread_changes_nothing => javascript javascript_older;
    javascript_effects::expressions_in_an_ended_function_end_in_time =>
        javascript javascript_older;
    javascript_effects::failure_of_another_context_has_its_variables =>
        javascript javascript_older;
    javascript_effects::pause_names_the_functions_that_wait => javascript javascript_older;
    javascript_sizes::large_values_are_read_in_part => javascript javascript_older;
    javascript_sizes::hostile_values_of_javascript_are_read_soon => javascript javascript_older;
    javascript_effects::pause_in_the_event_loop_has_the_module => javascript javascript_older;
    javascript_failures::handled_rejections_do_not_stop => javascript javascript_older;
    javascript_failures::javascript_messages_have_their_lines => javascript javascript_older;
    javascript_failures::handler_that_ends_the_program_stops => javascript javascript_older;
    javascript_failures::thrown_objects_have_their_fields => javascript javascript_older;
    javascript_failures::rejection_without_an_error_stops => javascript javascript_older;
    javascript_failures::loop_that_awaits_is_followed => javascript javascript_older;
    javascript_failures::failure_of_a_module_stops => javascript javascript_older;
    javascript_failures::failing_assertion_of_a_runner_stops => javascript javascript_older;
    javascript_failures::failures_in_several_contexts_stop => javascript javascript_older;
    javascript_failures::failure_that_a_library_rejects_stops => javascript javascript_older;
    javascript_failures::stack_of_many_tasks_has_no_count => javascript javascript_older;
    javascript_failures::failure_in_a_request_handler_stops => javascript javascript_older;
    javascript_failures::all_leaves_what_a_library_catches_itself => javascript javascript_older;
    faults::messages_show_what_the_plugin_does => javascript;
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
    javascript_steps::run_to_a_place_counts_hits_of_the_breakpoints_there =>
        javascript javascript_older;
    javascript_effects::pause_stops_a_thread_that_waits_for_events =>
        javascript javascript_older;
}
