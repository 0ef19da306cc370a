require "em-http-request"
require_relative "asked"

EventMachine.run do
  load = EventMachine::HttpRequest.new(ADDRESS).setup_request(METHOD.downcase.to_sym, head: FIELDS, body: BODY, redirects: FOLLOW ? 10 : 0)
  load.callback { print(load.response) || EventMachine.stop }
  load.errback { abort load.error.to_s }
end
