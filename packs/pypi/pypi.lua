-- The simple API (PEP 503, PEP 691) with metadata of its own (PEP 658), and wheels that are made when they are asked for.

faults = {
  ["other-bytes"] = "a file has other bytes than its hash says",
  ["no-ranges"] = "a file is sent whole, whatever Range asks for",
  ["other-metadata"] = "the metadata beside a wheel has another hash",
  ["no-json"] = "the page is HTML, whatever Accept asks for",
}

-- Name, version, requirement of Python, what it depends on, and why it was withdrawn.
local releases = {
  { "proctor-hello", "1.0", ">=3.7", {} }, { "proctor-hello", "2.0", ">=3.7", { "proctor-base>=1" } },
  { "proctor-hello", "2.1", ">=99", {} }, { "proctor-hello", "3.0", ">=3.7", {}, "it says goodbye" },
  { "proctor-base", "1.0", ">=3.7", {} }, { "proctor-base", "1.1", ">=3.7", {} },
  { "proctor-large", "1.0", ">=3.7", {} },
}

local function normal(name) return (name:lower():gsub("[-_.]+", "-")) end

local function metadata_of(release)
  local lines = { "Metadata-Version: 2.1", "Name: " .. release[1], "Version: " .. release[2], "Requires-Python: " .. release[3] }
  for _, need in ipairs(release[4]) do lines[#lines + 1] = "Requires-Dist: " .. need end
  return table.concat(lines, "\n") .. "\n"
end

local function file_of(release) return release[1]:gsub("-", "_") .. "-" .. release[2] .. "-py3-none-any.whl" end

local function wheel_of(release)
  local module = release[1]:gsub("-", "_")
  local folder = module .. "-" .. release[2] .. ".dist-info/"
  local files = {
    { module .. ".py", 'VERSION = "' .. release[2] .. '"\n' },
    { folder .. "METADATA", metadata_of(release) },
    { folder .. "WHEEL", "Wheel-Version: 1.0\nGenerator: proctor\nRoot-Is-Purelib: true\nTag: py3-none-any\n" },
  }
  if release[1] == "proctor-large" then table.insert(files, 2, { module .. ".txt", ("a line of a large file\n"):rep(20000) }) end
  local record = {}
  for _, file in ipairs(files) do
    record[#record + 1] = file[1] .. ",sha256=" .. base64.url_encode(hash.sha256(file[2])) .. "," .. #file[2]
  end
  files[#files + 1] = { folder .. "RECORD", table.concat(record, "\n") .. "\n" .. folder .. "RECORD,,\n" }
  return zip_of(files)
end

local function sha256(text) return hash.hex(hash.sha256(text)) end

local function metadata_hash(release)
  return sha256(metadata_of(release) .. (is_failing("other-metadata") and "\n" or ""))
end

local function text(status, words, fields) return { status = status, headers = fields or {}, body = words .. "\n" } end

local html_type, json_type = "application/vnd.pypi.simple.v1+html", "application/vnd.pypi.simple.v1+json"

-- The form that Accept prefers, by its weights (RFC 9110 §12.5.1): "json", "html", or nil where neither is accepted.
local function form_of(request)
  local accept = request.header.accept or "*/*"
  local weights = {}
  for item in accept:gmatch("[^,]+") do
    local kind = item:match("^%s*([^;%s]+)")
    if kind then weights[kind:lower()] = tonumber(item:match(";%s*q=([%d.]+)")) or 1 end
  end
  local any = weights["*/*"] or 0
  local asJSON = weights[json_type] or weights["application/vnd.pypi.simple.latest+json"] or 0
  local asHTML = math.max(weights[html_type] or 0, weights["application/vnd.pypi.simple.latest+html"] or 0, weights["text/html"] or 0, weights["text/*"] or 0, any)
  if asJSON == 0 and asHTML == 0 then return nil end
  return asJSON > asHTML and not is_failing("no-json") and "json" or "html"
end

local function page(form, value, body)
  local content = form == "json" and json.encode(value) or "<!doctype html>\n<html><head><meta name=\"pypi:repository-version\" content=\"1.1\"><title>Simple index</title></head><body>\n" .. body .. "</body></html>\n"
  return {
    status = 200, honours = "conditions", body = content,
    headers = {
      { ["Content-Type"] = form == "json" and json_type or "text/html; charset=utf-8" }, { ETag = '"' .. sha256(content):sub(1, 16) .. '"' },
      { ["Cache-Control"] = "max-age=0" }, { Vary = "Accept" },
    },
  }
end

local function escaped(value) return (value:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"):gsub('"', "&quot;")) end

local function list_page(form)
  local names, seen, lines = json.array {}, {}, {}
  for _, release in ipairs(releases) do
    if not seen[release[1]] then
      seen[release[1]] = true
      names[#names + 1] = { name = release[1] }
      lines[#lines + 1] = ('<a href="%s/">%s</a><br>\n'):format(release[1], release[1])
    end
  end
  return page(form, { meta = { ["api-version"] = "1.1" }, projects = names }, table.concat(lines))
end

local function project_page(form, name, base)
  local files, versions, lines = json.array {}, json.array {}, {}
  for _, release in ipairs(releases) do
    if release[1] == name then
      local wheel, file = wheel_of(release), file_of(release)
      local url, digest, meta = base .. "/files/" .. file, sha256(wheel), metadata_hash(release)
      versions[#versions + 1] = release[2]
      files[#files + 1] = {
        filename = file, url = url, hashes = { sha256 = digest }, size = #wheel, ["requires-python"] = release[3],
        yanked = release[5] or false, ["core-metadata"] = { sha256 = meta },
      }
      lines[#lines + 1] = ('<a href="%s#sha256=%s" data-requires-python="%s" data-core-metadata="sha256=%s" data-dist-info-metadata="sha256=%s"%s>%s</a><br>\n')
        :format(url, digest, escaped(release[3]), meta, meta, release[5] and ' data-yanked="' .. escaped(release[5]) .. '"' or "", file)
    end
  end
  if #files == 0 then return nil end
  return page(form, { meta = { ["api-version"] = "1.1" }, name = name, versions = versions, files = files }, table.concat(lines))
end

local function file_reply(name)
  for _, release in ipairs(releases) do
    local file = file_of(release)
    if name == file .. ".metadata" then
      return { status = 200, headers = { ["Content-Type"] = "text/plain; charset=utf-8" }, body = metadata_of(release) }
    elseif name == file then
      local wheel = wheel_of(release)
      if is_failing("other-bytes") then wheel = wheel:sub(1, -2) .. "\1" end
      local hasRanges = not is_failing("no-ranges")
      return {
        status = 200, honours = hasRanges and { "ranges", "conditions" } or { "conditions" }, body = wheel,
        headers = {
          { ["Content-Type"] = "application/octet-stream" }, { ETag = '"' .. sha256(wheel):sub(1, 16) .. '"' },
          { ["Accept-Ranges"] = hasRanges and "bytes" or "none" },
        },
      }
    end
  end
end

function pypi(request)
  if request.method ~= "GET" and request.method ~= "HEAD" then return text(405, "an index is read", { Allow = "GET, HEAD" }) end
  local path, base = request.path, request.base
  local rest = path:match("^/private(/.*)$")
  if rest then
    if request.header.authorization ~= "Basic " .. base64.encode("user:password") then
      return text(401, "user and password", { ["WWW-Authenticate"] = 'Basic realm="pypi"' })
    end
    path, base = rest, base .. "/private"
  end
  local file = path:match("^/files/([%w._-]+)$")
  if file then return file_reply(file) or text(404, "there is no file " .. file) end
  if path == "/simple" then return text(301, "the index has a slash at its end", { Location = base .. "/simple/" }) end
  local name = path:match("^/simple/([%w._-]*)/?$")
  if not name then return text(404, "there is no " .. path .. "; there are /simple/ and /files/, and both behind /private") end
  local form = form_of(request)
  if not form then return text(406, "there are " .. json_type .. ", " .. html_type .. " and text/html") end
  if name == "" then return list_page(form) end
  if path ~= "/simple/" .. normal(name) .. "/" then return text(301, "its name is normalized", { Location = base .. "/simple/" .. normal(name) .. "/" }) end
  return project_page(form, name, base) or text(404, "there is no project " .. name)
end
