#!/usr/bin/env bash
# Protego 0.7.0 (PyPI, what Scrapy reads robots.txt with) and a line that is no rule between two user-agent lines (RFC 9309 §2.2.1, §2.2.4).
#
# Guess before the run: a Crawl-delay between "User-agent: a" and "User-agent: b" changes nothing: "parsing of other records MUST NOT interfere
# with the parsing of explicitly defined records", and both agents get the rules that follow. A Sitemap line, the RFC's own example, does not.
# Seen: a Sitemap line changes nothing. A Crawl-delay ends the group, so that "a" may load what is forbidden to both. robotspy gives both the rules.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check Protego==0.7.0 robotspy==0.13.0
cat >"$folder/try.py" <<'END'
import protego, robots

for line in ("Sitemap: http://a.test/s.xml", "Crawl-delay: 1"):
    text = f"User-agent: a\n{line}\nUser-agent: b\nDisallow: /private\n"
    for agent in ("a", "b"):
        first = protego.Protego.parse(text).can_fetch("http://a.test/private", agent)
        print(line, agent, "protego", first, "robotspy", robots.RobotsParser.from_string(text).can_fetch(agent, "http://a.test/private"))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
Sitemap: http://a.test/s.xml a protego False robotspy False
Sitemap: http://a.test/s.xml b protego False robotspy False
Crawl-delay: 1 a protego True robotspy False
Crawl-delay: 1 b protego False robotspy False
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
