#!/usr/bin/env bash
# Rack 2.2.22 (Debian 12, ruby-rack 2.2.22-0+deb12u2), Rack::ConditionalGet and Rack::Utils.best_q_match (RFC 9110 §13.1.2, §12.4.2, §12.5.1).
#
# Guess before the run: a list, a weak tag and a star in If-None-Match give 304 for the tag "1", since the comparison is the weak one of a list; of
# two types the one with the larger weight is chosen, and one with q=0 is not.
# Seen: the field is compared with the ETag as one string, so that only the same bytes give 304: a cache that holds two versions, or to which a
# compressing proxy has made the tag weak, loads the page each time. best_q_match gives text/html for "text/*;q=0.5, text/html;q=0.1" and for
# "text/html;q=0".
#
# Needs the package at that version and installs nothing; no server is needed. Exits 1 where the behaviour has changed.
set -euo pipefail

version=$(dpkg-query -W -f '${Version}' ruby-rack 2>/dev/null || true)
[[ $version == 2.2.22-0+deb12u2 ]] || { echo "this needs Debian's ruby-rack 2.2.22-0+deb12u2; here is ${version:-none}" >&2; exit 2; }
seen=$(ruby -W0 - <<'END'
require "rack"

application = Rack::ConditionalGet.new(->(_) { [200, { "ETag" => '"1"', "Content-Type" => "text/plain" }, ["page"]] })
['"1"', 'W/"1"', '"0", "1"', "*", '"0"'].each do |tags|
  puts "If-None-Match: #{tags} -> #{application.call("REQUEST_METHOD" => "GET", "HTTP_IF_NONE_MATCH" => tags)[0]}"
end
[["text/*;q=0.5, text/html;q=0.1", %w[text/html text/plain]], ["text/html;q=0", %w[text/html]]].each do |accept, types|
  puts "Accept: #{accept} -> #{Rack::Utils.best_q_match(accept, types) || "none"} of #{types.join(" and ")}"
end
END
)
echo "$seen"
wanted='If-None-Match: "1" -> 304
If-None-Match: W/"1" -> 200
If-None-Match: "0", "1" -> 200
If-None-Match: * -> 200
If-None-Match: "0" -> 200
Accept: text/*;q=0.5, text/html;q=0.1 -> text/html of text/html and text/plain
Accept: text/html;q=0 -> text/html of text/html'
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
