-- Feeds by the name of their path, the same entries in three forms, and a new entry at each POST /entries.

faults = { ["wrong-length"] = "the feed is one byte longer than its Content-Length says", ["no-feed"] = "the content is no XML" }

local first = 1767225600 -- 1 January 2026
local forms = {
  rss = { "application/rss+xml; charset=utf-8" }, atom = { "application/atom+xml; charset=utf-8" }, json = { "application/feed+json" },
}

local function rfc3339(seconds)
  -- Days since 1970 to a date of the Gregorian calendar.
  local days, rest = seconds // 86400, seconds % 86400
  local z = days + 719468
  local era = z // 146097
  local doe = z - era * 146097
  local yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
  local doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
  local mp = (5 * doy + 2) // 153
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  return ("%04d-%02d-%02dT%02d:%02d:%02dZ"):format(year, month, doy - (153 * mp + 2) // 5 + 1, rest // 3600, rest // 60 % 60, rest % 60)
end

local function count_of() return tonumber(state.get("entries") or "2") end

local function entries(base)
  local list = {}
  for number = count_of(), 1, -1 do
    list[#list + 1] = {
      id = base .. "/entry/" .. number, title = "Entry " .. number, text = "The text of entry " .. number .. ".", at = first + number * 3600,
    }
  end
  return list
end

local function rss(base)
  local items = {}
  for _, entry in ipairs(entries(base)) do
    items[#items + 1] = ("<item><guid>%s</guid><link>%s</link><title>%s</title><description>%s</description><pubDate>%s</pubDate></item>")
      :format(entry.id, entry.id, entry.title, entry.text, time.http(entry.at))
  end
  return ('<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>A feed</title><link>%s/</link><description>Entries by number</description><ttl>60</ttl>%s</channel></rss>\n')
    :format(base, table.concat(items))
end

local function atom(base)
  local items = {}
  for _, entry in ipairs(entries(base)) do
    items[#items + 1] = ('<entry><id>%s</id><link href="%s"/><title>%s</title><summary>%s</summary><updated>%s</updated></entry>')
      :format(entry.id, entry.id, entry.title, entry.text, rfc3339(entry.at))
  end
  return ('<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>%s/</id><title>A feed</title><author><name>Proctor</name></author><link rel="self" href="%s/atom"/><updated>%s</updated>%s</feed>\n')
    :format(base, base, rfc3339(first + count_of() * 3600), table.concat(items))
end

local function json_feed(base)
  local items = json.array {}
  for _, entry in ipairs(entries(base)) do
    items[#items + 1] = { id = entry.id, url = entry.id, title = entry.title, content_text = entry.text, date_published = rfc3339(entry.at) }
  end
  return json.encode { version = "https://jsonfeed.org/version/1.1", title = "A feed", home_page_url = base .. "/", feed_url = base .. "/json", items = items }
end

local makers = { rss = rss, atom = atom, json = json_feed }

local function page(form, base, more)
  local body = makers[form](base)
  local reply = {
    status = 200, honours = "conditions", body = body,
    headers = {
      { ["Content-Type"] = forms[form][1] }, { ETag = '"' .. form .. "-" .. count_of() .. '"' },
      { ["Last-Modified"] = time.http(first + count_of() * 3600) }, { ["Cache-Control"] = "max-age=0" },
    },
  }
  for name, value in pairs(more or {}) do reply.headers[#reply.headers + 1] = { [name] = value } end
  if is_failing("no-feed") then reply.body = "Warning: a template failed\n" end
  if is_failing("wrong-length") then reply.headers[#reply.headers + 1] = { ["Content-Length"] = tostring(#reply.body - 1) } end
  return reply
end

local function text(status, words, fields) return { status = status, headers = fields or {}, body = words .. "\n" } end

-- Within ten seconds of its last request a feed of /limited/ is asked for too often.
local function limited(form, request)
  local now = time.now()
  local last = tonumber(state.get("limited") or "0")
  state.set("limited", tostring(now))
  if now - last < 10 then return text(429, "once in ten seconds", { ["Retry-After"] = "10" }) end
  return page(form, request.base)
end

function feed(request)
  local path, base = request.path, request.base
  if path == "/entries" then
    if request.method ~= "POST" then return text(405, "an entry is made by POST", { Allow = "POST" }) end
    if count_of() >= 1000 then return text(409, "a feed has at most 1000 entries") end
    state.set("entries", tostring(count_of() + 1))
    return text(201, "entry " .. count_of())
  end
  if request.method ~= "GET" and request.method ~= "HEAD" then return text(405, "a feed is read", { Allow = "GET, HEAD" }) end
  local number = path:match("^/entry/(%d+)$")
  if number and tonumber(number) <= count_of() and tonumber(number) >= 1 then
    return text(200, "<!doctype html><title>Entry " .. number .. "</title><p>The text of entry " .. number .. ".", { ["Content-Type"] = "text/html; charset=utf-8" })
  end
  local place, form = path:match("^/?([%w-]*)/([a-z]+)$")
  if not form then place, form = "", path:match("^/([a-z]+)$") end
  if not form or not forms[form] then return text(404, "there is no " .. path .. "; there are /rss, /atom and /json, also behind /moved, /found, /gone, /limited, /private and /plain-type") end
  if place == "" then return page(form, base) end
  if place == "moved" then return text(301, "it has moved for good", { Location = base .. "/" .. form }) end
  if place == "found" then return text(302, "it is elsewhere today", { Location = base .. "/" .. form }) end
  if place == "gone" then return text(410, "it has ended for good") end
  if place == "limited" then return limited(form, request) end
  if place == "plain-type" then
    local reply = page(form, base)
    reply.headers[1] = { ["Content-Type"] = "text/plain" }
    return reply
  end
  if place == "private" then
    if request.header.authorization ~= "Basic " .. base64.encode("user:password") then
      return text(401, "user and password", { ["WWW-Authenticate"] = 'Basic realm="feed"' })
    end
    return page(form, base, { Vary = "Authorization" })
  end
  return text(404, "there is no " .. path)
end
