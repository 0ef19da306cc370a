-- /cache: 304 to a conditional request, else a page with a new ETag.
return serve(request, "GET", function()
  local since, tag = joined_field(request, "If-Modified-Since"), joined_field(request, "If-None-Match")
  -- An empty field is none, unless it is the last that is asked.
  if (since and since ~= "") or tag then return status_page(304) end
  local page = json_reply(description(request, "url args headers origin"))
  page.fields[2] = { "Last-Modified", time.http() }
  page.fields[3] = { "ETag", random_hex(32) }
  return page
end)
