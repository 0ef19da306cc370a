-- POST /v1/messages: named events, from message_start to message_stop.

local function failure(status, kind, message, fields)
  local value = { type = "error", error = { type = kind, message = message } }
  return json_reply(status, value, fields), value
end

function messages(request)
  local question, wrong = question_of(request, "messages")
  if question and not math.tointeger(question.json.max_tokens) then
    question, wrong = nil, "max_tokens: a whole number is required"
  end
  if not question then return (failure(400, "invalid_request_error", wrong)) end
  if question.act == "rate-limit" then
    return (failure(429, "rate_limit_error", "This request would exceed the rate limit", {
      { ["Retry-After"] = "1" }, { ["anthropic-ratelimit-requests-limit"] = "60" },
      { ["anthropic-ratelimit-requests-remaining"] = "0" },
    }))
  end
  if question.act == "overloaded" then return (failure(529, "overloaded_error", "Overloaded")) end

  local said = answer(question)
  local arguments = said.tool and json.encode(said.input or {})
  local text = question.act == "refuse" and "" or said.text or ""
  local reason = said.tool and "tool_use" or question.act == "refuse" and "refusal" or "end_turn"
  if question.act == "length" then
    text, reason = table.concat(words_of(text), "", 1, math.max(1, #words_of(text) // 2)), "max_tokens"
  end
  local output = word_count(arguments or text)
  local block = said.tool
    and { type = "tool_use", id = identifier(request, "toolu_"), name = said.tool, input = said.input or {} }
    or { type = "text", text = text }
  local message = {
    id = identifier(request, "msg_"), type = "message", role = "assistant", model = question.model,
    content = json.array { block }, stop_reason = reason, stop_sequence = json.null,
    usage = { input_tokens = question.input_count, output_tokens = output },
  }
  if not question.streams then return json_reply(200, message) end

  local events = {}
  local function add(value) events[#events + 1] = { event = value.type, data = json.encode(value) } end
  message.content, message.stop_reason, message.usage.output_tokens = json.array {}, json.null, 1
  add { type = "message_start", message = message }
  if said.tool then block.input = {} else block.text = "" end
  add { type = "content_block_start", index = 0, content_block = block }
  add { type = "ping" }
  local first = #events + 1
  if said.tool then
    for _, piece in ipairs(fragments_of(arguments, 7)) do
      add { type = "content_block_delta", index = 0, delta = { type = "input_json_delta", partial_json = piece } }
    end
  else
    for _, word in ipairs(words_of(text)) do
      add { type = "content_block_delta", index = 0, delta = { type = "text_delta", text = word } }
    end
  end
  local last = #events
  add { type = "content_block_stop", index = 0 }
  add { type = "message_delta", delta = { stop_reason = reason, stop_sequence = json.null },
    usage = { output_tokens = output } }
  add { type = "message_stop" }
  local _, value = failure(529, "overloaded_error", "Overloaded")
  return stream(question, events, first, last, { event = "error", data = json.encode(value) })
end
