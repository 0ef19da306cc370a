-- /digest-auth: Digest (RFC 7616) with its user and password in the path, whose nonces get stale by cookies.

local captures = request.captures
local qop, algorithm, stale = "", "", ""

-- In hexadecimal, by the algorithm; one that httpbin does not know is MD5.
local function hashed(text, by)
  if by == "SHA-256" then return hash.hex(hash.sha256(text)) end
  if by == "SHA-512" then return hash.hex(hash.sha512(text)) end
  return hash.hex(hash.md5(text))
end

local function put_cookie(page, name, value)
  page.fields[#page.fields + 1] = { "Set-Cookie", cookie(nil, name, value) }
end

-- A 401 with a new nonce.
local function challenge(isStale, lastNonce)
  local nonce = hashed(origin_of(request) .. ":" .. time.now() .. ":" .. random_hex(20), algorithm)
  local opaque = hashed(random_hex(20), algorithm)
  local form = 'Digest realm="me@kennethreitz.com", nonce="%s", opaque="%s", qop="%s", algorithm=%s, stale=%s'
  local value = form:format(nonce, opaque, qop or "auth, auth-int", algorithm, isStale and "True" or "False")
  local page = reply(401, "", nil, { { "WWW-Authenticate", value } })
  put_cookie(page, "stale_after", stale)
  if lastNonce then put_cookie(page, "last_nonce", lastNonce) end
  put_cookie(page, "fake", "fake_value")
  return page
end

-- The response that the credentials must have (RFC 7616 §3.4.1); an exception where a parameter is missing.
local function wanted(given, user, password)
  local by = given.algorithm
  if not given.username then error(exception, 0) end
  local secret = hashed(given.username .. ":" .. (given.realm or "") .. ":" .. password, by)
  -- httpbin joins a text and bytes here, which Python refuses: with a query there is no answer but 500.
  if request.target:find("%?.") then error(exception, 0) end
  local uri = path_of(request)
  local message = request.method .. ":" .. uri
  if given.qop == "auth-int" then
    message = message .. ":" .. hashed(request["body.coded"] or "", by)
  elseif given.qop and given.qop ~= "auth" then
    error(exception, 0)
  end
  message = hashed(message, by)
  if not given.qop then return hashed(secret .. ":" .. (given.nonce or "") .. ":" .. message, by) end
  if not (given.nonce and given.nc and given.cnonce) then error(exception, 0) end
  return hashed(table.concat({ secret, given.nonce, given.nc, given.cnonce, given.qop, message }, ":"), by)
end

return serve(request, "GET", function()
  local user, password = segment(request, "user"), segment(request, "password")
  qop = segment(request, "qop")
  if qop ~= "auth" and qop ~= "auth-int" then qop = nil end
  algorithm = captures.algorithm ~= "" and segment(request, "algorithm") or "MD5"
  if algorithm ~= "SHA-256" and algorithm ~= "SHA-512" then algorithm = "MD5" end
  stale = captures.stale ~= "" and segment(request, "stale") or "never"

  local asked = (argument(request, "require-cookie") or ""):lower()
  local needsCookie = asked == "1" or asked == "t" or asked == "true"
  local given, scheme = parameters_of(request)
  if not given or scheme ~= "digest" or needsCookie and not joined_field(request, "Cookie") then
    return challenge(false)
  end
  local cookies = cookies_of(request).values
  if needsCookie and cookies.fake ~= "fake_value" then
    local page = json_reply({ errors = json.array { "missing cookie set on challenge" } }, 403)
    put_cookie(page, "fake", "fake_value")
    return page
  end
  local nonce, left = given.nonce, cookies.stale_after
  if cookies.last_nonce and nonce == cookies.last_nonce or left == "0" then
    return challenge(true, raise_nil(nonce))
  end
  if given.response ~= wanted(given, user, password) then return challenge(false, raise_nil(nonce)) end
  local page = json_reply { authenticated = true, user = user }
  put_cookie(page, "fake", "fake_value")
  if left and left ~= "" then
    local count = integer(left)
    put_cookie(page, "stale_after", count and tostring(count - 1) or "never")
  end
  return page
end)
