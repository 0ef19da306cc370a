#!/bin/sh
# Runs an adapter in PHP: proctor_php.sh NAME EXTENSION PACKAGE [ARGUMENTS]. Nothing of a php.ini is read.
set -eu
name=$1 extension=$2 package=$3
shift 3
# What is no part of the program itself is loaded.
words=-n
for one in pcntl posix "$extension"; do
    # shellcheck disable=SC2086 # a list of words
    if php $words -r "exit(extension_loaded('$one') ? 0 : 1);" 2>/dev/null; then continue; fi
    words="$words -d extension=$one"
    # shellcheck disable=SC2086
    if php $words -r "exit(extension_loaded('$one') ? 0 : 1);" >/dev/null 2>&1; then continue; fi
    echo "$name adapter: $(command -v php) lacks the extension $one; apt-get install php-cli $package installs one that has it" >&2
    exit 69
done
# shellcheck disable=SC2086
exec php $words -d memory_limit=-1 -d display_errors=stderr "$(dirname "$(readlink -f "$0")")/src/$name.php" "$@"
