# frozen_string_literal: true

require "minitest"
require "proctor"

module Proctor
  # To be included in a class of tests.
  module Minitest
    # What makes runs and stubs for the test.
    def proctor = @proctor ||= Proctor::Test.new

    def before_teardown
      super
      shown = @proctor&.finish(has_failed: !failures.empty?)
      raise ::Minitest::Assertion, shown.join("\n\n") if shown && !shown.empty?
    rescue Proctor::Failure => e
      raise ::Minitest::Assertion, e.message
    end
  end
end
