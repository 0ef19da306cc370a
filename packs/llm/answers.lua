-- What the models answer. Change this file to your needs; the other files of the pack need no change.
--
-- `question` has `text` (of the last message), `model`, `tools` (a list of { name, parameters }), `json` (all of the request)
-- `has_result` (whether the last message is what a tool has returned), `schema` (of the JSON that is asked for; `true` for any) and
-- `api` ("chat", "completions", "responses" or "messages"). The answer is a table with one of:
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
    return { tool = question.tools[1].name, input = example_of(question.tools[1].parameters or { type = "object" }, question.text) }
  end
  -- Where JSON is asked for, an example that its schema permits.
  if question.schema == true then return { text = json.encode { answer = question.text } } end
  if question.schema then return { text = json.encode(example_of(question.schema, question.text)) } end
  return { text = question.text ~= "" and question.text or "Hello." }
end
