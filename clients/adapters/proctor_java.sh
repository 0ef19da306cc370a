#!/bin/sh
# Runs an adapter in Java: proctor_java.sh NAME MAIN PACKAGE "JARS" [ARGUMENTS]. The jars are those of Debian.
# The first start compiles it, which takes some seconds: ask for --version before an exam.
set -eu
name=$1 main=$2 package=$3 jars=$4
shift 4
here=$(dirname "$(readlink -f "$0")")
source=$here/src/$name
path=
for jar in $jars; do
    if [ ! -f "/usr/share/java/$jar.jar" ]; then
        echo "$name adapter: there is no /usr/share/java/$jar.jar; apt-get install $package installs it" >&2
        exit 69
    fi
    path=$path:/usr/share/java/$jar.jar
done
cache=${XDG_CACHE_HOME:-$HOME/.cache}/proctor
key=$({ cat "$source"/*.java "$here"/src/java-common/*.java "$here"/../kits/java/*.java && readlink -f "$(command -v javac)" &&
    for jar in $jars; do readlink -f "/usr/share/java/$jar.jar"; done; } | cksum | tr ' ' -)
classes=$cache/$name-$key
if [ ! -d "$classes" ]; then
    mkdir -p "$cache"
    javac -d "$classes.$$" -cp "$classes.$$$path" "$source"/*.java "$here"/src/java-common/*.java "$here"/../kits/java/*.java >&2 || exit 70
    # Another process may have been faster.
    if [ ! -d "$classes" ]; then mv "$classes.$$" "$classes"; fi
    rm -rf "$classes.$$"
fi
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$classes$path" "$main" "$@"
