public import ProctorBase
public import ProctorEvents
public import ProctorHTTP
public import ProctorNotation

/// One question of the exam: what the client is told to do and what must then be seen.
public struct Case: Sendable {
    /// The key of the case, unique in its scenario.
    public let name: String
    /// `must` when the file says nothing.
    public let kind: Kind
    /// nil when the scenario's summary says it all.
    public let summary: String?
    /// Sections that the case itself comes from.
    public let spec: [String]
    /// Never empty.
    public let client: [ClientProgram]
    /// The requests the server must see; nil when nothing is asked about them.
    public let wire: Notation?
    /// By lane name: `task`, `task[1]`, `download`, `session`, `proto`, `protocolClient`.
    public let lanes: [String: Notation]
    /// What may be interleaved with a lane, by lane name.
    public let ambient: [String: Notation]
    /// What holds between events of different lanes.
    public let edges: [CausalEdge]
    /// Rules that the program itself breaks on purpose; the grader must find exactly these.
    public let breaks: [RuleNumber]
    /// In the order of the file.
    public let facts: [Fact]
    /// What the Cookie fields of all requests must be; nil when nothing is asked about them.
    public let cookies: CookieDemand?
    /// What a client must have for the case to be asked of it: what its program takes, and what `needs:` adds.
    public internal(set) var needs: Set<Ability>
    /// Standards of which a client must declare one, for the case rests on their own rules; empty: it binds every client.
    public let applies: Set<Ability>
    /// Whether it is decided as soon as the requests are seen, whatever the client makes of the replies.
    public internal(set) var isAboutRequestsAlone: Bool
    /// Origins that do not speak what their scheme says; a client that believes the scheme is not at fault there.
    public internal(set) var contraryOrigins: [String]
    /// Where the name of the case stands.
    public let location: SourceLocation

    /// How binding the answer is.
    public enum Kind: String, Sendable, CaseIterable {
        /// The specification leaves no choice.
        case must
        /// The specification recommends it.
        case should
        /// Nothing is required; what the client does is recorded.
        case observes
    }

    /// Every part as the fixture gives it, or its default.
    public init(
        name: String, kind: Kind, summary: String?, spec: [String], client: [ClientProgram], wire: Notation?,
        lanes: [String: Notation], ambient: [String: Notation], edges: [CausalEdge] = [], breaks: [RuleNumber] = [],
        facts: [Fact], cookies: CookieDemand? = nil, needs: Set<Ability> = [], applies: Set<Ability> = [],
        isAboutRequestsAlone: Bool = false, contraryOrigins: [String] = [], location: SourceLocation
    ) {
        self.needs = needs
        self.applies = applies
        self.isAboutRequestsAlone = isAboutRequestsAlone
        self.contraryOrigins = contraryOrigins
        self.cookies = cookies
        self.name = name
        self.kind = kind
        self.summary = summary
        self.spec = spec
        self.client = client
        self.wire = wire
        self.lanes = lanes
        self.ambient = ambient
        self.edges = edges
        self.breaks = breaks
        self.facts = facts
        self.location = location
    }
}

/// One thing that must be true at the end of a case.
public struct Fact: Sendable {
    /// What is measured.
    public let name: FactName
    /// What the measurement must give.
    public let expected: Expectation
    /// Where the name of the fact stands.
    public let location: SourceLocation

    /// The ways to say what is right.
    public enum Expectation: Sendable, Equatable {
        /// `null`: there is no such thing.
        case absent
        /// Compared as text; `{{base}}` and origins may stand in it.
        case text(Template)
        /// In this order, nothing between.
        case list([Template])
        /// Equal to another fact.
        case same(FactName)
        /// A number within bounds, both inclusive.
        case range(minimum: Double?, maximum: Double?)
    }

    /// One entry of `facts:`.
    public init(name: FactName, expected: Expectation, location: SourceLocation) {
        self.name = name
        self.expected = expected
        self.location = location
    }
}

/// The name of something that can be measured.
public enum FactName: Sendable, Hashable {
    /// `wire.count`: how many requests arrived.
    case requestCount
    /// `tunnels`: how many tunnels were opened through proxies.
    case tunnelCount
    /// `wire[N].…`
    case wire(index: Int, WireFact)
    /// `connections`: how many connections were accepted.
    case connectionCount
    /// `connection[N].…`
    case connection(index: Int, ConnectionFact)
    /// `auth.…`, or `auth[NAME].…` of one guard; nil: of all guards together.
    case guarding(guardName: String?, GuardFact)
    /// `tls.handshakes`: how many were completed, resumed ones too.
    case handshakeCount
    /// `tls.failures`: how many were begun and failed.
    case handshakeFailureCount
    /// `tls[N].…`: of the connections that began a handshake, in their order.
    case tls(index: Int, TLSFact)
    /// A fact of the client's side: `status`, `url`, `body` …, with its step (0 when not written).
    case client(step: Int, ClientFact)

