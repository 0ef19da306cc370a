# build: crystal build IN -o OUT
# Loads a URL with HTTP::Client of Crystal: METHOD URL, then @FILE with the content, and fields as NAME: VALUE.
require "http/client"

fields = HTTP::Headers.new
body = nil
ARGV[2..].each do |word|
  if word.starts_with?('@')
    body = File.read(word[1..])
  else
    name, value = word.split(": ", 2)
    fields.add(name, value)
  end
end
HTTP::Client.exec(ARGV[0], ARGV[1], fields, body) { |reply| IO.copy(reply.body_io, STDOUT) }
