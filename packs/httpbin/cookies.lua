-- Cookies as Werkzeug reads and writes them.

local function unslashed(value)
  value = value:gsub("\\([0-3][0-7][0-7])", function(digits) return string.char(tonumber(digits, 8)) end)
  return (value:gsub("\\(.)", "%1"))
end

-- The first value of each cookie, in the order of the names.
function cookies_of(request)
  local all = new_map()
  for item in ((joined_field(request, "Cookie") or "") .. ";"):gmatch("(.-);") do
    local name, value = item:match("^%s*([^=;%s]+)%s*=%s*(.-)%s*$")
    if not name then name, value = item:match("^%s*([^=;%s]+)%s*$"), "" end
    if name and all.values[name] == nil then
      if value:find('^".*"$') then
        all:set(name, repaired(unslashed(value:sub(2, -2)), replacement))
      elseif not value:find("[%s\"]") then
        all:set(name, value)
      end
    end
  end
  return all
end

local trackers = {
  _gauges_unique = true, _gauges_unique_year = true, _gauges_unique_month = true, _gauges_unique_day = true,
  _gauges_unique_hour = true, __utmz = true, __utma = true, __utmb = true,
}

function without_trackers(cookies)
  local all = new_map()
  for _, name in ipairs(cookies.keys) do
    if not trackers[name] then all:set(name, cookies.values[name]) end
  end
  return all
end

-- The pairs of the query, of each name the first one.
function first_arguments(request)
  local list, known = {}, {}
  for _, pair in ipairs(arguments(request)) do
    if not known[pair[1]] then list[#list + 1] = pair end
    known[pair[1]] = true
  end
  return list
end

local function octal(byte)
  if byte == '"' or byte == "\\" then return "\\" .. byte end
  return ("\\%03o"):format(byte:byte())
end

-- The value of a Set-Cookie field; what RFC 6265 does not permit in a value is escaped in quotation marks.
function cookie(request, name, value)
  if value:find("[^%w_!#$%%&'()*+%-./:<=>?@%[%]^`{|}~]") then
    value = '"' .. value:gsub('[\0-\25",;\\\127-\255]', octal) .. '"'
  end
  local isSecure = request and scheme_of(request) == "https"
  -- The bytes of the name stay those of UTF-8.
  return from_latin1(name) .. "=" .. value .. (isSecure and "; Secure" or "") .. "; Path=/"
end
