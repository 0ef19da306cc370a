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

// An adapter of Proctor for HttpClient of .NET (Docs/clients/adapters.md).
//
// What it is told, so that it neither gets help nor is hindered:
//
// - A SocketsHttpHandler, shared by the steps; to follow redirects and to have a credential are choices of the handler and not
//   of a request, so that steps that differ in one of them share no connections. Its limits are its own: 50 redirects, and
//   HttpClient.Timeout of 100 s.
// - Names by ConnectCallback, which leads them to their addresses or sockets; other names are not found.
// - The URL as a text for HttpRequestMessage. FormUrlEncodedContent encodes a form, and a query too.
// - Fields by TryAddWithoutValidation, of the content where HttpClient wants them there. One that it wants there in a request
//   without content is `unimplemented`.
// - HTTP/1.1, as by itself. Where HTTP/2 is wanted, Version 2.0 with RequestVersionExact, with TLS and without.
// - AutomaticDecompression.All, which asks for gzip, deflate and br; content that is coded otherwise is `unimplemented`.
// - A CookieContainer, or UseCookies = false.
// - A CredentialCache with the credential for the origin of the step's URL, and a NetworkCredential for the proxy. By a
//   NetworkCredential alone HttpClient answers no challenge behind a redirect. A step that another origin asks is `unimplemented`.
// - NTLM and Negotiate where gss-ntlmssp is installed, by which the client's library answers them on Linux.
// - A WebProxy, with user and password for SOCKS. Without a proxy UseProxy is false, for the environment has no say here.
// - Authorities by SslOptions.CertificateChainPolicy, with no question to the network about revocation, as by itself;
//   its own certificate by SslOptions.ClientCertificates. `trust` is what RemoteCertificateValidationCallback answers.
// - A body of a length that is not known by a class of HttpContent, which HttpClient asks for the bytes each time.
// - To cancel is to cancel the token of the load. Its limit is a CancellationTokenSource with a delay; HttpClient has none of
//   silence.
internal sealed class DotnetHttpClient : Adapter
{
    public override string Client { get { return "dotnet-httpclient"; } }
    public override string Revision { get { return "1"; } }
    public override string Version { get { return Environment.Version.ToString(); } }
    public override string Facts { get { return "url status mime bytes body header error message"; } }
    public override string Moments { get { return "before-resume after-resume response data progress"; } }

    // Where gss-ntlmssp of Debian makes itself known to the GSS-API.
    private const string PlugIn = "/etc/gss/mech.d/mech.ntlmssp.conf";

    public override string Abilities
    {
        get
        {
            return (File.Exists(PlugIn) ? "ntlm negotiate " : "")
                + "methods verbatim-urls encodes-values unix-sockets addresses fragment redirects redirect-refuse cookie-jar"
                + " cookies-from-addresses basic digest challenge-default connection-limit proxy proxy-tunnel proxy-tls socks"
                + " socks4 socks-password trust identity upload-stream several-loads response-answers cancel"
                + " trust-question time-limit-total h2";
        }
    }

    // Kept until the next assignment: what the client has still to send, as the acknowledgement of SETTINGS, is lost with it.
    private Session session;

    private static int Main(string[] words)
    {
        return new DotnetHttpClient().Serve(words);
    }

    // Whether the client's question about a server is answered by trust, and there is no other question.
    internal static bool Trusts(Part step)
    {
        var answers = step.Met("onChallenge", "challengeCount");
        return answers.Count > 0 && answers.All(one => one.Text("answer") == "trust");
    }

    public override bool IsTold(Part step)
    {
        return base.IsTold(step) || Trusts(step) && step.Parts("onRedirect").Count == 1;
    }

    // Whether redirects are followed; where the answers are told before, they say it.
    internal static bool Follows(Part step)
    {
        return step.Has("beforehand")
            ? step.Get("beforehand").Has("follow") : step.Parts("onRedirect")[0].Text("answer") == "follow";
    }

    public override void Refuse(Part assignment)
    {
        var steps = assignment.Parts("steps");
        for (int index = 0; index < steps.Count; index++)
        {
            if (steps[index].Text("method") == "CONNECT") Cannot(index, "method", "keeps CONNECT for its tunnels");
        }
    }

    public override async Task Run(Part assignment, Trace trace)
    {
        session?.Dispose();
        session = new Session(assignment);
        var open = new List<Task>();
        var steps = assignment.Parts("steps");
        for (int index = 0; index < steps.Count; index++)
        {
            if (!steps[index].Has("together")) await Finish(open);
            open.Add(new Load(this, session, steps[index], index, trace).Run());
        }
        await Finish(open);
    }

    private static async Task Finish(List<Task> open)
    {
        await Task.WhenAll(open);
        open.Clear();
    }
}

// The handlers of an assignment, each with its HttpClient.
internal sealed class Session : IDisposable
{
    internal readonly Part Told;
    internal readonly bool WantsHTTP2;
    private readonly CookieContainer cookies = new CookieContainer();
    private readonly Dictionary<string, HttpClient> clients = new Dictionary<string, HttpClient>();

    internal Session(Part assignment)
    {
        Told = assignment.Get("session");
        WantsHTTP2 = assignment.Text("protocol") == "h2" || assignment.Words("needs").Contains("h2");
    }

    public void Dispose()
    {
        foreach (var one in clients.Values) one.Dispose();
    }

    internal HttpClient ClientFor(Part step)
    {
        var account = step.Get("beforehand").Get("credential");
        var credential = account.Text("user") == null
            ? null : new NetworkCredential(account.Text("user"), account.Text("password") ?? "");
        Uri url = null;
        if (credential != null) Uri.TryCreate(step.Text("url"), UriKind.Absolute, out url);
        var origin = url == null ? null : new Uri(url.GetLeftPart(UriPartial.Authority));
        bool follows = DotnetHttpClient.Follows(step), trusts = DotnetHttpClient.Trusts(step);
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
            AutomaticDecompression = DecompressionMethods.All,
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
