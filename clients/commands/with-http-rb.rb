require "http"
require_relative "asked"

client = FOLLOW ? HTTP.follow : HTTP
print client.headers(FIELDS).request(METHOD.downcase.to_sym, ADDRESS, body: BODY).to_s
