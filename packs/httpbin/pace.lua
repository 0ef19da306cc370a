-- Waits of httpbin, which sleeps between pieces, as a pace of the reply.

-- So many bytes every so many seconds; portions get larger where the time between them is below a millisecond.
function paced(byteCount, seconds, total)
  if seconds <= 0 or total <= byteCount then return nil end
  if seconds < 0.001 then
    local factor = math.ceil(0.001 / seconds)
    byteCount, seconds = byteCount * factor, seconds * factor
  end
  return { bytes = byteCount, every = ("%dus"):format(math.min(seconds, 600) * 1e6 // 1) }
end

-- Seconds of any length, of which one wait takes 600.
function sleep(seconds)
  while seconds > 0 do
    wait(math.min(seconds, 600))
    seconds = seconds - 600
  end
end
