-- A tar archive of one regular file (POSIX ustar), always the same.

function tar_of(name, content)
  local function octal(number, width) return ("%0" .. width - 1 .. "o"):format(number) .. "\0" end
  local function padded(text, width) return text .. ("\0"):rep(width - #text) end
  local function head(sum)
    return padded(name, 100) .. octal(420, 8) .. octal(0, 8) .. octal(0, 8) .. octal(#content, 12) .. octal(0, 12) .. sum .. "0" .. padded("", 100)
      .. "ustar\0" .. "00" .. padded("", 32 + 32) .. octal(0, 8) .. octal(0, 8) .. padded("", 155 + 12)
  end
  local sum = 0
  for _, byte in utf8.codes(head("        ")) do sum = sum + byte end
  return head(("%06o\0 "):format(sum)) .. padded(content, (#content + 511) // 512 * 512) .. ("\0"):rep(1024)
end
