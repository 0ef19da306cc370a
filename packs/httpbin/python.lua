-- What httpbin takes from Python: how numbers and text are read, and how JSON is written.

-- What a view raises where Python would raise an exception that nobody catches.
exception = {}

local function strip(text) return text:match("^%s*(.-)%s*$") end

-- int(text) of Python; nil where it raises. Numbers beyond 63 bits are those at the end of the range.
function integer(text)
  local sign, digits = strip(text):match("^([+-]?)(%d[%d_]*)$")
  if not digits or digits:find("__", 1, true) or digits:find("_$") then return nil end
  digits = digits:gsub("_", "")
  local number = math.tointeger(tonumber(digits)) or math.maxinteger
  return sign == "-" and -number or number
end

-- float(text) of Python; nil where it raises.
function real(text)
  text = strip(text):lower()
  local sign, word = text:match("^([+-]?)(%a+)$")
  if word == "inf" or word == "infinity" then return sign == "-" and -math.huge or math.huge end
  if word == "nan" then return 0 / 0 end
  if text:find("x", 1, true) or text:find("__", 1, true) then return nil end
  local digits = text:gsub("(%d)_(%d)", "%1%2")
  return tonumber(digits) and tonumber(digits) + 0.0
end

function raise_nil(value)
  if value == nil then error(exception, 0) end
  return value
end

-- So many hexadecimal digits.
function random_hex(count)
  local digits = {}
  for index = 1, count do digits[index] = ("%x"):format(math.random(0, 15)) end
  return table.concat(digits)
end

-- Bytes of ISO 8859-1 as text in UTF-8.
function from_latin1(bytes)
  if not bytes:find("[\128-\255]") then return bytes end
  return (bytes:gsub("[\128-\255]", function(byte) return utf8.char(byte:byte()) end))
end

-- Text in UTF-8 as bytes of ISO 8859-1; nil where it has other characters.
function to_latin1(text)
  if not text:find("[\128-\255]") then return text end
  if text:find("[\196-\255]") then return nil end
  return (text:gsub("[\194-\195][\128-\191]", function(character) return string.char(utf8.codepoint(character)) end))
end

