// build: ldc2 IN -of=OUT -od=$(mktemp -d)
// Loads a URL with std.net.curl: METHOD URL, then +follow and fields as NAME: VALUE.
module load;

import std.algorithm, std.net.curl, std.stdio, std.string, etc.c.curl;

void main(string[] words) {
    auto load = HTTP(words[2]);
    load.method = HTTP.Method.get;
    load.maxRedirects = words.canFind("+follow") ? 10 : 0;
    if (!words.canFind("+follow")) load.handle.set(CurlOption.followlocation, 0);
    foreach (word; words[3 .. $]) if (word != "+follow") load.addRequestHeader(word.findSplit(": ")[0], word.findSplit(": ")[2]);
    load.onReceive = (ubyte[] part) { stdout.rawWrite(part); return part.length; };
    load.perform();
}
