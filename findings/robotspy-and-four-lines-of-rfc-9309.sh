#!/usr/bin/env bash
# robotspy 0.13.0 (PyPI), which follows RFC 9309 by its description, beside Protego 0.7.0.
#
# Guess before the run: both end a line at a CR alone (§2.2, EOL), let /robots.txt itself be loaded always (§2.2.2), keep "%2F" and "/" apart
# (§2.2.2: only what is not reserved is decoded), and find the group "ExampleBot" for an agent that calls itself "ExampleBot/1.0" (§2.2.1).
# Seen: Protego does all four. robotspy does none: a file with CR alone has no rules, so that all is allowed.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check robotspy==0.13.0 Protego==0.7.0
cat >"$folder/try.py" <<'END'
import protego, robots

CASES = {
    "lines that end with CR": ("User-agent: *\rDisallow: /a\r", "x", "/a", False),
    "/robots.txt": ("User-agent: *\nDisallow: /\n", "x", "/robots.txt", True),
    "%2F in a rule": ("User-agent: *\nDisallow: /a%2Fb\n", "x", "/a/b", True),
    "agent with a version": ("User-agent: ExampleBot\nDisallow: /a\n", "ExampleBot/1.0", "/a", False),
}
for name, (text, agent, path, allowed) in CASES.items():
    first = protego.Protego.parse(text).can_fetch("http://a.test" + path, agent)
    second = robots.RobotsParser.from_string(text).can_fetch(agent, "http://a.test" + path)
    print(f"{name}: should be {allowed}, protego {first}, robotspy {second}")
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
lines that end with CR: should be False, protego False, robotspy True
/robots.txt: should be True, protego True, robotspy False
%2F in a rule: should be True, protego True, robotspy False
agent with a version: should be False, protego False, robotspy True
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
