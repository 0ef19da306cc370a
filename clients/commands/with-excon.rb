require "excon"
require_relative "asked"

middlewares = Excon.defaults[:middlewares] + (FOLLOW ? [Excon::Middleware::RedirectFollower] : [])
print Excon.new(ADDRESS, middlewares: middlewares).request(method: METHOD, headers: FIELDS, body: BODY).body
