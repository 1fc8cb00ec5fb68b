#!/bin/sh
# First on PATH while wirelab installs packages: an init script that comes new is off at boot.
PATH=${PATH#*:}
count=$#
while test "$count" -gt 0; do
    word=$1
    shift
    test "$word" = defaults && word=defaults-disabled
    set -- "$@" "$word"
    count=$((count - 1))
done
exec update-rc.d "$@"
