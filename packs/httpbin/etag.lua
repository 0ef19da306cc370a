-- /etag/TAG: a page with this ETag, 304 or 412 by If-None-Match and If-Match.

-- The tags of a list, without quotation marks and the mark of a weak one.
local function tags(name)
  local list = {}
  local value = joined_field(request, name) or ""
  if value == "" then return nil end
  for part in (value .. ","):gmatch("(.-),") do
    part = part:match("^%s*(.*)$")
    if part:sub(1, 2) == "W/" then part = part:sub(3) end
    list[part:match('^"?([^"]*)')] = true
  end
  return list
end

return serve(request, "GET", function()
  local etag = segment(request, "etag")
  local unwanted, wanted = tags("If-None-Match"), tags("If-Match")
  if unwanted then
    if unwanted[etag] or unwanted["*"] then
      local page = status_page(304)
      page.fields[#page.fields + 1] = { "ETag", etag }
      return page
    end
  elseif wanted and not wanted[etag] and not wanted["*"] then
    return status_page(412)
  end
  local page = json_reply(description(request, "url args headers origin"))
  page.fields[2] = { "ETag", etag }
  return page
end)
