require "httpclient"
require_relative "asked"

print HTTPClient.new.request(METHOD, ADDRESS, body: BODY, header: FIELDS, follow_redirect: FOLLOW).body
