-- /response-headers: the fields that the query tells, in the reply and in its content.
--
-- The body tells the fields of the reply, of which Content-Length tells the length of the body: it is written anew
-- until both agree.

-- The pairs of the query, those of one name together.
local function grouped(list)
  local groups, order = {}, {}
  for _, pair in ipairs(list) do
    if not groups[pair[1]] then
      groups[pair[1]] = {}
      order[#order + 1] = groups[pair[1]]
    end
    table.insert(groups[pair[1]], pair)
  end
  local all = {}
  for _, group in ipairs(order) do table.move(group, 1, #group, #all + 1, all) end
  return all
end

-- The members that the body has for these fields: by the first spelling of a name, with all values of that name in
-- any case.
local function told(fields)
  local values, spelling, all = {}, {}, new_map()
  for _, field in ipairs(fields) do
    local name = field[1]:lower()
    values[name] = values[name] or json.array {}
    table.insert(values[name], field[2])
  end
  for _, field in ipairs(fields) do
    local list = values[field[1]:lower()]
    all:set(field[1], #list == 1 and list[1] or list)
  end
  return all
end

return serve(request, "GET POST", function()
  local extra = grouped(arguments(request))
  for _, pair in ipairs(extra) do
    if pair[2]:find("[\r\n]") then error(exception, 0) end
  end
  local length, body = 0, ""
  for _ = 1, 10 do
    local fields = { { "Content-Type", "application/json" }, { "Content-Length", tostring(length) } }
    table.move(extra, 1, #extra, 3, fields)
    body = indented(told(fields)) .. "\n"
    if #body == length then break end
    length = #body
  end
  -- gunicorn sends no more than the last Content-Length says.
  for _, pair in ipairs(extra) do
    local limit = pair[1]:lower() == "content-length" and integer(pair[2])
    if limit then table.insert(extra, 1, { "Content-Length", tostring(#body) }) body = body:sub(1, limit) break end
  end
  return reply(200, body, "application/json", extra)
end)
