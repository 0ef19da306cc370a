#!/usr/bin/env bash
# A connection that ends behind 5 of 10 bytes (RFC 9112 §8) in Debian 12's rest-client 2.1.0, httparty 0.21.0, httpclient 2.8.3 and http.rb 4.4.1.
#
# Guess before the run: all four raise: a message of which fewer bytes came than its Content-Length says is incomplete (§8).
# Seen: http.rb raises. The other three return status 200 and the five bytes. Content in chunks that breaks off makes rest-client and httparty
# raise, and httpclient return what came once more.
#
# Needs the packages at those versions and installs nothing; serves on loopback from Ruby. Exits 1 where the behaviour has changed.
set -euo pipefail

for wanted in ruby-rest-client=2.1.0-3 ruby-httparty=0.21.0-1 ruby-httpclient=2.8.3+git20211122.4658227-1 ruby-http=4.4.1-5; do
    version=$(dpkg-query -W -f '${Version}' "${wanted%%=*}" 2>/dev/null || true)
    [[ $version == "${wanted#*=}" ]] || { echo "this needs Debian's $wanted; here is ${version:-none}" >&2; exit 2; }
done
script=$(mktemp)
trap 'rm -f "$script"' EXIT
cat >"$script" <<'END'
require "socket"
require "rest-client"
require "httparty"
require "httpclient"
require "http"

server = TCPServer.new("127.0.0.1", 0)
base = "http://127.0.0.1:#{server.addr[1]}"
Thread.new do
  loop do
    link = server.accept
    head = link.gets("\r\n\r\n")
    link.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n")
    link.write(head.include?("/length") ? "Content-Length: 10\r\n\r\nhello" : "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
    link.close
  end
end
clients = {
  "rest-client" => ->(url) { RestClient.get(url).body },
  "httparty" => ->(url) { HTTParty.get(url).body },
  "httpclient" => ->(url) { HTTPClient.new.get(url).body },
  "http.rb" => ->(url) { HTTP.get(url).to_s },
}
%w[/length /chunked].each do |path|
  clients.each do |name, get|
    begin
      puts "#{path} #{name}: #{get.call(base + path)}"
    rescue StandardError
      puts "#{path} #{name}: an error"
    end
  end
end
END
seen=$(ruby -W0 "$script")
echo "$seen"
wanted="/length rest-client: hello
/length httparty: hello
/length httpclient: hello
/length http.rb: an error
/chunked rest-client: an error
/chunked httparty: an error
/chunked httpclient: hello
/chunked http.rb: an error"
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
