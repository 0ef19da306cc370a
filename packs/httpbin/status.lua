-- /status/CODES: a status, or one of a list by weights.

local function chosen(choices)
  local total = 0.0
  for _, choice in ipairs(choices) do total = total + choice.weight end
  local place, sum = math.random() * total, 0.0
  for _, choice in ipairs(choices) do
    sum = sum + choice.weight
    if place < sum then return choice.code end
  end
  -- Nothing has a weight.
  error(exception, 0)
end

local function invalid() return reply(400, "Invalid status code", "text/plain; charset=utf-8") end

return serve(request, "GET POST PUT DELETE PATCH TRACE", function()
  local codes = segment(request, "codes")
  if not codes:find(",", 1, true) then
    local code = integer(codes)
    return code and status_page(code) or invalid()
  end
  local choices = {}
  for choice in (codes .. ","):gmatch("(.-),") do
    local code, weight = choice, "1"
    if choice:find(":", 1, true) then
      code, weight = choice:match("^([^:]*):([^:]*)$")
      if not code then error(exception, 0) end
    end
    code, weight = integer(code), real(weight)
    if not code or not weight then return invalid() end
    choices[#choices + 1] = { code = code, weight = weight }
  end
  return status_page(chosen(choices))
end)
