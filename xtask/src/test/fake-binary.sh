#!/bin/sh
# Speaks like a test binary of libtest, as far as the runner reads it. Notes in the working
# directory, in a file of the test's name, each time that a test is run.
set -eu

tests="real::once::go real::once::rust real::always::go real::hangs::go
dap::hangs wire::passes wire::fails"

failures=
run() {
    printf 'test %s ... ' "$1"
    echo run >> "$1"
    case $1 in
        # Stops itself: whoever started it has to end it.
        *hangs*) kill -STOP $$ ;;
        real::once::go) [ "$(wc -l < "$1")" -gt 1 ] || failed="panicked: the first time" ;;
        *always* | *fails*) failed="panicked: as always" ;;
    esac
    if [ -z "$failed" ]; then
        echo ok
        return
    fi
    echo FAILED
    printed="$printed---- $1 stdout ----
$failed

"
    failures="$failures    $1
"
    failed=
}

failed=
printed=
for word; do
    case $word in
        --list)
            for test in $tests; do echo "$test: test"; done
            exit
            ;;
        --*) ;;
        *) run "$word" ;;
    esac
done
[ -n "$failures" ] || exit 0
printf '\nfailures:\n\n%s\nfailures:\n%s\ntest result: FAILED.\n' "$printed" "$failures"
exit 101
