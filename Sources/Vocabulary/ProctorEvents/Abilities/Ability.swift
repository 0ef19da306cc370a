internal import ProctorBase

/// Something that a client has or lacks; a case may need it, and an adapter declares the client's.
///
/// The raw value is the word in a case's `needs:` and in `abilities` of a trace's header. What each means stands on
/// Docs/clients/abilities.md, which is made of the same table as everything else that is known of it (``AbilityRow``).
public enum Ability: String, Sendable, CaseIterable, Codable {
    // Requests.
    case methods
    case repeatedFields = "repeated-fields"
    case verbatimURLs = "verbatim-urls"
    case encodesValues = "encodes-values"
    case uploadStream = "upload-stream"
    case uploadStreamQuestion = "upload-stream-question"
    case http10 = "http/1.0"
    case h2
    case priorKnowledge = "prior-knowledge"
    case h3

    // Redirects.
    case redirects
    case redirectRefuse = "redirect-refuse"
    case redirectChange = "redirect-change"
    case redirectCancel = "redirect-cancel"
    case redirectPerAnswer = "redirect-per-answer"
    case fragment

    // Cookies.
    case cookieJar = "cookie-jar"
    case cookiesFromAddresses = "cookies-from-addresses"
    case cookiesByDocument = "cookies-by-document"

    // Credentials.
    case basic
    case digest
    case bearer
    case ntlm
    case negotiate
    case negotiateStub = "negotiate-stub"
    case challengeDefault = "challenge-default"
    case challengeCancel = "challenge-cancel"
    case challengesInTurn = "challenges-in-turn"
    case credentialStore = "credential-store"

    // Connections.
    case connectionLimit = "connection-limit"
    case proxy
    case proxyTunnel = "proxy-tunnel"
    case proxyH2 = "proxy-h2"
    case proxyTLS = "proxy-tls"
    case socks
    case socks4
    case socksPassword = "socks-password"
    case socksAddresses = "socks-addresses"
    case addresses
    case dns
    case httpsRecords = "https-records"
    case pac
    case httpsProxy = "https-proxy"
    case proxyExceptions = "proxy-exceptions"
    case netrc
    case baseURL = "base-url"
    case sessionChanges = "session-changes"
    case unixSockets = "unix-sockets"
    case ownScheme = "own-scheme"
    case trust
    case trustQuestion = "trust-question"
    case identity
    case identityQuestion = "identity-question"

    // The course of a load.
    case severalLoads = "several-loads"
    case pipelining
    case cancel
    case suspend
    case resume
    case responseAnswers = "response-answers"
    case answerLater = "answer-later"
    case scheduling
    case sessionEnd = "session-end"
    case cache
    case cachePolicy = "cache-policy"
    case storeAccess = "store-access"
    case timeLimitSilence = "time-limit-silence"
    case timeLimitTotal = "time-limit-total"
    case urlProtocol = "url-protocol"
    case responseTrailers = "response-trailers"
    case requestTrailers = "request-trailers"
    case bodySource = "body-source"
    case fullDuplex = "full-duplex"
    case backPressure = "back-pressure"
    case cancelAnywhere = "cancel-anywhere"
    case timeLimitConnect = "time-limit-connect"
    case redirectLimit = "redirect-limit"
    case redirectCycles = "redirect-cycles"
    case redirectKeepsMethod = "redirect-keeps-method"
    case decodedLimit = "decoded-limit"
    case decodedRatio = "decoded-ratio"
    case connectionIdleTime = "connection-idle-time"
    case connectionUses = "connection-uses"

    // What it says of itself.
    case callbacks
    case metrics
    case expectedLength = "expected-length"
    case suggestedName = "suggested-name"
    case textEncodingName = "text-encoding-name"
    case eventSource = "event-source"
    case websocket
    case websocketH2 = "websocket-h2"
    case eventStream = "event-stream"
    case cors
    case hsts
    case alternativeServices = "alt-svc"
    case oauth
    case signatures
    case grpc
    case webhook
    case retry
    case retryAfter = "retry-after"
    case retryBroken = "retry-broken"
    case retryPauses = "retry-pauses"
    case idempotencyKey = "idempotency-key"
    case hls
    case dash
    case icy
    case mixedReplace = "mixed-replace"
    case rawBytes = "raw-bytes"
    case secondLaunch = "second-launch"
    case fetch
    case foundation

    /// Standards beside the RFCs whose own rules may apply to a client.
    package static let ofStandards: Set<Ability> = [.fetch, .foundation]
    /// The abilities that a client without a list of abilities lacks.
    package static let declaredAlone = Set(allCases.filter(\.row.isDeclaredAlone))
    /// The abilities to report a fact of a response, by the fact.
    package static let byFact = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { ability in ability.row.fact.map { ($0, ability) } })
}

extension Ability {
    package var row: AbilityRow { Self.table[self] }

    private static let table = ContainedTable<Ability, AbilityRow>("abilities") { AbilityRow($0) }
}

/// What is known of an ability beside its name: a row of `CFiles/Tables/abilities.tsv`.
package struct AbilityRow: Sendable {
    /// Whether a client without a list of abilities lacks it.
    package let isDeclaredAlone: Bool
    /// Which URLSessions have it.
    package let urlSession: Systems
    /// The shapes of the reference client that have it: `all`, `none`, `with a delegate`, or their words.
    package let reference: String
    /// The fact that a client with the ability can report; nil: the ability is no report of a fact.
    package let fact: FactKey?
    /// What a client with it does, a predicate, and the keys by which a case needs it: cells of a table of Markdown.
    package let client: String
    package let neededBy: String
    /// The case of the library by whose success a client shows the ability; nil: a refusal needs no such case.
    package let control: String?
    /// What a command line shows the ability by: placeholders in a group, or else `--ability`; nil: it needs an adapter.
    package let commandLine: String?

    /// The placeholders by which a command line shows the ability alone; nil where it has to be declared.
    package var shownBy: Set<String>? {
        guard let commandLine, !commandLine.contains(text: "--ability") else { return nil }
        return Set(Self.placeholders(in: commandLine))
    }

    /// The names in braces.
    package static func placeholders(in text: String) -> [String] {
        text.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
    }

    /// The systems whose URLSession has an ability.
    package enum Systems: String, Sendable {
        /// Not Linux, where Foundation has Debian's libcurl without WebSockets and HTTP/3, and asks about Basic and Digest
        /// alone.
        case darwin
        case all, none
    }

    fileprivate init(_ cells: TableCells) {
        isDeclaredAlone = cells.text("declared") != nil
        urlSession = cells.value("urlsession", Systems.init)
        fact = cells.valueIfAny("fact") { FactKey(rawValue: $0) }
        control = cells.text("control")
        (reference, client, neededBy) = (cells["reference"], cells["client"], cells["needed by"])
        commandLine = cells.text("command line")
    }
}
