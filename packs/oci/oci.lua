-- A registry (OCI Distribution 1.1): tokens, manifests, blobs by redirect, uploads in one piece, in chunks and by mount, referrers.

faults = {
  ["upload-gone"] = "an upload is not known any more: 404 BLOB_UPLOAD_UNKNOWN",
  ["other-bytes"] = "a blob has other bytes than its digest says",
  ["no-referrers"] = "the registry has no list of referrers: 404",
  ["token-expired"] = "a token is refused once: 401 with a challenge",
  ["strict-storage"] = "the storage that a redirect leads to refuses a request with Authorization: 400",
  ["no-redirect"] = "a blob is sent without a redirect",
  ["other-digest"] = "Docker-Content-Digest of a manifest is that of another one",
}

local most, piece, tags_at_once = 512 << 10, 60000, 100
local index_type, manifest_type = "application/vnd.oci.image.index.v1+json", "application/vnd.oci.image.manifest.v1+json"
local secret = "proctor"

local function fail(status, code, message, fields)
  local headers = { { ["Content-Type"] = "application/json" } }
  for _, field in ipairs(fields or {}) do headers[#headers + 1] = field end
  return { status = status, headers = headers, body = json.encode { errors = { { code = code, message = message } } } }
end

local function empty(status, fields) return { status = status, headers = fields, body = "" } end

local function sha256(content) return "sha256:" .. hash.hex(hash.sha256(content)) end

local function digest_of(digest, content)
  if digest:match("^sha256:%x+$") and #digest == 71 then return sha256(content) end
  if digest:match("^sha512:%x+$") and #digest == 135 then return "sha512:" .. hash.hex(hash.sha512(content)) end
end

-- Long values stand in pieces, for a value of the state has a bound.
local function store(name, content)
  state.set(name, ("%d"):format(#content))
  for index = 0, (#content - 1) // piece do state.set(name .. "/" .. index, content:sub(index * piece + 1, (index + 1) * piece)) end
end

local function stored(name)
  local size = tonumber(state.get(name) or "")
  if not size then return nil end
  local parts = {}
  for index = 0, (size - 1) // piece do parts[#parts + 1] = state.get(name .. "/" .. index) or "" end
  return table.concat(parts)
end

local function remove(name)
  local size = tonumber(state.get(name) or "0")
  for index = 0, (size - 1) // piece do state.set(name .. "/" .. index, nil) end
  state.set(name, nil)
end

-- What the registry has of the start: library/hello:latest, and library/hello:1.0, the same.
local seed_layer = tar_of("hello.txt", "Hello from Proctor\n")
local seed_config = json.encode {
  architecture = "amd64", os = "linux", config = { Cmd = { "/hello" } }, rootfs = { type = "layers", diff_ids = { sha256(seed_layer) } },
}
local seed_manifest = json.encode {
  schemaVersion = 2, mediaType = manifest_type,
  config = { mediaType = "application/vnd.oci.image.config.v1+json", digest = sha256(seed_config), size = #seed_config },
  layers = { { mediaType = "application/vnd.oci.image.layer.v1.tar", digest = sha256(seed_layer), size = #seed_layer } },
}
local seeds = { [sha256(seed_layer)] = seed_layer, [sha256(seed_config)] = seed_config }

local function blob(digest) return seeds[digest] or stored("blob/" .. digest) end

-- Repositories know the digests of their blobs and manifests, and their tags: one value of JSON each.
local function repository(name)
  local text = state.get("repository/" .. name)
  if text then return json.decode(text) end
  if name == "library/hello" then
    local digest = sha256(seed_manifest)
    return {
      blobs = { [sha256(seed_layer)] = true, [sha256(seed_config)] = true }, tags = { latest = digest, ["1.0"] = digest },
      manifests = { [digest] = { type = manifest_type, size = #seed_manifest } },
    }
  end
  return { blobs = {}, tags = {}, manifests = {} }
end

local function keep(name, value)
  for _, key in ipairs { "blobs", "tags", "manifests" } do
    if next(value[key]) == nil then value[key] = { [""] = false } end
  end
  state.set("repository/" .. name, json.encode(value))
end

local function manifest_content(digest) return digest == sha256(seed_manifest) and seed_manifest or stored("manifest/" .. digest) end

-- Tokens: what they permit, and when they end, with a hash by a secret.
local function token_reply(request)
  local account
  local field = request.header.authorization
  if field then
    if field ~= "Basic " .. base64.encode("user:password") then return fail(401, "UNAUTHORIZED", "the user is user, and the password is password") end
    account = "user"
  end
  local scopes = {}
  for _, pair in ipairs(request.query_list) do
    if pair.name == "scope" then scopes[#scopes + 1] = pair.value end
  end
  local claims = base64.url_encode(json.encode { scope = table.concat(scopes, " "), account = account or json.null, ends = math.floor(time.now()) + 300 })
  local token = claims .. "." .. base64.url_encode(hash.hmac("sha256", secret, claims))
  return { status = 200, headers = { ["Content-Type"] = "application/json" }, body = json.encode { token = token, access_token = token, expires_in = 300 } }
end

-- Why a token does not permit an action; nil where it does. What stands below private/ needs the account.
local function token_fault(request, name, action)
  local claims, signature = (request.header.authorization or ""):match("^Bearer ([%w_-]+)%.([%w_-]+)$")
  if not claims then return "a token is required" end
  if base64.url_encode(hash.hmac("sha256", secret, claims)) ~= signature then return "the token is not of this registry" end
  local told = json.decode(base64.url_decode(claims))
  if told.ends < time.now() then return "the token has ended" end
  if not name then return nil end
  if name:match("^private/") and told.account == json.null then return "private/ needs the account user" end
  for scope in told.scope:gmatch("%S+") do
    local of, actions = scope:match("^repository:(.+):([%a,*]+)$")
    if of == name and (actions == "*" or ("," .. actions .. ","):find("," .. action .. ",", 1, true)) then return nil end
  end
  return "the token does not permit to " .. action .. " " .. name
end

local function challenge(request, name, action, reason)
  local value = ('Bearer realm="%s/token",service="registry"'):format(request.base)
  if name then value = value .. (',scope="repository:%s:%s"'):format(name, action == "pull" and "pull" or action == "delete" and "pull,push,delete" or "pull,push") end
  return fail(401, "UNAUTHORIZED", reason, { { ["WWW-Authenticate"] = value } })
end

-- Uploads.
local function finish(request, name, id, content)
  local digest = request.query.digest or ""
  local right = digest_of(digest, content)
  if not right then return fail(400, "DIGEST_INVALID", "digest is sha256 or sha512 and its hexadecimal digits") end
  if right ~= digest then return fail(400, "DIGEST_INVALID", "the content has the digest " .. right) end
  store("blob/" .. digest, content)
  if id then remove("upload/" .. id) end
  local own = repository(name)
  own.blobs[digest] = true
  keep(name, own)
  return empty(201, { { Location = request.base .. "/v2/" .. name .. "/blobs/" .. digest }, { ["Docker-Content-Digest"] = digest } })
end

local function place(request, name, id, size, status)
  return empty(status, {
    { Location = request.base .. "/v2/" .. name .. "/blobs/uploads/" .. id }, { Range = "0-" .. math.max(0, size - 1) },
    { ["Docker-Upload-UUID"] = id }, { ["OCI-Chunk-Min-Length"] = "0" },
  })
end

local function too_large(size) return size > most and fail(413, "SIZE_INVALID", "a blob has at most " .. most .. " bytes") end

local function begin(request, name)
  local content, from = request["body.coded"] or "", request.query.from
  local mounted = request.query.mount
  if mounted and from and repository(from).blobs[mounted] then
    local own = repository(name)
    own.blobs[mounted] = true
    keep(name, own)
    return empty(201, { { Location = request.base .. "/v2/" .. name .. "/blobs/" .. mounted }, { ["Docker-Content-Digest"] = mounted } })
  end
  if request.query.digest then return too_large(#content) or finish(request, name, nil, content) end
  local id = ("%d"):format(state.add("uploads"))
  store("upload/" .. id, "")
  return place(request, name, id, 0, 202)
end

local function upload(request, name, id)
  local before = stored("upload/" .. id)
  if not before or is_failing("upload-gone") then return fail(404, "BLOB_UPLOAD_UNKNOWN", "there is no upload " .. id) end
  if request.method == "GET" then return place(request, name, id, #before, 204) end
  if request.method == "DELETE" then
    remove("upload/" .. id)
    return empty(204)
  end
  local content = request["body.coded"] or ""
  local first, last = (request.header["content-range"] or ""):match("^(%d+)-(%d+)$")
  if request.header["content-range"] and (tonumber(first) ~= #before or tonumber(last) ~= #before + #content - 1) then
    return fail(416, "BLOB_UPLOAD_INVALID", "the chunk begins at " .. #before, { { Range = "0-" .. math.max(0, #before - 1) } })
  end
  local sum = before .. content
  if too_large(#sum) then return too_large(#sum) end
  if request.method == "PUT" then return finish(request, name, id, sum) end
  store("upload/" .. id, sum)
  return place(request, name, id, #sum, 202)
end

local function blobs(request, name, digest)
  local own, content = repository(name), blob(digest)
  if not content or not own.blobs[digest] then return fail(404, "BLOB_UNKNOWN", "there is no blob " .. digest) end
  if request.method == "DELETE" then
    own.blobs[digest] = nil
    keep(name, own)
    return empty(202)
  end
  local fields = { { ["Content-Type"] = "application/octet-stream" }, { ["Docker-Content-Digest"] = digest } }
  if request.method == "HEAD" then
    fields[#fields + 1] = { ["Content-Length"] = tostring(#content) }
    return { status = 200, headers = fields }
  end
  if is_failing("no-redirect") then return { status = 200, headers = fields, body = content, honours = "ranges" } end
  return empty(307, { { Location = request.base .. "/storage/" .. digest .. "?signed=" .. hash.hex(hash.hmac("sha256", secret, digest)):sub(1, 16) } })
end

-- The storage that a redirect leads to, of the same origin, so that clients may bring their token along.
local function storage(request, digest)
  local content = blob(digest)
  if not content or request.query.signed ~= hash.hex(hash.hmac("sha256", secret, digest)):sub(1, 16) then return fail(403, "DENIED", "the signature of the URL is wrong") end
  if request.header.authorization and is_failing("strict-storage") then return fail(400, "UNSUPPORTED", "a signed URL takes no Authorization") end
  if is_failing("other-bytes") then content = content:sub(1, -2) .. string.char((content:byte(-1) + 1) % 256) end
  return { status = 200, honours = "ranges", headers = { { ["Content-Type"] = "application/octet-stream" }, { ["Accept-Ranges"] = "bytes" } }, body = content }
end

-- The digest of a blob or manifest that a manifest names and the repository lacks; nil where all are there.
local function missing_of(own, value)
  local needed = { value.config }
  for _, layer in ipairs(type(value.layers) == "table" and value.layers or {}) do needed[#needed + 1] = layer end
  for _, one in ipairs(needed) do
    if type(one) == "table" and type(one.digest) == "string" and not own.blobs[one.digest] then return one.digest end
  end
  for _, one in ipairs(type(value.manifests) == "table" and value.manifests or {}) do
    if type(one) == "table" and type(one.digest) == "string" and not own.manifests[one.digest] then return one.digest end
  end
end

local function put_manifest(request, name, reference)
  local content, value = request["body.coded"] or "", request.json
  if type(value) ~= "table" or value.schemaVersion ~= 2 then return fail(400, "MANIFEST_INVALID", "a manifest is JSON with schemaVersion 2") end
  if #content > piece then return fail(413, "SIZE_INVALID", "a manifest has at most " .. piece .. " bytes") end
  local kind = request.header["content-type"] or ""
  if value.mediaType and value.mediaType ~= kind then return fail(400, "MANIFEST_INVALID", "Content-Type is " .. kind .. ", and mediaType is " .. tostring(value.mediaType)) end
  local digest, own = sha256(content), repository(name)
  if reference:find(":", 1, true) and reference ~= digest then return fail(400, "DIGEST_INVALID", "the manifest has the digest " .. digest) end
  local missing = missing_of(own, value)
  if missing then return fail(404, "MANIFEST_BLOB_UNKNOWN", "the manifest names " .. missing .. ", which the repository lacks") end
  store("manifest/" .. digest, content)
  local subject = type(value.subject) == "table" and value.subject.digest or nil
  own.manifests[digest] = {
    type = kind, size = #content, subject = subject, annotations = value.annotations,
    artifact = value.artifactType or type(value.config) == "table" and value.config.mediaType or nil,
  }
  if not reference:find(":", 1, true) then own.tags[reference] = digest end
  keep(name, own)
  local fields = { { Location = request.base .. "/v2/" .. name .. "/manifests/" .. digest }, { ["Docker-Content-Digest"] = digest } }
  if subject then fields[#fields + 1] = { ["OCI-Subject"] = subject } end
  return empty(201, fields)
end

local function accepts(request, kind)
  local accept = request.header.accept
  if not accept then return true end
  for item in accept:gmatch("[^,]+") do
    local one = item:match("^%s*([^;%s]+)")
    if one == kind or one == "*/*" or one == "application/*" then return true end
  end
  return false
end

local function manifests(request, name, reference)
  if request.method == "PUT" then return put_manifest(request, name, reference) end
  local own = repository(name)
  local digest = reference:find(":", 1, true) and reference or own.tags[reference]
  local known = digest and own.manifests[digest]
  if not known then return fail(404, "MANIFEST_UNKNOWN", "there is no manifest " .. reference) end
  if request.method == "DELETE" then
    if digest == reference then
      own.manifests[digest] = nil
      for tag, of in pairs(own.tags) do if of == digest then own.tags[tag] = nil end end
    else
      own.tags[reference] = nil
    end
    keep(name, own)
    return empty(202)
  end
  if not accepts(request, known.type) then return fail(404, "MANIFEST_UNKNOWN", "the manifest is a " .. known.type .. ", which Accept does not name") end
  local content = manifest_content(digest)
  local shown = is_failing("other-digest") and sha256("another") or digest
  local fields = { { ["Content-Type"] = known.type }, { ["Docker-Content-Digest"] = shown }, { ETag = '"' .. digest .. '"' } }
  if request.method == "HEAD" then
    fields[#fields + 1] = { ["Content-Length"] = tostring(#content) }
    return { status = 200, headers = fields }
  end
  return { status = 200, headers = fields, body = content, honours = "conditions" }
end

local function referrers(request, name, digest)
  if is_failing("no-referrers") then return fail(404, "NOT_FOUND", "there is no list of referrers") end
  local wanted, list = request.query.artifactType, json.array {}
  for of, known in pairs(repository(name).manifests) do
    if known and known.subject == digest and (not wanted or known.artifact == wanted) then
      list[#list + 1] = { mediaType = known.type, digest = of, size = known.size, artifactType = known.artifact, annotations = known.annotations }
    end
  end
  table.sort(list, function(one, other) return one.digest < other.digest end)
  local fields = { { ["Content-Type"] = index_type } }
  if wanted then fields[2] = { ["OCI-Filters-Applied"] = "artifactType" } end
  return { status = 200, headers = fields, body = json.encode { schemaVersion = 2, mediaType = index_type, manifests = list } }
end

local function tags(request, name)
  local all = {}
  for tag, digest in pairs(repository(name).tags) do if digest then all[#all + 1] = tag end end
  if #all == 0 then return fail(404, "NAME_UNKNOWN", "there is no repository " .. name) end
  table.sort(all)
  local count = math.min(tonumber(request.query.n or "") or tags_at_once, tags_at_once)
  local shown, after = json.array {}, request.query.last
  local fields = { { ["Content-Type"] = "application/json" } }
  for _, tag in ipairs(all) do
    if not after or tag > after then
      if #shown == count then
        if count > 0 then fields[2] = { Link = ('</v2/%s/tags/list?n=%d&last=%s>; rel="next"'):format(name, count, shown[count]) } end
        break
      end
      shown[#shown + 1] = tag
    end
  end
  return { status = 200, headers = fields, body = json.encode { name = name, tags = shown } }
end

local methods = {
  manifests = { GET = "pull", HEAD = "pull", PUT = "push", DELETE = "delete" }, blobs = { GET = "pull", HEAD = "pull", DELETE = "delete" },
  uploads = { POST = "push" }, upload = { GET = "push", PATCH = "push", PUT = "push", DELETE = "push" },
  referrers = { GET = "pull" }, tags = { GET = "pull" },
}

-- What a path asks for: its kind, the name of the repository, and the reference.
local function parsed(path)
  local name = path:match("^/v2/(.+)/blobs/uploads/?$")
  if name then return "uploads", name end
  local kinds = { upload = "^/v2/(.+)/blobs/uploads/(%d+)$", blobs = "^/v2/(.+)/blobs/(sha%d+:%x+)$", manifests = "^/v2/(.+)/manifests/([%w._:-]+)$",
    referrers = "^/v2/(.+)/referrers/(sha%d+:%x+)$" }
  for kind, pattern in pairs(kinds) do
    local of, reference = path:match(pattern)
    if of then return kind, of, reference end
  end
  return "tags", path:match("^/v2/(.+)/tags/list$")
end

local answers = { manifests = manifests, blobs = blobs, uploads = begin, upload = upload, referrers = referrers, tags = tags }

function oci(request)
  local path = request.path
  if path == "/token" then return token_reply(request) end
  local stored_digest = path:match("^/storage/(sha%d+:%x+)$")
  if stored_digest then return storage(request, stored_digest) end
  if path == "/v2" or path == "/v2/" then
    local reason = token_fault(request)
    if reason then return challenge(request, nil, nil, reason) end
    return { status = 200, headers = { ["Content-Type"] = "application/json", ["Docker-Distribution-Api-Version"] = "registry/2.0" }, body = "{}" }
  end
  local kind, name, reference = parsed(path)
  if not name or #name > 200 or not name:match("^[a-z0-9]+[a-z0-9._/-]*$") then return fail(404, "NAME_INVALID", "there is no " .. path) end
  local action = methods[kind][request.method]
  if not action then return fail(405, "UNSUPPORTED", "the method is none of this path") end
  local reason = is_failing("token-expired") and "the token has ended" or token_fault(request, name, action)
  if reason then return challenge(request, name, action, reason) end
  return answers[kind](request, name, reference)
end
