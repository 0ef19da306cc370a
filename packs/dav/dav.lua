-- A folder by WebDAV, classes 1 and 2 (RFC 4918), with a sync token (RFC 6578).

faults = {
  ["no-propfind"] = "405 to PROPFIND", ["wrong-status"] = "a PROPFIND is answered 200 in place of 207", locked = "423 to a change, as if another had a lock",
  ["no-space"] = "507 to a PUT", ["finite-depth"] = "403 propfind-finite-depth to a PROPFIND without Depth, or of infinity", ["old-token"] = "a sync token is not known any more: 403 valid-sync-token", ["hrefs-in-full"] = "hrefs are whole URLs",
}

local most, piece = 400 << 10, 60000
local methods = "OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, COPY, MOVE, PROPFIND, PROPPATCH, LOCK, UNLOCK, REPORT"

local function escaped(text) return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"):gsub('"', "&quot;")) end

local function decoded(text) return (text:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end)) end

local function encoded(text) return (text:gsub("[^%w%-._~/]", function(byte) return ("%%%02X"):format(byte:byte()) end)) end

local function plain(status, text, fields) return { status = status, headers = fields or {}, body = text and text .. "\n" or "" } end

local function xml(status, body) return { status = status, headers = { ["Content-Type"] = "application/xml; charset=utf-8" }, body = '<?xml version="1.0" encoding="utf-8"?>\n' .. body } end

local function failure(status, condition) return xml(status, '<D:error xmlns:D="DAV:"><D:' .. condition .. "/></D:error>") end

-- All resources by their path, which has no slash at its end: { isFolder, size, content, etag, at, kind, own }.
local function tree() return json.decode(state.get("tree") or json.encode { ["/"] = { isFolder = true, at = math.floor(time.now()), change = 0, own = { [""] = "" } } }) end

local function keep(all) state.set("tree", json.encode(all)) end

