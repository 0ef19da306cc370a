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

-- init_by_array of the reference, whose key is the words of the seed. The words of the state count from 1.
local function state_of(digits)
  local key, words, count = words_of(digits), { 19650218 }, 624
  for index = 2, count do
    local last = words[index - 1]
    words[index] = 1812433253 * (last ~ last >> 30) + index - 1 & 0xFFFFFFFF
  end
  local index, place = 2, 1
  local function step()
    index = index + 1
    if index > count then
      words[1] = words[count]
      index = 2
    end
  end
  for _ = 1, math.max(count, #key) do
    local last = words[index - 1]
    words[index] = (words[index] ~ (last ~ last >> 30) * 1664525) + key[place] + place - 1 & 0xFFFFFFFF
    place = place % #key + 1
    step()
  end
  for _ = 1, count - 1 do
    local last = words[index - 1]
    words[index] = (words[index] ~ (last ~ last >> 30) * 1566083941) - index + 1 & 0xFFFFFFFF
    step()
  end
  words[1] = 0x80000000
  return words
end

local function twist(words)
  local word = words[1]
  local function part(first, last, distance)
    local here = word
    for index = first, last do
      local following = words[index + 1]
      local bits = here & 0x80000000 | following & 0x7FFFFFFF
      words[index] = words[index + distance] ~ bits >> 1 ~ (-(bits & 1) & 0x9908B0DF)
      here = following
    end
    word = here
  end
  part(1, 227, 397)
  part(228, 623, -227)
  local bits = word & 0x80000000 | words[1] & 0x7FFFFFFF
  words[624] = words[397] ~ bits >> 1 ~ (-(bits & 1) & 0x9908B0DF)
end

-- A number from 0 to 255 is the upper nine bits of an output, where they are below 256.
local function seeded(digits, count)
  local words, pieces, left = state_of(digits), {}, count
  while left > 0 do
    twist(words)
    local bytes, found = {}, 0
    for index = 1, 624 do
      local word = words[index]
      word = word ~ word >> 11
      word = word ~ word << 7 & 0x9D2C5680
      -- The last step of the tempering changes the lower bits alone.
      word = (word ~ word << 15 & 0xEFC60000) >> 23
      if word < 256 then
        found = found + 1
        bytes[found] = word
      end
    end
    -- So few at once, for there is a bound on the arguments of a function.
    for at = 1, math.min(found, left), 100 do
      pieces[#pieces + 1] = string.char(table.unpack(bytes, at, math.min(at + 99, found, left)))
    end
    left = left - found
  end
  return table.concat(pieces)
end

-- By the `seed` of the query, an integer of Python; by the seed of the run where there is none.
function random_bytes(request, count)
  local seed = argument(request, "seed", true)
  if seed then
    raise_nil(integer(seed))
    return seeded((seed:gsub("[^%d]", "")), count)
  end
  local pieces = {}
  for index = 1, count, 7 do pieces[#pieces + 1] = ("<I7"):pack(math.random(0, (1 << 56) - 1)) end
  return table.concat(pieces):sub(1, count)
end

-- At most 100 KiB.
function byte_count(request) return math.min(number_segment(request, "count"), 102400) end

-- The `chunk_size` of the query, of which 1 is the least.
function chunk_size(request)
  local size = argument(request, "chunk_size", true)
  return size and math.max(1, raise_nil(integer(size))) or 10240
end
