-- A ZIP archive whose members are stored as they are; APPNOTE.TXT 6.3.

local function le(number, count)
  local bytes = {}
  for index = 1, count do
    bytes[index] = string.char(number % 256)
    number = number // 256
  end
  return table.concat(bytes)
end

-- `files` is a list of { name, content }. All are of 1 January 1980, so that the archive is the same each time.
function zip_of(files)
  local parts, directory, offset = {}, {}, 0
  for _, file in ipairs(files) do
    local name, content = file[1], file[2]
    local rest = le(0, 2) .. le(0, 2) .. le(33, 2) .. le(hash.crc32(content), 4) .. le(#content, 4) .. le(#content, 4) .. le(#name, 2) .. le(0, 2)
    local head = "PK\3\4" .. le(20, 2) .. le(0, 2) .. rest .. name
    directory[#directory + 1] = "PK\1\2" .. le(20, 2) .. le(20, 2) .. le(0, 2) .. rest .. le(0, 2) .. le(0, 2) .. le(0, 2) .. le(0x81a40000, 4) .. le(offset, 4) .. name
    parts[#parts + 1] = head .. content
    offset = offset + #head + #content
  end
  local index = table.concat(directory)
  return table.concat(parts) .. index .. "PK\5\6" .. le(0, 4) .. le(#files, 2) .. le(#files, 2) .. le(#index, 4) .. le(offset, 4) .. le(0, 2)
end
