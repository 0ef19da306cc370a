-- What Flask and gunicorn make of a request and of the reply of a view: methods, error pages, fields, reasons.

local phrases = {
  [100] = "CONTINUE", [101] = "SWITCHING PROTOCOLS", [102] = "PROCESSING", [103] = "EARLY HINTS",
  [200] = "OK", [201] = "CREATED", [202] = "ACCEPTED", [203] = "NON AUTHORITATIVE INFORMATION",
  [204] = "NO CONTENT", [205] = "RESET CONTENT", [206] = "PARTIAL CONTENT", [207] = "MULTI STATUS",
  [208] = "ALREADY REPORTED", [226] = "IM USED", [300] = "MULTIPLE CHOICES", [301] = "MOVED PERMANENTLY",
  [302] = "FOUND", [303] = "SEE OTHER", [304] = "NOT MODIFIED", [305] = "USE PROXY", [306] = "SWITCH PROXY",
  [307] = "TEMPORARY REDIRECT", [308] = "PERMANENT REDIRECT", [400] = "BAD REQUEST", [401] = "UNAUTHORIZED",
  [402] = "PAYMENT REQUIRED", [403] = "FORBIDDEN", [404] = "NOT FOUND", [405] = "METHOD NOT ALLOWED",
  [406] = "NOT ACCEPTABLE", [407] = "PROXY AUTHENTICATION REQUIRED", [408] = "REQUEST TIMEOUT", [409] = "CONFLICT",
  [410] = "GONE", [411] = "LENGTH REQUIRED", [412] = "PRECONDITION FAILED", [413] = "REQUEST ENTITY TOO LARGE",
  [414] = "REQUEST URI TOO LONG", [415] = "UNSUPPORTED MEDIA TYPE", [416] = "REQUESTED RANGE NOT SATISFIABLE",
  [417] = "EXPECTATION FAILED", [418] = "I'M A TEAPOT", [421] = "MISDIRECTED REQUEST",
  [422] = "UNPROCESSABLE ENTITY", [423] = "LOCKED", [424] = "FAILED DEPENDENCY", [425] = "TOO EARLY",
  [426] = "UPGRADE REQUIRED", [428] = "PRECONDITION REQUIRED", [429] = "TOO MANY REQUESTS",
  [431] = "REQUEST HEADER FIELDS TOO LARGE", [449] = "RETRY WITH", [451] = "UNAVAILABLE FOR LEGAL REASONS",
  [500] = "INTERNAL SERVER ERROR", [501] = "NOT IMPLEMENTED", [502] = "BAD GATEWAY", [503] = "SERVICE UNAVAILABLE",
  [504] = "GATEWAY TIMEOUT", [505] = "HTTP VERSION NOT SUPPORTED", [506] = "VARIANT ALSO NEGOTIATES",
  [507] = "INSUFFICIENT STORAGE", [508] = "LOOP DETECTED", [510] = "NOT EXTENDED",
  [511] = "NETWORK AUTHENTICATION FAILED",
}

