/// Something that a client has or lacks; a case may need it, and an adapter declares the client's.
///
/// The raw value is the word in a case's `needs:` and in `abilities` of a trace's header.
public enum Ability: String, Sendable, CaseIterable, Codable {
    // Requests.
    /// Sends a request with any method token.
    case methods
    /// Sends two fields of one name as two lines.
    case repeatedFields = "repeated-fields"
    /// Accepts a text that is no URL in place of one.
    case verbatimURLs = "verbatim-urls"
    /// Encodes the values of a form and of a query that it is given decoded.
    case encodesValues = "encodes-values"
    /// Sends a body whose length is not known in advance.
    case uploadStream = "upload-stream"
    /// Asks the program for a new stream of the body.
    case uploadStreamQuestion = "upload-stream-question"
    /// Sends HTTP/1.0 on request.
    case http10 = "http/1.0"
    /// Speaks HTTP/2 on request: by ALPN over TLS, by prior knowledge without (RFC 9113 §3.2, §3.3).
    case h2
    /// Speaks HTTP/3 on request, without having asked over TCP before (RFC 9114 §3.1).
    case h3

    // Redirects.
    /// Follows redirects by itself.
    case redirects
    /// Can deliver a redirect instead of following it.
    case redirectRefuse = "redirect-refuse"
    /// Can send another request instead of the one that a redirect proposes.
    case redirectChange = "redirect-change"
    /// Can cancel a load when a redirect comes.
    case redirectCancel = "redirect-cancel"
    /// Accepts a different answer for each redirect of one load.
    case redirectPerAnswer = "redirect-per-answer"
    /// Keeps the fragment in the URL that it reports.
    case fragment

    // Cookies.
    /// Keeps cookies, and sends them again.
    case cookieJar = "cookie-jar"
    /// Its jar takes cookies from hosts that are IP addresses.
    case cookiesFromAddresses = "cookies-from-addresses"
    /// Has a main document for each load, which decides whether cookies are accepted.
    case cookiesByDocument = "cookies-by-document"

    // Credentials.
    /// Answers a challenge of the Basic scheme with the credential that it was given (RFC 7617).
    case basic
    /// Answers a challenge of the Digest scheme with the credential that it was given (RFC 7616).
    case digest
    /// Answers a challenge of the Bearer scheme with the token that it was given (RFC 6750).
    case bearer
    /// Answers a challenge of NTLM by version 2, with the credential that it was given (MS-NLMP).
    case ntlm
    /// Answers a challenge of Negotiate with NTLM, by itself or inside SPNEGO, for the credential that it was given (RFC
    /// 4559, RFC 4178).
    case negotiate
    /// Answers a challenge of Negotiate with Proctor's own mechanism, which proves the password and no more.
    case negotiateStub = "negotiate-stub"
    /// Can leave a challenge to the client's default handling.
    case challengeDefault = "challenge-default"
    /// Can cancel a load, or reject a protection space, when it is challenged.
    case challengeCancel = "challenge-cancel"
    /// Accepts a different answer for each challenge of one load.
    case challengesInTurn = "challenges-in-turn"
    /// Remembers credentials from one load to the next.
    case credentialStore = "credential-store"

    // Connections.
    /// Keeps to a limit of the connections to one host that it was given.
    case connectionLimit = "connection-limit"
    /// Sends requests to an HTTP proxy.
    case proxy
    /// Opens a tunnel through an HTTP proxy with CONNECT.
    case proxyTunnel = "proxy-tunnel"
    /// Speaks HTTP/2 to a proxy on request, with prior knowledge (RFC 9113 §3.3).
    case proxyH2 = "proxy-h2"
    /// Speaks TLS to a proxy.
    case proxyTLS = "proxy-tls"
    /// Speaks SOCKS 5 to a proxy (RFC 1928).
    case socks
    /// Speaks SOCKS 4 and 4a to a proxy.
    case socks4
    /// Says user and password to a proxy of SOCKS 5 (RFC 1929).
    case socksPassword = "socks-password"
    /// Looks names up itself, on request, and asks a proxy of SOCKS for the addresses.
    case socksAddresses = "socks-addresses"
    /// Tries the addresses of a name one after the other, where it has several.
    case addresses
    /// Asks a server of DNS that it is given.
    case dns
    /// Asks for HTTPS records, and heeds them (RFC 9460).
    case httpsRecords = "https-records"
    /// Asks a proxy auto-configuration file, at a URL that it is told, for the proxies of each URL.
    case pac
    /// Takes one proxy for `http` and another one for `https`.
    case httpsProxy = "https-proxy"
    /// Takes hosts that it reaches without its proxy, as `no_proxy` lists them.
    case proxyExceptions = "proxy-exceptions"
    /// Takes a URL for its session, against which it resolves references (RFC 3986 §5.1.4).
    case baseURL = "base-url"
    /// Takes another proxy, another trust or another identity for one load of a session.
    case sessionChanges = "session-changes"
    /// Reaches a host on a Unix socket.
    case unixSockets = "unix-sockets"
    /// Loads URLs of a custom scheme as if they were `http`.
    case ownScheme = "own-scheme"
    /// Verifies servers by a given certificate authority.
    case trust
    /// Asks the program whether to trust a server.
    case trustQuestion = "trust-question"
    /// Sends a client certificate that it was given before the load.
    case identity
    /// Asks the program for a client certificate when a server wants one.
    case identityQuestion = "identity-question"

