# frozen_string_literal: true

require "net/http"
require "socket"
require "zlib"
require "proctor/rspec"

RSpec.describe "stubs" do
  it "are shared by threads" do
    proctor.on("GET /items").reply(200, json: []).times(5)
    urls = Array.new(5) { Thread.new { proctor.url("/items").tap { |url| Net::HTTP.get(URI(url)) } } }.map(&:value)
    expect(urls.uniq.size).to eq(1)
  end

  it "tell content that came coded" do
    items = proctor.on("POST /items").having(json: { name: "desk" }).reply(201)
    url = URI(proctor.url("/items"))
    coded = Zlib.gzip('{"name":"desk"}')
    Net::HTTP.post(url, coded, "Content-Encoding" => "gzip")
    request = items.requests.first
    expect([request.body, request.json, request.coded_body]).to eq(['{"name":"desk"}', { "name" => "desk" }, coded])
  end

  %w[read left reset].each do |wanted|
    it "tell that a request was #{wanted}" do
      effect = wanted == "read" ? { at: "body 4", do: "wait 1ms" } : { at: "body 2", do: "stall" }
      items = proctor.on("GET /items").reply(200, body: "long", effects: [effect])
      url = URI(proctor.url("/items"))
      client = TCPSocket.new(url.host, url.port)
      client.write("GET #{url.path} HTTP/1.1\r\nHost: #{url.host}:#{url.port}\r\n\r\n")
      heard = +""
      heard << client.readpartial(1000) until heard.end_with?(wanted == "read" ? "long" : "lo")
      client.setsockopt(Socket::Option.linger(true, 0)) if wanted == "reset"
      client.close
      Thread.pass until items.requests.first.end
      expect(items.requests.first.end).to eq(wanted)
    end
  end

  { { a: Object.new } => %r{json /a is #<Object:}, [1, { b: Float::NAN }] => %r{json /1/b is NaN}, { a: "\xff" } => %r{json /a is no UTF-8} }
    .each do |value, told|
    it "are refused where JSON has no form: #{told.source}" do
      expect { Proctor::Test.new.on("GET /items").reply(200, json: value) }.to raise_error(Proctor::Error, told)
    end
  end

  it "are refused where a list contains itself" do
    value = []
    value << value
    expect { Proctor::Test.new.on("GET /items").reply(200, json: value) }.to raise_error(Proctor::Error, /nested deeper than 90 values/)
  end
end