-- A reply of a view: `fields` is a list of { name, value }.
function reply(status, body, kind, fields)
  local all = { { "Content-Type", kind or "text/html; charset=utf-8" } }
  for _, field in ipairs(fields or {}) do all[#all + 1] = field end
  return { status = status, body = body, fields = all }
end

-- A reply without a Content-Type of its own.
function bare_reply(status, body, fields) return { status = status, body = body, fields = fields or {} } end

function json_reply(value, status) return reply(status or 200, indented(value) .. "\n", "application/json") end

-- A page of Flask for an error.
function error_page(status, title, text)
  return reply(status, ("<!doctype html>\n<html lang=en>\n<title>%d %s</title>\n<h1>%s</h1>\n<p>%s</p>\n"):format(
    status, title, title, text))
end

local function escaped(text)
  local names = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&#34;", ["'"] = "&#39;" }
  return (text:gsub("[&<>\"']", names))
end

-- redirect() of Flask.
function redirect_page(location)
  local text = escaped(location)
  local body = "<!doctype html>\n<html lang=en>\n<title>Redirecting...</title>\n<h1>Redirecting...</h1>\n"
    .. '<p>You should be redirected automatically to the target URL: <a href="' .. text .. '">' .. text
    .. "</a>. If not, click the link.\n"
  return reply(302, body, nil, { { "Location", location } })
end

-- A 308 to the path with single slashes.
function merged_slashes(request, path)
  local query = request.target:match("^[^#?]*(%?[^#]+)") or ""
  local page = redirect_page(absolute_url(request, quote(path:gsub("/+", "/"), "!$&'()*+,/:;=@%%")) .. query)
  page.status = 308
  return page
end

function not_found()
  return error_page(404, "Not Found", "The requested URL was not found on the server. "
    .. "If you entered the URL manually please check your spelling and try again.")
end

local function method_not_allowed(allowed)
  local page = error_page(405, "Method Not Allowed", "The method is not allowed for the requested URL.")
  page.fields[2] = { "Allow", allowed }
  return page
end

function server_error()
  return error_page(500, "Internal Server Error", "The server encountered an internal error and was unable to complete "
    .. "your request. Either the server is overloaded or there is an error in the application.")
end

-- What gunicorn itself says of a request or a reply that it refuses.
local function refusal(status, title, text)
  local body = ("<html>\n  <head>\n    <title>%s</title>\n  </head>\n  <body>\n    <h1><p>%s</p></h1>\n    %s\n"
    .. "  </body>\n</html>\n"):format(title, title, text)
  return {
    status = status, reason = title, headers = { { Connection = "close" }, { ["Content-Type"] = "text/html" } },
    body = body,
  }
end

-- Fields of one connection, and those that gunicorn writes itself: it leaves those of a view out.
local dropped = {
  connection = true, ["keep-alive"] = true, ["proxy-authenticate"] = true, ["proxy-authorization"] = true, te = true,
  trailers = true, ["transfer-encoding"] = true, upgrade = true, server = true, date = true,
}

-- Whether the connection ends with the reply, by Connection and the version.
local function closes(request)
  local option = (joined_field(request, "Connection") or ""):lower()
  return option == "close" or request.version == "HTTP/1.0" and option ~= "keep-alive"
end

-- The fields of a view as a script's table has them; nil where gunicorn refuses one.
local function headers_of(fields, status)
  local headers = {}
  for _, field in ipairs(fields) do
    local name, value = field[1], to_latin1(field[2])
    if name:find("[^%w!#$%%&'*+.^_`|~-]") or name == "" or not value or value:find("\0", 1, true) then return nil end
    -- A 304 tells nothing of content.
    local isOfContent = status == 304 and name == "Content-Type"
    if not dropped[name:lower()] and not isOfContent then headers[#headers + 1] = { [name] = value } end
  end
  return headers
end

local function add_cors(fields, request)
  -- In place of fields of that name.
  local function put(name, value)
    local place
    for index = #fields, 1, -1 do
      if fields[index][1]:lower() == name:lower() then
        table.remove(fields, index)
        place = index
      end
    end
    table.insert(fields, place or #fields + 1, { name, value })
  end
  put("Access-Control-Allow-Origin", joined_field(request, "Origin") or "*")
  put("Access-Control-Allow-Credentials", "true")
  if request.method ~= "OPTIONS" then return end
  put("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, PATCH, OPTIONS")
  put("Access-Control-Max-Age", "3600")
  local asked = joined_field(request, "Access-Control-Request-Headers")
  if asked then put("Access-Control-Allow-Headers", asked) end
end

-- The reply of a script for the reply of a view.
local function sent(view, request)
  for _, field in ipairs(view.fields) do
    if field[2]:find("[\r\n]") then view = server_error() end
  end
  local status = view.status
  add_cors(view.fields, request)
  local headers = headers_of(view.fields, status)
  if not headers or status < 100 or status > 999 then
    return refusal(500, "Internal Server Error", "")
  end
  table.insert(headers, 1, { Connection = closes(request) and "close" or "keep-alive" })
  table.insert(headers, 1, { Date = time.http() })
  table.insert(headers, 1, { Server = "proctor" })
  local answer = { status = status, headers = headers, framing = view.framing, coding = view.coding }
  answer.pace, answer.effects, answer.trailers = view.pace, view.effects, view.trailers
  if request.version == "HTTP/1.0" then
    answer.version = "HTTP/1.0"
    if view.framing then answer.framing, answer.trailers = "close", nil end
  end
  -- The phrase of 200 is the registered one.
  if status ~= 200 then answer.reason = phrases[status] or "UNKNOWN" end
  local isEmpty = status < 200 or status == 204 or status == 304
  if isEmpty or request.method == "HEAD" and view.framing then
    -- Neither gunicorn nor this tells HEAD how content is framed that has no length.
    answer.framing, answer.pace, answer.effects, answer.coding = "none", nil, nil, nil
    answer.trailers = nil
  elseif view.body ~= "" then
    answer.body = view.body
  end
  return answer
end

-- Answers by a view, for methods like "GET POST"; the view gets the request and returns a reply.
function serve(request, methods, view)
  if forwarded_scheme(request) == "both" then return refusal(400, "Bad Request", "Contradictory scheme headers") end
  local allowed, known = {}, {}
  for method in (methods .. " OPTIONS"):gmatch("%a+") do
    if method == "GET" then allowed[#allowed + 1] = "HEAD" end
    allowed[#allowed + 1] = method
  end
  for _, method in ipairs(allowed) do known[method] = true end
  if request.method == "OPTIONS" then
    return sent(reply(200, "", nil, { { "Allow", table.concat(allowed, ", ") } }), request)
  end
  if not known[request.method] then return sent(method_not_allowed(table.concat(allowed, ", ")), request) end
  local isDone, result = pcall(view, request)
  if isDone then return sent(result, request) end
  if result == exception then return sent(server_error(), request) end
  if type(result) == "table" then return sent(result, request) end
  error(result, 0)
end

-- Answers where nothing stands, whatever the method.
function serve_nothing(request) return sent(not_found(), request) end
