#!/bin/sh
# Runs an adapter with a release of its client from PyPI: proctor_release.sh FOLDER NAME RELEASE [ARGUMENTS].
# The release is installed into an environment of its own below FOLDER; proctor_environment.sh says how. Of a package that is no client by
# itself, ../current/packages.tsv names the adapter that speaks for it.
set -eu
here=$(dirname "$(readlink -f "$0")")
proctor_releases=$1 name=$2 proctor_release=$3
adapter=$name@$proctor_release
speaks=$(awk -F '\t' -v name="$name" '$1 == name { print $3 }' "$here/../current/packages.tsv")
speaks=${speaks:-$name}
shift 3
. "$here/proctor_environment.sh"
# An adapter that brings an environment of its own (proctor_current.sh) takes that of the release.
export proctor_releases proctor_release
exec "$here/$speaks" "$@"
