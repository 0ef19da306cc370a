-- /drip: bytes that come one by one over some time.

-- Arguments are found by their exact names.
local function number(name, default, read) return raise_nil(read(argument(request, name) or default)) end

return serve(request, "GET", function()
  local duration = number("duration", "2", real)
  local count = math.min(number("numbytes", "10", integer), 10 << 20)
  local code = number("code", "200", integer)
  if count <= 0 then return reply(400, "number of bytes must be positive", "text/plain; charset=utf-8") end
  local delay = number("delay", "0", real)
  sleep(delay)
  local page = reply(code, { ["repeat"] = "*", bytes = count }, "application/octet-stream")
  page.pace = paced(1, duration / count, count)
  -- time.sleep() refuses what is below 0, behind the first byte.
  if duration < 0 and count > 1 then page.effects = { { at = "body 1", ["do"] = "close" } } end
  return page
end)
