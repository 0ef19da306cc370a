# What the words of a command line ask: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE.
METHOD, ADDRESS, *REST = ARGV
FOLLOW = REST.include?("+follow")
BODY = REST.find { |word| word.start_with?("@") }&.then { |word| File.binread(word[1..]) }
FIELDS = REST.reject { |word| word.start_with?("@", "+") }.map { |word| word.split(": ", 2) }.to_h
$stdout.binmode
