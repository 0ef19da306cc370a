-- Messages of protobuf without their schema: the fields of one, in order.

local function varint(bytes, at)
  local value, shift = 0, 0
  for index = at, at + 9 do
    local byte = bytes:byte(index)
    if not byte then return nil end
    value = value | (byte & 127) << shift
    if byte < 128 then return value, index + 1 end
    shift = shift + 7
  end
end

-- A list of { number, value }, whose value is bytes where the field has a length, and else a number; nil where the bytes are no message.
function message_fields(bytes)
  local list, at = {}, 1
  while at <= #bytes do
    local tag
    tag, at = varint(bytes, at)
    if not tag or tag >> 3 == 0 then return nil end
    local kind, value = tag & 7, nil
    if kind == 0 then
      value, at = varint(bytes, at)
      if not value then return nil end
    elseif kind == 1 or kind == 5 then
      local size = kind == 1 and 8 or 4
      if at + size - 1 > #bytes then return nil end
      value, at = string.unpack(kind == 1 and "<I8" or "<I4", bytes, at)
    elseif kind == 2 then
      local size
      size, at = varint(bytes, at)
      if not size or size < 0 or at + size - 1 > #bytes then return nil end
      value, at = bytes:sub(at, at + size - 1), at + size
    else
      return nil
    end
    list[#list + 1] = { number = tag >> 3, value = value }
  end
  return list
end

function length_field(number, bytes)
  local function written(value)
    local parts = {}
    repeat
      parts[#parts + 1] = string.char(value & 127 | (value > 127 and 128 or 0))
      value = value >> 7
    until value == 0
    return table.concat(parts)
  end
  return written(number << 3 | 2) .. written(#bytes) .. bytes
end
