# frozen_string_literal: true

require "proctor"
require "rspec/core"

RSpec.configure do |config|
  config.include(Module.new do
    # What makes runs and stubs for the example.
    def proctor = @proctor ||= Proctor::Test.new
  end)

  config.after do |example|
    shown = @proctor&.finish(has_failed: !example.exception.nil?)
    # RSpec shows what an example failed by, and the timeline behind it.
    raise Proctor::Failure, shown.join("\n\n") if shown && !shown.empty?
  end
end
