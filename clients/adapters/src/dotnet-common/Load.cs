using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using ProctorKit;

// A body of a length that is not known.
internal sealed class StreamedContent : HttpContent
{
    private readonly byte[] bytes;

    internal StreamedContent(byte[] bytes)
    {
        this.bytes = bytes;
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext context)
    {
        return new MemoryStream(bytes).CopyToAsync(stream);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = -1;
        return false;
    }
}

// One step, from its resume to its result.
internal sealed class Load
{
    private static readonly string[] Codings = { "identity", "gzip", "x-gzip", "deflate", "br" };

    // The end is the one event of lane `task` that HttpClient brings, for an adapter that has this lane.
    private static readonly Dictionary<string, object> Without = new Dictionary<string, object> {
        { "without", "response data redirect challenge informational" },
    };

    private readonly Adapter adapter;
    private readonly Session session;
    private readonly Part step, moment;
    private readonly int index;
    private readonly Trace trace;
    private readonly Dictionary<string, object> facts = new Dictionary<string, object>();
    private readonly MemoryStream body = new MemoryStream();
    private readonly CancellationTokenSource cancellation = new CancellationTokenSource();
    private readonly bool tellsTheEnd;
    private bool isCancelled;
    private long byteCount;
    private int pieces;

    internal Load(Adapter adapter, Session session, Part step, int index, Trace trace)
    {
        this.adapter = adapter;
        this.session = session;
        this.step = step;
        this.index = index;
        this.trace = trace;
        moment = step.Get("cancelAt");
        tellsTheEnd = adapter.Lanes.Split().Contains("task");
    }

    internal async Task Run()
    {
        using (var request = new HttpRequestMessage())
        {
            trace.Event("resume", index, tellsTheEnd ? Without : null);
            try
            {
                var limit = session.Told.Number("resourceTimeout");
                if (limit > 0) cancellation.CancelAfter((int)limit);
                Fill(request);
                CancelAt(1, "before-resume");
                var sending = session.ClientFor(step, step.Text("url")).SendAsync(
                    request, HttpCompletionOption.ResponseHeadersRead, cancellation.Token);
                CancelAt(1, "after-resume");
                using (var response = await sending) await Read(response);
            }
            catch (Unimplemented)
            {
                throw;
            }
            catch (Exception error)
            {
                Failures.Add(facts, error, isCancelled, adapter.Client);
            }
            if (tellsTheEnd) trace.Event("complete", index, null, facts.ContainsKey("error") ? (string)facts["error"] : "ok", "task");
            Part.AddBody(facts, body.ToArray(), byteCount);
            trace.Event("result", index, facts);
        }
    }

    private void Fill(HttpRequestMessage request)
    {
        var url = step.Text("url");
        if (step.Has("query"))
        {
            var encoded = new FormUrlEncodedContent(step.Pairs("query")).ReadAsStringAsync().GetAwaiter().GetResult();
            url += (url.Contains("?") ? "&" : "?") + encoded;
        }
        request.Method = new HttpMethod(step.Text("method"));
        if (url.Length > 0) request.RequestUri = new Uri(url, UriKind.RelativeOrAbsolute);
        if (session.WantsHTTP2)
        {
            request.Version = HttpVersion.Version20;
            Later.Set(request, "VersionPolicy", "RequestVersionExact");
        }
        if (step.Has("form")) request.Content = new FormUrlEncodedContent(step.Pairs("form"));
        else if (step.Has("body"))
        {
            var bytes = step.Get("body").Content();
            request.Content = step.IsStreamed ? (HttpContent)new StreamedContent(bytes) : new ByteArrayContent(bytes);
        }
        foreach (var field in step.Pairs("headers")) Add(request, field.Key, field.Value);
    }

    private void Add(HttpRequestMessage request, string name, string value)
    {
        if (request.Headers.TryAddWithoutValidation(name, value)) return;
        if (request.Content == null)
        {
            adapter.Cannot(index, "headers", "sends " + name + " with content alone, or not at all");
        }
        if (name.Equals("Content-Type", StringComparison.OrdinalIgnoreCase)) request.Content.Headers.Remove(name);
        // What it does not take here either is refused with its reason.
        if (!request.Content.Headers.TryAddWithoutValidation(name, value)) request.Headers.Add(name, value);
    }

    private async Task Read(HttpResponseMessage response)
    {
        var coding = response.Content.Headers.ContentEncoding.LastOrDefault() ?? "identity";
        if (!Codings.Contains(coding.ToLowerInvariant()))
        {
            adapter.Cannot(index, "url", "undoes gzip, deflate and br, and the content is in " + coding);
        }
        RefuseOrigins(response);
        facts["url"] = response.RequestMessage.RequestUri.AbsoluteUri;
        facts["status"] = (int)response.StatusCode;
        var type = response.Content.Headers.ContentType;
        if (type != null) facts["mime"] = type.MediaType;
        if (step.Has("fieldNames"))
        {
            facts["header"] = string.Join("\n", step.Words("fieldNames")
                .Where(name => Find(response, name) != null).Select(name => name + ": " + Find(response, name)));
        }
        if (step.Text("onResponse") == "cancel") Cancel();
        CancelAt(1, "response");
        using (var stream = await response.Content.ReadAsStreamAsync())
        {
            var piece = new byte[64 << 10];
            for (int count; (count = await stream.ReadAsync(piece, 0, piece.Length, cancellation.Token)) > 0;)
            {
                byteCount += count;
                if (byteCount <= Part.BodyLimit) body.Write(piece, 0, count);
                CancelAt(++pieces, "data", "progress");
            }
        }
    }

    // Throws where a credential is to be given, and an origin asks that is not the step's.
    private void RefuseOrigins(HttpResponseMessage response)
    {
        if (response.StatusCode != HttpStatusCode.Unauthorized || !step.Get("beforehand").Get("credential").Has("user")) return;
        var last = response.RequestMessage.RequestUri;
        if (last.GetLeftPart(UriPartial.Authority) != new Uri(step.Text("url")).GetLeftPart(UriPartial.Authority))
        {
            adapter.Cannot(index, "onChallenge", "gives the credential to the first origin alone");
        }
    }

    private static string Find(HttpResponseMessage response, string name)
    {
        IEnumerable<string> values;
        bool isThere = response.Headers.TryGetValues(name, out values) || response.Content.Headers.TryGetValues(name, out values);
        return isThere ? string.Join(", ", values) : null;
    }

    private void CancelAt(int count, params string[] events)
    {
        if (events.Contains(moment.Text("event")) && moment.Number("count") <= count && !isCancelled) Cancel();
    }

    private void Cancel()
    {
        trace.Event("cancel", index);
        isCancelled = true;
        cancellation.Cancel();
    }
}
