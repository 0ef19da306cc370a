using System;
using System.IO;
using System.Linq;
using System.Net;
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
// - NTLM and Negotiate where gss-ntlmssp is installed, by which the client's library answers them on Linux. The library looks the host
//   up for them, in the system's resolver, so that these do not go with names of the assignment.
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
                + " trust-question time-limit-total h2 prior-knowledge";
        }
    }

    // Kept until the next assignment: what the client has still to send, as the acknowledgement of SETTINGS, is lost with it.
    private Session session;

    private static int Main(string[] words)
    {
        return new DotnetHttpClient().Serve(words);
    }

    public override bool IsTold(Part step)
    {
        return base.IsTold(step) || Session.Trusts(step) && step.Parts("onRedirect").Count == 1;
    }

    public override void Refuse(Part assignment)
    {
        var steps = assignment.Parts("steps");
        bool isByGSS = assignment.Words("needs").Any(word => word == "ntlm" || word == "negotiate");
        if (isByGSS && assignment.Get("session").Parts("names").Count > 0)
            Cannot(0, "onChallenge", "has the host looked up by the system for NTLM and Negotiate");
        for (int index = 0; index < steps.Count; index++)
        {
            if (steps[index].Text("method") == "CONNECT") Cannot(index, "method", "keeps CONNECT for its tunnels");
        }
    }

    public override async Task Run(Part assignment, Trace trace)
    {
        session?.Dispose();
        session = new Session(assignment, DecompressionMethods.All);
        await Session.Begin(assignment, (step, index) => new Load(this, session, step, index, trace).Run());
    }
}
