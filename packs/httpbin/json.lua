-- JSON as Python reads it, for what `json.decode` does not: whole numbers of any length, NaN, Infinity, 900 levels.

-- What is written as it stands.
local literal = {}
literal.__index = literal

function is_literal(value) return getmetatable(value) == literal end

local long = ("%d"):rep(19)
local words = {
  ["true"] = true, ["false"] = false, ["null"] = json.null,
  NaN = setmetatable({ text = "NaN" }, literal), Infinity = setmetatable({ text = "Infinity" }, literal),
  ["-Infinity"] = setmetatable({ text = "-Infinity" }, literal),
}

local read

-- Behind white space.
local function skip(text, at) return text:match("^[ \t\r\n]*()", at) end

local function read_string(text, at)
  local last = at
  repeat
    last = text:find('["\\]', last + 1)
    if not last then error(literal, 0) end
    local isEscape = text:byte(last) == 92
    if isEscape then last = last + 1 end
  until not isEscape
  return json.decode(text:sub(at, last)), last + 1
end

local function read_number(text, at)
  local whole, rest = text:match("^(%-?[1-9]%d*)()", at)
  if not whole then whole, rest = text:match("^(%-?0)()", at) end
  if not whole then error(literal, 0) end
  local fraction, afterFraction = text:match("^(%.%d+)()", rest)
  local exponent, afterExponent = text:match("^([eE][+-]?%d+)()", afterFraction or rest)
  if fraction or exponent then
    return tonumber(whole .. (fraction or "") .. (exponent or "")) + 0.0, afterExponent or afterFraction
  end
  return #whole < 19 and math.tointeger(tonumber(whole)) or setmetatable({ text = whole }, literal), rest
end

-- Items up to the closing bracket; `readItem` takes a place and returns the one behind the item.
local function read_items(text, at, closing, readItem)
  at = skip(text, at + 1)
  if text:byte(at) == closing then return at + 1 end
  while true do
    at = skip(text, readItem(at))
    local byte = text:byte(at)
    if byte == closing then return at + 1 end
    if byte ~= 44 then error(literal, 0) end
    at = skip(text, at + 1)
  end
end

-- The value at a place, and the place behind it.
function read(text, at, depth)
  if depth > 900 then error(literal, 0) end
  local byte = text:byte(at)
  if byte == 34 then return read_string(text, at) end
  if byte == 91 then
    local list = json.array()
    local after = read_items(text, at, 93, function(place)
      list[#list + 1], place = read(text, place, depth + 1)
      return place
    end)
    return list, after
  elseif byte == 123 then
    local object = {}
    local after = read_items(text, at, 125, function(place)
      if text:byte(place) ~= 34 then error(literal, 0) end
      local key
      key, place = read_string(text, place)
      place = skip(text, place)
      if text:byte(place) ~= 58 then error(literal, 0) end
      object[key], place = read(text, skip(text, place + 1), depth + 1)
      return place
    end)
    return object, after
  end
  local word = text:match("^-?%a+", at)
  if word and words[word] ~= nil then return words[word], at + #word end
  return read_number(text, at)
end

-- The value of content; `json.null` where it is no JSON.
function json_value(text)
  if not is_text(text) then return json.null end
  if not text:find(long) then
    local isRead, value = pcall(json.decode, text)
    if isRead then return value end
  end
  local isRead, value = pcall(function()
    local value, after = read(text, skip(text, 1), 1)
    if skip(text, after) <= #text then error(literal, 0) end
    return value
  end)
  if isRead then return value end
  return json.null
end
