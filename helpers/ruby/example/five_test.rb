# frozen_string_literal: true

require "minitest/autorun"
require "net/http"
require "proctor/minitest"

# One test by Minitest. Run it with `ruby -I../lib five_test.rb` in this folder.
class FiveTest < Minitest::Test
  include Proctor::Minitest

  def test_it_asks_again_after_a_503
    job = proctor.on("GET /job").reply(503).reply(200, "done").times(2)
    nil while Net::HTTP.get_response(URI(proctor.url("/job"))).code == "503"
    assert_equal(%w[GET GET], job.requests.map(&:method))
  end
end
