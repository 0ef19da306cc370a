require "curb"
require_relative "asked"

client = Curl::Easy.new(ADDRESS) { |easy| easy.headers, easy.follow_location = FIELDS, FOLLOW }
client.post_body = BODY if BODY
client.http(METHOD)
print client.body_str
