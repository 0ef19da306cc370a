-- /image and /image/KIND: a picture.

local types = { png = "image/png", jpeg = "image/jpeg", webp = "image/webp", svg = "image/svg+xml" }
local asked = request.captures.kind

-- By the words that Accept has, whatever their weights; nil where none is known.
local function kind_of(accept)
  if not accept then return "png" end
  accept = accept:lower()
  local function has(text) return accept:find(text, 1, true) end
  if has("image/webp") then return "webp" end
  if has("image/svg+xml") then return "svg" end
  if has("image/jpeg") then return "jpeg" end
  return (has("image/png") or has("image/*")) and "png" or nil
end

return serve(request, "GET", function()
  local kind = asked or kind_of(joined_field(request, "Accept"))
  if not kind then return status_page(406) end
  return reply(200, { file = "content/image." .. kind }, types[kind])
end)
