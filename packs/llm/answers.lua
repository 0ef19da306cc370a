-- What the models answer. Change this file to your needs; the other files of the pack need no change.
--
-- `question` has `text` (of the last message), `model`, `tools` (a list of { name, parameters }), `json` (all of the request)
-- `has_result` (whether the last message is what a tool has returned) and `api` ("chat" or "messages"). The answer is a table with one of:
--   text = TEXT                   said word by word
--   tool = NAME, input = TABLE    a call of a tool, whose arguments come in fragments

-- Answers by the text of the last message, which stand before all others.
local known = {
  ["What is the capital of France?"] = "The capital of France is Paris.",
}

function answer(question)
  local text = known[question.text]
  if text then return { text = text } end
  -- A model that is named `tool` calls the first tool that it is offered, and then says what the tool has returned.
  if question.act == "tool" and question.tools[1] and not question.has_result then
    return { tool = question.tools[1].name, input = example_input(question.tools[1].parameters, question.text) }
  end
  return { text = question.text ~= "" and question.text or "Hello." }
end

-- Arguments for the required parameters of a tool, or for all of them: text is the text of the question.
function example_input(schema, text)
  local input, properties = {}, type(schema) == "table" and schema.properties or {}
  if type(properties) ~= "table" then return input end
  local required = {}
  for _, name in ipairs(type(schema.required) == "table" and schema.required or {}) do required[name] = true end
  for name, property in pairs(properties) do
    if next(required) == nil or required[name] then
      local kind = type(property) == "table" and property.type or "string"
      local choices = type(property) == "table" and property.enum
      if type(choices) == "table" and choices[1] ~= nil then input[name] = choices[1]
      elseif kind == "number" or kind == "integer" then input[name] = 1
      elseif kind == "boolean" then input[name] = true
      elseif kind == "array" then input[name] = json.array {}
      elseif kind == "object" then input[name] = example_input(property, text)
      else input[name] = text end
    end
  end
  return input
end
