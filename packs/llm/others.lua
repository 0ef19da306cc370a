-- Models, embeddings, and what no API has. A request is of the API whose field it has: `anthropic-version`.

local function is_anthropic(request) return request.header["anthropic-version"] ~= nil end

local function model_of(request, name)
  if is_anthropic(request) then
    return {
      type = "model", id = name, display_name = name, created_at = "2026-01-02T03:04:05Z", lifecycle = "active", line = json.null,
    }
  end
  return { id = name, object = "model", created = 0, owned_by = "proctor" }
end

function models(request)
  local list = json.array {}
  for index, name in ipairs(act_names) do list[index] = model_of(request, name) end
  if not is_anthropic(request) then return json_reply(200, { object = "list", data = list }) end
  return json_reply(200, { data = list, has_more = false, first_id = act_names[1], last_id = act_names[#act_names] })
end

-- Every name is that of a model, but `none`.
function model(request)
  local name = request.captures.model
  if name ~= "none" then return json_reply(200, model_of(request, name)) end
  if is_anthropic(request) then return (anthropic_failure(404, "not_found_error", "model: " .. name)) end
  return (openai_failure(404, "The model '" .. name .. "' does not exist", "invalid_request_error", "model_not_found"))
end

local most_dimensions, most_inputs = 4096, 2048

-- Numbers from -1 to 1 that the text decides, the whole of length 1.
local function vector_of(text, size)
  local numbers, sum, block = {}, 0, ""
  for index = 1, size do
    if #block < 4 then block = hash.sha256(text .. "\0" .. index) end
    local number = string.unpack("<I4", block) / 0x80000000 - 1
    block = block:sub(5)
    numbers[index], sum = number, sum + number * number
  end
  for index = 1, size do numbers[index] = numbers[index] / math.sqrt(sum) end
  return numbers
end

function embeddings(request)
  local whole = request.json
  local function wrong(sentence) return (openai_failure(400, sentence, "invalid_request_error")) end
  if type(whole) ~= "table" then return wrong("the content is no JSON object") end
  if type(whole.model) ~= "string" then return wrong("model is required") end
  local inputs = whole.input
  if type(inputs) == "string" then inputs = { inputs } end
  if type(inputs) ~= "table" or #inputs == 0 then return wrong("input: a text, or a list of texts, is required") end
  if #inputs > most_inputs then return wrong(("input: at most %d texts are taken"):format(most_inputs)) end
  if type(inputs[1]) == "number" then inputs = { table.concat(inputs, " ") } end
  local size = whole.dimensions == nil and 8 or math.tointeger(whole.dimensions)
  if not size or size < 1 or size * #inputs > most_dimensions then
    return wrong(("dimensions: a whole number is expected, and at most %d numbers in all"):format(most_dimensions))
  end
  local data, count = json.array {}, 0
  for index, input in ipairs(inputs) do
    local text = type(input) == "table" and table.concat(input, " ") or tostring(input)
    local numbers = vector_of(text, size)
    count = count + word_count(text)
    local embedding = json.array(numbers)
    if whole.encoding_format == "base64" then
      local packed = {}
      for position, number in ipairs(numbers) do packed[position] = string.pack("<f", number) end
      embedding = base64.encode(table.concat(packed))
    end
    data[index] = { object = "embedding", index = index - 1, embedding = embedding }
  end
  return json_reply(200, {
    object = "list", data = data, model = whole.model, usage = { prompt_tokens = count, total_tokens = count },
  })
end

function unknown(request)
  local sentence = ("no such end point: %s %s"):format(request.method, request.path)
  if is_anthropic(request) then return (anthropic_failure(404, "not_found_error", sentence)) end
  return (openai_failure(404, sentence, "invalid_request_error"))
end
