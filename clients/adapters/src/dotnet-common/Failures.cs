using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Security.Authentication;

// The neutral names of what HttpClient and ClientWebSocket throw.
internal static class Failures
{
    // Texts of exceptions that say more than their class, in the order in which they are looked for.
    private static readonly string[][] Texts = {
        new[] { "NotTimeValid", "serverCertificateHasBadDate" }, new[] { "PartialChain", "serverCertificateHasUnknownRoot" },
        new[] { "UntrustedRoot", "serverCertificateHasUnknownRoot" },
        new[] { "The remote certificate", "serverCertificateUntrusted" },
        new[] { "certificate required", "clientCertificateRequired" }, new[] { "alert bad certificate", "clientCertificateRejected" },
        new[] { "alert certificate", "clientCertificateRejected" }, new[] { "alert unknown ca", "clientCertificateRejected" },
        new[] { "alert unsupported certificate", "clientCertificateRejected" },
    };

    // Adds error, domain and message.
    internal static void Add(IDictionary<string, object> facts, Exception error, bool isCancelled, string client)
    {
        var chain = new List<Exception>();
        for (var one = error; one != null && chain.Count < 20; one = one.InnerException) chain.Add(one);
        facts["error"] = Name(chain, isCancelled);
        facts["domain"] = client;
        var message = string.Join("; ", chain.Select(one => one.GetType().Name + ": " + one.Message));
        facts["message"] = message.Substring(0, Math.Min(2000, message.Length));
    }

    private static string Name(List<Exception> chain, bool isCancelled)
    {
        // A limit cancels too.
        if (isCancelled) return "cancelled";
        if (chain.Any(one => one is OperationCanceledException || one is TimeoutException)) return "timedOut";
        foreach (var row in Texts)
        {
            if (chain.Any(one => one.Message.Contains(row[0]))) return row[1];
        }
        var socket = chain.OfType<SocketException>().FirstOrDefault();
        if (socket != null) return Name(socket.SocketErrorCode);
        if (chain.Any(one => one is AuthenticationException)) return "secureConnectionFailed";
        foreach (var one in chain)
        {
            var kind = Later.Get(one, "HttpRequestError")?.ToString() ?? "Unknown";
            if (kind != "Unknown") return Name(kind);
        }
        var webSocket = chain.OfType<WebSocketException>().FirstOrDefault();
        if (webSocket != null) return Name(webSocket.WebSocketErrorCode);
        if (chain.Any(one => one is InvalidDataException)) return "cannotDecodeContentData";
        if (chain.Any(one => one is UriFormatException)) return "badURL";
        if (chain[0].Message.Contains("request URI")) return "badURL";
        if (chain[0] is NotSupportedException) return "unsupportedURL";
        return chain.Any(one => one is IOException) ? "connectionLost" : "unknown";
    }

    private static string Name(SocketError code)
    {
        switch (code)
        {
            case SocketError.HostNotFound:
            case SocketError.NoData:
                return "cannotFindHost";
            case SocketError.TimedOut:
                return "timedOut";
            case SocketError.ConnectionReset:
            case SocketError.ConnectionAborted:
            case SocketError.Shutdown:
                return "connectionLost";
            default:
                return "cannotConnect";
        }
    }

    private static string Name(WebSocketError code)
    {
        switch (code)
        {
            case WebSocketError.ConnectionClosedPrematurely:
            case WebSocketError.InvalidState:
                return "connectionLost";
            case WebSocketError.NotAWebSocket:
            case WebSocketError.HeaderError:
            case WebSocketError.UnsupportedProtocol:
            case WebSocketError.UnsupportedVersion:
                return "badServerResponse";
            default:
                return "cannotParseResponse";
        }
    }

    private static string Name(string kind)
    {
        switch (kind)
        {
            case "NameResolutionError": return "cannotFindHost";
            case "ConnectionError": return "cannotConnect";
            case "ProxyTunnelError": return "cannotConnect";
            case "SecureConnectionError": return "secureConnectionFailed";
            case "VersionNegotiationError": return "secureConnectionFailed";
            case "UserAuthenticationError": return "userAuthenticationRequired";
            case "ResponseEnded": return "connectionLost";
            case "HttpProtocolError": return "connectionLost";
            default: return "badServerResponse";
        }
    }
}
