-- POST /v1/chat/completions: chunks of `chat.completion.chunk`, and [DONE].

local function failure(status, message, kind, code, fields)
  local value = { error = { message = message, type = kind, param = json.null, code = code or json.null } }
  return json_reply(status, value, fields), value
end

function chat(request)
  local question, wrong = question_of(request, "chat")
  if not question then return (failure(400, wrong, "invalid_request_error")) end
  if question.act == "rate-limit" then
    return (failure(429, "Rate limit reached for requests", "requests", "rate_limit_exceeded", {
      { ["Retry-After"] = "1" }, { ["x-ratelimit-limit-requests"] = "60" }, { ["x-ratelimit-remaining-requests"] = "0" },
      { ["x-ratelimit-reset-requests"] = "1s" },
    }))
  end
  if question.act == "overloaded" then return (failure(503, "The engine is overloaded", "server_error")) end

  local said = answer(question)
  local arguments = said.tool and json.encode(said.input or {})
  local text = said.text or ""
  local reason = said.tool and "tool_calls" or "stop"
  if question.act == "length" then
    text, reason = table.concat(words_of(text), "", 1, math.max(1, #words_of(text) // 2)), "length"
  end
  local call = said.tool and {
    id = identifier(request, "call_"), type = "function",
    ["function"] = { name = said.tool, arguments = arguments },
  }
  local output = word_count(arguments or text)
  local usage = {
    prompt_tokens = question.input_count, completion_tokens = output, total_tokens = question.input_count + output,
  }
  local base = { id = identifier(request, "chatcmpl-"), created = math.floor(time.now()), model = question.model }

  if not question.streams then
    local message = { role = "assistant", content = call and json.null or text, refusal = json.null }
    if question.act == "refuse" then message.content, message.refusal = json.null, "I can't help with that." end
    if call then message.tool_calls = json.array { call } end
    base.object, base.usage = "chat.completion", usage
    base.choices = json.array { { index = 0, message = message, logprobs = json.null, finish_reason = reason } }
    return json_reply(200, base)
  end

  base.object = "chat.completion.chunk"
  local options = question.json.stream_options
  local has_usage = type(options) == "table" and options.include_usage == true
  if has_usage then base.usage = json.null end
  local events = {}
  local function add(delta, finish)
    base.choices = json.array { { index = 0, delta = delta, logprobs = json.null, finish_reason = finish or json.null } }
    events[#events + 1] = { data = json.encode(base) }
  end
  local first = 2
  if call then
    local start = { name = said.tool, arguments = "" }
    add({ role = "assistant", content = json.null,
      tool_calls = json.array { { index = 0, id = call.id, type = "function", ["function"] = start } } })
    for _, piece in ipairs(fragments_of(arguments, 7)) do
      add { tool_calls = json.array { { index = 0, ["function"] = { arguments = piece } } } }
    end
  elseif question.act == "refuse" then
    add { role = "assistant", content = "", refusal = json.null }
    for _, word in ipairs(words_of("I can't help with that.")) do add { refusal = word } end
  else
    add { role = "assistant", content = "", refusal = json.null }
    for _, word in ipairs(words_of(text)) do add { content = word } end
  end
  local last = #events
  add({}, reason)
  if has_usage then
    base.choices, base.usage = json.array {}, usage
    events[#events + 1] = { data = json.encode(base) }
  end
  events[#events + 1] = { data = "[DONE]" }
  local _, value = failure(500, "The server had an error while it processed the request", "server_error")
  return stream(question, events, first, last, { data = json.encode(value) })
end

function models()
  local list = json.array {}
  for _, name in ipairs { "echo", "tool", "slow", "stall", "cut", "reset", "error", "overloaded", "rate-limit", "refuse",
    "length" } do
    list[#list + 1] = { id = name, object = "model", created = 0, owned_by = "proctor" }
  end
  return json_reply(200, { object = "list", data = list })
end
