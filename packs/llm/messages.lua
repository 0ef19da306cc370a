-- POST /v1/messages: named events, from message_start to message_stop; and POST /v1/messages/count_tokens.

local function wrong_with(question)
  if not math.tointeger(question.json.max_tokens) then return "max_tokens: a whole number is required" end
end

-- The blocks of an answer, each with the pieces of its delta: thinking first, where it is asked for.
local function blocks_of(request, question)
  local said, blocks = answer(question), {}
  local thinking = question.json.thinking
  if type(thinking) == "table" and (thinking.type == "enabled" or thinking.type == "adaptive") then
    local thought = "The last message is to be said again."
    blocks[1] = {
      block = { type = "thinking", thinking = thought, signature = "c2lnbmF0dXJl" }, pieces = words_of(thought),
      key = "thinking", kind = "thinking_delta",
    }
  end
  if said.tool then
    local arguments = json.encode(said.input or {})
    blocks[#blocks + 1] = {
      block = { type = "tool_use", id = identifier(request, "toolu_"), name = said.tool, input = said.input or {} },
      pieces = fragments_of(arguments, 7), key = "partial_json", kind = "input_json_delta", words = word_count(arguments),
    }
    return blocks, "tool_use"
  end
  local text = question.act == "refuse" and "" or said.text or ""
  if question.act == "length" then text = half_of(text) end
  blocks[#blocks + 1] = {
    block = { type = "text", text = text }, pieces = words_of(text), key = "text", kind = "text_delta", words = word_count(text),
  }
  return blocks, question.act == "refuse" and "refusal" or question.act == "length" and "max_tokens" or "end_turn"
end

function messages(request)
  local question, wrong = question_of(request, "messages")
  wrong = wrong or wrong_with(question)
  if wrong then return (anthropic_failure(400, "invalid_request_error", wrong)) end
  local failed = anthropic_refusal(question)
  if failed then return failed end

  local blocks, reason = blocks_of(request, question)
  local output, content = 0, json.array {}
  for index, one in ipairs(blocks) do
    output = output + (one.words or #one.pieces)
    content[index] = one.block
  end
  local message = {
    id = identifier(request, "msg_"), type = "message", role = "assistant", model = question.model, content = content,
    stop_reason = reason, stop_sequence = json.null,
    usage = {
      input_tokens = question.input_count, output_tokens = output, cache_creation_input_tokens = 0, cache_read_input_tokens = 0,
    },
  }
  if not question.streams then return json_reply(200, message) end

  local events = {}
  local function add(value) events[#events + 1] = { event = value.type, data = json.encode(value) } end
  message.content, message.stop_reason, message.usage.output_tokens = json.array {}, json.null, 1
  add { type = "message_start", message = message }
  local first, last
  for index, one in ipairs(blocks) do
    local block, signature = one.block, one.block.signature
    if block.type == "tool_use" then block.input = {}
    elseif block.type == "thinking" then block.thinking, block.signature = "", ""
    else block.text = "" end
    add { type = "content_block_start", index = index - 1, content_block = block }
    if index == 1 then
      add { type = "ping" }
      first = #events + 1
    end
    for _, piece in ipairs(one.pieces) do
      add { type = "content_block_delta", index = index - 1, delta = { type = one.kind, [one.key] = piece } }
    end
    last = #events
    if signature then
      add { type = "content_block_delta", index = index - 1, delta = { type = "signature_delta", signature = signature } }
    end
    add { type = "content_block_stop", index = index - 1 }
  end
  add { type = "message_delta", delta = { stop_reason = reason, stop_sequence = json.null },
    usage = { output_tokens = output } }
  add { type = "message_stop" }
  local _, value = anthropic_failure(529, "overloaded_error", "Overloaded")
  return stream(question, events, first, last, { event = "error", data = json.encode(value) })
end

function count_tokens(request)
  local question, wrong = question_of(request, "messages")
  if not question then return (anthropic_failure(400, "invalid_request_error", wrong)) end
  return anthropic_refusal(question) or json_reply(200, { input_tokens = question.input_count })
end
