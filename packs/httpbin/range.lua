-- /range/N: N bytes of the alphabet, of which one range can be asked for.

local count = number_segment(request, "count")

-- First and last byte of a Range field as httpbin reads it; one that it can't read is none.
local function range_of(value)
  local first, last
  value = value and value:match("^%s*(.-)%s*$")
  if value and value:sub(1, 5) == "bytes" then
    local parts = {}
    for part in (value .. "="):gmatch("(.-)=") do parts[#parts + 1] = part end
    if #parts == 2 then
      local left, right = parts[2]:match("^([^-]*)%-([^-]*)")
      first, last = integer(left or parts[2]), right and integer(right)
    end
  end
  if not first and not last then return 0, count - 1 end
  if not first then return math.max(0, count - last), count - 1 end
  return first, last or count - 1
end

return serve(request, "GET", function()
  local tag = { "ETag", "range" .. digits_of(request, "count") }
  local ranges = { "Accept-Ranges", "bytes" }
  if count <= 0 or count > 102400 then
    return bare_reply(404, "number of bytes must be in the range (0, 102400]",
      { tag, ranges, { "Content-Type", "text/plain; charset=utf-8" } })
  end
  local size = chunk_size(request)
  local duration = raise_nil(real(argument(request, "duration") or "0"))
  local first, last = range_of(joined_field(request, "Range"))
  if first > last or first < 0 or last >= count then
    return bare_reply(416, "", {
      tag, ranges, { "Content-Range", "bytes */" .. count }, { "Content-Type", "text/plain; charset=utf-8" },
    })
  end
  local alphabet = "abcdefghijklmnopqrstuvwxyz"
  local length = last - first + 1
  local text = alphabet:rep((first % 26 + length) // 26 + 1):sub(first % 26 + 1, first % 26 + length)
  local isWhole = first == 0 and last == count - 1
  local page = reply(isWhole and 200 or 206, text, "application/octet-stream", {
    tag, ranges, { "Content-Range", ("bytes %d-%d/%d"):format(first, last, count) },
  })
  -- Each chunk has its time; the last one comes behind its own, a whole one before it.
  local pause = duration / count
  if pause < 0 then error(exception, 0) end
  if length < size then sleep(pause * length) end
  page.pace = paced(size, pause * size, length)
  return page
end)
