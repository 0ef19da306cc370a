-- What httpbin tells of a request: url, args, form, data, origin, headers, files, json, method.

-- Names in Title-Case, the first 256 that came.
local titles, titleCount = {}, 0

local function titled(name)
  if titles[name] then return titles[name] end
  local title = name:lower():gsub("%f[%a]%a", string.upper)
  if titleCount < 256 then titles[name], titleCount = title, titleCount + 1 end
  return title
end

-- The fields as gunicorn and Werkzeug give them: names in Title-Case, those with an underscore left out, and values
-- of one name joined with a comma and no blank; bytes are ISO 8859-1.
function fields_of(request)
  local all = new_map()
  for _, field in ipairs(request.fields) do
    if not field.name:find("_", 1, true) then
      local name = titled(field.name)
      local value = from_latin1(field.value)
      local former = all.values[name]
      -- Content-Type and Content-Length are the last ones.
      local isLast = name == "Content-Type" or name == "Content-Length"
      if former and not isLast then value = former .. "," .. value end
      if not (isLast and value == "") then all:set(name, value) end
    end
  end
  return all
end

-- The value of a field as httpbin reads it, which is text; nil where there is none.
function joined_field(request, name)
  local whole = request.header[name]
  -- Several lines are joined with a blank here.
  if not whole or not whole:find(", ", 1, true) then return whole and from_latin1(whole) end
  name = name:lower()
  local result
  for _, field in ipairs(request.fields) do
    if field.name:lower() == name then result = result and result .. "," .. field.value or field.value end
  end
  return result and from_latin1(result)
end

-- The target as gunicorn takes it, without a fragment.
local function target_of(request) return request.target:match("^[^#]*") end

