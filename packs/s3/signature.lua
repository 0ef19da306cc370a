-- AWS Signature Version 4 as a server verifies it: by the field Authorization, by the query, and of each chunk of aws-chunked content.

local algorithm, secrets = "AWS4-HMAC-SHA256", { PROCTOR = "proctor-secret" }
local patience = 900 -- seconds by which a date may differ

local function hex256(text) return hash.hex(hash.sha256(text)) end

local months = { Jan = 1, Feb = 2, Mar = 3, Apr = 4, May = 5, Jun = 6, Jul = 7, Aug = 8, Sep = 9, Oct = 10, Nov = 11, Dec = 12 }

-- Year, month, day, hour, minute and second of that moment, as text.
local function parts_of(seconds)
  local day, month, year, hour, minute, second = time.http(seconds):match("(%d%d) (%a+) (%d+) (%d%d):(%d%d):(%d%d)")
  return year, ("%02d"):format(months[month]), day, hour, minute, second
end

function basic_date(seconds) return ("%s%s%sT%s%s%sZ"):format(parts_of(seconds)) end

function iso_date(seconds) return ("%s-%s-%sT%s:%s:%s.000Z"):format(parts_of(seconds)) end

local function encoded(text, keepsSlash)
  return (text:gsub("[^%w%-._~" .. (keepsSlash and "/" or "") .. "]", function(byte) return ("%%%02X"):format(byte:byte()) end))
end

function decoded(text) return (text:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end)) end