local function store(content)
  local id = ("%d"):format(state.add("contents"))
  for index = 0, (#content - 1) // piece do state.set("content/" .. id .. "/" .. index, content:sub(index * piece + 1, (index + 1) * piece)) end
  return id
end

local function content_of(one)
  local parts = {}
  for index = 0, (one.size - 1) // piece do parts[#parts + 1] = state.get("content/" .. one.content .. "/" .. index) or "" end
  return table.concat(parts)
end

local function parent_of(path)
  local parent = path:match("^(.*)/[^/]*$")
  return parent == "" and "/" or parent
end

local function is_below(path, folder) return folder == "/" and path ~= "/" or path:sub(1, #folder + 1) == folder .. "/" end

-- Locks, by their token: { path, isDeep, ends, owner }.
local function locks()
  local all, now = json.decode(state.get("locks") or '{"":false}'), time.now()
  for token, lock in pairs(all) do if lock and lock.ends < now then all[token] = nil end end
  if next(all) == nil then all[""] = false end
  return all
end

local function lock_of(path)
  for token, lock in pairs(locks()) do
    if lock and (lock.path == path or lock.isDeep and is_below(path, lock.path)) then return token, lock end
  end
end

-- A refusal where the If field does not hold, or a lock is not submitted (RFC 4918 §10.4); nil where the change may be made.
local function refusal(request, all, path)
  if is_failing("locked") then return failure(423, "lock-token-submitted") end
  local field, etag = request.header["if"], all[path] and all[path].etag
  if field then
    local holds = false
    for list in field:gmatch("%(([^)]*)%)") do
      local isRight = true
      for isNot, token in list:gmatch("(N?o?t?)%s*<([^>]+)>") do
        local here = lock_of(path) or lock_of(parent_of(path) or "/")
        if (here == token) == (isNot == "Not") then isRight = false end
      end
      for isNot, tag in list:gmatch("(N?o?t?)%s*%[([^%]]+)%]") do
        if (tag == etag) == (isNot == "Not") then isRight = false end
      end
      holds = holds or isRight
    end
    if not holds then return plain(412, "no list of If holds") end
  end
  local token = lock_of(path)
  if token and not (field and field:find("<" .. token .. ">", 1, true)) then return failure(423, "lock-token-submitted") end
end

-- Notes a change for whoever synchronizes by a token.
local function next_change() return state.add("changes") end

local function remove(all, path)
  local change, gone = next_change(), json.decode(state.get("gone") or '{"":0}')
  for one in pairs(all) do
    if one == path or is_below(one, path) then
      all[one] = nil
      gone[one] = change
    end
  end
  state.set("gone", json.encode(gone))
end

local live = {
  resourcetype = function(one) return one.isFolder and "<D:collection/>" or "" end,
  getcontentlength = function(one) return not one.isFolder and ("%d"):format(one.size) or nil end,
  getetag = function(one) return not one.isFolder and escaped(one.etag) or nil end,
  getcontenttype = function(one) return not one.isFolder and escaped(one.kind) or nil end,
  getlastmodified = function(one) return time.http(one.at) end,
  displayname = function(_, path) return escaped(path:match("([^/]*)$")) end,
  supportedlock = function() return "<D:lockentry><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>" end,
  ["sync-token"] = function(one) return one.isFolder and "proctor:" .. (state.get("changes") or "0") or nil end,
}

local function active_lock(token, lock, request)
  return ("<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:exclusive/></D:lockscope><D:depth>%s</D:depth>%s<D:timeout>Second-%d</D:timeout><D:locktoken><D:href>%s</D:href></D:locktoken><D:lockroot><D:href>%s</D:href></D:lockroot></D:activelock>")
    :format(lock.isDeep and "infinity" or "0", lock.owner ~= "" and "<D:owner>" .. lock.owner .. "</D:owner>" or "", math.max(0, math.floor(lock.ends - time.now())), token, encoded(lock.path))
end

function live.lockdiscovery(_, path, request)
  local token, lock = lock_of(path)
  return token and active_lock(token, lock, request) or ""
end

-- The names that a PROPFIND asks for, as { name, namespace }; nil for all of them (RFC 4918 §9.1).
local function asked_for(request)
  local body = request.body or ""
  if body == "" then return nil end
  local prop = body:match("<[%w-]*:?prop[^%w%-n][^/]-.-</[%w-]*:?prop>") or body:match("<[%w-]*:?prop>(.*)</[%w-]*:?prop>")
  if not prop then return nil, body:find("propname", 1, true) ~= nil, body:find("propfind", 1, true) == nil end
  local spaces, names = {}, {}
  for prefix, space in body:gmatch('xmlns:?([%w-]*)%s*=%s*["\']([^"\']*)["\']') do spaces[prefix] = spaces[prefix] or space end
  local inner = prop:gsub("^<[^>]*prop[^>]*>", ""):gsub("</[^>]*prop>$", "")
  for name, rest in inner:gmatch("<([%w:._-]+)([^>]*)>") do
    local prefix, own = name:match("^(.-):(.+)$")
    names[#names + 1] = { name = own or name, space = rest:match('xmlns%s*=%s*["\']([^"\']*)["\']') or spaces[prefix or ""] or "DAV:" }
  end
  return names
end

local function response(request, base, path, one, names, isNames)
  local found, missing = {}, {}
  local function put(name, space, value)
    if space == "DAV:" then return "<D:" .. name .. (value == "" and "/>" or ">" .. value .. "</D:" .. name .. ">") end
    return ('<x:%s xmlns:x="%s"'):format(name, escaped(space)) .. (value == "" and "/>" or ">" .. value .. "</x:" .. name .. ">")
  end
  if names then
    for _, wanted in ipairs(names) do
      local value
      if wanted.space == "DAV:" and live[wanted.name] then value = live[wanted.name](one, path, request) else value = one.own[wanted.space .. " " .. wanted.name] end
      if value then found[#found + 1] = put(wanted.name, wanted.space, value) else missing[#missing + 1] = put(wanted.name, wanted.space, "") end
    end
  else
    local all = {}
    for name in pairs(live) do all[#all + 1] = name end
    table.sort(all)
    for _, name in ipairs(all) do
      local value = live[name](one, path, request)
      if value and name ~= "sync-token" then found[#found + 1] = put(name, "DAV:", isNames and "" or value) end
    end
    for key, value in pairs(one.own) do
      local space, name = key:match("^(.*) (.+)$")
      if name then found[#found + 1] = put(name, space, isNames and "" or value) end
    end
  end
  local parts = { "<D:response><D:href>" .. escaped(base .. encoded(path) .. (one.isFolder and path ~= "/" and "/" or "")) .. "</D:href>" }
  if #found > 0 or #missing == 0 then parts[#parts + 1] = "<D:propstat><D:prop>" .. table.concat(found) .. "</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>" end
  if #missing > 0 then parts[#parts + 1] = "<D:propstat><D:prop>" .. table.concat(missing) .. "</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>" end
  return table.concat(parts) .. "</D:response>"
end

local function multistatus(parts) return xml(is_failing("wrong-status") and 200 or 207, '<D:multistatus xmlns:D="DAV:">' .. table.concat(parts) .. "</D:multistatus>") end

local function sorted(all)
  local list = {}
  for path in pairs(all) do list[#list + 1] = path end
  table.sort(list)
  return list
end

local function propfind(request, all, path)
  if is_failing("no-propfind") then return plain(405, nil, { Allow = "OPTIONS, GET, HEAD" }) end
  local depth = request.header.depth or "infinity"
  if depth ~= "0" and depth ~= "1" and depth ~= "infinity" then return plain(400, "Depth is 0, 1 or infinity") end
  if depth == "infinity" and is_failing("finite-depth") then return failure(403, "propfind-finite-depth") end
  local names, isNames, isWrong = asked_for(request)
  if isWrong then return plain(400, "the content is no propfind") end
  local base, parts = is_failing("hrefs-in-full") and request.base or "", {}
  for _, one in ipairs(sorted(all)) do
    if one == path or depth == "1" and one ~= "/" and parent_of(one) == path or depth == "infinity" and is_below(one, path) then parts[#parts + 1] = response(request, base, one, all[one], names, isNames) end
  end
  return multistatus(parts)
end

local function proppatch(request, all, path)
  local refused = refusal(request, all, path)
  if refused then return refused end
  local body, done = request.body or "", {}
  local spaces = {}
  for prefix, space in body:gmatch('xmlns:([%w-]+)%s*=%s*["\']([^"\']*)["\']') do spaces[prefix] = space end
  for verb, block in body:gmatch("<[%w-]*:?(%l+)[^>]*>%s*<[%w-]*:?prop[^>]*>(.-)</[%w-]*:?prop>") do
    for prefix, name, rest, value in block:gmatch("<([%w-]*):?([%w._-]+)([^>]-)>([^<]*)") do
      if name ~= "" and not rest:match("^/") then
        local space = rest:match('xmlns[:%w-]*%s*=%s*["\']([^"\']*)["\']') or spaces[prefix] or "DAV:"
        if space == "DAV:" then return xml(207, ('<D:multistatus xmlns:D="DAV:"><D:response><D:href>%s</D:href><D:propstat><D:prop><D:%s/></D:prop><D:status>HTTP/1.1 403 Forbidden</D:status><D:error><D:cannot-modify-protected-property/></D:error></D:propstat></D:response></D:multistatus>'):format(encoded(path), name)) end
        all[path].own[space .. " " .. name] = verb ~= "remove" and value or nil
        done[#done + 1] = ('<x:%s xmlns:x="%s"/>'):format(name, escaped(space))
      end
    end
  end
  keep(all)
  return xml(207, ('<D:multistatus xmlns:D="DAV:"><D:response><D:href>%s</D:href><D:propstat><D:prop>%s</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>'):format(encoded(path), table.concat(done)))
end

local function put(request, all, path)
  local one = all[path]
  if one and one.isFolder then return plain(405, "a folder has no content", { Allow = methods }) end
  if not all[parent_of(path)] then return plain(409, "there is no folder " .. parent_of(path)) end
  if request.header["if-none-match"] == "*" and one then return plain(412, "there is a file") end
  local wanted = request.header["if-match"]
  if wanted and not (one and (wanted == "*" or wanted == one.etag)) then return plain(412, "the file has another ETag") end
  local refused = refusal(request, all, path)
  if refused then return refused end
  local content = request["body.coded"] or ""
  if #content > most or is_failing("no-space") then return plain(507, "a file has at most " .. most .. " bytes") end
  local change = next_change()
  all[path] = {
    isFolder = false, size = #content, content = store(content), etag = '"' .. change .. "-" .. hash.hex(hash.md5(content)):sub(1, 8) .. '"',
    at = math.floor(time.now()), kind = request.header["content-type"] or "application/octet-stream", own = one and one.own or { [""] = "" }, change = change,
  }
  keep(all)
  return plain(one and 204 or 201, nil, { ETag = all[path].etag })
end

local function transfer(request, all, path, isMove)
  local destination = request.header.destination
  local target = destination and decoded((destination:gsub("^%a+://[^/]+", ""))):gsub("(.)/$", "%1")
  if not target or destination:match("^%a+://") and destination:sub(1, #request.base + 1) ~= request.base .. "/" then return plain(destination and 502 or 400, "Destination is a URL of this server") end
  if target == path or is_below(target, path) then return plain(403, "the destination is the source, or within it") end
  if not all[parent_of(target)] then return plain(409, "there is no folder " .. parent_of(target)) end
  local wasThere = all[target] ~= nil
  if wasThere and request.header.overwrite == "F" then return plain(412, "there is a " .. target) end
  local refused = refusal(request, all, target) or isMove and refusal(request, all, path)
  if refused then return refused end
  if wasThere then remove(all, target) end
  local copies = {}
  for one, value in pairs(all) do
    if one == path or is_below(one, path) and request.header.depth ~= "0" then copies[target .. one:sub(#path + 1)] = value end
  end
  for one, value in pairs(copies) do
    value = json.decode(json.encode(value))
    value.change = next_change()
    all[one] = value
  end
  if isMove then remove(all, path) end
  keep(all)
  return plain(wasThere and 204 or 201)
end

local function lock(request, all, path)
  local token, held = lock_of(path)
  local body = request.body or ""
  local every = locks()
  local seconds = math.min(tonumber((request.header.timeout or ""):match("Second%-(%d+)") or "") or 600, 3600)
  if body == "" then
    if not token or not (request.header["if"] or ""):find("<" .. token .. ">", 1, true) then return plain(412, "there is no lock that If names") end
    every[token].ends = time.now() + seconds
  else
    if token then return failure(423, "no-conflicting-lock") end
    if not all[parent_of(path) or "/"] then return plain(409, "there is no folder " .. parent_of(path)) end
    token = ("urn:uuid:00000000-0000-4000-8000-%012d"):format(state.add("lock-count"))
    every[token] = { path = path, isDeep = request.header.depth ~= "0", ends = time.now() + seconds, owner = body:match("<[%w-]*:?owner[^>]*>(.-)</[%w-]*:?owner>") or "" }
  end
  local isNew = not all[path]
  if isNew then
    all[path] = { isFolder = false, size = 0, content = store(""), etag = '"empty"', at = math.floor(time.now()), kind = "application/octet-stream", own = { [""] = "" }, change = next_change() }
    keep(all)
  end
  state.set("locks", json.encode(every))
  local reply = xml(isNew and 201 or 200, '<D:prop xmlns:D="DAV:"><D:lockdiscovery>' .. active_lock(token, every[token], request) .. "</D:lockdiscovery></D:prop>")
  if body ~= "" then reply.headers["Lock-Token"] = "<" .. token .. ">" end
  return reply
end

local function unlock(request, path)
  local token = (request.header["lock-token"] or ""):match("^<(.+)>$")
  local every = locks()
  if not token then return plain(400, "Lock-Token is missing") end
  if not every[token] or lock_of(path) ~= token then return failure(409, "lock-token-matches-request-uri") end
  every[token] = nil
  if next(every) == nil then every[""] = false end
  state.set("locks", json.encode(every))
  return plain(204)
end

-- What has changed below a folder since a token (RFC 6578 §3.2).
local function report(request, all, path)
  local body = request.body or ""
  if not body:find("sync-collection", 1, true) then return failure(403, "supported-report") end
  local told = body:match("<[%w-]*:?sync%-token>%s*(.-)%s*</")
  local since = told and tonumber(told:match("^proctor:(%d+)$") or "")
  if told and told ~= "" and (not since or since > tonumber(state.get("changes") or "0") or is_failing("old-token")) then return failure(403, "valid-sync-token") end
  local names, parts, isDeep = asked_for(request), {}, body:find("infin", 1, true) ~= nil
  for _, one in ipairs(sorted(all)) do
    if one ~= path and (parent_of(one) == path or isDeep and is_below(one, path)) and all[one].change > (since or 0) then parts[#parts + 1] = response(request, "", one, all[one], names) end
  end
  if since then
    for one, change in pairs(json.decode(state.get("gone") or '{"":0}')) do
      if one ~= "" and change > since and not all[one] and (parent_of(one) == path or isDeep and is_below(one, path)) then
        parts[#parts + 1] = "<D:response><D:href>" .. escaped(encoded(one)) .. "</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>"
      end
    end
  end
  return xml(207, '<D:multistatus xmlns:D="DAV:">' .. table.concat(parts) .. "<D:sync-token>proctor:" .. (state.get("changes") or "0") .. "</D:sync-token></D:multistatus>")
end

local function get(all, path)
  local one = all[path]
  if one.isFolder then return plain(200, "a folder; PROPFIND lists it") end
  return {
    status = 200, honours = { "ranges", "conditions" }, body = content_of(one),
    headers = { { ["Content-Type"] = one.kind }, { ETag = one.etag }, { ["Last-Modified"] = time.http(one.at) }, { ["Accept-Ranges"] = "bytes" } },
  }
end

function dav(request)
  local method, path = request.method, decoded(request.path):gsub("(.)/+$", "%1")
  if method == "OPTIONS" then return plain(200, nil, { Allow = methods, DAV = "1, 2", ["MS-Author-Via"] = "DAV" }) end
  local all = tree()
  if method == "PUT" then return put(request, all, path) end
  if method == "LOCK" then return lock(request, all, path) end
  if method == "MKCOL" then
    if (request.body or "") ~= "" then return plain(415, "MKCOL has no content") end
    if all[path] then return plain(405, "there is a " .. path, { Allow = methods }) end
    if not all[parent_of(path)] then return plain(409, "there is no folder " .. parent_of(path)) end
    local refused = refusal(request, all, path)
    if refused then return refused end
    all[path] = { isFolder = true, at = math.floor(time.now()), own = { [""] = "" }, change = next_change() }
    keep(all)
    return plain(201)
  end
  if not all[path] then return plain(404, "there is no " .. path) end
  if method == "GET" or method == "HEAD" then return get(all, path) end
  if method == "PROPFIND" then return propfind(request, all, path) end
  if method == "PROPPATCH" then return proppatch(request, all, path) end
  if method == "COPY" or method == "MOVE" then return transfer(request, all, path, method == "MOVE") end
  if method == "UNLOCK" then return unlock(request, path) end
  if method == "REPORT" then return report(request, all, path) end
  if method == "DELETE" then
    local refused = refusal(request, all, path)
    if refused then return refused end
    remove(all, path)
    keep(all)
    return plain(204)
  end
  return plain(405, "the method is none of this server", { Allow = methods })
end
