# frozen_string_literal: true

require "net/http"
require "proctor/rspec"

# Clients that are wrong, to show what their tests say: each of them fails.
RSpec.describe "a client that is wrong" do
  # This client keeps the method on a 303.
  it "posts again" do
    run = proctor.run("redirect/303-post-becomes-get", "follow")
    location = Net::HTTP.post(URI(run.url("/form")), "a=1")["Location"]
    Net::HTTP.post(URI(location), "a=1")
  end

  # The example fails before a verdict is asked for, and shows what came by then.
  it "asks for another path" do
    proctor.on("GET /page").reply(200)
    expect(Net::HTTP.get_response(URI(proctor.url("/pages"))).code).to eq("200")
  end

  it "asks for nothing" do
    proctor.on("GET /page").reply(200)
  end
end
