-- The reply that httpbin has for a status, and the teapot of 418.

local teapot = [[

      -=[ teapot ]=-

            ( ) ( )
          ____(_)____
      __ /           \__
     /  |             | \
     \_ |             |  |
       \|             |_/
         \___________/
        '-------------'
]]

local media = json.array { "image/webp", "image/svg+xml", "image/jpeg", "image/png", "image/*" }

function status_page(status)
  if status == 301 or status == 302 or status == 303 or status == 305 or status == 307 then
    return bare_reply(status, "", { { "Location", "/redirect/1" } })
  elseif status == 401 then
    return bare_reply(status, "", { { "WWW-Authenticate", 'Basic realm="Fake Realm"' } })
  elseif status == 402 then
    return bare_reply(status, "Payment required.", { { "x-more-info", "http://vimeo.com/22053820" } })
  elseif status == 406 then
    local text = new_map()
    text:set("message", "Client did not request a supported media type.")
    text:set("accept", media)
    return bare_reply(status, dumped(text), { { "Content-Type", "application/json" } })
  elseif status == 407 then
    return bare_reply(status, "", { { "Proxy-Authenticate", 'Basic realm="Fake Realm"' } })
  elseif status == 418 then
    return bare_reply(status, teapot, { { "x-more-info", "http://tools.ietf.org/html/rfc2324" } })
  end
  return reply(status, "")
end
