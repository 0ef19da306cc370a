-- /gzip, /deflate and /brotli: what was asked, as coded JSON.

local name = request.captures.name
-- The levels that httpbin takes.
local codings = {
  gzip = { gzip = { level = 4 } }, deflate = { deflate = { level = 6 } }, brotli = { br = { level = 11 } },
}
local flags = { gzip = "gzipped", deflate = "deflated", brotli = "brotli" }

return serve(request, "GET", function()
  local all = description(request, "origin headers method")
  all:set(flags[name], true)
  local page = json_reply(all)
  page.coding = codings[name]
  return page
end)
