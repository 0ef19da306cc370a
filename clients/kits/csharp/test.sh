#!/bin/sh
# The test of the kit: test.sh FOLDER, an empty one. It takes the compiler and the runtime of the adapter dotnet-httpclient.
set -eu
kit=$(dirname "$(readlink -f "$0")")
here=$kit/../../adapters name=dotnet adapter=csharp
folder=$(readlink -f "$1")
. "$here/proctor_environment.sh"
packages=$(echo "$place"/lib/python3*/site-packages)
dotnet=$packages/dnv/net/runtime/.net/dotnet
[ -x "$dotnet" ] || chmod u+x "$dotnet"
"$here/proctor_mcs.sh" "$packages" "$folder/test.dll" "$kit"/*.cs
cp "$here/src/dotnet-common/runtimeconfig.json" "$folder/test.json"
DOTNET_EnableDiagnostics=0 "$dotnet" exec --runtimeconfig "$folder/test.json" "$folder/test.dll"
