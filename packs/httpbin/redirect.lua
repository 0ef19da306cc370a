-- /redirect/N, /relative-redirect/N and /absolute-redirect/N: N redirects, of which the last leads to /get.

local kind, count = request.captures.kind, digits_of(request, "count")

-- The whole number before one of any length.
local function predecessor(digits)
  local before, digit, zeros = digits:match("^(.-)([1-9])(0*)$")
  return (before .. math.tointeger(digit) - 1 .. ("9"):rep(#zeros)):match("^0*(%d.*)$")
end

return serve(request, "GET", function()
  if count == "0" then error(exception, 0) end
  if kind == "redirect" then
    local isAbsolute = (argument(request, "absolute") or "false"):lower() == "true"
    kind = isAbsolute and "absolute-redirect" or "relative-redirect"
    local path = count == "1" and "/get" or "/" .. kind .. "/" .. predecessor(count)
    return redirect_page(isAbsolute and absolute_url(request, path) or path)
  end
  local path = count == "1" and "/get" or "/" .. kind .. "/" .. predecessor(count)
  if kind == "relative-redirect" then return reply(302, "", nil, { { "Location", path } }) end
  return redirect_page(absolute_url(request, path))
end)
