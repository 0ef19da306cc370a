# What the words of a command line ask: METHOD URL, then +follow, +retry, @FILE with the content, and fields as NAME: VALUE.
METHOD, ADDRESS, *REST = ARGV
FOLLOW = REST.include?("+follow")
RETRY = REST.include?("+retry")
BODY = REST.find { |word| word.start_with?("@") }&.then { |word| File.binread(word[1..]) }
FIELDS = REST.reject { |word| word.start_with?("@", "+") }.map { |word| word.split(": ", 2) }.to_h
$stdout.binmode
