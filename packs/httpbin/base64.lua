-- /base64/VALUE: the decoded value.

-- Base64 for URLs (RFC 4648 §5) as Python reads it; what is no text, or no Base64, gets a hint.
local hint = "Incorrect Base64 data try: SFRUUEJJTiBpcyBhd2Vzb21l"

local digits = {}
for index, range in ipairs { { "A", 26, 0 }, { "a", 26, 26 }, { "0", 10, 52 } } do
  for offset = 0, range[2] - 1 do digits[range[1]:byte() + offset] = range[3] + offset end
end
digits[("-"):byte()], digits[("+"):byte()], digits[("_"):byte()], digits[("/"):byte()] = 62, 62, 63, 63

-- Characters that are none of Base64 are passed over, and what follows the padding; nil where the padding is missing.
local function decoded(text)
  local bytes, bits, count, padding = {}, 0, 0, 0
  for index = 1, #text do
    local digit = digits[text:byte(index)]
    if digit then
      bits, count, padding = bits << 6 | digit, count + 1, 0
      if count % 4 ~= 1 then bytes[#bytes + 1] = string.char(bits >> 2 * (3 - (count - 1) % 4) & 0xFF) end
    elseif text:byte(index) == 61 and count % 4 >= 2 then
      padding = padding + 1
      if count % 4 + padding >= 4 then return table.concat(bytes) end
    end
  end
  return count % 4 == 0 and table.concat(bytes) or nil
end

return serve(request, "GET", function()
  local bytes = decoded(segment(request, "value"))
  return reply(200, bytes and is_text(bytes) and bytes or hint)
end)