-- `read` is what the server has read of the text, which is nothing where it can't.
local function pairs_of(text, read)
  local list = {}
  if #read > 0 then
    for index, pair in ipairs(read) do
      list[index] = { repaired(pair.name, percent), repaired(pair.value, percent) }
    end
    return list
  end
  for item in text:gmatch("[^&]+") do
    local sign = item:find("=", 1, true) or #item + 1
    list[#list + 1] = { unquote_plus(item:sub(1, sign - 1)), unquote_plus(item:sub(sign + 1)) }
  end
  return list
end

-- The pairs of the query in their order.
function arguments(request)
  local query = target_of(request):match("%?(.*)$")
  if not query or query == "" then return {} end
  return pairs_of(query, request.target:find("#", 1, true) and {} or request.query_list)
end

-- The first value of an argument; `anyCase`: whatever the case of its name.
function argument(request, name, anyCase)
  for _, pair in ipairs(arguments(request)) do
    if pair[1] == name or anyCase and pair[1]:lower() == name:lower() then return pair[2] end
  end
end

-- A list of pairs as an object: a name that comes several times has an array.
local function flattened(list)
  local all = new_map()
  for _, pair in ipairs(list) do
    local former = all.values[pair[1]]
    if former == nil then
      all:set(pair[1], pair[2])
    elseif type(former) == "string" then
      all:set(pair[1], json.array { former, pair[2] })
    else
      former[#former + 1] = pair[2]
    end
  end
  return all
end

-- The decoded path.
function path_of(request)
  return unquote(target_of(request):match("^[^?]*"):gsub("^/+", "/"), replacement)
end

-- What proxies say of the scheme: nil where they say nothing, "both" where they say both.
function forwarded_scheme(request)
  local secure = { ["x-forwarded-proto"] = "https", ["x-forwarded-protocol"] = "ssl", ["x-forwarded-ssl"] = "on" }
  local scheme
  for _, field in ipairs(request.fields) do
    local wanted = secure[field.name:lower()]
    local said = wanted and (field.value == wanted and "https" or "http")
    if said and scheme and said ~= scheme then return "both" end
    scheme = said or scheme
  end
  return scheme
end

function scheme_of(request) return forwarded_scheme(request) or request.scheme end

-- Host and port that the request names, without the port that is that of the scheme.
local function host_of(request)
  local host = joined_field(request, "Host") or request.origin:match("//(.*)$")
  return (host:gsub(scheme_of(request) == "https" and ":443$" or ":80$", ""))
end

-- The URL of a path on the host that the request names.
function absolute_url(request, path) return scheme_of(request) .. "://" .. host_of(request) .. path end

-- With non-ASCII characters decoded, as Werkzeug tells it.
local function url_of(request)
  local path = quote(path_of(request), "!$&'()*+,/:;=@%%")
  local url = "://" .. host_of(request):lower() .. "/" .. unquote_partly(path:gsub("^/+", ""), "/?#")
  local query = target_of(request):match("%?(.+)$")
  if query then url = url .. "?" .. unquote_partly(quote(query, "!$&'()*+,/:;=?@%%"), "&=+#") end
  local proto = joined_field(request, "X-Forwarded-Proto")
  if not proto or proto == "" then proto = joined_field(request, "X-Forwarded-Protocol") end
  if not proto and joined_field(request, "X-Forwarded-Ssl") == "on" then proto = "https" end
  return (proto or scheme_of(request)) .. url
end

-- On a Unix socket there is no address.
function origin_of(request) return joined_field(request, "X-Forwarded-For") or request.peer or "" end

local hidden = {
  "X-Varnish", "X-Request-Start", "X-Heroku-Queue-Depth", "X-Real-Ip", "X-Forwarded-Proto", "X-Forwarded-Protocol",
  "X-Forwarded-Ssl", "X-Heroku-Queue-Wait-Time", "X-Forwarded-For", "X-Heroku-Dynos-In-Use", "X-Forwarded-Port",
  "X-Request-Id", "Via", "Total-Route-Time", "Connect-Time",
}

-- The fields without those that proxies add, unless the query has show_env.
function shown_fields(request)
  local all = fields_of(request)
  if argument(request, "show_env") then return all end
  local shown = new_map()
  for _, name in ipairs(hidden) do all.values[name] = nil end
  for _, name in ipairs(all.keys) do
    if all.values[name] then shown:set(name, all.values[name]) end
  end
  return shown
end

-- Bytes as text, or as a data URL where they are none.
local function safe(bytes, kind)
  if is_text(bytes) then return bytes end
  return "data:" .. (kind or "application/octet-stream") .. ";base64," .. base64.encode(bytes)
end

-- A value like `form-data; name="a"; filename="b"`: the word in lower case, and a parameter.
local function parameter(value, name)
  for key, rest in value:gmatch(";%s*([^=;%s]+)=([^\r\n]*)") do
    if key:lower() == name then
      local inner = rest:match('^"(.-[^\\])"') or rest:match('^"()"') and "" or rest:match("^[^;%s]*")
      if name == "filename" then return inner end
      return (inner:gsub("\\(.)", "%1"))
    end
    local deeper = rest:find(";", 1, true) and parameter(rest:match('^"[^"]*"(.*)') or rest:match("^[^;]*(.*)"), name)
    if deeper then return deeper end
  end
end

local function kind_of(value) return (value:match("^[^;]*"):match("^%s*(.-)%s*$"):lower()) end

local function too_large()
  error(error_page(413, "Request Entity Too Large", "The data value transmitted exceeds the capacity limit."), 0)
end

-- One part of multipart/form-data: its fields by lower-case name, and its content.
local function part(text)
  local head, content = text:match("^(.-)\r?\n\r?\n(.*)$")
  if text:find("^\r?\n") then head, content = "", text:match("^\r?\n(.*)$") end
  if not head then return nil end
  local fields = {}
  for line in head:gmatch("[^\r\n]+") do
    local name, value = line:match("^%s*([^:]-)%s*:%s*(.-)%s*$")
    if name then fields[name:lower()] = value end
  end
  return fields, content
end

-- The next delimiter line from a place on: where the content before it ends, where its own line ends, and whether it
-- is the last one.
local function delimiter(body, boundary, at)
  while true do
    local first, last = body:find("--" .. boundary, at, true)
    if not first then return nil end
    local isLast = body:sub(last + 1, last + 2) == "--"
    local _, lineEnd = body:find("^[ \t]*\r?\n", last + 1)
    local isAtStart = first == 1 or body:sub(first - 1, first - 1) == "\n"
    if isAtStart and (isLast or lineEnd) then
      local final = first - 2
      if body:sub(final, final) == "\r" then final = final - 1 end
      return final, lineEnd, isLast
    end
    at = last + 1
  end
end

-- Without its last delimiter, or without the name of a part, Werkzeug reads nothing of the content.
local function multipart(body, boundary)
  local form, files = {}, {}
  local _, at, isLast = delimiter(body, boundary, 1)
  while at and not isLast do
    local final, lineEnd
    final, lineEnd, isLast = delimiter(body, boundary, at)
    if not final then return {}, {} end
    local fields, content = part(body:sub(at + 1, final))
    local disposition = fields and fields["content-disposition"]
    if not disposition then return {}, {} end
    local name = parameter(disposition, "name") or "null"
    if parameter(disposition, "filename") or parameter(disposition, "filename*") then
      files[#files + 1] = { name, content, fields["content-type"] }
    else
      if #content > 500000 then too_large() end
      local charset = parameter(fields["content-type"] or "", "charset")
      local isLatin = charset and charset:lower() == "iso-8859-1"
      form[#form + 1] = { name, isLatin and from_latin1(content) or repaired(content, replacement) }
    end
    at = lineEnd
  end
  return form, files
end

-- The form, the files and the rest of the content.
local function content_of(request)
  local body = request["body.coded"] or too_large()
  local value = joined_field(request, "Content-Type") or ""
  local kind = kind_of(value)
  if kind == "application/x-www-form-urlencoded" then
    -- Content that is no UTF-8 is no form to Werkzeug.
    return is_text(body) and pairs_of(body, request.form_list) or {}, {}, ""
  elseif kind == "multipart/form-data" then
    local boundary = parameter(value, "boundary") or ""
    if boundary == "" then return {}, {}, body end
    local form, files = multipart(body, boundary)
    return form, files, ""
  end
  return {}, {}, body
end

local function files_of(list)
  local all = new_map()
  for _, file in ipairs(list) do
    -- The first file of a name counts.
    if all.values[file[1]] == nil then all:set(file[1], safe(file[2], file[3])) end
  end
  return all
end

-- The members that `names` tells, like "url args", in this order.
function description(request, names)
  local form, files, data = content_of(request)
  local values = {
    url = function() return url_of(request) end,
    args = function() return flattened(arguments(request)) end,
    form = function() return flattened(form) end,
    data = function() return safe(data) end,
    origin = function() return origin_of(request) end,
    headers = function() return shown_fields(request) end,
    files = function() return files_of(files) end,
    json = function() return json_value(data) end,
    method = function() return request.method end,
  }
  local all = new_map()
  for name in names:gmatch("%a+") do
    local value = values[name]()
    all:set(name, value)
  end
  return all
end

-- A part of the path that one `{name}` has captured, decoded; what has a slash then is no such part.
function segment(request, name)
  local text = unquote(request.captures[name], replacement)
  if text:find("/", 1, true) then error(not_found(), 0) end
  return text
end

-- The digits of a number without zeros before it.
function digits_of(request, name) return (request.captures[name]:match("^0*(%d.*)$")) end

function number_segment(request, name)
  return math.tointeger(tonumber(request.captures[name])) or math.maxinteger
end
