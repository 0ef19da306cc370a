# frozen_string_literal: true

# The test of the kit: ruby proctor_test.rb. It needs nothing but Ruby.

require "json"
require "open3"
require "rbconfig"
require_relative "proctor"

if ARGV == ["child"]
  # A client that answers by itself, and hangs where it is told to.
  class Tiny < Proctor::Adapter
    def client = "tiny"
    def revision = "1"
    def version = "1.0"
    def abilities = %w[redirects]
    def facts = %w[status bytes body]
    def session(_) = StringIO.new

    def load(_, assignment, index, _)
      sleep if assignment["steps"][index]["url"].end_with?("/hang")
      { "status" => 200, **Proctor.body_facts("ok", 2) }
    end
  end
  require "stringio"
  ARGV.clear
  exit Tiny.new.main
end

def same(wanted, got) = wanted == got || abort("wanted #{wanted.inspect}, got #{got.inspect} at #{caller(1, 1)[0]}")

same nil, Proctor.content({})
same "abcabca", Proctor.content({ "body" => { "text" => "abc", "count" => 7 } })
same "\x00\xFF".b, Proctor.content({ "body" => { "base64" => "AP8=" } })
same({ "bytes" => 2, "body" => "ok" }, Proctor.body_facts("ok".b, 2))
same({ "bytes" => 1, "bodyBase64" => "/w==" }, Proctor.body_facts("\xFF".b, 1))
same({ "bytes" => 9 }, Proctor.body_facts("ok", 9))
same "text/plain", Proctor.mime("Text/Plain; charset=utf-8")
same nil, Proctor.mime("")
names = { "names" => [{ "name" => "a.test", "port" => 80, "address" => "[::1]:4711" }] }
same ["::1", 4711], Proctor.place(names, "A.test.", 80)
same nil, Proctor.place(names, "a.test", 81)
same ["127.0.0.1", 81], Proctor.place(names, "localhost", 81)
same({ "header" => "A: 1" }, Proctor.field_facts({ "fieldNames" => %w[A B] }) { |name| name == "A" ? "1" : nil })

def step(url, **rest)
  { method: "GET", url: url, headers: [], bodyForm: "data", onRedirect: [{ answer: "follow" }], onChallenge: [],
    beforehand: { follow: true } }.merge(rest)
end

def run(input, many: false)
  environment = { "PROCTOR_ASSIGNMENTS" => many ? "many" : nil }
  out, err, status = Open3.capture3(environment, RbConfig.ruby, __FILE__, "child", stdin_data: input)
  [out, err, status.exitstatus]
end

def assignment(*steps, **rest) = JSON.generate({ version: 1, deadline: 5000, session: { cookies: "never" }, steps: steps }.merge(rest))
def events(out) = out.lines.drop(1).map { |line| JSON.parse(line) }

out, _, code = run(assignment(step("http://a/")))
same [0, %w[resume result]], [code, events(out).map { |one| one["ev"] }]
same "tiny", JSON.parse(out.lines[0])["client"]
out, = run(assignment(step("http://a/"), needs: ["cookie-jar"]))
same ["needs: tiny has no cookie-jar"], events(out).map { |one| one["arg"] }
out, = run(assignment(step("http://a/"), step("http://a/", cancelAt: { event: "data", count: 1 })))
same [[1, "steps[1].cancelAt: tiny can't be cancelled then"]], events(out).map { |one| [one["task"], one["arg"]] }
out, _, code = run(assignment(step("http://a/hang"), deadline: 500))
same [0, "adapter"], [code, events(out).last.dig("facts", "domain")]
out, _, code = run("#{assignment(step('http://a/'))}\n" * 2, many: true)
same [0, 2], [code, out.scan(/^$/).size]
["", "{}", '{"version": 2}', "nothing"].each { |text| same 64, run(text).last }
puts "the kit for Ruby keeps its rules"
