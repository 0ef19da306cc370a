/// Something that a client has or lacks; a case may need it, and an adapter declares what its client has.
///
/// The raw value is the word of a case's `needs:` and of `abilities` in a trace's header.
public enum Ability: String, Sendable, CaseIterable, Codable {
    // Requests.
    /// Sends a request with any method token.
    case methods
    /// Sends two fields of one name as two lines.
    case repeatedFields = "repeated-fields"
    /// Can be handed a text that is no URL.
    case verbatimURLs = "verbatim-urls"
    /// Sends a body whose length is not known before.
    case uploadStream = "upload-stream"
    /// Asks for a new stream of the body, and takes the answer.
    case uploadStreamQuestion = "upload-stream-question"
    /// Speaks HTTP/1.0 when it is told to.
    case http10 = "http/1.0"

    // Redirects.
    /// Follows redirects by itself.
    case redirects
    /// Can be told to deliver a redirect in place of following it.
    case redirectRefuse = "redirect-refuse"
    /// Can send another request in place of the one that a redirect proposes.
    case redirectChange = "redirect-change"
    /// Can be cancelled when a redirect comes.
    case redirectCancel = "redirect-cancel"
    /// Takes another answer for each redirect of one load.
    case redirectPerAnswer = "redirect-per-answer"
    /// Keeps the fragment in the URL that it reports.
    case fragment

    // Cookies.
    /// Keeps cookies, and sends them again.
    case cookieJar = "cookie-jar"
    /// Its jar takes cookies from hosts that are IP addresses.
    case cookiesFromAddresses = "cookies-from-addresses"
    /// Knows a main document, by which it takes cookies or not.
    case cookiesByDocument = "cookies-by-document"

    // Credentials.
    /// Answers a challenge of the Basic scheme with the credential that it was given (RFC 7617).
    case basic
    /// Answers a challenge of the Digest scheme with the credential that it was given (RFC 7616).
    case digest
    /// Answers a challenge of the Bearer scheme with the token that it was given (RFC 6750).
    case bearer
    /// Can be told to leave a challenge to its own defaults.
    case challengeDefault = "challenge-default"
    /// Can end a load, or pass a protection space over, when it is challenged.
    case challengeCancel = "challenge-cancel"
    /// Takes another answer for each challenge of one load.
    case challengesInTurn = "challenges-in-turn"
    /// Remembers credentials from one load to the next.
    case credentialStore = "credential-store"

    // Connections.
    /// Sends requests to an HTTP proxy.
    case proxy
    /// Opens a tunnel through an HTTP proxy with CONNECT.
    case proxyTunnel = "proxy-tunnel"
    /// Reaches a host on a Unix socket.
    case unixSockets = "unix-sockets"
    /// Loads URLs of a scheme of one's own as if they were `http`.
    case ownScheme = "own-scheme"
    /// Judges servers by an authority that it is given.
    case trust
    /// Asks whether a server is to be trusted, and takes the answer.
    case trustQuestion = "trust-question"
    /// Shows a certificate of its own that it was given before.
    case identity
    /// Asks for a certificate of its own when a server wants one.
    case identityQuestion = "identity-question"

    // The course of a load.
    /// Can be cancelled at a moment of the load.
    case cancel
    /// Can be suspended and resumed.
    case suspend
    /// Leaves resume data, and continues a download with them.
    case resume
    /// Takes an answer to a response head other than to go on.
    case responseAnswers = "response-answers"
    /// Takes an answer some time after it asked.
    case answerLater = "answer-later"
    /// Its session can be ended while loads go on.
    case sessionEnd = "session-end"
    /// Keeps replies in a cache, and answers from it.
    case cache
    /// Can be told to load from its cache alone, or first.
    case cachePolicy = "cache-policy"
    /// Gives up after a silence of a given length.
    case timeLimitSilence = "time-limit-silence"
    /// Gives up when a load has taken a given time in all.
    case timeLimitTotal = "time-limit-total"
    /// Can be taken apart into the calls of a URLProtocol.
    case urlProtocol = "url-protocol"

    // What it says of itself.
    /// Reports callbacks; this one is read from the lanes of the trace, and need not be declared.
    case callbacks
    /// Tells the metrics of its tasks.
    case metrics
    /// Follows the Fetch standard.
    case fetch
    /// Follows what Foundation's documents say of URLSession.
    case foundation

    /// The documents by whose own rules a client may be judged, beside the RFCs.
    public static let ofStandards: Set<Ability> = [.fetch, .foundation]
}
