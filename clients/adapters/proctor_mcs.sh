#!/bin/sh
# Compiles C# for .NET by Mono's compiler: proctor_mcs.sh SITE-PACKAGES OUTPUT SOURCES. Nothing of Mono's own library is used.
#
# mcs cannot read the core library of .NET 7 or later, where Span has a field of a kind that came then. So it reads that of .NET Core
# 3.1, in whose place a later runtime takes its own.
set -eu
packages=$1 output=$2
shift 2
for file in "$packages"/dotnetcore2/bin/shared/Microsoft.NETCore.App/*/*.dll; do
    case $(basename "$file") in
        System.Runtime.WindowsRuntime* | System.Private.[DX]* | WindowsBase.dll | mscorlib.dll | netstandard.dll) ;;
        System.*.dll | Microsoft.Win32.Primitives.dll) set -- "-r:$file" "$@" ;;
    esac
done
# 1702: the assemblies of 3.1 name versions of each other that differ in the third place.
exec mcs -nologo -nostdlib -noconfig -langversion:7 -warnaserror -nowarn:1702 -out:"$output" "$@"
