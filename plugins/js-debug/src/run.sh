# Runs the program and tells how it ended: js-debug says nothing of it (`outputCapture` "std"),
# and takes an end by a signal for code 0 (`code: code || 0`). A shell has 128 and the signal,
# and a word for it on its own stderr, which nobody needs. Empty words come as a character.
# js-debug leaves standard input an open pipe that nobody writes to: here it is at its end.
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
