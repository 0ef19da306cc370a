#!/bin/sh
# Runs an adapter with a release of its client from PyPI: proctor_release.sh FOLDER NAME RELEASE [ARGUMENTS].
# The release is installed into an environment of its own below FOLDER; proctor_environment.sh says how.
set -eu
here=$(dirname "$(readlink -f "$0")")
proctor_releases=$1 name=$2 proctor_release=$3
adapter=$name@$proctor_release
shift 3
. "$here/proctor_environment.sh"
PATH=$place/bin:$PATH
# An adapter that brings an environment of its own (proctor_current.sh) takes that of the release.
export PATH proctor_releases proctor_release
exec "$here/$name" "$@"
