-- Base64 for URLs (RFC 4648 §5), with its padding; what is no text, or no Base64, gets a hint.
local hint = "Incorrect Base64 data try: SFRUUEJJTiBpcyBhd2Vzb21l"

return serve(request, "GET", function()
  -- Python passes over characters that are none of Base64.
  local text = segment(request, "value"):gsub("-", "+"):gsub("_", "/"):gsub("[^%w+/=]", "")
  if #text % 4 ~= 0 then return reply(200, hint) end
  local isRead, bytes = pcall(base64.decode, text)
  return reply(200, isRead and is_text(bytes) and bytes or hint)
end)