-- The pairs of a query with their values decoded; a plus stays a plus, as signatures have it.
local function pairs_of(request)
  local list = {}
  for item in (request.target:match("%?(.*)$") or ""):gmatch("[^&]+") do
    local name, value = item:match("^([^=]*)=?(.*)$")
    list[#list + 1] = { name = decoded(name), value = decoded(value) }
  end
  return list
end

function query_of(request)
  local values = {}
  for _, pair in ipairs(pairs_of(request)) do values[pair.name] = values[pair.name] or pair.value end
  return values
end

local function canonical_query(request)
  local items = {}
  for _, pair in ipairs(pairs_of(request)) do
    if pair.name ~= "X-Amz-Signature" then items[#items + 1] = encoded(pair.name) .. "=" .. encoded(pair.value) end
  end
  table.sort(items)
  return table.concat(items, "&")
end

local function canonical_request(request, signed, payload)
  local lines = {}
  for name in signed:gmatch("[^;]+") do
    lines[#lines + 1] = name .. ":" .. (request.header[name] or ""):match("^%s*(.-)%s*$"):gsub("%s+", " ") .. "\n"
  end
  local path = request.target:match("^[^?]*")
  return table.concat({ request.method, encoded(decoded(path), true), canonical_query(request), table.concat(lines), signed, payload }, "\n")
end

local function key_of(secret, scope)
  local key = "AWS4" .. secret
  for part in scope:gmatch("[^/]+") do key = hash.hmac("sha256", key, part) end
  return key
end

local function wrong(status, code, message, more) return nil, { status = status, code = code, message = message, more = more } end

-- What a request says of its signature, from the field or from the query.
local function claims_of(request)
  local query, field = query_of(request), request.header.authorization
  if query["X-Amz-Algorithm"] then
    return {
      algorithm = query["X-Amz-Algorithm"], credential = query["X-Amz-Credential"] or "", signed = query["X-Amz-SignedHeaders"] or "",
      signature = query["X-Amz-Signature"] or "", date = query["X-Amz-Date"] or "", expires = tonumber(query["X-Amz-Expires"] or ""),
      isQuery = true, payload = "UNSIGNED-PAYLOAD",
    }
  end
  if not field then return nil end
  return {
    algorithm = field:match("^(%S+)"), credential = field:match("Credential=([^,%s]+)") or "", signed = field:match("SignedHeaders=([^,%s]+)") or "",
    signature = field:match("Signature=(%x+)") or "", date = request.header["x-amz-date"] or "", payload = request.header["x-amz-content-sha256"] or "",
  }
end

-- What signs chunks of the request, or nil and an error of S3 with its status, code and message.
function verify(request)
  local claims = claims_of(request)
  if not claims then return wrong(403, "AccessDenied", "there is no Authorization, and no X-Amz-Algorithm in the query") end
  if claims.algorithm ~= algorithm then return wrong(400, "InvalidRequest", "the algorithm is " .. algorithm) end
  local id, day, region, service, last = claims.credential:match("^([^/]+)/(%d+)/([^/]+)/([^/]+)/([^/]+)$")
  if last ~= "aws4_request" or service ~= "s3" then
    return wrong(400, "AuthorizationHeaderMalformed", "the scope of a credential is KEY/DATE/REGION/s3/aws4_request, and it is " .. claims.credential)
  end
  local secret = secrets[id]
  if not secret then return wrong(403, "InvalidAccessKeyId", "there is no access key " .. id .. "; there is PROCTOR") end
  if not claims.date:match("^%d%d%d%d%d%d%d%dT%d%d%d%d%d%dZ$") or claims.date:sub(1, 8) ~= day then
    return wrong(403, "AccessDenied", "X-Amz-Date is a date as 20260102T030405Z, of the day of the credential's scope")
  end
  local now = time.now()
  if claims.isQuery then
    if not claims.expires or claims.expires < 1 or claims.expires > 604800 then return wrong(400, "AuthorizationQueryParametersError", "X-Amz-Expires is 1 to 604800") end
    if basic_date(now - claims.expires) > claims.date then return wrong(403, "AccessDenied", "the request has expired") end
  elseif is_failing("skewed") or claims.date < basic_date(now - patience) or claims.date > basic_date(now + patience) then
    return wrong(403, "RequestTimeTooSkewed", "the date differs by more than " .. patience .. " s", "<ServerTime>" .. iso_date(now) .. "</ServerTime>")
  end
  if not (";" .. claims.signed .. ";"):find(";host;", 1, true) then return wrong(403, "AccessDenied", "the field host is not signed") end
  for _, field in ipairs(request.fields) do
    local name = field.name:lower()
    if name:match("^x%-amz%-") and not (";" .. claims.signed .. ";"):find(";" .. name .. ";", 1, true) then
      return wrong(403, "AccessDenied", "there are fields that are not signed: " .. name)
    end
  end
  local body = request["body.coded"] or ""
  if claims.payload:match("^%x+$") and claims.payload ~= hex256(body) then
    return wrong(400, "XAmzContentSHA256Mismatch", "the content has the hash " .. hex256(body))
  end
  local scope = table.concat({ day, region, service, last }, "/")
  local canonical = canonical_request(request, claims.signed, claims.payload)
  local text = table.concat({ algorithm, claims.date, scope, hex256(canonical) }, "\n")
  local key = key_of(secret, scope)
  if hash.hex(hash.hmac("sha256", key, text)) ~= claims.signature then
    local function shown(value) return (value:gsub("&", "&amp;"):gsub("<", "&lt;")) end
    return wrong(403, "SignatureDoesNotMatch", "the signature is another than that of the request, made by the secret of " .. id,
      "<StringToSign>" .. shown(text) .. "</StringToSign><CanonicalRequest>" .. shown(canonical) .. "</CanonicalRequest>")
  end
  return { key = key, scope = scope, date = claims.date, seed = claims.signature, payload = claims.payload }
end

local empty_hash = hex256("")

-- The content of aws-chunked, and its trailers by name in lower case; nil and an error where a chunk or its signature is wrong.
function unchunked(request, signer)
  local body, at, parts, before, trailers = request["body.coded"] or "", 1, {}, signer.seed, {}
  local isSigned = signer.payload:match("^STREAMING%-AWS4%-HMAC%-SHA256") ~= nil
  while true do
    local stop = body:find("\r\n", at, true)
    if not stop then return wrong(400, "IncompleteBody", "a chunk breaks off") end
    local size, extension = body:sub(at, stop - 1):match("^(%x+)(.*)$")
    size = size and #size <= 8 and tonumber(size, 16)
    if not size or stop + 1 + size > #body then return wrong(400, "IncompleteBody", "a chunk breaks off") end
    local piece = body:sub(stop + 2, stop + 1 + size)
    if isSigned then
      local text = table.concat({ algorithm .. "-PAYLOAD", signer.date, signer.scope, before, empty_hash, hex256(piece) }, "\n")
      before = hash.hex(hash.hmac("sha256", signer.key, text))
      if extension:match("^;chunk%-signature=(%x+)$") ~= before then return wrong(403, "SignatureDoesNotMatch", "the signature of chunk " .. #parts + 1 .. " is another") end
    end
    at = stop + 2 + size
    if size == 0 then break end
    if body:sub(at, at + 1) ~= "\r\n" then return wrong(400, "IncompleteBody", "a chunk is longer than its size") end
    parts[#parts + 1], at = piece, at + 2
  end
  for name, value in body:sub(at):gmatch("([%w-]+):%s*([^\r\n]*)") do trailers[name:lower()] = value end
  return table.concat(parts), trailers
end
