"""What the words of a command line ask: METHOD URL, then +follow, +retry, @FILE with the content, and fields as NAME: VALUE."""
import sys

method, url, *rest = sys.argv[1:]
follow, retry = "+follow" in rest, "+retry" in rest
body = next((open(word[1:], "rb").read() for word in rest if word.startswith("@")), None)
fields = [tuple(word.split(": ", 1)) for word in rest if word[0] not in "+@"]


def give(content):
    sys.stdout.buffer.write(content)
