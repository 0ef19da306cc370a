-- The library `faults`, which a fixture names by that word: faults by name, which a client asks for. POST /_fault/NAME?times=N has the
-- next N replies that it is about go wrong (one where N is left out), and DELETE /_fault ends all. What a fixture has of its own it
-- names in `faults` with a sentence.

common_faults = {
  busy = "503 with Retry-After: 1",
  ["too-many"] = "429 with Retry-After: 1",
  reset = "the connection is reset before the head",
  cut = "the content breaks off in its middle",
  slow = "the head comes a second late",
  ["error-page"] = "200 with a page of HTML that says that something went wrong",
}

local bound = 1000

-- Whether the next reply is to go wrong so; counts it.
function is_failing(name)
  if (tonumber(state.get("fault/" .. name) or "0") or 0) <= 0 then return false end
  return state.add("fault/" .. name, -1) >= 0
end

local function known_faults()
  local names = {}
  for name, text in pairs(common_faults) do names[#names + 1] = name .. ": " .. text end
  for name, text in pairs(faults or {}) do names[#names + 1] = name .. ": " .. text end
  table.sort(names)
  return table.concat(names, "\n") .. "\n"
end

local function plain(status, text) return { status = status, headers = { ["Content-Type"] = "text/plain; charset=utf-8" }, body = text } end

-- The reply to a call of /_fault, which a pack asks before all else; nil for any other request.
function fault_reply(request)
  local name = request.path:match("^/_fault/?([^?]*)")
  if not name then return nil end
  local isKnown = common_faults[name] or (faults or {})[name]
  if request.method == "GET" then return plain(200, known_faults()) end
  if request.method == "DELETE" then
    for known in pairs(common_faults) do state.set("fault/" .. known, nil) end
    for known in pairs(faults or {}) do state.set("fault/" .. known, nil) end
    return { status = 204 }
  end
  if request.method ~= "POST" then return plain(405, "a fault is set by POST, and all are ended by DELETE /_fault\n") end
  if not isKnown then return plain(404, "there is no fault '" .. name .. "'; there are\n" .. known_faults()) end
  local times = tonumber(request.query.times or "1")
  if not times or times < 1 or times > bound or times % 1 ~= 0 then
    return plain(400, "times is a whole number of 1 to " .. bound .. "\n")
  end
  state.set("fault/" .. name, ("%d"):format(times))
  return { status = 204 }
end

-- The reply of a pack, with the common faults that were asked for.
function with_faults(request, make)
  local call = fault_reply(request)
  if call then return call end
  if is_failing("busy") then return { status = 503, headers = { ["Retry-After"] = "1" }, body = "too busy\n" } end
  if is_failing("too-many") then return { status = 429, headers = { ["Retry-After"] = "1" }, body = "too many\n" } end
  if is_failing("reset") then return { effects = { { at = "head", ["do"] = "reset" } } } end
  if is_failing("error-page") then
    return { status = 200, headers = { ["Content-Type"] = "text/html" }, body = "<!doctype html><title>Error</title><p>Something went wrong.\n" }
  end
  if is_failing("slow") then wait(1) end
  local reply = make(request)
  if request.method == "GET" and reply.status and reply.status < 300 and type(reply.body) == "string" and #reply.body > 1 and is_failing("cut") then
    reply.effects = { { at = "body " .. #reply.body // 2, ["do"] = "close" } }
  end
  return reply
end
