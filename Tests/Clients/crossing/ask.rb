# Asks the requests of the crossing by Net::HTTP, with VCR around it or without, and prints what it shows, as ask.py does.
#
# usage: ask.rb BASE [ruby CASSETTE [play]]
require "json"
require "net/http"
require "uri"

# Net::HTTP knows deflate with its header alone, so that /raw is not asked.
OWN = %w[content-length transfer-encoding connection keep-alive date server].freeze
GETS = %w[
  text umlaut latin bytes json spaces gzip gzip-short deflate deflate-h gzip-bytes chunks close none empty missing
  reason fields braces found turns turns q?a=1&b=two+words&c=%C3%A9 q?a=2
].freeze

def requests
  GETS.map { |name| ["GET", "/#{name}", nil, nil] } + [
    ["POST", "/json", "application/json", '{"ask":1}'], ["POST", "/json", "application/json", '{"ask":2}'],
    ["POST", "/form", "application/x-www-form-urlencoded", "a=1&b=%C3%A4+b"],
    ["POST", "/form", "application/x-www-form-urlencoded", "a=2&b=%C3%A4+b"],
    ["PUT", "/bytes", "application/octet-stream", "\x00\xff\x01".b],
    ["PUT", "/bytes", "application/octet-stream", "\x00\xff\x02".b], ["DELETE", "/text", nil, nil]
  ]
end

def ask(base)
  uri = URI(base)
  Net::HTTP.start(uri.host, uri.port, read_timeout: 30) do |http|
    requests.each do |method, target, type, content|
      request = Net::HTTPGenericRequest.new(method, !content.nil?, true, target)
      request["Content-Type"] = type if type
      request.body = content if content
      reply = http.request(request)
      fields = reply.each_header.reject { |name, _| OWN.include?(name.downcase) }
      puts JSON.generate(
        request: "#{method} #{target}", status: reply.code.to_i, reason: reply.message,
        fields: fields.map { |name, value| [name.downcase, value.gsub(base, "BASE")] }.sort,
        content: (reply.body || "").b.gsub(base.b, "BASE".b).unpack1("H*"))
    end
  end
end

base, recorder, cassette, play = ARGV
if recorder
  require "vcr"
  require "webmock"
  VCR.configure do |config|
    config.cassette_library_dir = File.dirname(cassette)
    config.hook_into :webmock
    config.default_cassette_options = { record: play ? :none : :all, serialize_with: :yaml, match_requests_on: %i[method uri body] }
  end
  VCR.use_cassette(File.basename(cassette, ".yml")) { ask(base) }
else
  ask(base)
end
