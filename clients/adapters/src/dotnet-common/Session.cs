using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using ProctorKit;

// The handlers of an assignment, each with its HttpClient. What comes in `codings` is asked for, and decoded.
internal sealed class Session : IDisposable
{
    internal readonly Part Told;
    internal readonly bool WantsHTTP2;
    private readonly DecompressionMethods codings;
    private readonly CookieContainer cookies = new CookieContainer();
    private readonly Dictionary<string, HttpClient> clients = new Dictionary<string, HttpClient>();

    internal Session(Part assignment, DecompressionMethods codings)
    {
        this.codings = codings;
        Told = assignment.Get("session");
        WantsHTTP2 = assignment.Text("protocol") == "h2" || assignment.Words("needs").Contains("h2");
    }

    public void Dispose()
    {
        foreach (var one in clients.Values) one.Dispose();
    }

    // Does the steps in order, those that are together at the same time.
    internal static async Task Begin(Part assignment, Func<Part, int, Task> begin)
    {
        var open = new List<Task>();
        var steps = assignment.Parts("steps");
        for (int index = 0; index < steps.Count; index++)
        {
            if (!steps[index].Has("together"))
            {
                await Task.WhenAll(open);
                open.Clear();
            }
            open.Add(begin(steps[index], index));
        }
        await Task.WhenAll(open);
    }

    // Whether the client's question about a server is answered by trust, and there is no other question.
    internal static bool Trusts(Part step)
    {
        var answers = step.Met("onChallenge", "challengeCount");
        return answers.Count > 0 && answers.All(one => one.Text("answer") == "trust");
    }

    // Whether redirects are followed; where the answers are told before, they say it.
    internal static bool Follows(Part step)
    {
        return step.Has("beforehand")
            ? step.Get("beforehand").Has("follow") : step.Parts("onRedirect")[0].Text("answer") == "follow";
    }

    // The client for a step, which asks for `address` first.
    internal HttpClient ClientFor(Part step, string address)
    {
        var account = step.Get("beforehand").Get("credential");
        var credential = account.Text("user") == null
            ? null : new NetworkCredential(account.Text("user"), account.Text("password") ?? "");
        Uri url = null;
        if (credential != null) Uri.TryCreate(address, UriKind.Absolute, out url);
        var origin = url == null ? null : new Uri(url.GetLeftPart(UriPartial.Authority));
        bool follows = Follows(step), trusts = Trusts(step);
        var key = string.Join("\n", follows, trusts, origin, credential?.UserName, credential?.Password);
        HttpClient client;
        if (clients.TryGetValue(key, out client)) return client;
        var handler = MakeHandler(follows, origin, credential);
        // It is asked in each handshake, with the certificate and what is wrong with it.
        if (trusts) handler.SslOptions.RemoteCertificateValidationCallback = (sender, certificate, chain, errors) => true;
        client = new HttpClient(handler);
        clients[key] = client;
        return client;
    }

    private SocketsHttpHandler MakeHandler(bool follows, Uri origin, NetworkCredential credential)
    {
        var cache = new CredentialCache();
        foreach (var scheme in new[] { "Negotiate", "NTLM", "Digest", "Basic" })
        {
            if (origin != null) cache.Add(origin, scheme, credential);
        }
        var handler = new SocketsHttpHandler
        {
            AllowAutoRedirect = follows,
            AutomaticDecompression = codings,
            CookieContainer = cookies,
            UseCookies = Told.Text("cookies") != "never",
            Credentials = origin == null ? null : cache,
            UseProxy = Told.Has("proxy"),
        };
        Func<object, CancellationToken, ValueTask<Stream>> connect = (context, token) =>
            new ValueTask<Stream>(Connect((DnsEndPoint)Later.Get(context, "DnsEndPoint"), token));
        Later.Set(handler, "ConnectCallback", connect);
        if (Told.Has("proxy")) handler.Proxy = MakeProxy(credential);
        if (Told.Has("connectionsPerHost")) handler.MaxConnectionsPerServer = (int)Told.Number("connectionsPerHost");
        if (Told.Has("trust")) Secrets.Trust(handler.SslOptions, Told.Text("trust"));
        if (Told.Has("identity")) Secrets.Identify(handler.SslOptions, Told.Get("identity"));
        return handler;
    }

    private WebProxy MakeProxy(NetworkCredential credential)
    {
        var scheme = Told.Text("proxyProtocol") ?? "http";
        // The client's SOCKS 5 gives the proxy the name.
        if (scheme == "socks5h") scheme = "socks5";
        var proxy = new WebProxy(new Uri(scheme + "://" + Told.Text("proxy")));
        proxy.Credentials = Told.Text("proxyUser") == null
            ? credential : new NetworkCredential(Told.Text("proxyUser"), Told.Text("proxyPassword") ?? "");
        return proxy;
    }

    // In the place of the resolver, with the options of the client's own connections.
    private async Task<Stream> Connect(DnsEndPoint wanted, CancellationToken token)
    {
        var place = Told.Place(wanted.Host, wanted.Port);
        if (place == null) throw new SocketException((int)SocketError.HostNotFound);
        bool isPath = place.StartsWith("unix:", StringComparison.Ordinal);
        var socket = isPath
            ? new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
            : new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            using (token.Register(socket.Dispose))
            {
                if (isPath) await socket.ConnectAsync(new UnixDomainSocketEndPoint(place.Substring(5)));
                else await socket.ConnectAsync(Addresses(wanted, place), int.Parse(place.Substring(place.LastIndexOf(':') + 1)));
            }
        }
        catch (Exception)
        {
            socket.Dispose();
            token.ThrowIfCancellationRequested();
            throw;
        }
        return new NetworkStream(socket, true);
    }

    private IPAddress[] Addresses(DnsEndPoint wanted, string place)
    {
        var entry = Told.Parts("names").FirstOrDefault(
            one => one.Text("name") == wanted.Host.ToLowerInvariant().TrimEnd('.') && one.Number("port") == wanted.Port);
        var all = entry.Words("addresses");
        if (all.Count == 0) all.Add(place);
        return all.Select(one => IPAddress.Parse(one.Substring(0, one.LastIndexOf(':')).Trim('[', ']'))).ToArray();
    }
}
