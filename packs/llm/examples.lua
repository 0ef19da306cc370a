-- A value that a JSON Schema permits: arguments of a tool, and JSON that is asked for. What the request says stands in its strings.

local formats = {
  ["date-time"] = "2026-01-02T03:04:05Z", date = "2026-01-02", time = "03:04:05Z", email = "someone@example.org",
  uri = "https://example.org/", uuid = "00000000-0000-4000-8000-000000000000", ipv4 = "192.0.2.1", ipv6 = "2001:db8::1", hostname = "example.org",
}

-- "#/$defs/Name" of the whole schema; nil where there is none.
local function referred(whole, path)
  local found = whole
  for step in path:gsub("^#/?", ""):gmatch("[^/]+") do
    found = type(found) == "table" and found[(step:gsub("~1", "/"):gsub("~0", "~"))] or nil
  end
  return found
end

local function kind_of(schema)
  local kind = schema.type
  if type(kind) ~= "table" then return kind or schema.properties and "object" or schema.items and "array" or "string" end
  for _, one in ipairs(kind) do if one ~= "null" then return one end end
  return "null"
end

local function number_of(schema)
  local least = tonumber(schema.minimum) or tonumber(schema.exclusiveMinimum) and schema.exclusiveMinimum + 1
  local most = tonumber(schema.maximum) or tonumber(schema.exclusiveMaximum) and schema.exclusiveMaximum - 1
  local number = math.max(1, least or 1)
  if most and number > most then number = most end
  return math.tointeger(number) or number
end

local example

local function object_of(schema, text, whole, depth)
  local object, required = {}, {}
  for _, name in ipairs(type(schema.required) == "table" and schema.required or {}) do required[name] = true end
  for name, property in pairs(type(schema.properties) == "table" and schema.properties or {}) do
    if next(required) == nil or required[name] then object[name] = example(property, text, whole, depth + 1) end
  end
  return object
end

-- A schema may refer to itself: what lies deeper than 16 is null.
function example(schema, text, whole, depth)
  if type(schema) ~= "table" or depth > 16 then return depth > 16 and json.null or text end
  if type(schema["$ref"]) == "string" then return example(referred(whole, schema["$ref"]), text, whole, depth + 1) end
  if schema.const ~= nil then return schema.const end
  if type(schema.enum) == "table" and schema.enum[1] ~= nil then return schema.enum[1] end
  for _, word in ipairs { "anyOf", "oneOf", "allOf" } do
    if type(schema[word]) == "table" and schema[word][1] ~= nil then return example(schema[word][1], text, whole, depth + 1) end
  end
  local kind = kind_of(schema)
  if kind == "object" then return object_of(schema, text, whole, depth) end
  if kind == "array" then
    local list = json.array {}
    for index = 1, math.min(math.max(1, tonumber(schema.minItems) or 1), 100) do
      list[index] = example(schema.items or {}, text, whole, depth + 1)
    end
    return list
  end
  if kind == "number" or kind == "integer" then return number_of(schema) end
  if kind == "boolean" then return true end
  if kind == "null" then return json.null end
  return formats[schema.format] or text
end

function example_of(schema, text) return example(schema, text, schema, 0) end
