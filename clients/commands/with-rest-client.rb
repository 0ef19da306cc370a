require "rest-client"
require_relative "asked"

request = { method: METHOD.downcase.to_sym, url: ADDRESS, headers: FIELDS, payload: BODY, max_redirects: FOLLOW ? 10 : 0 }
print RestClient::Request.execute(request) { |reply, _, _| FOLLOW && (301..308).cover?(reply.code) ? reply.follow_redirection : reply }.body