    /// What can be measured of one request.
    public enum WireFact: Sendable, Hashable {
        case method, target, version, body, bodyLength, connection, origin, violations, fieldNames
        /// How the end of the content was told: `none`, `length` or `chunked`.
        case framing
        /// The bytes of each chunk in order, without the last one.
        case chunks
        /// Milliseconds between the end of the previous request's head and this one's.
        case gap
        /// `headers.NAME`; compared without regard to case.
        case header(String)
        /// `trailers.NAME`; compared without regard to case.
        case trailer(String)
        /// `form.NAME`: the decoded values of application/x-www-form-urlencoded.
        case form(String)
        /// `auth`: the outcome of the last guard that was asked (GuardVerdict.Outcome); absent where none was.
        case guardOutcome
        /// `auth.faults`: the kinds of its faults, in order.
        case guardFaults
        /// `credentials.NAME`, or `proxy-credentials.NAME`: a parameter of (Proxy-)Authorization without its quotes, or
        /// `scheme` or `token68`.
        case credentials(String, isProxy: Bool)
        /// `cookies`: the names of the Cookie field's pairs, in order; absent without the field.
        case cookieNames
        /// `cookies.NAME`: the value of a pair, a list where there are several.
        case cookie(String)
        /// `target-form`: `origin`, `absolute`, `authority` or `asterisk` as it arrived (RFC 9112 §3.2).
        case targetForm
        /// `authority`: of a target in absolute-form or authority-form, as it arrived.
        case authority
        /// `parts`: how many parts of multipart/form-data there are.
        case partCount
        /// `parts[N].…`: of multipart/form-data.
        case part(index: Int, PartFact)
        /// `chunk-lines`: the lines before chunks as they came, the last one too.
        case chunkLines
        /// `withheld`: `true` where the client kept its body back, for it was sent no 100 (RFC 9110 §10.1.1).
        case withheld
        /// `opaque`: what came behind the reply where the connection was no HTTP any more.
        case opaque
        /// `opaque.length`: how many bytes that are.
        case opaqueLength
        /// `reply.…`: of the final reply that was sent.
        case reply(ReplyFact)
        /// `reply.headers.NAME`; compared without regard to case.
        case replyHeader(String)
    }

    /// What can be measured of the final reply to one request.
    public enum ReplyFact: String, Sendable, Hashable, CaseIterable {
        case status, body
        case bodyLength = "body.length"
    }

    /// What can be measured of one part of multipart/form-data.
    public enum PartFact: String, Sendable, Hashable, CaseIterable {
        case name, filename, type, body
    }

    /// What can be measured of one connection.
    public enum ConnectionFact: String, Sendable, Hashable, CaseIterable {
        case requests, closedBy, end
    }

    /// What can be measured of guards over a run.
    public enum GuardFact: String, Sendable, Hashable, CaseIterable {
        /// How many credentials were judged.
        case attempts
        /// How many of them were refused; a stale one is none.
        case failures
        /// How many replies asked for a credential.
        case challenges
        /// Of the last credential, in lower case.
        case scheme
        /// Of the last credential.
        case user
        /// The nonce count of every Digest credential, in order, as a decimal number.
        case nc
        /// The kinds of all faults, in order.
        case faults
    }

    /// What can be measured of one TLS handshake.
    public enum TLSFact: String, Sendable, Hashable, CaseIterable {
        /// What was agreed on; the names are IANA's.
        case version, cipher, group, alpn
        /// The name that the client sent (RFC 6066 §3).
        case serverName = "server-name"
        /// `true` where an earlier session went on.
        case resumed
        /// The profile of the server's certificate.
        case certificate
        /// What is known of the client's certificate.
        case client
        /// The name of the client's last fatal alert.
        case alert
        /// `secured` or `failed`.
        case end
        /// What the ClientHello offered, in its order.
        case offeredVersions = "offered.versions"
        case offeredCiphers = "offered.ciphers"
        case offeredGroups = "offered.groups"
        case offeredALPN = "offered.alpn"
        case offeredExtensions = "offered.extensions"

        /// Whether it is about what the client offered, which may be several things.
        public var isOffer: Bool { rawValue.hasPrefix("offered.") }
    }

    /// What a client reports about one step.
    public enum ClientFact: String, Sendable, Hashable, CaseIterable {
        case status, url, body, mime, suggestedName, expectedLength, error
        case bodyLength = "body.length"
    }
}

extension Case {
    /// What the Cookie fields of all requests must be: those of the user agent of RFC 6265 §5.4, or of its revision.
    public struct CookieDemand: Sendable, Equatable {
        /// The edition that every request must follow; nil: either, and the same one for all requests.
        public let edition: CookieEdition?
        /// What the order of the cookies weighs.
        public let order: Order

        /// Of any edition, where nothing else is said; the order is remarked on.
        public init(edition: CookieEdition? = nil, order: Order = .recommended) {
            self.edition = edition
            self.order = order
        }

        /// As a person reads it: `conforming to rfc6265bis, order required`.
        public var text: String {
            let standard = edition.map { " to \($0.rawValue)" } ?? ""
            return "conforming\(standard)" + (order == .recommended ? "" : ", order \(order.rawValue)")
        }

        /// How binding the order of RFC 6265 §5.4 is, which the section recommends: longer paths first, then older cookies.
        public enum Order: String, Sendable, CaseIterable {
            /// Another order is a failure.
            case required
            /// Another order is a remark.
            case recommended
            /// Nothing is said of the order.
            case any
        }

        /// `conforming`: the right cookies by any edition; another order is a remark.
        public static let conforming = CookieDemand()
        /// `conforming-in-any-order`: the same, and nothing is said of the order.
        public static let conformingInAnyOrder = CookieDemand(order: .any)
    }
}
