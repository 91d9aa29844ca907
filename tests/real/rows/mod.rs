//! The table: which scenario runs with which column, a language with one version of one debugger. A
//! row of one language is in the file of that language. Scenarios are functions of other modules.

/// `area::scenario => columns;` makes the tests `scenario::column`; `all` stands for every column.
/// Columns with another result have it in the same row: `, else area::other => columns`.
macro_rules! conformance {
    ($($area:ident::$scenario:ident => $($column:ident)+
        $(, else $elsewhere:ident::$other:ident => $($others:ident)+)*;)+) => {
        $(
            conformance!(@tests $area $scenario $($column)+);
            $(conformance!(@tests $elsewhere $other $($others)+);)*
        )+
        pub(super) const TABLE: &[super::Row] = &[$(
            (
                stringify!($scenario),
                &[conformance!(@names $($column)+), $(conformance!(@names $($others)+),)*],
            ),
        )+];
    };
    (@names all) => { &super::COLUMNS };
    (@names $($column:ident)+) => { &[$(stringify!($column)),+] };
    (@tests $area:ident $scenario:ident all) => {
        conformance!(@tests $area $scenario
            python rust go javascript c c_lldb c_older javascript_older go_older python_older);
    };
    (@tests $area:ident $scenario:ident $($column:ident)+) => {
        mod $scenario {
            $(#[tokio::test]
            async fn $column() {
                let language = crate::real::Language::$column();
                crate::real::run_scenario(language, crate::real::$area::$scenario).await;
            })+
        }
    };
}

mod c;
mod compat;
mod every_debugger;
mod go;
mod javascript;
mod python;
mod rust;
mod several_languages;

/// The first scenario, and the columns of each scenario.
type Row = (&'static str, &'static [&'static [&'static str]]);

const TABLES: [&[Row]; 8] = [
    every_debugger::TABLE,
    several_languages::TABLE,
    python::TABLE,
    rust::TABLE,
    go::TABLE,
    javascript::TABLE,
    c::TABLE,
    compat::TABLE,
];

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
    let table = TABLES.concat();
    for required in REQUIRED {
        let row = table.iter().find(|(scenario, _)| scenario == required);
        let (_, columns) = row.unwrap_or_else(|| panic!("no row of the table is {required}"));
        let columns = columns.concat();
        let blank: Vec<_> = COLUMNS.iter().filter(|column| !columns.contains(column)).collect();
        assert!(blank.is_empty(), "{required} has no {blank:?}");
    }
}
