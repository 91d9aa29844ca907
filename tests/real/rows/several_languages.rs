//! Rows of several languages, not of all.

conformance! {
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
    log_points::hits_come_before_the_stop_that_follows => rust c_lldb;
    log_points::failing_condition_of_a_log_point_stops => rust c_lldb;
    log_points::thinned_log_points_count_every_hit => rust c_lldb;
    log_points::finished_log_breakpoint_costs_nothing => python rust javascript c c_lldb;
    log_points::every_hit_before_an_exit_is_counted => rust c_lldb;
    links::breakpoints_of_machine_code_by_the_names_of_links_stop => rust c c_lldb c_older;
    steps::into_one_call_of_a_line => python python_older rust javascript javascript_older c_lldb,
        else steps::step_into_a_named_call_is_unsupported => go go_older c c_older;
    steps::into_a_call_of_a_function_that_recurses => rust c_lldb;
    steps::step_ending_at_a_breakpoint_is_no_hit => rust c c_lldb c_older;
    steps::step_that_another_thread_cuts_short_says_so => python rust c c_lldb;
    steps::step_out_of_the_outermost_function_ends_soon => rust go javascript c_lldb;
    steps::step_that_the_end_cuts_short_says_so =>
            python python_older rust go go_older c c_lldb c_older;
    watches::watches_cost_little =>
            python rust go go_older javascript javascript_older c c_lldb c_older;
    levels::count_and_filter_hold_at_every_level =>
            python rust go javascript c c_lldb c_older;
    paths::keys_of_a_mapping => python python_older rust go go_older javascript javascript_older;
    paths::numeric_keys_of_a_mapping => python rust go javascript javascript_older;
    assignments::assignment_by_an_expression_is_visible =>
            python python_older javascript javascript_older c c_lldb c_older;
    paths::innermost_variable_of_a_name_is_selected =>
            javascript javascript_older c c_lldb c_older;
    assignments::new_key_of_a_mapping_is_set => python javascript javascript_older;
    evaluations::endless_statements_are_abandoned => python javascript javascript_older;
    expressions::failed_condition_is_reported_by_the_stop => rust c c_lldb c_older;
    expressions::failed_condition_stops => go javascript javascript_older;
    assignments::value_out_of_range_is_refused => go c c_lldb c_older;
    waits::step_from_a_sleep_ends_in_user_code => rust c c_lldb;
    endings::program_that_cannot_be_executed_is_reported => rust c c_lldb;
    endings::standard_input_from_a_file => python rust go go_older c c_lldb c_older;
    endings::stop_after_much_output_is_complete => python python_older javascript javascript_older;
    floods::flood_is_counted => python rust go javascript c c_lldb;
    floods::large_flood_costs_little_memory => python c c_lldb;
    floods::streams_of_machine_code_keep_their_order => rust c c_lldb c_older;
    attach::ending_names_the_signal => rust c c_lldb c_older;
    attach::listener_selects_the_adapter =>
            python python_older go go_older javascript javascript_older c;
    attach::detach_right_after_the_attach => python javascript javascript_older;
    permissions::wrong_option_is_refused => python rust go javascript c;
    attach::process_of_another_language_is_refused =>
            python go javascript;
    causes::exception_has_the_values_of_now => python javascript c c_lldb c_older;
    exceptions::exceptions_stop_by_their_types => python python_older javascript javascript_older;
    exceptions::exceptions_are_breakpoints => python python_older javascript javascript_older;
    exceptions::panics_are_disabled_by_number => rust go;
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
    edited_sources::function_of_an_edited_source_is_found_again =>
            python javascript javascript_older;
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
    containers::long_ones_behind_pointers_have_their_elements => rust c_lldb;
    hostile::stop_with_hostile_values_costs_little => rust c_lldb;
    debug_information::build_with_line_tables_only_says_so => rust c c_lldb c_older;
    tail_lines::tail_line_of_rust_is_hit_when_it_returns => rust c c_older;
    tail_lines::tail_lines_of_rust_in_gdb => c c_older;
    debugger_commands::expressions_run_no_program => c c_older c_lldb rust;
    debugger_commands::adapter_without_commands_says_so => python javascript;
    meetings::each_hit_of_threads_that_meet_is_a_stop => rust c c_lldb;
}
