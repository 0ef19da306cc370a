require "faraday"
require_relative "asked"

# Faraday follows no redirect by itself.
client = Faraday.new do |stack|
  stack.request :retry, max: 3, interval: 0.1, backoff_factor: 2, max_interval: 1, retry_statuses: [429, 503] if RETRY
  stack.adapter Faraday.default_adapter
end
print client.run_request(METHOD.downcase.to_sym, ADDRESS, BODY, FIELDS).body
