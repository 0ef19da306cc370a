require "excon"
require_relative "asked"

middlewares = Excon.defaults[:middlewares] + (FOLLOW ? [Excon::Middleware::RedirectFollower] : [])
again = RETRY ? { idempotent: %w[GET HEAD OPTIONS PUT DELETE].include?(METHOD), retry_limit: 4, retry_interval: 0.1, expects: 200..399 } : {}
print Excon.new(ADDRESS, middlewares: middlewares, **again).request(method: METHOD, headers: FIELDS, body: BODY).body