    // The course of a load.
    /// Runs several loads at the same time.
    case severalLoads = "several-loads"
    /// Sends requests on a connection before the replies to those before have come (RFC 9112 §9.3.2).
    case pipelining
    /// Can be cancelled at a moment of the load.
    case cancel
    /// Can be suspended and resumed.
    case suspend
    /// Produces resume data, and continues a download with them.
    case resume
    /// Accepts an answer to a response head other than to continue.
    case responseAnswers = "response-answers"
    /// Accepts an answer some time after the question.
    case answerLater = "answer-later"
    /// Can be told when a load starts, and on which queue, or on which thread and in which mode of its run loop, the
    /// callbacks come.
    case scheduling
    /// Its session can be ended while loads go on.
    case sessionEnd = "session-end"
    /// Stores replies in a cache, and answers from it.
    case cache
    /// Can load from its cache alone, or from it first.
    case cachePolicy = "cache-policy"
    /// The application reads and changes the cookies and the cached responses of its session.
    case storeAccess = "store-access"
    /// Gives up after a silence of a given length.
    case timeLimitSilence = "time-limit-silence"
    /// Gives up when a load has taken a given time in all.
    case timeLimitTotal = "time-limit-total"
    /// Can show the calls of a URLProtocol one by one.
    case urlProtocol = "url-protocol"

    // What it says of itself.
    /// Reports callbacks; this one is read from the lanes of the trace, and need not be declared.
    case callbacks
    /// Reports the metrics of its tasks.
    case metrics
    /// Reports the length that a response announced; this one and the next two are read from the `facts` of the trace's
    /// header, and need not be declared.
    case expectedLength = "expected-length"
    /// Reports the file name that a response suggests.
    case suggestedName = "suggested-name"
    /// Reports the charset of a response.
    case textEncodingName = "text-encoding-name"
    /// Opens event sources, which connect again (HTML §9.2).
    case eventSource = "event-source"
    /// Opens WebSockets (RFC 6455).
    case websocket
    /// Opens WebSockets on streams of HTTP/2 (RFC 8441).
    case websocketH2 = "websocket-h2"
    /// Reads the events of one reply (HTML §9.2.5).
    case eventStream = "event-stream"
    /// Makes requests from pages of an origin, and keeps what CORS asks of them (Fetch §3.2).
    case cors
    /// Keeps the hosts that asked for https alone (RFC 6797).
    case hsts
    /// Comes to an origin by the alternative services that its replies name (RFC 7838).
    case alternativeServices = "alt-svc"
    /// Gets tokens by OAuth 2.0 and OpenID Connect, as the fragment of a step's URL tells it (RFC 6749).
    case oauth
    /// Signs messages and checks signatures and digests, as the fragment of a step's URL tells it (RFC 9421, RFC 9530).
    case signatures
    /// Makes calls of gRPC, gRPC-Web or Connect, as the fragment of a step's URL tells it.
    case grpc
    /// Opens a listener for webhooks and verifies what comes, as the fragment of a step's URL tells it.
    case webhook
    /// Keeps what lasts in a folder, and has it again when its program is started the next time.
    case secondLaunch = "second-launch"
    /// Follows the Fetch standard.
    case fetch
    /// Follows Apple's documentation of URLSession.
    case foundation

    /// The fact that a client with the ability can report; nil: the ability is no report of a fact.
    package var fact: FactKey? {
        switch self {
        case .expectedLength: .expectedLength
        case .suggestedName: .suggestedName
        case .textEncodingName: .textEncodingName
        default: nil
        }
    }

    /// Standards beside the RFCs whose own rules may apply to a client.
    package static let ofStandards: Set<Ability> = [.fetch, .foundation]
    /// Those that a client without a list of abilities lacks.
    package static let declaredAlone = ofStandards.union([
        .h3, .eventSource, .eventStream, .websocket, .websocketH2, .cors, .hsts, .alternativeServices, .oauth,
        .signatures, .grpc, .webhook, .ntlm, .negotiate, .negotiateStub, .pac, .secondLaunch, .pipelining,
        .sessionChanges,
        .httpsProxy,
        .proxyExceptions, .baseURL,
    ])
}
