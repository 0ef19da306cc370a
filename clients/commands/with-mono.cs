// build: mcs -out:OUT.exe IN && printf '#!/bin/sh\nexec mono "$0.exe" "$@"\n' > OUT && chmod +x OUT
// Loads a URL with HttpWebRequest of Mono: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE.
using System;
using System.IO;
using System.Linq;
using System.Net;

static class Load {
    static int Main(string[] words) {
        var request = (HttpWebRequest)WebRequest.Create(words[1]);
        request.Method = words[0];
        request.AllowAutoRedirect = words.Contains("+follow");
        byte[] body = null;
        foreach (var word in words.Skip(2)) {
            if (word[0] == '@') body = File.ReadAllBytes(word.Substring(1));
            else if (word.StartsWith("Content-Type: ")) request.ContentType = word.Substring(14);
            else if (word[0] != '+') request.Headers.Add(word);
        }
        try {
            if (body != null) using (var content = request.GetRequestStream()) content.Write(body, 0, body.Length);
            HttpWebResponse reply;
            try { reply = (HttpWebResponse)request.GetResponse(); }
            catch (WebException failure) when (failure.Response != null) { reply = (HttpWebResponse)failure.Response; }
            using (var content = reply.GetResponseStream()) using (var output = Console.OpenStandardOutput()) content.CopyTo(output);
            return 0;
        } catch (Exception failure) {
            Console.Error.WriteLine(failure.Message);
            return 1;
        }
    }
}
