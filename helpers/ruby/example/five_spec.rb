# frozen_string_literal: true

require "net/http"
require "proctor/rspec"

# The five tests that most suites begin with. Run it with `rspec -I../lib five_spec.rb` in this folder.
RSpec.describe "a client" do
  def get(path, headers = {}) = Net::HTTP.get_response(URI(proctor.url(path)), headers)

  it "waits as long as a 429 asks for" do
    items = proctor.on("GET /items").reply(429, headers: { "Retry-After" => "1" }).reply(200, "ok").times(2)
    reply = get("/items")
    sleep reply["Retry-After"].to_i and reply = get("/items") while reply.code == "429"
    expect(items.requests[1].time - items.requests[0].time).to be >= 1
    expect(items.requests[0].end).to eq("read")
  end

  it "asks again after a 503" do
    proctor.on("GET /job").reply(503).reply(200, "done").times(2)
    nil while get("/job").code == "503"
  end

  it "gives up on a slow body" do
    proctor.on("GET /slow").reply(200, ["a", { do: "wait 10s" }, "b"])
    uri = URI(proctor.url("/slow"))
    expect { Net::HTTP.start(uri.host, uri.port, read_timeout: 0.2, max_retries: 0) { |http| http.get(uri.path) } }
      .to raise_error(Net::ReadTimeout)
  end

  it "posts JSON" do
    items = proctor.on("POST /items").having(json: { name: "a" }).reply(201, json: { id: 7 })
    reply = Net::HTTP.post(URI(proctor.url("/items")), '{"name":"a"}', "Content-Type" => "application/json")
    expect(JSON.parse(reply.body)).to eq("id" => 7)
    expect(items.requests.first.header("Content-Type")).to eq("application/json")
  end

  it "sends the cookie of the login" do
    proctor.on("POST /login").reply(200, headers: { "Set-Cookie" => "session=1" })
    proctor.on("GET /account").having(cookies: { session: "1" }).reply(200, "Ann")
    cookie = Net::HTTP.post(URI(proctor.url("/login")), "")["Set-Cookie"]
    expect(get("/account", "Cookie" => cookie).body).to eq("Ann")
    proctor.verify
  end
end