-- Text that is UTF-8: `replace` is called with each byte that is not.
function repaired(text, replace)
  if utf8.len(text) then return text end
  local pieces, at = {}, 1
  while at <= #text do
    local _, wrong = utf8.len(text, at)
    if not wrong then break end
    pieces[#pieces + 1] = text:sub(at, wrong - 1)
    pieces[#pieces + 1] = replace(text:sub(wrong, wrong))
    at = wrong + 1
  end
  pieces[#pieces + 1] = text:sub(at)
  return table.concat(pieces)
end

function percent(byte) return ("%%%02X"):format(byte:byte()) end

function replacement() return "\u{FFFD}" end

-- By two hexadecimal digits in any case.
local decoded_byte = {}
for byte = 0, 255 do
  local lower, upper = ("%02x"):format(byte), ("%02X"):format(byte)
  for _, digits in ipairs { lower, upper, lower:sub(1, 1) .. upper:sub(2), upper:sub(1, 1) .. lower:sub(2) } do
    decoded_byte[digits] = string.char(byte)
  end
end

-- Percent-encoding decoded; bytes that are no UTF-8 stay encoded, or what `replace` makes of them.
function unquote(text, replace)
  if text:find("%", 1, true) then text = text:gsub("%%(%x%x)", decoded_byte) end
  return utf8.len(text) and text or repaired(text, replace or percent)
end

-- Of a form or a query, where `+` is a blank.
function unquote_plus(text)
  if text:find("+", 1, true) then text = text:gsub("%+", " ") end
  return unquote(text)
end

-- Everything but letters, digits, _.-~ and `safe` (a class of characters of a pattern) is percent-encoded.
function quote(text, safe)
  return (text:gsub("[^%w_.~" .. safe .. "%-]", percent))
end

-- Percent-encoding decoded but for controls, blanks, `%` and the characters of `kept`.
function unquote_partly(text, kept)
  if not text:find("%", 1, true) then return text end
  local pieces, at = {}, 1
  while true do
    local first, last = text:find("%%%x%x", at)
    if not first then break end
    local byte = tonumber(text:sub(first + 1, last), 16)
    pieces[#pieces + 1] = text:sub(at, first - 1)
    local keeps = byte <= 0x20 or byte == 0x25 or byte == 0x7F or kept:find(string.char(byte), 1, true)
    pieces[#pieces + 1] = keeps and text:sub(first, last) or string.char(byte)
    at = last + 1
  end
  pieces[#pieces + 1] = text:sub(at)
  return repaired(table.concat(pieces), percent)
end

function is_text(bytes) return utf8.len(bytes) ~= nil end

-- Objects that keep the order of their keys; the first value of a key stays.
local map = {}
map.__index = map

function map:set(key, value)
  if self.values[key] == nil then self.keys[#self.keys + 1] = key end
  self.values[key] = value
end

function new_map() return setmetatable({ keys = {}, values = {} }, map) end

-- A text of JSON in ASCII.
local function quoted(text) return json.encode(text, { ascii = true }) end

-- repr() of a float: the fewest digits that lead back to it, with an exponent below 1e-4 and from 1e16 on.
local function written(number)
  if number ~= number then return "NaN" end
  if number == math.huge then return "Infinity" end
  if number == -math.huge then return "-Infinity" end
  local text
  for digits = 1, 17 do
    text = ("%." .. digits - 1 .. "e"):format(number)
    if tonumber(text) == number then break end
  end
  local sign, first, rest, exponent = text:match("^(-?)(%d)%.?(%d*)e([+-]%d+)$")
  local shift = math.tointeger(tonumber(exponent))
  if shift < -4 or shift >= 16 then
    local fraction = rest == "" and "" or "." .. rest
    return ("%s%s%se%s%02d"):format(sign, first, fraction, shift < 0 and "-" or "+", math.abs(shift))
  end
  local all = first .. rest
  if shift < 0 then return sign .. "0." .. ("0"):rep(-shift - 1) .. all end
  if #all <= shift + 1 then return sign .. all .. ("0"):rep(shift + 1 - #all) .. ".0" end
  return sign .. all:sub(1, shift + 1) .. "." .. all:sub(shift + 2)
end

local function keys_of(value, sorts)
  if getmetatable(value) == map then
    if not sorts then return value.keys, value.values end
    local keys = table.move(value.keys, 1, #value.keys, 1, {})
    table.sort(keys)
    return keys, value.values
  end
  local keys = {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys, value
end

local function write(value, pieces, indent, step)
  local form = type(value)
  if form == "string" then
    pieces[#pieces + 1] = quoted(value)
  elseif form == "boolean" or math.type(value) == "integer" then
    pieces[#pieces + 1] = tostring(value)
  elseif form == "number" then
    pieces[#pieces + 1] = written(value)
  elseif form ~= "table" then
    pieces[#pieces + 1] = "null"
  elseif is_literal(value) then
    pieces[#pieces + 1] = value.text
  else
    local isArray = getmetatable(value) == "array"
    local keys, values = value, value
    if not isArray then keys, values = keys_of(value, step) end
    if #keys == 0 then
      pieces[#pieces + 1] = isArray and "[]" or "{}"
      return
    end
    local inner = step and indent .. step
    local separator = step and ",\n" .. inner or ", "
    pieces[#pieces + 1] = (isArray and "[" or "{") .. (step and "\n" .. inner or "")
    for index = 1, #keys do
      if index > 1 then pieces[#pieces + 1] = separator end
      if isArray then
        write(value[index], pieces, inner, step)
      else
        pieces[#pieces + 1] = quoted(keys[index]) .. ": "
        write(values[keys[index]], pieces, inner, step)
      end
    end
    pieces[#pieces + 1] = (step and "\n" .. indent or "") .. (isArray and "]" or "}")
  end
end

-- As Flask writes JSON: keys sorted, two blanks for each level.
function indented(value)
  local pieces = {}
  write(value, pieces, "", "  ")
  return table.concat(pieces)
end

-- json.dumps() of Python: in one line, keys in their order.
function dumped(value)
  local pieces = {}
  write(value, pieces)
  return table.concat(pieces)
end
