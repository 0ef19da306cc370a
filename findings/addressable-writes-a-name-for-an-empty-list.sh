#!/usr/bin/env bash
# Addressable 2.8.1 (Debian 12, ruby-addressable 2.8.1-1), Addressable::Template and what is undefined (RFC 6570 §2.3, §3.2.1).
#
# Guess before the run: an empty list is undefined, as the RFC says, and leaves nothing, as an empty mapping does; a nil within a list is left out.
# Seen: {?tags} with [] gives "?tags=", a search for the empty tag in place of none, and {?tags*} a bare question mark; an empty mapping gives
# nothing. A nil in a list leaves an empty member in front of the comma.
#
# Needs the package at that version and installs nothing; no server is needed. Exits 1 where the behaviour has changed.
set -euo pipefail

version=$(dpkg-query -W -f '${Version}' ruby-addressable 2>/dev/null || true)
[[ $version == 2.8.1-1 ]] || { echo "this needs Debian's ruby-addressable 2.8.1-1; here is ${version:-none}" >&2; exit 2; }
seen=$(ruby -W0 - <<'END'
require "addressable/template"

[["{?tags}", []], ["{?tags*}", []], ["{?tags}", {}], ["{?tags}", nil], ["{tags}", [nil, "a"]], ["{tags}", %w[a b]]].each do |template, value|
  puts "#{template} #{value.inspect} -> '#{Addressable::Template.new(template).expand("tags" => value)}'"
end
END
)
echo "$seen"
wanted="{?tags} [] -> '?tags='
{?tags*} [] -> '?'
{?tags} {} -> ''
{?tags} nil -> ''
{tags} [nil, \"a\"] -> ',a'
{tags} [\"a\", \"b\"] -> 'a,b'"
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
