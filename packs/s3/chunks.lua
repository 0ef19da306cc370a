-- Dates and queries as S3 has them, and the content of aws-chunked, which the guard has verified.

local months = { Jan = 1, Feb = 2, Mar = 3, Apr = 4, May = 5, Jun = 6, Jul = 7, Aug = 8, Sep = 9, Oct = 10, Nov = 11, Dec = 12 }

-- Year, month, day, hour, minute and second of that moment, as text.
local function parts_of(seconds)
  local day, month, year, hour, minute, second = time.http(seconds):match("(%d%d) (%a+) (%d+) (%d%d):(%d%d):(%d%d)")
  return year, ("%02d"):format(months[month]), day, hour, minute, second
end

function iso_date(seconds) return ("%s-%s-%sT%s:%s:%s.000Z"):format(parts_of(seconds)) end

function decoded(text) return (text:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end)) end

-- The values of a query, decoded; a plus stays a plus, as signatures have it, and the first of several counts.
function query_of(request)
  local values = {}
  for item in (request.target:match("%?(.*)$") or ""):gmatch("[^&]+") do
    local name, value = item:match("^([^=]*)=?(.*)$")
    name = decoded(name)
    values[name] = values[name] or decoded(value)
  end
  return values
end

-- The content, and its trailers by name in lower case.
function unchunked(request)
  local body, at, parts, trailers = request["body.coded"] or "", 1, {}, {}
  while true do
    local stop = body:find("\r\n", at, true)
    local size = tonumber(body:sub(at, stop - 1):match("^%x+"), 16)
    at = stop + 2 + size
    if size == 0 then break end
    parts[#parts + 1], at = body:sub(stop + 2, at - 1), at + 2
  end
  for name, value in body:sub(at):gmatch("([%w-]+):%s*([^\r\n]*)") do trailers[name:lower()] = value end
  return table.concat(parts), trailers
end
