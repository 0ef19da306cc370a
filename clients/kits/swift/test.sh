#!/usr/bin/env bash
# Builds the example, and has it do assignments: one, many, one that it cannot do, one that is none.
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v swift >/dev/null; then
    echo "the kit of Swift: there is no swift in PATH; https://swift.org/install tells how to install it" >&2
    exit 69
fi
scratch=${1:-.build}
swift build --scratch-path "$scratch" >&2
tiny=$(swift build --scratch-path "$scratch" --show-bin-path)/tiny

step='"headers": [], "bodyForm": "data", "task": "data", "onRedirect": [{"answer": "follow"}], "onChallenge": [],'
step+=' "onResponse": "allow", "onBodyStream": "fresh", "onWillCache": "store", "suspendFor": 0, "producesResumeData": false'
assignment() {
    printf '{"version": 1, "scenario": "a/b", "case": "c", "base": "http://127.0.0.1:1", "deadline": 5000, "session":'
    printf ' {"delegates": "session", "queue": "serial", "cookies": "always"}, "steps": [{"method": "%s",' "$1"
    printf ' "url": "http://127.0.0.1:1/", %s}]}' "$step"
}
# The names of the lines of a trace: header, resume, … and - for an empty line.
names() {
    sed -E 's/^$/-/; s/^.*"ev": *"([a-z]+)".*$/\1/; s/^.*"trace".*$/header/' | tr '\n' ' '
}
expect() {
    [ "$2" = "$3" ] && return
    echo "$1: got '$2', wanted '$3'" >&2
    exit 1
}

expect "--version" "$("$tiny" --version)" "tiny 1"
expect "one" "$(assignment GET | "$tiny" | names)" "header resume result "
expect "the error" "$(assignment GET | "$tiny" | grep -o cannotConnect)" cannotConnect
expect "what it can't do" "$(assignment POST | "$tiny" | names)" "header unimplemented "
many=$({ assignment GET; echo; assignment POST; echo; } | PROCTOR_ASSIGNMENTS=many "$tiny" | names)
lacking=$(assignment GET | sed 's/"session":/"needs": ["cookie-jar"], "session":/' | "$tiny")
expect "what it lacks" "$(grep -o 'needs: [a-z -]*' <<<"$lacking")" "needs: tiny has no cookie-jar"
expect "many" "$many" "header resume result - header unimplemented - "
status=0
echo '{"version": 2}' | "$tiny" 2>/dev/null || status=$?
expect "what is no assignment" "$status" 64

# URLSession by the asynchronous kit: loads beside each other, and one that is cancelled by its task.
expect "its version" "$("$tiny" --session --version)" "session 1"
expect "asynchronous" "$(assignment GET | "$tiny" --session | names)" "header resume result "
pair=$(assignment GET | sed -E 's/"steps": \[(\{.*\})\]/"steps": [\1, \1]/; s/\}\]\}$/, "together": true}]}/')
expect "together" "$("$tiny" --session <<<"$pair" | names)" "header resume resume result result "
cancelled=$(assignment GET | sed 's/"suspendFor": 0/"suspendFor": 0, "cancelAt": {"event": "before-resume", "count": 1}/')
expect "cancelled" "$("$tiny" --session <<<"$cancelled" | grep -o '"error":"cancelled"')" '"error":"cancelled"'
expect "a moment that it can't tell" "$("$tiny" --session <<<"${cancelled/before-resume/redirect}" | names)" "header unimplemented "

# Over the network: a connection that is lost in the middle of a trace is made anew, and one that is refused then ends it.
if command -v python3 >/dev/null; then
    remote=$(assignment GET | python3 -c '
import json, os, socket, subprocess, sys
port = socket.create_server(("127.0.0.1", 0))
port.settimeout(60)
place = "tcp://127.0.0.1:%d" % port.getsockname()[1]
tiny = subprocess.Popen([sys.argv[1]], env={**os.environ, "PROCTOR_ADAPTER": place, "PROCTOR_ADAPTER_TOKEN": "shown"})
said, line = [], sys.stdin.buffer.read().strip() + b"\n"
for number in range(3):
    connection, _ = port.accept()
    connection.settimeout(60)
    stream = connection.makefile("rwb")
    said.append(json.loads(stream.readline())["token"])
    stream.write(b"{\"proctor\": \"exam\", \"version\": 1}\n" + line)
    stream.flush()
    if number == 0:
        said.append(len(stream.readline()) > 9)
    else:
        said.append(sum(1 for _ in iter(stream.readline, b"\n")))
    stream.close()
    connection.close()
port.close()
print(*said, tiny.wait(60))' "$tiny")
    expect "over the network" "$remote" "shown True shown 3 shown 3 0"
fi
echo "the kit of Swift passes its test"
