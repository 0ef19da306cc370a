-- POST /v1/chat/completions: chunks of `chat.completion.chunk`, and [DONE]; and POST /v1/completions, which came before it.

local refusal = "I can't help with that."
local most_choices = 16

-- How many answers are asked for; nil where it is too many.
local function choice_count(question)
  local count = question.json.n == nil and 1 or math.tointeger(question.json.n)
  return count and count >= 1 and count <= most_choices and count or nil
end

local function begun(request, api)
  local question, wrong = question_of(request, api)
  if question and not choice_count(question) then
    question, wrong = nil, ("n: a whole number from 1 to %d is expected"):format(most_choices)
  end
  if not question then return nil, (openai_failure(400, wrong, "invalid_request_error")) end
  local failed = openai_refusal(question)
  if failed then return nil, failed end
  return question
end

local function usage_of(question, output)
  return {
    prompt_tokens = question.input_count, completion_tokens = output, total_tokens = question.input_count + output,
  }
end

local function wants_usage(question)
  local options = question.json.stream_options
  return type(options) == "table" and options.include_usage == true
end

local function stream_failure()
  local _, value = openai_failure(500, "The server had an error while it processed the request", "server_error")
  return { data = json.encode(value) }
end

-- The chunks of all choices in turn: `deltas` of one choice, of which the first and the last are no part of the answer.
local function chunks(question, base, deltas, choice, usage)
  local events, has_usage = {}, wants_usage(question)
  local count = choice_count(question)
  if has_usage then base.usage = json.null end
  for position, delta in ipairs(deltas) do
    for index = 0, count - 1 do
      base.choices = json.array { choice(index, delta, position == #deltas) }
      events[#events + 1] = { data = json.encode(base) }
    end
  end
  local first, last = count + 1, #events - count
  if has_usage then
    base.choices, base.usage = json.array {}, usage
    events[#events + 1] = { data = json.encode(base) }
  end
  events[#events + 1] = { data = "[DONE]" }
  return stream(question, events, first, last, stream_failure())
end

local function choices_of(question, make)
  local list = json.array {}
  for index = 0, choice_count(question) - 1 do list[index + 1] = make(index) end
  return list
end

function chat(request)
  local question, failed = begun(request, "chat")
  if not question then return failed end
  local said = answer(question)
  local arguments = said.tool and json.encode(said.input or {})
  local text = said.text or ""
  local reason = said.tool and "tool_calls" or "stop"
  if question.act == "length" then text, reason = half_of(text), "length" end
  local refuses = question.act == "refuse"
  local call = said.tool and {
    id = identifier(request, "call_"), type = "function", ["function"] = { name = said.tool, arguments = arguments },
  }
  local usage = usage_of(question, choice_count(question) * word_count(arguments or text))
  local base = { id = identifier(request, "chatcmpl-"), created = math.floor(time.now()), model = question.model }

  if not question.streams then
    local message = { role = "assistant", content = call and json.null or text, refusal = json.null }
    if refuses then message.content, message.refusal = json.null, refusal end
    if call then message.tool_calls = json.array { call } end
    base.object, base.usage = "chat.completion", usage
    base.choices = choices_of(question, function(index)
      return { index = index, message = message, logprobs = json.null, finish_reason = reason }
    end)
    return json_reply(200, base)
  end

  base.object = "chat.completion.chunk"
  local deltas = {}
  if call then
    local start = { name = said.tool, arguments = "" }
    deltas[1] = { role = "assistant", content = json.null,
      tool_calls = json.array { { index = 0, id = call.id, type = "function", ["function"] = start } } }
    for _, piece in ipairs(fragments_of(arguments, 7)) do
      deltas[#deltas + 1] = { tool_calls = json.array { { index = 0, ["function"] = { arguments = piece } } } }
    end
  else
    deltas[1] = { role = "assistant", content = "", refusal = json.null }
    for _, word in ipairs(words_of(refuses and refusal or text)) do
      deltas[#deltas + 1] = refuses and { refusal = word } or { content = word }
    end
  end
  deltas[#deltas + 1] = {}
  return chunks(question, base, deltas, function(index, delta, isLast)
    return { index = index, delta = delta, logprobs = json.null, finish_reason = isLast and reason or json.null }
  end, usage)
end

function completions(request)
  local question, failed = begun(request, "completions")
  if not question then return failed end
  local text, reason = answer(question).text or "", "stop"
  if question.act == "length" then text, reason = half_of(text), "length" end
  local usage = usage_of(question, choice_count(question) * word_count(text))
  local base = {
    id = identifier(request, "cmpl-"), object = "text_completion", created = math.floor(time.now()), model = question.model,
  }
  if not question.streams then
    base.usage = usage
    base.choices = choices_of(question, function(index)
      return { index = index, text = text, logprobs = json.null, finish_reason = reason }
    end)
    return json_reply(200, base)
  end
  local words = { "" }
  for _, word in ipairs(words_of(text)) do words[#words + 1] = word end
  words[#words + 1] = ""
  return chunks(question, base, words, function(index, word, isLast)
    return { index = index, text = word, logprobs = json.null, finish_reason = isLast and reason or json.null }
  end, usage)
end
