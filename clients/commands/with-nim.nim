# build: d=$(mktemp -d) && cp IN $d/load.nim && nim c --hints:off --warnings:off --nimcache:$d/c -o:OUT $d/load.nim
# Loads a URL with httpclient of Nim: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE.
import std/[httpclient, os, strutils]

let words = commandLineParams()
var fields: seq[(string, string)]
var body = ""
for word in words[2 .. ^1]:
  if word[0] == '@': body = readFile(word[1 .. ^1])
  elif word[0] != '+':
    let parts = word.split(": ", 1)
    fields.add((parts[0], parts[1]))
let client = newHttpClient(maxRedirects = if "+follow" in words: 5 else: 0)
stdout.write(client.request(words[1], words[0], body, newHttpHeaders(fields)).body)
