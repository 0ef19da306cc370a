-- POST /v1/responses: one object, or events from response.created to response.completed, each with its number.

local refusal = "I can't help with that."

local function usage_of(question, output)
  return {
    input_tokens = question.input_count, input_tokens_details = { cached_tokens = 0, cache_write_tokens = 0 },
    output_tokens = output, output_tokens_details = { reasoning_tokens = 0 }, total_tokens = question.input_count + output,
  }
end

-- The item that the answer is, whole, and the part of it that comes in pieces.
local function item_of(request, question, said)
  if said.tool then
    local arguments = json.encode(said.input or {})
    return {
      type = "function_call", id = identifier(request, "fc_"), call_id = identifier(request, "call_"), name = said.tool,
      arguments = arguments, status = "completed",
    }, nil, arguments
  end
  local text = question.act == "length" and half_of(said.text or "") or said.text or ""
  local part = { type = "output_text", text = text, annotations = json.array {}, logprobs = json.array {} }
  if question.act == "refuse" then part = { type = "refusal", refusal = refusal } end
  return {
    type = "message", id = identifier(request, "msg_"), role = "assistant", content = json.array { part },
    status = question.act == "length" and "incomplete" or "completed",
  }, part, part.text or part.refusal
end

function responses(request)
  local question, wrong = question_of(request, "responses")
  if not question then return (openai_failure(400, wrong, "invalid_request_error")) end
  local failed = openai_refusal(question)
  if failed then return failed end

  local said = answer(question)
  local item, part, whole = item_of(request, question, said)
  local asked = question.json
  local is_cut = question.act == "length" and not said.tool
  local response = {
    id = identifier(request, "resp_"), object = "response", created_at = math.floor(time.now()), status = is_cut and "incomplete" or "completed",
    error = json.null, incomplete_details = is_cut and { reason = "max_output_tokens" } or json.null,
    instructions = asked.instructions or json.null, metadata = asked.metadata or {}, model = question.model,
    output = json.array { item }, parallel_tool_calls = true, previous_response_id = asked.previous_response_id or json.null,
    temperature = 1.0, top_p = 1.0, tool_choice = asked.tool_choice or "auto", tools = asked.tools or json.array {},
    text = asked.text or { format = { type = "text" } }, truncation = "disabled", usage = usage_of(question, word_count(whole)),
  }
  if not question.streams then return json_reply(200, response) end

  local events = {}
  local function add(value)
    value.sequence_number = #events
    events[#events + 1] = { event = value.type, data = json.encode(value) }
  end
  local function of_part(kind, more)
    more.type, more.item_id, more.output_index = kind, item.id, 0
    if part then more.content_index = 0 end
    add(more)
  end
  local output, usage, status, details = response.output, response.usage, response.status, response.incomplete_details
  response.output, response.usage, response.status, response.incomplete_details = json.array {}, json.null, "in_progress", json.null
  add { type = "response.created", response = response }
  add { type = "response.in_progress", response = response }

  local item_status, content = item.status, item.content
  item.status = "in_progress"
  if part then item.content = json.array {} else item.arguments = "" end
  add { type = "response.output_item.added", output_index = 0, item = item }
  local kind = not part and "function_call_arguments" or part.type
  if part then
    local empty = part.type == "refusal" and { type = "refusal", refusal = "" }
      or { type = "output_text", text = "", annotations = json.array {}, logprobs = json.array {} }
    of_part("response.content_part.added", { part = empty })
  end
  local first = #events + 1
  for _, piece in ipairs(part and words_of(whole) or fragments_of(whole, 7)) do
    of_part("response." .. kind .. ".delta", { delta = piece, logprobs = kind == "output_text" and json.array {} or nil })
  end
  local last = #events
  if not part then of_part("response.function_call_arguments.done", { arguments = whole, name = item.name })
  elseif part.type == "refusal" then of_part("response.refusal.done", { refusal = whole })
  else of_part("response.output_text.done", { text = whole, logprobs = json.array {} }) end
  if part then of_part("response.content_part.done", { part = part }) end
  item.status, item.content = item_status, content
  if not part then item.arguments = whole end
  add { type = "response.output_item.done", output_index = 0, item = item }
  response.output, response.usage, response.status, response.incomplete_details = output, usage, status, details
  add { type = is_cut and "response.incomplete" or "response.completed", response = response }
  local failure = {
    type = "error", code = "server_error", message = "The server had an error while it processed the request", param = json.null,
    sequence_number = first,
  }
  return stream(question, events, first, last, { event = "error", data = json.encode(failure) })
end
