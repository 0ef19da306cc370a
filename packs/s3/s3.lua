-- An object store: buckets, objects, lists, copies, multipart uploads and conditional writes, in path style and in host style.

faults = {
  ["slow-down"] = "503 SlowDown", ["internal-error"] = "500 InternalError", skewed = "403 RequestTimeTooSkewed",
  ["late-error"] = "200 whose content is an error, to the end of a multipart upload and to a copy", ["other-etag"] = "an object has another ETag than its MD5",
  ["other-bytes"] = "an object's last byte is another", ["other-region"] = "301 PermanentRedirect with x-amz-bucket-region: us-east-1",
}

local most, piece, at_once = 400 << 10, 60000, 1000

local function escaped(text) return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"):gsub('"', "&quot;")) end

local function xml(status, body, fields)
  local headers = { { ["Content-Type"] = "application/xml" } }
  for _, field in ipairs(fields or {}) do headers[#headers + 1] = field end
  return { status = status, headers = headers, body = '<?xml version="1.0" encoding="UTF-8"?>\n' .. body }
end

local function fail(status, code, message, more, fields)
  return xml(status, ("<Error><Code>%s</Code><Message>%s</Message>%s<RequestId>1</RequestId></Error>"):format(code, escaped(message), more or ""), fields)
end

local function named(name, parts) return ('<%s xmlns="http://s3.amazonaws.com/doc/2006-03-01/">%s</%s>'):format(name, table.concat(parts), name) end

local function element(name, text) return ("<%s>%s</%s>"):format(name, escaped(tostring(text)), name) end

local function read_json(name)
  local text = state.get(name)
  return text and json.decode(text)
end

local function write_json(name, value)
  if next(value) == nil then value[""] = false end
  state.set(name, json.encode(value))
end

local function store(content)
  local id = ("%d"):format(state.add("contents"))
  for index = 0, (#content - 1) // piece do state.set("content/" .. id .. "/" .. index, content:sub(index * piece + 1, (index + 1) * piece)) end
  return id
end

local function content_of(id, size)
  local parts = {}
  for index = 0, (size - 1) // piece do parts[#parts + 1] = state.get("content/" .. id .. "/" .. index) or "" end
  return table.concat(parts)
end

local function remove(id, size)
  for index = 0, (size - 1) // piece do state.set("content/" .. id .. "/" .. index, nil) end
end

local function md5(content) return hash.hex(hash.md5(content)) end

local function big_endian(number) return string.pack(">I4", number) end

local checksums = {
  crc32 = function(content) return big_endian(hash.crc32(content)) end, sha1 = hash.sha1, sha256 = hash.sha256,
}

-- The content of a request, and the error where a length, a digest or a checksum does not fit.
local function content_asked(request)
  local content, trailers = request["body.coded"] or "", {}
  if (request.header["x-amz-content-sha256"] or ""):match("^STREAMING") then
    content, trailers = unchunked(request)
    local length = tonumber(request.header["x-amz-decoded-content-length"] or "")
    if length ~= #content then return nil, fail(400, "IncompleteBody", "x-amz-decoded-content-length is not the number of bytes, " .. #content) end
  end
  if #content > most then return nil, fail(400, "EntityTooLarge", "an object, or a part, has at most " .. most .. " bytes") end
  local digest = request.header["content-md5"]
  if digest and digest ~= base64.encode(hash.md5(content)) then return nil, fail(400, "BadDigest", "Content-MD5 is another than that of the content") end
  for name, make in pairs(checksums) do
    local told = request.header["x-amz-checksum-" .. name] or trailers["x-amz-checksum-" .. name]
    if told and told ~= base64.encode(make(content)) then return nil, fail(400, "BadDigest", "the " .. name:upper() .. " is another than that of the content") end
  end
  return content
end

local function metadata_of(request)
  local list = {}
  for _, field in ipairs(request.fields) do
    if field.name:lower():match("^x%-amz%-meta%-") then list[#list + 1] = { name = field.name:lower(), value = field.value } end
  end
  return json.array(list)
end

-- Why a write may not be made (If-Match, If-None-Match); nil where it may.
local function refusal(request, known)
  if request.header["if-none-match"] == "*" and known then return fail(412, "PreconditionFailed", "there is an object", element("Condition", "If-None-Match")) end
  local wanted = request.header["if-match"]
  if wanted and not known then return fail(404, "NoSuchKey", "there is no object that If-Match could name") end
  if wanted and wanted ~= "*" and wanted:gsub('"', "") ~= known.etag then return fail(412, "PreconditionFailed", "the object has another ETag", element("Condition", "If-Match")) end
end

local function keep(bucket, key, content, etag, type, metadata)
  local objects = read_json("objects/" .. bucket)
  if objects[key] then remove(objects[key].content, objects[key].size) end
  objects[key] = {
    content = store(content), size = #content, etag = etag, type = type or "binary/octet-stream", meta = metadata, modified = math.floor(time.now()),
  }
  write_json("objects/" .. bucket, objects)
end

local function put(request, bucket, key)
  local known = read_json("objects/" .. bucket)[key]
  local denied = refusal(request, known)
  if denied then return denied end
  local from = request.header["x-amz-copy-source"]
  if from then
    local source, name = decoded(from):match("^/?([^/]+)/(.+)$")
    local object = source and read_json("objects/" .. source) and read_json("objects/" .. source)[name]
    if not object then return fail(404, "NoSuchKey", "there is no object " .. from) end
    if is_failing("late-error") then return fail(200, "InternalError", "an error behind a 200") end
    local replaces = request.header["x-amz-metadata-directive"] == "REPLACE"
    keep(bucket, key, content_of(object.content, object.size), object.etag, replaces and request.header["content-type"] or object.type,
      replaces and metadata_of(request) or object.meta)
    return xml(200, named("CopyObjectResult", { element("LastModified", iso_date(time.now())), element("ETag", '"' .. object.etag .. '"') }))
  end
  local content, wrong = content_asked(request)
  if not content then return wrong end
  local etag = md5(content)
  keep(bucket, key, content, etag, request.header["content-type"], metadata_of(request))
  return { status = 200, headers = { ETag = '"' .. (is_failing("other-etag") and md5(etag) or etag) .. '"' }, body = "" }
end

local function get(request, bucket, key)
  local object = read_json("objects/" .. bucket)[key]
  if not object then return fail(404, "NoSuchKey", "there is no object " .. key, element("Key", key)) end
  local content = content_of(object.content, object.size)
  if is_failing("other-bytes") and #content > 0 then content = content:sub(1, -2) .. string.char((content:byte(-1) + 1) % 256) end
  local fields = {
    { ["Content-Type"] = object.type }, { ETag = '"' .. object.etag .. '"' }, { ["Last-Modified"] = time.http(object.modified) }, { ["Accept-Ranges"] = "bytes" },
  }
  for _, field in ipairs(object.meta) do fields[#fields + 1] = { [field.name] = field.value } end
  return { status = 200, headers = fields, body = content, honours = { "ranges", "conditions" } }
end

local function delete(bucket, key)
  local objects = read_json("objects/" .. bucket)
  if objects[key] then
    remove(objects[key].content, objects[key].size)
    objects[key] = nil
    write_json("objects/" .. bucket, objects)
  end
end

local function delete_several(request, bucket)
  local content, wrong = content_asked(request)
  if not content then return wrong end
  local lines, isQuiet = {}, content:find("<Quiet>true</Quiet>", 1, true)
  for key in content:gmatch("<Key>(.-)</Key>") do
    key = key:gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&quot;", '"'):gsub("&amp;", "&")
    delete(bucket, key)
    if not isQuiet then lines[#lines + 1] = "<Deleted>" .. element("Key", key) .. "</Deleted>" end
  end
  return xml(200, named("DeleteResult", lines))
end

-- The keys of a bucket that a query asks for, and the prefixes that stand for several.
local function list(request, bucket)
  local query, objects, keys = query_of(request), read_json("objects/" .. bucket), {}
  local prefix, delimiter, isSecond = query.prefix or "", query.delimiter or "", query["list-type"] == "2"
  for key, object in pairs(objects) do if object then keys[#keys + 1] = key end end
  table.sort(keys)
  local after = isSecond and (query["continuation-token"] and base64.decode(query["continuation-token"]) or query["start-after"]) or query.marker or ""
  local count, limit = 0, math.min(tonumber(query["max-keys"] or "") or at_once, at_once)
  local isURL = query["encoding-type"] == "url"
  local function shown(text) return isURL and text:gsub("[^%w%-._~/]", function(byte) return ("%%%02X"):format(byte:byte()) end) or text end
  local lines, prefixes, last, isCut = {}, {}, nil, false
  for _, key in ipairs(keys) do
    if key:sub(1, #prefix) == prefix and key > after then
      local stop = delimiter ~= "" and key:find(delimiter, #prefix + 1, true)
      local group = stop and key:sub(1, stop + #delimiter - 1)
      if not (group and (prefixes[group] or group == after)) then
        if count == limit then
          isCut = true
          break
        end
        count, last = count + 1, group or key
        if group then
          prefixes[group] = true
          lines[#lines + 1] = "<CommonPrefixes>" .. element("Prefix", shown(group)) .. "</CommonPrefixes>"
        else
          local object = objects[key]
          lines[#lines + 1] = "<Contents>" .. element("Key", shown(key)) .. element("LastModified", iso_date(object.modified)) .. element("ETag", '"' .. object.etag .. '"')
            .. element("Size", object.size) .. element("StorageClass", "STANDARD") .. "</Contents>"
        end
      end
    end
  end
  local head = { element("Name", bucket), element("Prefix", shown(prefix)), element("MaxKeys", limit), element("IsTruncated", isCut) }
  if delimiter ~= "" then head[#head + 1] = element("Delimiter", delimiter) end
  if isURL then head[#head + 1] = element("EncodingType", "url") end
  if isSecond then head[#head + 1] = element("KeyCount", count) end
  if isCut then head[#head + 1] = isSecond and element("NextContinuationToken", base64.encode(last .. (prefixes[last] and "\255" or ""))) or element("NextMarker", shown(last)) end
  return xml(200, named("ListBucketResult", { table.concat(head), table.concat(lines) }))
end

-- Multipart uploads.
local function begin(request, bucket, key)
  local id = ("upload-%d"):format(state.add("multiparts"))
  write_json("multipart/" .. id, { bucket = bucket, key = key, type = request.header["content-type"] or "binary/octet-stream", meta = metadata_of(request), parts = { ["0"] = false } })
  return xml(200, named("InitiateMultipartUploadResult", { element("Bucket", bucket), element("Key", key), element("UploadId", id) }))
end

local function part(request, upload, id, number)
  local index = tonumber(number)
  if not index or index < 1 or index > 10000 or index % 1 ~= 0 then return fail(400, "InvalidArgument", "a part has a number of 1 to 10000") end
  local content, wrong = content_asked(request)
  if not content then return wrong end
  local before = upload.parts[number]
  if before then remove(before.content, before.size) end
  upload.parts[number] = { content = store(content), size = #content, etag = md5(content) }
  write_json("multipart/" .. id, upload)
  return { status = 200, headers = { ETag = '"' .. md5(content) .. '"' }, body = "" }
end

local function finish(request, upload, id)
  local asked, wrong = content_asked(request)
  if not asked then return wrong end
  local denied = refusal(request, read_json("objects/" .. upload.bucket)[upload.key])
  if denied then return denied end
  local contents, hashes, last = {}, {}, 0
  for one in asked:gmatch("<Part>(.-)</Part>") do
    local number, etag = tonumber(one:match("<PartNumber>(%d+)</PartNumber>") or ""), (one:match("<ETag>(.-)</ETag>") or ""):gsub("&quot;", ""):gsub('"', "")
    local known = number and upload.parts[("%d"):format(number)]
    if not known or known.etag ~= etag then return fail(400, "InvalidPart", "part " .. tostring(number) .. " is not there, or has another ETag") end
    if number <= last then return fail(400, "InvalidPartOrder", "parts are named in the order of their numbers") end
    last = number
    contents[#contents + 1] = content_of(known.content, known.size)
    hashes[#hashes + 1] = hash.md5(contents[#contents])
  end
  if #contents == 0 then return fail(400, "MalformedXML", "there is no part") end
  if is_failing("late-error") then return fail(200, "InternalError", "an error behind a 200") end
  local whole = table.concat(contents)
  if #whole > most then return fail(400, "EntityTooLarge", "an object has at most " .. most .. " bytes") end
  for _, known in pairs(upload.parts) do if known then remove(known.content, known.size) end end
  state.set("multipart/" .. id, nil)
  local etag = md5(table.concat(hashes)) .. "-" .. #hashes
  keep(upload.bucket, upload.key, whole, etag, upload.type, upload.meta)
  return xml(200, named("CompleteMultipartUploadResult", { element("Bucket", upload.bucket), element("Key", upload.key), element("ETag", '"' .. etag .. '"') }))
end

local function multipart(request, bucket, key, id)
  local upload = read_json("multipart/" .. id)
  if not upload or upload.bucket ~= bucket or upload.key ~= key then return fail(404, "NoSuchUpload", "there is no upload " .. id) end
  local number = query_of(request).partNumber
  if request.method == "PUT" and number then return part(request, upload, id, number) end
  if request.method == "POST" then return finish(request, upload, id) end
  if request.method == "DELETE" then
    for _, known in pairs(upload.parts) do if known then remove(known.content, known.size) end end
    state.set("multipart/" .. id, nil)
    return { status = 204 }
  end
  local lines, numbers = {}, {}
  for name, known in pairs(upload.parts) do if known then numbers[#numbers + 1] = tonumber(name) end end
  table.sort(numbers)
  for _, one in ipairs(numbers) do
    local known = upload.parts[("%d"):format(one)]
    lines[#lines + 1] = "<Part>" .. element("PartNumber", ("%d"):format(one)) .. element("ETag", '"' .. known.etag .. '"') .. element("Size", known.size) .. "</Part>"
  end
  return xml(200, named("ListPartsResult", { element("Bucket", bucket), element("Key", key), element("UploadId", id), element("IsTruncated", false), table.concat(lines) }))
end

local function buckets_page()
  local lines, names = {}, {}
  for name, at in pairs(read_json("buckets") or {}) do if at then names[#names + 1] = name end end
  table.sort(names)
  for _, name in ipairs(names) do lines[#lines + 1] = "<Bucket>" .. element("Name", name) .. element("CreationDate", iso_date(read_json("buckets")[name])) .. "</Bucket>" end
  return xml(200, named("ListAllMyBucketsResult", { "<Owner><ID>proctor</ID></Owner><Buckets>" .. table.concat(lines) .. "</Buckets>" }))
end

local function of_bucket(request, bucket)
  local query, all = query_of(request), read_json("buckets") or {}
  if request.method == "PUT" then
    if not bucket:match("^[a-z0-9][a-z0-9.-]+[a-z0-9]$") or #bucket > 63 then return fail(400, "InvalidBucketName", "a bucket has 3 to 63 of a-z, 0-9, points and hyphens") end
    if all[bucket] then return fail(409, "BucketAlreadyOwnedByYou", "there is a bucket " .. bucket) end
    all[bucket] = math.floor(time.now())
    write_json("buckets", all)
    write_json("objects/" .. bucket, {})
    return { status = 200, headers = { Location = "/" .. bucket }, body = "" }
  end
  if request.method == "POST" and query.delete then return delete_several(request, bucket) end
  if request.method == "HEAD" then return { status = 200, headers = { ["x-amz-bucket-region"] = "us-east-1" } } end
  if request.method == "DELETE" then
    for _, object in pairs(read_json("objects/" .. bucket)) do if object then return fail(409, "BucketNotEmpty", "the bucket is not empty") end end
    all[bucket] = nil
    write_json("buckets", all)
    state.set("objects/" .. bucket, nil)
    return { status = 204 }
  end
  if query.location then return xml(200, named("LocationConstraint", {})) end
  if query.versioning then return xml(200, named("VersioningConfiguration", {})) end
  if query.uploads then return xml(200, named("ListMultipartUploadsResult", { element("Bucket", bucket), element("IsTruncated", false) })) end
  if request.method == "GET" then return list(request, bucket) end
  return fail(405, "MethodNotAllowed", "the method is none of a bucket")
end

function s3(request)
  if is_failing("slow-down") then return fail(503, "SlowDown", "please reduce your request rate") end
  if is_failing("internal-error") then return fail(500, "InternalError", "an internal error; please try again") end
  if is_failing("skewed") then
    return fail(403, "RequestTimeTooSkewed", "the date differs too much from the server's", element("ServerTime", iso_date(time.now())))
  end
  -- In host style the bucket is the first name of the host, as in bucket.localhost.
  local path = decoded(request.target:match("^[^?]*"))
  local bucket = (request.header.host or ""):match("^([%w.-]+)%.localhost[:%d]*$")
  local key = path:sub(2)
  if not bucket then bucket, key = path:match("^/([^/]*)/?(.*)$") end
  if bucket == "" then return request.method == "GET" and buckets_page() or fail(405, "MethodNotAllowed", "buckets are listed by GET") end
  if is_failing("other-region") then return fail(301, "PermanentRedirect", "the bucket is elsewhere", element("Bucket", bucket), { { ["x-amz-bucket-region"] = "us-east-1" } }) end
  local isKnown = (read_json("buckets") or {})[bucket]
  if not isKnown and not (request.method == "PUT" and key == "") then return fail(404, "NoSuchBucket", "there is no bucket " .. bucket, element("BucketName", bucket)) end
  if key == "" then return of_bucket(request, bucket) end
  local query = query_of(request)
  if query.uploads and request.method == "POST" then return begin(request, bucket, key) end
  if query.uploadId then return multipart(request, bucket, key, query.uploadId) end
  if request.method == "PUT" then return put(request, bucket, key) end
  if request.method == "GET" or request.method == "HEAD" then return get(request, bucket, key) end
  if request.method == "DELETE" then
    delete(bucket, key)
    return { status = 204 }
  end
  return fail(405, "MethodNotAllowed", "the method is none of an object")
end
