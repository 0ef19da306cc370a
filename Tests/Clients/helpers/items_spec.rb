# frozen_string_literal: true

require "net/http"
require "proctor/rspec"

RSpec.describe "stubs" do
  it "are shared by threads" do
    proctor.on("GET /items").reply(200, json: []).times(5)
    urls = Array.new(5) { Thread.new { proctor.url("/items").tap { |url| Net::HTTP.get(URI(url)) } } }.map(&:value)
    expect(urls.uniq.size).to eq(1)
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
