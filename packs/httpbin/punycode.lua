-- URLs in ASCII: names of hosts beyond it as A-labels (RFC 5890 §2.3.2.1), by Punycode (RFC 3492).

local base, least, most, skew, damp = 36, 1, 26, 38, 700

-- RFC 3492 §6.1.
local function adapted(delta, count, isFirst)
  delta = isFirst and delta // damp or delta // 2
  delta = delta + delta // count
  local steps = 0
  while delta > (base - least) * most // 2 do
    delta = delta // (base - least)
    steps = steps + base
  end
  return steps + (base - least + 1) * delta // (delta + skew)
end

local function digit(value) return string.char(value < 26 and 97 + value or 22 + value) end

-- A number of variable length (RFC 3492 §3.3).
local function written(delta, bias)
  local digits = {}
  for place = base, math.maxinteger, base do
    local threshold = math.max(least, math.min(most, place - bias))
    if delta < threshold then break end
    digits[#digits + 1] = digit(threshold + (delta - threshold) % (base - threshold))
    delta = (delta - threshold) // (base - threshold)
  end
  return table.concat(digits) .. digit(delta)
end

-- RFC 3492 §6.3; the time of a label grows with the square of its length, so it is one of a host.
local function encoded(label)
  local basic = label:gsub("[\128-\255]+", "")
  local pieces = { basic ~= "" and basic .. "-" or "" }
  local code, delta, bias, done, count = 128, 0, 72, #basic, utf8.len(label)
  while done < count do
    local following = math.maxinteger
    for _, other in utf8.codes(label) do
      if other >= code and other < following then following = other end
    end
    delta = delta + (following - code) * (done + 1)
    code = following
    for _, other in utf8.codes(label) do
      if other < code then delta = delta + 1 end
      if other == code then
        pieces[#pieces + 1] = written(delta, bias)
        bias = adapted(delta, done + 1, done == #basic)
        delta, done = 0, done + 1
      end
    end
    delta, code = delta + 1, code + 1
  end
  return "xn--" .. table.concat(pieces)
end

-- A host in ASCII, whose capitals of ASCII are in lower case; a label of more than 63 bytes is an error of Python.
function ascii_host(host)
  host = host:lower()
  if not host:find("[\128-\255]") then return host end
  return (host:gsub("[^.:]+", function(label)
    if #label > 252 then error(exception, 0) end
    return label:find("[\128-\255]") and encoded(label) or label
  end))
end

-- What is no ASCII, or has no place in a URL, is percent-encoded; the host has A-labels.
function iri_to_uri(text)
  local address, fragment = text:match("^([^#]*)#?(.*)$")
  local path, query = address:match("^([^?]*)%??(.*)$")
  local scheme, rest = path:match("^(%a[%w+.-]*):(.*)$")
  local authority, deeper = (rest or path):match("^//([^/]*)(.*)$")
  local result = quote(deeper or rest or path, "%%!$&'()*+,/:;=@")
  if authority then
    local user, host = authority:match("^(.*@)(.*)$")
    result = "//" .. (user or "") .. ascii_host(host or authority) .. result
  end
  if scheme then result = scheme:lower() .. ":" .. result end
  if query ~= "" then result = result .. "?" .. quote(query, "%%!$&'()*+,/:;=?@") end
  if fragment ~= "" then result = result .. "#" .. quote(fragment, "%%!#$&'()*+,/:;=?@") end
  return result
end
