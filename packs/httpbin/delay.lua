-- /delay/SECONDS: what was asked, after at most 10 seconds.
return serve(request, "GET POST PUT DELETE PATCH TRACE", function()
  local seconds = raise_nil(real(segment(request, "seconds")))
  -- time.sleep() refuses what is below 0 and what is no number.
  if not (seconds >= 0) then error(exception, 0) end
  sleep(math.min(seconds, 10))
  return json_reply(description(request, "url args form data origin headers files"))
end)
