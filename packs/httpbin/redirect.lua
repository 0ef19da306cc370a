local kind, count = request.captures.kind, number_segment(request, "count")

return serve(request, "GET", function()
  if count <= 0 then error(exception, 0) end
  if kind == "redirect" then
    local isAbsolute = (argument(request, "absolute") or "false"):lower() == "true"
    kind = isAbsolute and "absolute-redirect" or "relative-redirect"
    local path = count == 1 and "/get" or "/" .. kind .. "/" .. count - 1
    return redirect_page(isAbsolute and absolute_url(request, path) or path)
  end
  local path = count == 1 and "/get" or "/" .. kind .. "/" .. count - 1
  if kind == "relative-redirect" then return reply(302, "", nil, { { "Location", path } }) end
  return redirect_page(absolute_url(request, path))
end)
