-- What both APIs share: the question, its act, words and fragments, the pace of a stream, and replies.

-- What goes wrong, or slowly, by the field `X-LLM-Act` or the last word of the model's name (`gpt-cut`, `claude-stall`).
local acts = {
  echo = true, tool = true, slow = true, stall = true, cut = true, reset = true, error = true, overloaded = true,
  ["rate-limit"] = true, refuse = true, length = true,
}

local function act_of(request, model)
  local named = request.header["x-llm-act"]
  if named then return acts[named] and named or nil, named end
  for word in pairs(acts) do
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
    if type(part) == "table" then
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

-- The question of a request, or nil and a sentence that says what is wrong with it.
function question_of(request, api)
  local whole = request.json
  if type(whole) ~= "table" then return nil, "the content is no JSON object" end
  if type(whole.model) ~= "string" then return nil, "model is required" end
  if type(whole.messages) ~= "table" or #whole.messages == 0 then return nil, "messages: at least one is required" end
  local count, last, has_result = 0
  for _, message in ipairs(whole.messages) do
    if type(message) ~= "table" or type(message.role) ~= "string" then return nil, "messages: each has a role" end
    last = text_of(message.content)
    has_result = message.role == "tool" or has_tool_result(message.content)
    count = count + word_count(last)
  end
  local act, unknown = act_of(request, whole.model)
  if not act then return nil, "X-LLM-Act: there is no act " .. unknown end
  local tools = {}
  for _, tool in ipairs(type(whole.tools) == "table" and whole.tools or {}) do
    local own = api == "chat" and type(tool) == "table" and tool["function"] or tool
    if type(own) == "table" and type(own.name) == "string" then
      tools[#tools + 1] = { name = own.name, parameters = own.parameters or own.input_schema }
    end
  end
  return {
    api = api, json = whole, model = whole.model, text = last, tools = tools, act = act, input_count = count,
    has_result = has_result, streams = whole.stream == true,
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
