-- The random bytes of Python: random.seed(integer) and random.randint(0, 255), by the Mersenne Twister MT19937
-- (M. Matsumoto, T. Nishimura, 1998).

-- The 32-bit words of a whole number in decimal digits, the least significant first.
local function words_of(digits)
  local words = {}
  repeat
    -- Long division by 2^32, nine digits at a time.
    local quotient, rest = {}, 0
    for at = 1, #digits, 9 do
      local part = digits:sub(at, at + 8)
      local value = rest * math.tointeger(10 ^ #part) + tonumber(part)
      quotient[#quotient + 1] = ("%0" .. #part .. "d"):format(value >> 32)
      rest = value & 0xFFFFFFFF
    end
    words[#words + 1] = rest
    digits = table.concat(quotient):gsub("^0+", "")
  until digits == ""
  return words
end

-- init_by_array of the reference, whose key is the words of the seed.
local function state_of(digits)
  local key, words, count = words_of(digits), { [0] = 19650218 }, 624
  for index = 1, count - 1 do
    local last = words[index - 1]
    words[index] = (1812433253 * (last ~ last >> 30) + index) & 0xFFFFFFFF
  end
  local index, place = 1, 0
  local function step()
    index = index + 1
    if index >= count then
      words[0] = words[count - 1]
      index = 1
    end
  end
  for _ = 1, math.max(count, #key) do
    local last = words[index - 1]
    words[index] = ((words[index] ~ (last ~ last >> 30) * 1664525) + key[place + 1] + place) & 0xFFFFFFFF
    place = (place + 1) % #key
    step()
  end
  for _ = 1, count - 1 do
    local last = words[index - 1]
    words[index] = ((words[index] ~ (last ~ last >> 30) * 1566083941) - index) & 0xFFFFFFFF
    step()
  end
  words[0] = 0x80000000
  return words
end

local function twist(words)
  for index = 0, 623 do
    local following = index + 1
    if following == 624 then following = 0 end
    local bits = words[index] & 0x80000000 | words[following] & 0x7FFFFFFF
    local far = index + 397
    if far >= 624 then far = far - 624 end
    local new = words[far] ~ bits >> 1
    if bits & 1 == 1 then new = new ~ 0x9908B0DF end
    words[index] = new
  end
end

local function join(bytes, count)
  local pieces = {}
  for at = 1, count, 200 do
    pieces[#pieces + 1] = string.char(table.unpack(bytes, at, math.min(at + 199, count)))
  end
  return table.concat(pieces)
end

-- A number from 0 to 255 is the upper nine bits of an output, where they are below 256.
local function seeded(digits, count)
  local words, bytes, found = state_of(digits), {}, 0
  while found < count do
    twist(words)
    for index = 0, 623 do
      -- The last step of the tempering changes the lower bits alone.
      local word = words[index]
      word = word ~ word >> 11
      word = word ~ word << 7 & 0x9D2C5680
      word = (word ~ word << 15 & 0xEFC60000) >> 23
      if word < 256 then
        found = found + 1
        bytes[found] = word
      end
    end
  end
  return join(bytes, count)
end

-- By the `seed` of the query, an integer of Python; by the seed of the run where there is none.
function random_bytes(request, count)
  local seed = argument(request, "seed", true)
  if seed then
    raise_nil(integer(seed))
    return seeded((seed:gsub("[^%d]", "")), count)
  end
  local bytes = {}
  for index = 1, count do bytes[index] = math.random(0, 255) end
  return join(bytes, count)
end

-- At most 100 KiB.
function byte_count(request) return math.min(number_segment(request, "count"), 102400) end

-- The `chunk_size` of the query, of which 1 is the least.
function chunk_size(request)
  local size = argument(request, "chunk_size", true)
  return size and math.max(1, raise_nil(integer(size))) or 10240
end
