-- HLS (RFC 8216) with segments of MPEG audio, and ICY streams. All sound is silence: frames of MPEG-1 Layer III, 128 kbit/s, 44.1 kHz.

faults = {
  hole = "a segment is not there: 404", ["segment-busy"] = "503 to a segment, with Retry-After: 1", ["redirect-playlist"] = "302 to a playlist, to itself",
  ["redirect-segment"] = "302 to a segment, to itself", ["wrong-type"] = "a playlist is text/html", ["no-playlist"] = "a playlist has no #EXTM3U",
  stale = "a live playlist is an old one", ["segment-cut"] = "a segment breaks off in its middle",
}

local frame = "\xff\xfb\x90\x64" .. ("\0"):rep(413)
local frames = 38 -- of a segment: 0.993 s
local length = ("%.3f"):format(frames * 1152 / 44100)

local function text(status, words, fields) return { status = status, headers = fields or {}, body = words .. "\n" } end

local function playlist(request, lines)
  if is_failing("redirect-playlist") then return text(302, "once more", { Location = request.base .. request.target }) end
  if is_failing("no-playlist") then table.remove(lines, 1) end
  local kind = is_failing("wrong-type") and "text/html" or "application/vnd.apple.mpegurl"
  return { status = 200, headers = { ["Content-Type"] = kind, ["Cache-Control"] = "no-store" }, body = table.concat(lines, "\n") .. "\n" }
end

local function segment(request)
  if is_failing("hole") then return text(404, "the segment is not there") end
  if is_failing("segment-busy") then return text(503, "too busy", { ["Retry-After"] = "1" }) end
  if is_failing("redirect-segment") then return text(302, "once more", { Location = request.base .. request.target }) end
  local reply = { status = 200, honours = "ranges", headers = { ["Content-Type"] = "audio/mpeg", ["Accept-Ranges"] = "bytes" }, body = frame:rep(frames) }
  if is_failing("segment-cut") then reply.effects = { { at = "body " .. #reply.body // 2, ["do"] = "close" } } end
  return reply
end

local function master(suffix)
  local lines = { "#EXTM3U" }
  for _, rate in ipairs { 64000, 128000 } do
    lines[#lines + 1] = ('#EXT-X-STREAM-INF:BANDWIDTH=%d,CODECS="mp4a.40.34"'):format(rate)
    lines[#lines + 1] = (rate == 64000 and "low" or "high") .. ".m3u8" .. suffix
  end
  return lines
end

-- Three segments and an end.
local function whole(name, suffix)
  local lines = { "#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD" }
  for number = 0, 2 do
    lines[#lines + 1] = "#EXTINF:" .. length .. ","
    lines[#lines + 1] = name .. "-" .. number .. ".mp3" .. suffix
  end
  lines[#lines + 1] = "#EXT-X-ENDLIST"
  return lines
end

-- A window of three segments, which moves each second, and ends behind eight.
local function live()
  local now = time.now()
  local begun = tonumber(state.get("live") or "")
  if not begun then
    begun = now
    state.set("live", tostring(now))
  end
  local last = math.min(math.floor(now - begun) + 2, 7)
  if is_failing("stale") then last = 2 end
  local lines = { "#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:" .. last - 2 }
  for number = last - 2, last do
    lines[#lines + 1] = "#EXTINF:" .. length .. ","
    lines[#lines + 1] = "live-" .. number .. ".mp3"
  end
  if last == 7 then lines[#lines + 1] = "#EXT-X-ENDLIST" end
  return lines
end

-- Sound of three seconds, with what is played between each 4,096 bytes where the client asks for it by Icy-MetaData.
local function radio(request, statusLine)
  local sound, every = frame:rep(frames * 3), 4096
  local head = { statusLine, "Content-Type: audio/mpeg", "icy-name: Proctor", "icy-br: 128" }
  if request.header["icy-metadata"] == "1" then
    head[#head + 1] = "icy-metaint: " .. every
    local parts = {}
    for first = 1, #sound, every do
      local piece = sound:sub(first, first + every - 1)
      parts[#parts + 1] = piece
      if #piece == every then
        local title = first == 1 and "StreamTitle='Silence';" or ""
        local blocks = (#title + 15) // 16
        parts[#parts + 1] = string.char(blocks) .. title .. ("\0"):rep(blocks * 16 - #title)
      end
    end
    sound = table.concat(parts)
  end
  head[#head + 1] = "Connection: close"
  return { raw = table.concat(head, "\r\n") .. "\r\n\r\n" .. sound, effects = { { at = "end", ["do"] = "close" } } }
end

function media(request)
  if request.method ~= "GET" and request.method ~= "HEAD" then return text(405, "media are read", { Allow = "GET, HEAD" }) end
  local path = request.path
  if path == "/icy" then return radio(request, "ICY 200 OK") end
  if path == "/radio" then return radio(request, "HTTP/1.0 200 OK") end
  local place, name = path:match("^/(%l+)/([%w-]+%.%w+)$")
  if place == "live" then
    if name == "live.m3u8" then return playlist(request, live()) end
    if name:match("^live%-%d+%.mp3$") then return segment(request) end
  elseif place == "hls" or place == "cookie" or place == "token" then
    -- With a cookie or a token the master gives it, and nothing else is there without it.
    if name == "master.m3u8" then
      local reply = playlist(request, master(place == "token" and "?token=secret" or ""))
      if place == "cookie" and reply.status == 200 then reply.headers["Set-Cookie"] = "media=secret; Path=/cookie" end
      return reply
    end
    if place == "cookie" and request.cookie.media ~= "secret" or place == "token" and request.query.token ~= "secret" then return text(403, "the " .. place .. " of the master is missing") end
    local rate = name:match("^(%l+)%.m3u8$")
    if rate == "low" or rate == "high" then return playlist(request, whole(rate, place == "token" and "?token=secret" or "")) end
    if name:match("^low%-[0-2]%.mp3$") or name:match("^high%-[0-2]%.mp3$") then return segment(request) end
  end
  return text(404, "there is no " .. path .. "; there are /hls/master.m3u8, also below /cookie and /token, /live/live.m3u8, /icy and /radio")
end
