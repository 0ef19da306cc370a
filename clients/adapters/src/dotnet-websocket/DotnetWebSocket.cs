using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Net.WebSockets;
using System.Threading;
using System.Threading.Tasks;
using ProctorKit;

// An adapter of Proctor for ClientWebSocket of .NET (Docs/clients/adapters.md).
//
// What it is told, so that it neither gets help nor is hindered:
//
// - ConnectAsync with the handler of dotnet-httpclient, which leads names to their addresses or sockets, has the proxy, the
//   authorities, the cookies and the credentials, and follows redirects or does not. Where the client makes its handler
//   itself, that follows redirects too. No coding of content is asked for.
// - The URL with `ws` for `http` and `wss` for `https`, AddSubProtocol, and the caller's fields by SetRequestHeader.
// - DangerousDeflateOptions as they are made, with windows of 15 bits: by itself the client offers no compression.
// - HTTP/1.1, as by itself. Where HTTP/2 is wanted, HttpVersion 2.0 with RequestVersionExact, and the steps that are no
//   WebSocket are loads by HttpClient on the same connections.
// - A Close frame is sent by CloseAsync, which waits for the server's, with a code: WebSocketCloseStatus.Empty is not to be sent,
//   and would go out as 1005. A Close frame of the server is answered with its own code.
// - To cancel is Abort(), and to cancel the token of ConnectAsync.
internal sealed class DotnetWebSocket : Adapter
{
    public override string Client { get { return "dotnet-websocket"; } }
    public override string Revision { get { return "1"; } }
    public override string Version { get { return Environment.Version.ToString(); } }
    public override string Facts { get { return Conversation.Facts + " url status mime bytes body header"; } }
    public override string Lanes { get { return Conversation.Lanes; } }
    public override string Moments { get { return Conversation.Moments; } }

    public override string Abilities
    {
        get
        {
            return "websocket websocket-h2 h2 unix-sockets addresses redirects redirect-refuse cookie-jar"
                + " cookies-from-addresses basic digest challenge-default proxy proxy-tunnel proxy-tls socks socks4"
                + " socks-password trust identity several-loads cancel";
        }
    }

    // Kept until the next assignment, as that of dotnet-httpclient.
    private Session session;

    private static int Main(string[] words)
    {
        return new DotnetWebSocket().Serve(words);
    }

    public override void Refuse(Part assignment)
    {
        Conversation.Refuse(this, assignment, "ping", "close without a code");
    }

    public override async Task Run(Part assignment, Trace trace)
    {
        session?.Dispose();
        session = new Session(assignment, DecompressionMethods.None);
        await Session.Begin(assignment, async (step, index) =>
        {
            if (step.Text("task") != "websocket")
            {
                await new Load(this, session, step, index, trace).Run();
                return;
            }
            using (var socket = new Talk(session, step, Client))
            {
                await new Conversation(step, index, trace, socket).Run("redirect challenge informational");
            }
        });
    }
}

// The WebSocket of a step.
internal sealed class Talk : ISocket, IDisposable
{
    private delegate Task Connect(Uri uri, HttpMessageInvoker invoker, CancellationToken token);

    private readonly Session session;
    private readonly Part step;
    private readonly string client;
    private readonly ClientWebSocket socket = new ClientWebSocket();
    private readonly CancellationTokenSource cancellation = new CancellationTokenSource();
    private readonly byte[] piece = new byte[64 << 10];
    private Exception failure;

    internal Talk(Session session, Part step, string client)
    {
        this.session = session;
        this.step = step;
        this.client = client;
    }

    public void Dispose()
    {
        socket.Dispose();
        cancellation.Dispose();
    }

    public async Task<string> Open()
    {
        var address = "ws" + step.Text("url").Substring("http".Length);
        foreach (var name in step.Words("protocols")) socket.Options.AddSubProtocol(name);
        foreach (var field in step.Pairs("headers")) socket.Options.SetRequestHeader(field.Key, field.Value);
        Later.Set(socket.Options, "CollectHttpResponseDetails", true);
        Later.SetNew(socket.Options, "DangerousDeflateOptions");
        if (session.WantsHTTP2)
        {
            Later.Set(socket.Options, "HttpVersion", HttpVersion.Version20);
            Later.Set(socket.Options, "HttpVersionPolicy", "RequestVersionExact");
        }
        var connect = (Connect)Delegate.CreateDelegate(typeof(Connect), socket, "ConnectAsync");
        await connect(new Uri(address), session.ClientFor(step, address), cancellation.Token);
        return socket.SubProtocol ?? "";
    }

    public Task Send(Message message)
    {
        var kind = message.IsText ? WebSocketMessageType.Text : WebSocketMessageType.Binary;
        return socket.SendAsync(new ArraySegment<byte>(message.Bytes), kind, true, CancellationToken.None);
    }

    public Task Ping()
    {
        throw new NotSupportedException("a ClientWebSocket sends no Ping when it is told to");
    }

    public async Task<Message> Receive()
    {
        var bytes = new MemoryStream();
        while (true)
        {
            WebSocketReceiveResult result;
            try
            {
                result = await socket.ReceiveAsync(new ArraySegment<byte>(piece), CancellationToken.None);
            }
            catch (Exception error)
            {
                // What is thrown behind it says only that the WebSocket is aborted.
                failure = failure ?? error;
                throw;
            }
            if (result.MessageType == WebSocketMessageType.Close) throw new EndOfStreamException("the server has sent a Close frame");
            bytes.Write(piece, 0, result.Count);
            if (result.EndOfMessage) return new Message(bytes.ToArray(), result.MessageType == WebSocketMessageType.Text);
        }
    }

    public async Task Close(int? code, string reason)
    {
        try
        {
            await socket.CloseAsync((WebSocketCloseStatus)code.Value, reason, CancellationToken.None);
        }
        catch (Exception error)
        {
            failure = failure ?? error;
            throw;
        }
    }

    public void Cancel()
    {
        cancellation.Cancel();
        socket.Abort();
    }

    public async Task<Exception> End()
    {
        try
        {
            while (socket.State != WebSocketState.CloseReceived && socket.State != WebSocketState.Closed) await Receive();
        }
        catch (EndOfStreamException)
        {
            // It is answered.
        }
        catch (Exception)
        {
            return failure;
        }
        if (failure == null && socket.State == WebSocketState.CloseReceived)
        {
            try
            {
                await Close((int)socket.CloseStatus.Value, socket.CloseStatusDescription);
            }
            catch (Exception error)
            {
                return error;
            }
        }
        return failure;
    }

    public int? CloseCode { get { return (int?)socket.CloseStatus; } }
    public string CloseReason { get { return socket.CloseStatusDescription; } }

    public void AddFacts(IDictionary<string, object> facts)
    {
        var status = (HttpStatusCode)Later.Get(socket, "HttpStatusCode");
        if (status != 0) facts["status"] = (int)status;
    }

    public void AddFailure(IDictionary<string, object> facts, Exception error)
    {
        Failures.Add(facts, error, cancellation.IsCancellationRequested, client);
    }
}
