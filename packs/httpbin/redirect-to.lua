-- /redirect-to: a redirect to the URL of the query.
--
-- The address is that of the query alone: httpbin's documents tell of a form too, its code reads none.
return serve(request, "GET POST PUT DELETE PATCH TRACE", function()
  local status = 302
  local wanted = argument(request, "status_code", true)
  if wanted then
    local code = raise_nil(integer(wanted))
    if code >= 300 and code < 400 then status = code end
  end
  local location = argument(request, "url", true) or "None"
  if location:find("[\r\n]") then error(exception, 0) end
  return reply(status, "", nil, { { "Location", iri_to_uri(location) } })
end)
