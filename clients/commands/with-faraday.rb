require "date" # its middleware for further tries needs it, and does not ask for it
require "faraday"
require_relative "asked"

# Faraday follows no redirect by itself, and tries again behind a lost connection where it is told to.
lost = Faraday::Request::Retry::DEFAULT_EXCEPTIONS + [Faraday::ConnectionFailed]
client = Faraday.new do |stack|
  stack.request :retry, max: 3, interval: 0.1, backoff_factor: 2, max_interval: 1, retry_statuses: [429, 503], exceptions: lost if RETRY
  stack.adapter Faraday.default_adapter
end
print client.run_request(METHOD.downcase.to_sym, ADDRESS, BODY, FIELDS).body
