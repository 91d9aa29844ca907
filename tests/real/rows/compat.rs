//! Rows of the names of other debug servers, in any language.

conformance! {
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
}
