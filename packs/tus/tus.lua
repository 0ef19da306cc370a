-- Uploads at /files/, by tus 1.0.0 (creation, termination, checksum, expiration) where a request has Tus-Resumable, and else by the IETF's draft.

faults = {
  lost = "a PATCH is kept, and its connection closes without a reply",
  half = "a PATCH is kept to its middle, and its connection is reset",
  gone = "the upload is gone: 410 by tus, 404 by the draft",
  conflict = "a PATCH is answered as if its offset were wrong",
  ["no-location"] = "an upload is made, and its reply has no Location",
}

local most, piece = 512 << 10, 60000 -- bytes of one upload, and of one value of the state

local function tus_fields(fields)
  local list = { { ["Tus-Resumable"] = "1.0.0" } }
  for _, field in ipairs(fields or {}) do list[#list + 1] = field end
  return list
end

local function answer(isTus, status, fields, body)
  return { status = status, headers = isTus and tus_fields(fields) or fields or {}, body = body }
end

-- The content of an upload stands in pieces, for a value of the state has a bound.
local function content_of(id)
  local parts = {}
  for index = 0, most // piece do parts[#parts + 1] = state.get("upload/" .. id .. "/" .. index) or "" end
  return table.concat(parts)
end

local function store(id, content)
  for index = 0, most // piece do
    local part = content:sub(index * piece + 1, (index + 1) * piece)
    if part ~= "" or state.get("upload/" .. id .. "/" .. index) then
      state.set("upload/" .. id .. "/" .. index, part ~= "" and part or nil)
    end
  end
end

local function upload_of(id)
  local text = state.get("upload/" .. id)
  return text and json.decode(text)
end

local function keep(id, upload) state.set("upload/" .. id, json.encode(upload)) end

local function whole_number(text) return text and text:match("^%d+$") and #text < 16 and tonumber(text) or nil end

local hashes = { sha1 = "sha1", md5 = "md5", sha256 = "sha256" }

-- A status and a sentence where the checksum of a PATCH is wrong (tus, Checksum).
local function checksum_fault(request)
  local field = request.header["upload-checksum"]
  if not field then return nil end
  local name, value = field:match("^(%S+) (%S+)$")
  if not name or not hashes[name] then return 400, "Upload-Checksum names sha1, sha256 or md5, and base64" end
  if base64.encode(hash[hashes[name]](request["body.coded"] or "")) ~= value then return 460, "the checksum is another" end
end

local function create_tus(request)
  local length, deferred = request.header["upload-length"], request.header["upload-defer-length"]
  if deferred and deferred ~= "1" then return answer(true, 400, nil, "Upload-Defer-Length is 1\n") end
  local size = whole_number(length)
  if not size and not deferred then return answer(true, 400, nil, "Upload-Length is a whole number, or Upload-Defer-Length is 1\n") end
  if size and size > most then return answer(true, 413, { { ["Tus-Max-Size"] = tostring(most) } }, "an upload has at most " .. most .. " bytes\n") end
  local content = request["body.coded"] or ""
  if content ~= "" and request.header["content-type"] ~= "application/offset+octet-stream" then
    return answer(true, 415, nil, "content of an upload is application/offset+octet-stream\n")
  end
  local id = ("%d"):format(state.add("uploads"))
  keep(id, { size = size or -1, offset = #content, metadata = request.header["upload-metadata"] or json.null })
  store(id, content)
  local fields = { { ["Upload-Offset"] = tostring(#content) } }
  if not is_failing("no-location") then table.insert(fields, 1, { Location = request.base .. "/files/" .. id }) end
  return answer(true, 201, fields)
end

-- The draft has the content with the POST; Upload-Complete says whether that is all.
local function create_draft(request)
  local isComplete = request.header["upload-complete"]
  local content = request["body.coded"] or ""
  if #content > most then return answer(false, 413, { { ["Upload-Limit"] = "max-size=" .. most } }, "an upload has at most " .. most .. " bytes\n") end
  local id = ("%d"):format(state.add("uploads"))
  local size = whole_number(request.header["upload-length"])
  keep(id, { size = size or (isComplete ~= "?0" and #content) or -1, offset = #content, metadata = json.null })
  store(id, content)
  local fields = { { ["Upload-Complete"] = isComplete == "?0" and "?0" or "?1" }, { ["Upload-Limit"] = "max-size=" .. most } }
  if not is_failing("no-location") then table.insert(fields, 1, { Location = request.base .. "/files/" .. id }) end
  local reply = answer(false, 201, fields)
  if isComplete then
    reply.interim = { { status = 104, headers = { { Location = request.base .. "/files/" .. id }, { ["Upload-Draft-Interop-Version"] = "8" } } } }
  end
  return reply
end

local function patch(request, id, upload, isTus)
  local kind = isTus and "application/offset+octet-stream" or "application/partial-upload"
  if request.header["content-type"] ~= kind then return answer(isTus, 415, nil, "content of a PATCH is " .. kind .. "\n") end
  local offset = whole_number(request.header["upload-offset"])
  if not offset then return answer(isTus, 400, nil, "Upload-Offset is a whole number\n") end
  if offset ~= upload.offset or is_failing("conflict") then
    return answer(isTus, 409, { { ["Upload-Offset"] = tostring(upload.offset) } }, "the offset is " .. upload.offset .. "\n")
  end
  local wrong, sentence = checksum_fault(request)
  if wrong then return answer(isTus, wrong, nil, sentence .. "\n") end
  local content = request["body.coded"] or ""
  local isHalf = is_failing("half")
  if isHalf then content = content:sub(1, #content // 2) end
  if isTus and upload.size < 0 and request.header["upload-length"] then upload.size = whole_number(request.header["upload-length"]) or -1 end
  local sum = offset + #content
  if sum > (upload.size >= 0 and upload.size or most) then return answer(isTus, 413, nil, "that is more than the upload has\n") end
  store(id, content_of(id) .. content)
  upload.offset = sum
  if not isTus and request.header["upload-complete"] == "?1" and not isHalf then upload.size = sum end
  keep(id, upload)
  if isHalf then return { effects = { { at = "head", ["do"] = "reset" } } } end
  if is_failing("lost") then return { effects = { { at = "head", ["do"] = "close" } } } end
  local fields = { { ["Upload-Offset"] = tostring(sum) } }
  if not isTus then fields[2] = { ["Upload-Complete"] = sum == upload.size and "?1" or "?0" } end
  return answer(isTus, 204, fields)
end

function tus(request)
  local path, method = request.path, request.method
  local version = request.header["tus-resumable"]
  local isTus = version ~= nil
  if method == "OPTIONS" then
    return answer(true, 204, {
      { ["Tus-Version"] = "1.0.0" }, { ["Tus-Extension"] = "creation,creation-with-upload,creation-defer-length,termination,checksum" },
      { ["Tus-Max-Size"] = tostring(most) }, { ["Tus-Checksum-Algorithm"] = "sha1,sha256,md5" }, { ["Upload-Limit"] = "max-size=" .. most },
    })
  end
  if isTus and version ~= "1.0.0" then return answer(true, 412, { { ["Tus-Version"] = "1.0.0" } }, "the version is 1.0.0\n") end
  if request.header["x-http-method-override"] and method == "POST" then method = request.header["x-http-method-override"] end
  if path == "/files" or path == "/files/" then
    if method ~= "POST" then return answer(isTus, 405, { { Allow = "POST, OPTIONS" } }) end
    return isTus and create_tus(request) or create_draft(request)
  end
  local id = path:match("^/files/(%d+)$")
  local upload = id and upload_of(id)
  if upload and is_failing("gone") then
    store(id, "")
    state.set("upload/" .. id, nil)
    return answer(isTus, isTus and 410 or 404, nil, "the upload is gone\n")
  end
  if not upload then return answer(isTus, 404, nil, "there is no upload " .. path .. "; POST to /files/ makes one\n") end
  if method == "HEAD" then
    local fields = { { ["Upload-Offset"] = tostring(upload.offset) }, { ["Cache-Control"] = "no-store" } }
    if upload.size >= 0 then fields[#fields + 1] = { ["Upload-Length"] = tostring(upload.size) } elseif isTus then fields[#fields + 1] = { ["Upload-Defer-Length"] = "1" } end
    if upload.metadata ~= json.null then fields[#fields + 1] = { ["Upload-Metadata"] = upload.metadata } end
    if not isTus then fields[#fields + 1] = { ["Upload-Complete"] = upload.offset == upload.size and "?1" or "?0" } end
    return answer(isTus, isTus and 200 or 204, fields)
  elseif method == "PATCH" then
    return patch(request, id, upload, isTus)
  elseif method == "DELETE" then
    store(id, "")
    state.set("upload/" .. id, nil)
    return answer(isTus, 204)
  elseif method == "GET" then
    return answer(isTus, 200, { { ["Content-Type"] = "application/octet-stream" }, { ["Upload-Offset"] = tostring(upload.offset) } }, content_of(id))
  end
  return answer(isTus, 405, { { Allow = "HEAD, PATCH, DELETE, GET" } })
end
