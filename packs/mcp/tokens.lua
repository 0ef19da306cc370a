-- An authorization server for /private/mcp: discovery (RFC 9728, RFC 8414), registration (RFC 7591), codes with PKCE (RFC 7636), refresh.

local secret, lifetime = "proctor", 300

local function encoded(value) return (value:gsub("[^%w%-._~]", function(byte) return ("%%%02X"):format(byte:byte()) end)) end

local function json_reply(status, value, fields)
  local headers = { { ["Content-Type"] = "application/json" }, { ["Cache-Control"] = "no-store" } }
  for _, field in ipairs(fields or {}) do headers[#headers + 1] = field end
  return { status = status, headers = headers, body = json.encode(value) }
end

local function signed(claims)
  local text = base64.url_encode(json.encode(claims))
  return text .. "." .. base64.url_encode(hash.hmac("sha256", secret, text))
end

local function claims_of(token)
  local text, signature = (token or ""):match("^([%w_-]+)%.([%w_-]+)$")
  if not text or base64.url_encode(hash.hmac("sha256", secret, text)) ~= signature then return nil end
  local claims = json.decode(base64.url_decode(text))
  return claims.ends > time.now() and claims or nil
end

local function metadata(base)
  return {
    issuer = base, authorization_endpoint = base .. "/authorize", token_endpoint = base .. "/token", registration_endpoint = base .. "/register",
    response_types_supported = json.array { "code" }, grant_types_supported = json.array { "authorization_code", "refresh_token" },
    code_challenge_methods_supported = json.array { "S256" }, token_endpoint_auth_methods_supported = json.array { "none", "client_secret_post", "client_secret_basic" },
    scopes_supported = json.array { "mcp" },
  }
end

local function wrong(code, text) return json_reply(400, { error = code, error_description = text }) end

-- The resource owner permits everything: the code comes at once.
local function authorize(request)
  local query = request.query
  if not query.redirect_uri then return wrong("invalid_request", "redirect_uri is missing") end
  local back = query.redirect_uri .. (query.redirect_uri:find("?", 1, true) and "&" or "?")
  local state_part = query.state and "&state=" .. encoded(query.state) or ""
  local function refuse(code) return { status = 302, headers = { Location = back .. "error=" .. code .. state_part } } end
  if query.response_type ~= "code" then return refuse("unsupported_response_type") end
  if query.code_challenge_method ~= "S256" or not query.code_challenge then return refuse("invalid_request") end
  if query.resource ~= request.base .. "/private/mcp" then return refuse("invalid_target") end
  local code = signed { challenge = query.code_challenge, redirect = query.redirect_uri, number = state.add("codes"), ends = math.floor(time.now()) + 60 }
  return { status = 302, headers = { Location = back .. "code=" .. encoded(code) .. state_part } }
end

local function tokens(resource)
  local ends = math.floor(time.now()) + lifetime
  return json_reply(200, {
    access_token = signed { use = "access", resource = resource, ends = ends }, token_type = "Bearer", expires_in = lifetime, scope = "mcp",
    refresh_token = signed { use = "refresh", resource = resource, ends = ends + 3600 },
  })
end

local function token(request)
  local form = request.form or {}
  if form.grant_type == "refresh_token" then
    local claims = claims_of(form.refresh_token)
    return claims and claims.use == "refresh" and tokens(claims.resource) or wrong("invalid_grant", "the refresh token is none, or has ended")
  end
  if form.grant_type ~= "authorization_code" then return wrong("unsupported_grant_type", "there are authorization_code and refresh_token") end
  local claims = claims_of(form.code)
  if not claims or not claims.challenge then return wrong("invalid_grant", "the code is none, or has ended") end
  if state.get("code/" .. claims.number) then return wrong("invalid_grant", "the code was used") end
  if form.redirect_uri ~= claims.redirect then return wrong("invalid_grant", "redirect_uri is another than that of the code") end
  if base64.url_encode(hash.sha256(form.code_verifier or "")) ~= claims.challenge then return wrong("invalid_grant", "code_verifier does not fit") end
  if form.resource ~= request.base .. "/private/mcp" then return wrong("invalid_target", "resource is that of the server (RFC 8707)") end
  state.set("code/" .. claims.number, "used")
  return tokens(form.resource)
end

-- The reply to a call of the authorization server; nil for any other request.
function token_call(request)
  local path, base = request.path, request.base
  if path == "/.well-known/oauth-protected-resource/private/mcp" then
    return json_reply(200, { resource = base .. "/private/mcp", authorization_servers = json.array { base }, scopes_supported = json.array { "mcp" }, bearer_methods_supported = json.array { "header" } })
  elseif path == "/.well-known/oauth-authorization-server" then
    return json_reply(200, metadata(base))
  elseif path == "/register" and request.method == "POST" then
    local asked = request.json
    if type(asked) ~= "table" or type(asked.redirect_uris) ~= "table" then return wrong("invalid_client_metadata", "redirect_uris is missing") end
    asked.client_id = ("client-%d"):format(state.add("clients"))
    asked.client_id_issued_at = math.floor(time.now())
    asked.token_endpoint_auth_method = asked.token_endpoint_auth_method or "none"
    return json_reply(201, asked)
  elseif path == "/authorize" and request.method == "GET" then
    return authorize(request)
  elseif path == "/token" and request.method == "POST" then
    return token(request)
  end
end

-- The refusal of a request without a token of the server; nil where it has one.
function token_refusal(request)
  local claims = claims_of((request.header.authorization or ""):match("^Bearer (%S+)$"))
  local isExpired = is_failing("token-expired")
  if claims and claims.use == "access" and claims.resource == request.base .. "/private/mcp" and not isExpired then return nil end
  local value = ('Bearer resource_metadata="%s/.well-known/oauth-protected-resource/private/mcp", scope="mcp"'):format(request.base)
  if request.header.authorization then value = value .. ', error="invalid_token"' end
  return json_reply(401, { error = "invalid_token" }, { { ["WWW-Authenticate"] = value } })
end
