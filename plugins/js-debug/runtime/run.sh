# Runs the program and writes its exit code: js-debug does not report it (`outputCapture` "std"),
# and takes an end by a signal for exit code 0 (`code: code || 0`). A shell has 128 plus the
# signal, and prints a message about the signal on its own stderr, which is discarded. Empty
# arguments arrive as the character U+001E. js-debug leaves standard input open without writing to
# it; here it is closed.
empty=$(printf '\036')
for word do
    shift
    [ "$word" = "$empty" ] && word=
    set -- "$@" "$word"
done
exec 3>&2 2>/dev/null
(exec "$@" </dev/null 2>&3 3>&-)
code=$?
printf '\036dapdock: exited with %d\036\n' "$code" >&3
exit "$code"
