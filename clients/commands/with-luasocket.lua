local http, ltn12 = require("socket.http"), require("ltn12")

local method, url = arg[1], arg[2]
local fields, body, follow = {}, nil, false
for index = 3, #arg do
    local word = arg[index]
    if word == "+follow" then follow = true
    elseif word:sub(1, 1) == "@" then body = io.open(word:sub(2), "rb"):read("*a")
    else local name, value = word:match("^(.-): (.*)$") fields[name] = value end
end
if body then fields["content-length"] = #body end
local _, failure = assert(http.request {
    url = url, method = method, headers = fields, redirect = follow, source = body and ltn12.source.string(body),
    sink = ltn12.sink.file(io.stdout)})
