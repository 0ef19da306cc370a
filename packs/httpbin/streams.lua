-- /sse, /jsonl and /trailers as go-httpbin has them: arguments, bounds and errors.

local longest = 10

function go_error(status, detail)
  local page = new_map()
  page:set("status_code", status)
  page:set("error", status == 400 and "Bad Request" or "Internal Server Error")
  page:set("detail", detail)
  return reply(status, indented(page) .. "\n", "application/json; charset=utf-8")
end

local units = { ns = 1e-9, us = 1e-6, ms = 1e-3, s = 1, m = 60, h = 3600 }

-- Seconds of a time as Go writes it (`1.5s`, `1m30s`), or of a plain number; nil for other text.
local function go_seconds(text)
  local plain = tonumber(text)
  if plain and text:find("^[%d.]+$") then return plain end
  local sum, rest = 0, text
  while rest ~= "" do
    local number, unit, after = rest:match("^(%d+%.?%d*)(%l+)()")
    if not number or not units[unit] then return nil end
    sum = sum + tonumber(number) * units[unit]
    rest = rest:sub(after)
  end
  return text ~= "" and sum or nil
end

local function time_argument(request, name, default, least)
  local text = argument(request, name)
  if not text or text == "" then return default end
  local seconds = go_seconds(text)
  if not seconds then return nil, go_error(400, ('invalid %s: "%s" is no time'):format(name, text)) end
  if seconds > longest then return nil, go_error(400, ("invalid %s: longer than %ds"):format(name, longest)) end
  if seconds < least then return nil, go_error(400, ("invalid %s: too short"):format(name)) end
  return seconds
end

-- `count` pieces, which `piece` makes of their numbers from 0, over `duration` seconds behind `delay` seconds; `rule` has
-- the defaults, the bound of the count, and the fields.
function streamed(request, rule, piece)
  local count, text = rule.count, argument(request, "count")
  if text and text ~= "" then
    count = integer(text)
    if not count then return go_error(400, ('invalid count: "%s" is no whole number'):format(text)) end
    if count < 1 or count > rule.limit then
      if not rule.clamps then return go_error(400, ("invalid count: must be in the range [1, %d]"):format(rule.limit)) end
      count = math.max(1, math.min(count, rule.limit))
    end
  end
  local duration, wrong = time_argument(request, "duration", rule.duration, 1e-9)
  if wrong then return wrong end
  local delay
  delay, wrong = time_argument(request, "delay", 0, 0)
  if wrong then return wrong end
  local jitter = argument(request, "jitter")
  jitter = jitter and jitter ~= "" and (tonumber(jitter) or -1) or 0
  if not (jitter >= 0 and jitter <= 1) then return go_error(400, "invalid jitter: must be a number in [0, 1]") end
  if duration + delay > longest then return reply(400, "Too much time\n", "text/plain; charset=utf-8") end

  sleep(delay)
  local pause = count > 1 and duration / (count - 1) or duration
  local body = {}
  for id = 0, count - 1 do
    if id > 0 and pause > 0 then
      local spread = pause * (1 + jitter * (2 * math.random() - 1))
      -- Waits are whole microseconds, and a wait of none is no step.
      if spread >= 1e-6 then body[#body + 1] = { ["do"] = ("wait %dus"):format(spread * 1e6 // 1) } end
    end
    body[#body + 1] = piece(id)
  end
  local page = reply(200, body, rule.kind)
  page.framing = "chunked"
  return page, { total = duration + delay, delay = delay, duration = duration, pause = pause }
end

local forbidden = {}
for name in ("authorization cache-control content-encoding content-length content-range content-type host max-forwards "
  .. "set-cookie te trailer transfer-encoding"):gmatch("%S+") do forbidden[name] = true end

-- Arguments as trailers, whose names stand in Trailer.
function trailers_page(request)
  local names, trailers, seen = {}, json.array {}, {}
  for _, pair in ipairs(arguments(request)) do
    local name = pair[1]
    if forbidden[name:lower()] then return go_error(400, "forbidden trailer: " .. name) end
    if not name:find("^[%w!#$%%&'*+.^_`|~-]+$") or pair[2]:find("[\r\n%z]") then
      return go_error(400, "no trailer can be named so, or have that value: " .. name)
    end
    name = name:lower():gsub("%f[%a]%a", string.upper)
    -- Of several values of a name the last one stays.
    if seen[name] then trailers[seen[name]] = { [name] = pair[2] } else
      names[#names + 1] = name
      seen[name] = #names
      trailers[#names] = { [name] = pair[2] }
    end
  end
  local page = json_reply(description(request, "url args form data origin headers files json method"))
  for _, name in ipairs(names) do table.insert(page.fields, { "Trailer", name }) end
  page.framing, page.trailers = "chunked", #names > 0 and trailers or nil
  return page
end
