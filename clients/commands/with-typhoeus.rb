require "typhoeus"
require_relative "asked"

reply = Typhoeus::Request.new(ADDRESS, method: METHOD.downcase.to_sym, headers: FIELDS, body: BODY, followlocation: FOLLOW).run
abort reply.return_message unless reply.return_code == :ok
print reply.body
