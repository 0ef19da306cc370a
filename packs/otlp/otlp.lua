-- /v1/traces, /v1/metrics and /v1/logs take what an exporter sends, in protobuf or JSON; GET /received tells how much has come.

faults = {
  partial = "one item is refused: 200 with partial_success", unavailable = "503 without Retry-After", ["bad-data"] = "400, which is not to be sent again",
  ["too-large"] = "413", ["no-content"] = "200 whose content is no message",
}

-- The keys of JSON on the way to the items; in protobuf these are the fields 1, 2 and 2.
local signals = {
  traces = { "resourceSpans", "scopeSpans", "spans", "rejectedSpans" }, metrics = { "resourceMetrics", "scopeMetrics", "metrics", "rejectedDataPoints" },
  logs = { "resourceLogs", "scopeLogs", "logRecords", "rejectedLogRecords" },
}
local protobuf, plain_json = "application/x-protobuf", "application/json"

-- How many items a message has; nil where it is none.
local function count_in(bytes, path, depth)
  if depth > #path then return 1 end
  local list, sum = message_fields(bytes), 0
  if not list then return nil end
  for _, field in ipairs(list) do
    if field.number == path[depth] then
      if type(field.value) ~= "string" then return nil end
      local count = count_in(field.value, path, depth + 1)
      if not count then return nil end
      sum = sum + count
    end
  end
  return sum
end

local function count_in_json(value, keys, depth)
  if depth > 3 then return type(value) == "table" and 1 or nil end
  if type(value) ~= "table" then return nil end
  local list, sum = value[keys[depth]], 0
  if list == nil then return 0 end
  if type(list) ~= "table" then return nil end
  for _, one in ipairs(list) do
    local count = count_in_json(one, keys, depth + 1)
    if not count then return nil end
    sum = sum + count
  end
  return sum
end

-- A google.rpc.Status in the form of the request.
local function failure(status, kind, message, fields)
  local headers = { { ["Content-Type"] = kind } }
  for _, field in ipairs(fields or {}) do headers[#headers + 1] = field end
  return { status = status, headers = headers, body = kind == plain_json and json.encode { code = 3, message = message } or "\8\3" .. length_field(2, message) }
end

local function received()
  local list = {}
  for name in pairs(signals) do
    list[name] = { requests = tonumber(state.get(name .. "/requests") or "0"), items = tonumber(state.get(name .. "/items") or "0") }
  end
  return { status = 200, headers = { ["Content-Type"] = plain_json }, body = json.encode(list) }
end

function otlp(request)
  if request.path == "/received" and request.method == "GET" then return received() end
  local name = request.path:match("^/v1/(%l+)$")
  local keys = signals[name]
  if not keys then return { status = 404, body = "there is no " .. request.path .. "; there are /v1/traces, /v1/metrics, /v1/logs and /received\n" } end
  if request.method ~= "POST" then return { status = 405, headers = { Allow = "POST" }, body = "items are sent by POST\n" } end
  local kind = (request.header["content-type"] or ""):match("^%s*([^;%s]*)"):lower()
  if kind ~= protobuf and kind ~= plain_json then return { status = 415, body = "the content is " .. protobuf .. " or " .. plain_json .. "\n" } end
  if is_failing("too-large") then return failure(413, kind, "the request is too large") end
  if is_failing("unavailable") then return failure(503, kind, "the collector is not there") end
  if is_failing("bad-data") then return failure(400, kind, "the data is bad") end
  local body = request.body
  if not body then return failure(400, kind, "the content can't be decoded, or is longer than 1 MiB") end
  local count
  if kind == plain_json then count = count_in_json(request.json, keys, 1) else count = count_in(body, { 1, 2, 2 }, 1) end
  if not count then return failure(400, kind, "the content is no message of " .. name) end
  local isPartial = count > 0 and is_failing("partial")
  state.add(name .. "/requests")
  state.add(name .. "/items", isPartial and count - 1 or count)
  local body_of_reply
  if kind == plain_json then
    body_of_reply = isPartial and json.encode { partialSuccess = { [keys[4]] = "1", errorMessage = "one is refused" } } or "{}"
  else
    body_of_reply = isPartial and length_field(1, "\8\1" .. length_field(2, "one is refused")) or ""
  end
  if is_failing("no-content") then body_of_reply = "<!doctype html>" end
  return { status = 200, headers = { ["Content-Type"] = kind }, body = body_of_reply }
end
