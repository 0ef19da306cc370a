-- The Authorization field as Werkzeug reads it, and Basic.

local function is_base64(text)
  return #text % 4 == 0 and text:find("^[%w+/]*=?=?$") and not text:find("^=+$")
end

-- User and password of Basic credentials; nil where they are none.
local function user_of(request)
  local scheme, rest = (joined_field(request, "Authorization") or ""):match("^([^ ]*) ?(.*)$")
  rest = rest:match("^[ \t]*(.-)[ \t]*$")
  if scheme:lower() ~= "basic" or not is_base64(rest) then return nil end
  local isRead, text = pcall(base64.decode, rest)
  if not isRead or not is_text(text) then return nil end
  local user, password = text:match("^([^:]*):?(.*)$")
  return user, password
end

-- A view that wants the user and the password of the path.
function basic(request, refusal)
  return serve(request, "GET", function()
    local user, password = segment(request, "user"), segment(request, "password")
    local givenUser, givenPassword = user_of(request)
    if givenUser ~= user or givenPassword ~= password then return status_page(refusal) end
    return json_reply { authenticated = true, user = user }
  end)
end

-- The parameters of credentials of a scheme; nil where the field is not there.
function parameters_of(request)
  local value = joined_field(request, "Authorization")
  if not value or value == "" then return nil end
  local scheme, rest = value:match("^([^ ]*) ?(.*)$")
  local all, at = {}, 1
  rest = rest:match("^[ \t]*(.-)[ \t]*$")
  while at <= #rest do
    local _, last, name = rest:find("^[%s,]*([^=,]+)", at)
    if not name then break end
    name = name:match("^%s*(.-)%s*$")
    at = last + 1
    if rest:sub(at, at) == "=" then
      local _, final, text = rest:find('^=%s*"([^"\\]*)"', at)
      if not final then
        _, final, text = rest:find('^=%s*"(.-[^\\])"', at)
        text = text and text:gsub("\\(.)", "%1")
      end
      if not final then _, final, text = rest:find("^=%s*([^,]*)", at) end
      all[name] = text:match("^%s*(.-)%s*$")
      at = (rest:find(",", final + 1, true) or #rest) + 1
    end
  end
  return all, scheme:lower()
end
