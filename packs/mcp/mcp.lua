-- A server of the Model Context Protocol at /mcp, by streamable HTTP of version 2025-11-25, and at /private/mcp behind tokens (tokens.lua).

faults = {
  ["session-gone"] = "the session is not known any more: 404, so that a client initializes anew",
  ["stream-cut"] = "the stream of a call ends before its answer, which is sent to whoever resumes it",
  ["old-version"] = "the server speaks 2024-11-05 alone", ["as-json"] = "the answer to a call is JSON, and no stream",
  ["token-expired"] = "a token is refused once, with a challenge", ["no-answer"] = "the stream of a call ends with nothing in it",
}

local versions = { ["2025-11-25"] = true, ["2025-06-18"] = true, ["2025-03-26"] = true }
local newest = "2025-11-25"

local tools = json.array {
  { name = "echo", description = "Says the text again", inputSchema = { type = "object", properties = { text = { type = "string" } }, required = json.array { "text" } } },
  { name = "count", description = "Tells its progress up to a number", inputSchema = { type = "object", properties = { to = { type = "integer", minimum = 1, maximum = 20 } }, required = json.array { "to" } } },
  { name = "fail", description = "Fails each time", inputSchema = { type = "object" } },
}

local function plain(status, text, fields)
  local headers = { { ["Content-Type"] = "text/plain; charset=utf-8" } }
  for _, field in ipairs(fields or {}) do headers[#headers + 1] = field end
  return { status = status, headers = headers, body = text .. "\n" }
end

local function result(id, value) return { jsonrpc = "2.0", id = id, result = value } end

local function failure(id, code, message) return { jsonrpc = "2.0", id = id, error = { code = code, message = message } } end

local function text_result(text, isError) return { content = json.array { { type = "text", text = text } }, isError = isError or false } end

-- The messages of a call: those of its progress, and the answer as the last one.
local function call(message)
  local params = type(message.params) == "table" and message.params or {}
  local given = type(params.arguments) == "table" and params.arguments or {}
  if params.name == "echo" then
    if type(given.text) ~= "string" then return { result(message.id, text_result("text is a text", true)) } end
    return { result(message.id, text_result(given.text)) }
  elseif params.name == "fail" then
    return { result(message.id, text_result("it failed, as it always does", true)) }
  elseif params.name == "count" then
    local to = tonumber(given.to)
    if not to or to < 1 or to > 20 or to % 1 ~= 0 then return { result(message.id, text_result("to is 1 to 20", true)) } end
    local list, token = {}, type(params._meta) == "table" and params._meta.progressToken
    for number = 1, to do
      if token then list[#list + 1] = { jsonrpc = "2.0", method = "notifications/progress", params = { progressToken = token, progress = number, total = to } } end
    end
    list[#list + 1] = result(message.id, text_result(("%d"):format(to)))
    return list
  end
  return { failure(message.id, -32602, "there is no tool " .. tostring(params.name)) }
end

local function answer(message)
  if message.method == "ping" then return { result(message.id, {}) } end
  if message.method == "tools/list" then return { result(message.id, { tools = tools }) } end
  if message.method == "tools/call" then return call(message) end
  return { failure(message.id, -32601, "there is no method " .. tostring(message.method)) }
end

local function initialize(message)
  local asked = type(message.params) == "table" and message.params.protocolVersion
  local version = is_failing("old-version") and "2024-11-05" or versions[asked] and asked or newest
  return result(message.id, {
    protocolVersion = version, capabilities = { tools = { listChanged = false } }, serverInfo = { name = "proctor-mcp", version = "1" },
    instructions = "A server for tests of clients",
  })
end

-- An event has the number of its stream and its own, by which a client resumes the stream.
local function stream(messages, first, name)
  local events = {}
  for index = first, #messages do events[#events + 1] = { id = name .. "-" .. index, event = "message", data = json.encode(messages[index]) } end
  return { status = 200, headers = { { ["Content-Type"] = "text/event-stream" }, { ["Cache-Control"] = "no-store" } }, events = events }
end

local function accepts(request, kind)
  local accept = request.header.accept or ""
  return accept:find(kind, 1, true) ~= nil or accept:find("*/*", 1, true) ~= nil
end

local function resume(request)
  local name, index = (request.header["last-event-id"] or ""):match("^(%d+)-(%d+)$")
  local kept = name and state.get("stream/" .. name)
  if not kept then return plain(405, "the server sends nothing by itself; GET resumes a stream by Last-Event-ID", { { Allow = "POST, GET, DELETE" } }) end
  return stream(json.decode(kept), tonumber(index) + 1, name)
end

local function post(request, message)
  if not (accepts(request, "application/json") and accepts(request, "text/event-stream")) then
    return plain(406, "Accept names application/json and text/event-stream")
  end
  local isRequest = message.method ~= nil and message.id ~= nil
  if not isRequest then return { status = 202, body = "" } end
  local messages = answer(message)
  if is_failing("as-json") or (#messages == 1 and message.method ~= "tools/call") then
    return { status = 200, headers = { ["Content-Type"] = "application/json" }, body = json.encode(messages[#messages]) }
  end
  local name = ("%d"):format(state.add("streams"))
  if is_failing("no-answer") then
    local reply = stream({}, 1, name)
    reply.events = { { comment = "nothing follows" } }
    return reply
  end
  if is_failing("stream-cut") then
    state.set("stream/" .. name, json.encode(messages))
    -- An event without data has an id to resume by (MCP, Streamable HTTP), and asks to wait for 100 ms.
    local reply = stream({}, 1, name)
    reply.events = { { id = name .. "-0", data = "", retry = 100 } }
    for index = 1, #messages - 1 do reply.events[#reply.events + 1] = { id = name .. "-" .. index, event = "message", data = json.encode(messages[index]) } end
    return reply
  end
  return stream(messages, 1, name)
end

function mcp(request)
  local reply = token_call(request)
  if reply then return reply end
  local path = request.path
  if path ~= "/mcp" and path ~= "/private/mcp" then return plain(404, "there is no " .. path .. "; there are /mcp and /private/mcp") end
  local origin = request.header.origin
  if origin and not origin:match("^https?://localhost[:%d]*$") and not origin:match("^https?://127%.0%.0%.1[:%d]*$") then return plain(403, "the origin " .. origin .. " may not ask") end
  if path == "/private/mcp" then
    local refused = token_refusal(request)
    if refused then return refused end
  end
  local message
  if request.method == "POST" then
    message = request.json
    if type(message) ~= "table" then return { status = 400, headers = { ["Content-Type"] = "application/json" }, body = json.encode(failure(json.null, -32700, "the content is no JSON")) } end
    if message.jsonrpc ~= "2.0" then return { status = 400, headers = { ["Content-Type"] = "application/json" }, body = json.encode(failure(message.id or json.null, -32600, "jsonrpc is 2.0, and one message comes at a time")) } end
    if message.method == "initialize" then
      local id = ("session-%d"):format(state.add("sessions"))
      state.set("session/" .. id, "open")
      return { status = 200, headers = { { ["Content-Type"] = "application/json" }, { ["Mcp-Session-Id"] = id } }, body = json.encode(initialize(message)) }
    end
  end
  local version = request.header["mcp-protocol-version"]
  if version and not versions[version] and version ~= "2024-11-05" then return plain(400, "MCP-Protocol-Version " .. version .. " is none of this server") end
  local session = request.header["mcp-session-id"]
  if not session then return plain(400, "Mcp-Session-Id is missing; initialize gives one") end
  if not state.get("session/" .. session) or is_failing("session-gone") then
    state.set("session/" .. session, nil)
    return plain(404, "there is no session " .. session)
  end
  if request.method == "POST" then return post(request, message) end
  if request.method == "GET" then return accepts(request, "text/event-stream") and resume(request) or plain(406, "Accept names text/event-stream") end
  if request.method == "DELETE" then
    state.set("session/" .. session, nil)
    return { status = 204 }
  end
  return plain(405, "the method is none of this server", { { Allow = "POST, GET, DELETE" } })
end
