//! Rows with every column: required ones, and what is the same under every debugger.

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
    evaluations::evaluate_value_error_and_several => all;
    paths::nested_by_path => all;
    pages::paged_and_filtered => all;
    assignments::assigned_variable_is_used => all;
    stacks::deep_stack_is_paged => all;
    paths::cyclic_value_is_cut => all;
    stacks::variables_of_another_frame => all;
    waits::pause_in_a_sleep_then_continue => all;
    waits::two_sessions_at_once => all;
    structured::data_says_what_the_text_says => all;
    endings::exit_code_is_reported => all;
    endings::signal_is_named => all;
    endings::uncaught_error_stops_at_the_users_frame => all;
    endings::arguments_and_environment_arrive_unchanged => all;
    endings::large_arguments_and_environment_arrive => all;
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
    invalid_breakpoints::invalid_breakpoints_are_refused => all;
    faults::missing_debugger_names_its_install => all;
    edited_sources::edited_source_is_reported => all;
    texts::long_text_is_paged =>
            python python_older rust go javascript javascript_older c c_lldb c_older,
        else texts::long_text_is_cut_by_the_adapter => go_older;
    stacks::stacks_of_all_threads =>
            python python_older rust go javascript javascript_older c c_lldb c_older,
        else stacks::threads_without_labels_are_named_by_function => go_older;
    evaluations::endless_evaluation_times_out =>
            python python_older javascript javascript_older c c_lldb,
        else evaluations::endless_call_blocks_the_debugger => go go_older c_older,
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
    faults::too_old_debugger_is_reported => python python_older,
        else faults::too_old_codelldb_is_reported => rust c_lldb,
        else faults::too_old_node_is_reported => javascript javascript_older,
        else toolchains::mismatched_go_and_delve_are_reported => go go_older,
        else gdb::too_old_gdb_is_reported => c c_older;
    debug_information::program_without_symbols => rust c c_lldb c_older,
        else debug_information::go_program_without_symbols => go go_older,
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
    watches::watches_and_changes_at_each_stop => all;
    watches::diff_shows_only_changes => all;
    waits::timed_out_wait_reports_the_running_program => all;
    waits::running_program_says_whether_it_waits => all;
    waits::wait_for_named_breakpoints => all;
    waits::stop_at_entry => all;
    endings::restart_uses_later_breakpoint_edits => all;
    endings::breakpoints_of_an_ended_session_are_edited => all;
    endings::no_line_runs_after_the_end => all;
    endings::list_after_the_end_has_its_hits => all;
    endings::standard_input_is_at_its_end => all;
    attach::server_is_debugged_and_detached => all;
    attach::program_killed_at_a_stop_has_ended => all;
    attach::running_server_is_detached_and_ended => all;
    attach::ended_host_detaches => all;
    lost_connections::detach_from_a_launched_program_is_refused => all;
    invalid_arguments::unknown_thread_is_refused => all;
    launch_json::attach_of_launch_json => all;
    causes::exception_has_causes_frames_and_output => all;
    causes::stop_without_an_exception_is_refused => all;
    texts::texts_are_paged_by_their_characters => all;
}
