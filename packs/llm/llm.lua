-- What the APIs share: the question, its act, words and fragments, the pace of a stream, and replies.

-- What goes wrong, or slowly, by the field `X-LLM-Act` or the last word of the model's name (`gpt-cut`, `claude-stall`).
act_names = {
  "echo", "tool", "slow", "stall", "cut", "reset", "error", "overloaded", "rate-limit", "flaky", "refuse", "length",
}
local acts = {}
for _, name in ipairs(act_names) do acts[name] = true end

local function act_of(request, model)
  local named = request.header["x-llm-act"]
  if named then return acts[named] and named or nil, named end
  for _, word in ipairs(act_names) do
    if model == word or model:sub(-#word - 1) == "-" .. word then return word end
  end
  return "echo"
end

-- The text of a message: text itself, or a list of parts of which some have text.
local function text_of(content)
  if type(content) == "string" then return content end
  if type(content) ~= "table" then return "" end
  local texts = {}
  for _, part in ipairs(content) do
    if type(part) == "string" then texts[#texts + 1] = part
    elseif type(part) == "table" then
      if type(part.text) == "string" then texts[#texts + 1] = part.text
      elseif part.type == "tool_result" then texts[#texts + 1] = text_of(part.content) end
    end
  end
  return table.concat(texts, "\n")
end

local function has_tool_result(content)
  for _, part in ipairs(type(content) == "table" and content or {}) do
    if type(part) == "table" and part.type == "tool_result" then return true end
  end
  return false
end

-- The messages of a request, a list of { text, has_result }; nil and a sentence where they are wrong.
local readers = {}

function readers.chat(whole)
  if type(whole.messages) ~= "table" or #whole.messages == 0 then return nil, "messages: at least one is required" end
  local list = {}
  for _, message in ipairs(whole.messages) do
    if type(message) ~= "table" or type(message.role) ~= "string" then return nil, "messages: each has a role" end
    list[#list + 1] = {
      text = text_of(message.content), has_result = message.role == "tool" or has_tool_result(message.content),
    }
  end
  return list
end

readers.messages = readers.chat

function readers.completions(whole)
  local prompt = whole.prompt
  if type(prompt) == "table" then prompt = type(prompt[1]) == "string" and #prompt == 1 and prompt[1] or nil end
  if type(prompt) ~= "string" then return nil, "prompt: a text is required" end
  return { { text = prompt, has_result = false } }
end

function readers.responses(whole)
  if type(whole.input) == "string" then return { { text = whole.input, has_result = false } } end
  if type(whole.input) ~= "table" or #whole.input == 0 then return nil, "input: a text, or a list of items, is required" end
  local list = {}
  for _, item in ipairs(whole.input) do
    if type(item) ~= "table" then return nil, "input: each item is an object" end
    local isResult = item.type == "function_call_output"
    if isResult or item.role then
      list[#list + 1] = { text = text_of(isResult and item.output or item.content), has_result = isResult }
    end
  end
  if #list == 0 then return nil, "input: no item is a message" end
  return list
end

-- The schema of the JSON that is asked for, `true` for any JSON, and nil for text.
local function schema_of(whole, api)
  local format
  if api == "chat" then format = whole.response_format
  elseif api == "responses" then format = type(whole.text) == "table" and whole.text.format
  elseif api == "messages" then format = type(whole.output_config) == "table" and whole.output_config.format end
  if type(format) ~= "table" then return nil end
  if format.type == "json_object" then return true end
  if format.type ~= "json_schema" then return nil end
  local schema = type(format.json_schema) == "table" and format.json_schema.schema or format.schema
  return type(schema) == "table" and schema or true
end

-- The question of a request, or nil and a sentence that says what is wrong with it.
function question_of(request, api)
  local whole = request.json
  if type(whole) ~= "table" then return nil, "the content is no JSON object" end
  if type(whole.model) ~= "string" then return nil, "model is required" end
  local list, wrong = readers[api](whole)
  if not list then return nil, wrong end
  local act, unknown = act_of(request, whole.model)
  if not act then return nil, "X-LLM-Act: there is no act " .. unknown end
  local count, last = 0, list[#list]
  for _, message in ipairs(list) do count = count + word_count(message.text) end
  local tools = {}
  for _, tool in ipairs(type(whole.tools) == "table" and whole.tools or {}) do
    local own = api == "chat" and type(tool) == "table" and tool["function"] or tool
    if type(own) == "table" and type(own.name) == "string" then
      tools[#tools + 1] = { name = own.name, parameters = own.parameters or own.input_schema }
    end
  end
  if act == "flaky" then
    -- Each question fails twice, and is then answered.
    local key = hash.hex(hash.md5(api .. "\n" .. whole.model .. "\n" .. last.text))
    act = state.add("llm-" .. key) % 3 == 0 and "echo" or "flaky"
  end
  return {
    api = api, json = whole, model = whole.model, text = last.text, tools = tools, act = act, input_count = count,
    has_result = last.has_result, streams = whole.stream == true, schema = schema_of(whole, api),
  }
end

function word_count(text) return select(2, text:gsub("%S+", "")) end

-- Words with the blanks before them, so that together they are the text.
function words_of(text)
  local words, rest = {}, 1
  for first, last in text:gmatch("()%s*%S+()") do
    words[#words + 1] = text:sub(first, last - 1)
    rest = last
  end
  if rest <= #text then words[#words + 1] = text:sub(rest) end
  return words
end

-- Half of the words, for an answer that is cut by its limit.
function half_of(text)
  local words = words_of(text)
  return table.concat(words, "", 1, math.min(#words, math.max(1, #words // 2)))
end

-- Text in pieces of so many bytes, which may part a name or a number.
function fragments_of(text, size)
  local fragments = {}
  for first = 1, #text, size do fragments[#fragments + 1] = text:sub(first, first + size - 1) end
  return fragments
end

-- An identifier of the prefix and the number of the request, so that the same run has the same ones.
function identifier(request, prefix) return ("%s%024d"):format(prefix, request.number or 0) end

function json_reply(status, value, fields)
  local headers = { { ["Content-Type"] = "application/json" } }
  for _, field in ipairs(fields or {}) do headers[#headers + 1] = field end
  return { status = status, headers = headers, body = json.encode(value) }
end

-- An error as the API has it; the reply, and the value alone.
function openai_failure(status, message, kind, code, fields)
  local value = { error = { message = message, type = kind, param = json.null, code = code or json.null } }
  return json_reply(status, value, fields), value
end

function anthropic_failure(status, kind, message, fields)
  local value = { type = "error", error = { type = kind, message = message }, request_id = json.null }
  return json_reply(status, value, fields), value
end

-- The failures that the acts of a question name before any answer; nil where it is answered. The SDKs ask again by
-- `retry-after-ms` and `Retry-After`.
function openai_refusal(question)
  if question.act == "rate-limit" then
    return (openai_failure(429, "Rate limit reached for requests", "requests", "rate_limit_exceeded", {
      { ["Retry-After"] = "1" }, { ["retry-after-ms"] = "1000" }, { ["x-ratelimit-limit-requests"] = "60" },
      { ["x-ratelimit-remaining-requests"] = "0" }, { ["x-ratelimit-reset-requests"] = "1s" },
    }))
  end
  if question.act == "overloaded" then return (openai_failure(503, "The engine is overloaded", "server_error")) end
  if question.act == "flaky" then
    return (openai_failure(503, "The engine is overloaded", "server_error", nil, { { ["retry-after-ms"] = "10" } }))
  end
end

function anthropic_refusal(question)
  if question.act == "rate-limit" then
    return (anthropic_failure(429, "rate_limit_error", "This request would exceed the rate limit", {
      { ["Retry-After"] = "1" }, { ["x-should-retry"] = "true" }, { ["anthropic-ratelimit-requests-limit"] = "60" },
      { ["anthropic-ratelimit-requests-remaining"] = "0" }, { ["anthropic-ratelimit-requests-reset"] = "2026-01-02T03:04:05Z" },
    }))
  end
  if question.act == "overloaded" then
    return (anthropic_failure(529, "overloaded_error", "Overloaded", { { ["x-should-retry"] = "true" } }))
  end
  if question.act == "flaky" then
    return (anthropic_failure(529, "overloaded_error", "Overloaded", {
      { ["x-should-retry"] = "true" }, { ["retry-after-ms"] = "10" },
    }))
  end
end

-- An event as its lines, of which `event` is the first.
local function written(event, isCut)
  local data = isCut and event.data:sub(1, #event.data // 2) or event.data
  local lines = { "data: " .. data }
  if event.event then table.insert(lines, 1, "event: " .. event.event) end
  return { lines = lines, closed = not isCut }
end

-- The events of a stream as its act has them. `events` are whole; `first` and `last` are the ones between which the answer
-- comes, and `failure` is the event of an error.
function stream(question, events, first, last, failure)
  local act, list = question.act, {}
  local middle = first + (last - first + 1) // 2
  for index, event in ipairs(events) do
    if index == middle then
      if act == "stall" then
        list[#list + 1] = { ["do"] = "stall" }
        break
      elseif act == "cut" then
        -- The end of the stream in the middle of an event, without the last chunk.
        list[#list + 1] = written(event, true)
        list[#list + 1] = { ["do"] = "close" }
        break
      elseif act == "reset" then
        list[#list + 1] = { ["do"] = "reset" }
        break
      elseif act == "error" then
        list[#list + 1] = written(failure)
        break
      end
    end
    if act == "slow" and index > first and index <= last then list[#list + 1] = { ["do"] = "wait 100ms" } end
    list[#list + 1] = written(event)
  end
  return { events = list }
end
