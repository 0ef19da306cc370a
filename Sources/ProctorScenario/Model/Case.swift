public import ProctorBase
public import ProctorEvents
package import ProctorHTTP
package import ProctorNotation

/// One question of the exam: a client program and the expected observations.
public struct Case: Sendable {
    /// Unique in its scenario; a sitting as a download ends with ``downloadSuffix``.
    public internal(set) var name: String
    /// `must` by default.
    package let kind: Kind
    /// nil when the scenario's summary is enough.
    public let summary: String?
    /// The sections that the case comes from.
    public let spec: [String]
    /// The sections of its scenario, which count where the case has none of its own.
    package internal(set) var scenarioSpec: [String] = []
    /// The demands of these sections that it rests on, where it names them; see ``DemandCatalogue``.
    package let demands: [Scenario.Mention]
    /// Never empty.
    package internal(set) var client: [ClientProgram]
    /// The expected requests; nil when the case does not check them.
    package let wire: Notation?
    /// By lane name: `task`, `task[1]`, `download`, `session`, `proto`, `protocolClient`.
    package internal(set) var lanes: [String: Notation]
    /// Events that may be interleaved with a lane, by lane name.
    package internal(set) var ambient: [String: Notation]
    /// Relations between events of different lanes.
    package let edges: [CausalEdge]
    /// Rules that the program breaks on purpose; the grader must find exactly these.
    package let breaks: [RuleNumber]
    package let facts: [Fact]
    /// The demand on the Cookie fields of all requests; nil: none.
    package let cookies: CookieDemand?
    /// The departures that fail it, its scenario's too; any other one is tolerated.
    package internal(set) var untolerated: Set<Departure>
    /// The abilities that a client needs, from its program and from `needs:`.
    public package(set) var needs: Set<Ability>
    /// Standards of which a client must declare at least one; empty: the case binds every client.
    package let applies: Set<Ability>
    /// Whether the case is decided when the requests are seen, whatever the client makes of the replies.
    package internal(set) var isAboutRequestsAlone: Bool
    /// Whether replies have the codings that the client offers by itself, so that one that offers none shows nothing.
    package internal(set) var isAboutOfferedCodings = false
    /// Origins that do not speak what their scheme says; a client's error there is no fault.
    package internal(set) var contraryOrigins: [String]
    /// The place of the case's name in the file.
    public internal(set) var location: SourceLocation

    /// How binding a case is.
    package enum Kind: String, Sendable, CaseIterable {
        /// Required by the specification.
        case must
        /// Recommended by the specification.
        case should
        /// Records what the client does; nothing is required.
        case observes
    }

    package init(
        name: String, kind: Kind, summary: String?, spec: [String], demands: [Scenario.Mention] = [],
        client: [ClientProgram], wire: Notation?,
        lanes: [String: Notation], ambient: [String: Notation], edges: [CausalEdge] = [], breaks: [RuleNumber] = [],
        facts: [Fact], cookies: CookieDemand? = nil, untolerated: Set<Departure> = [], needs: Set<Ability> = [],
        applies: Set<Ability> = [],
        isAboutRequestsAlone: Bool = false, contraryOrigins: [String] = [], location: SourceLocation
    ) {
        self.untolerated = untolerated
        self.needs = needs
        self.applies = applies
        self.isAboutRequestsAlone = isAboutRequestsAlone
        self.contraryOrigins = contraryOrigins
        self.cookies = cookies
        self.name = name
        self.kind = kind
        self.summary = summary
        self.spec = spec
        self.demands = demands
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

package struct Fact: Sendable {
    package let name: FactName
    package let expected: Expectation
    package let location: SourceLocation

    /// The expected value of a fact.
    package enum Expectation: Sendable, Equatable {
        /// `null`: the value must be absent.
        case absent
        /// Compared as text; may contain `{{base}}` and origins.
        case text(Template)
        /// Exactly these values in this order.
        case list([Template])
        /// Equal to another fact.
        case same(FactName)
        /// A number within bounds, both inclusive.
        case range(minimum: Double?, maximum: Double?)
    }

    package init(name: FactName, expected: Expectation, location: SourceLocation) {
        self.name = name
        self.expected = expected
        self.location = location
    }
}

/// The name of a measurable fact.
package enum FactName: Sendable, Hashable {
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
    /// `auth.…`, or `auth[NAME].…` of one guard; nil: all guards together.
    case guarding(guardName: String?, GuardFact)
    /// `tls.handshakes`: completed ones, with resumptions.
    case handshakeCount
    /// `tls.failures`: handshakes that began and failed.
    case handshakeFailureCount
    /// `tls[N].…`: of the connections with a handshake, in order.
    case tls(index: Int, TLSFact)
    /// `h2.connections`: those whose client spoke HTTP/2.
    case http2ConnectionCount
    /// `h2.streams`: how many streams the client opened, also such without a request.
    case streamCount
    /// `stream[N].…`: in the order in which the client opened streams, over all connections.
    case stream(index: Int, StreamFact)
    /// `h2[N].…`: of the connections whose client spoke HTTP/2, in order.
    case http2(index: Int, HTTP2Fact)
    /// A fact of the client's side: `status`, `url`, `body` …, with its step (0 by default).
    case client(step: Int, ClientFact)

    package enum WireFact: Sendable, Hashable {
        case method, target, version, body, bodyLength, connection, origin, violations, fieldNames
        /// How the content ended: `none`, `length` or `chunked`.
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
        /// `query.NAME`: the decoded values in the query of the target.
        case query(String)
        /// `auth`: the result of the last guard (GuardVerdict.Outcome); absent when there was none.
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
        /// `withheld`: `true` when the client kept its body back without a 100 (RFC 9110 §10.1.1).
        case withheld
        /// `opaque`: the bytes after the reply when the connection was no longer HTTP.
        case opaque
        /// `opaque.length`: the number of those bytes.
        case opaqueLength
        /// `reply.…`: of the final reply that was sent.
        case reply(ReplyFact)
        /// `reply.headers.NAME`; compared without regard to case.
        case replyHeader(String)
        /// `stream`: the number of its stream; absent over HTTP/1.1.
        case stream
        /// `reused`: `true` where its connection had carried a request before.
        case reused
        /// `coalesced`: `true` where its connection had carried a request for another authority before.
        case coalesced
    }

    package enum ReplyFact: String, Sendable, Hashable, CaseIterable {
        case status, body
        case bodyLength = "body.length"
    }

    package enum PartFact: String, Sendable, Hashable, CaseIterable {
        case name, filename, type, body
    }

    package enum ConnectionFact: String, Sendable, Hashable, CaseIterable {
        case requests, closedBy, end
        /// `h2` or `http/1.1`; absent where neither was spoken.
        case speech = "protocol"
        /// How many streams the client opened.
        case streams
    }

    package enum GuardFact: String, Sendable, Hashable, CaseIterable {
        /// How many credentials were judged.
        case attempts
        /// Refused credentials; a stale one does not count.
        case failures
        /// How many replies asked for a credential.
        case challenges
        /// Of the last credential, in lower case.
        case scheme
        /// Of the last credential.
        case user
        /// The nonce count of every Digest credential, in order, in decimal.
        case nc
        /// The kinds of all faults, in order.
        case faults
    }

    package enum TLSFact: String, Sendable, Hashable, CaseIterable {
        /// The agreed values; the names are IANA's.
        case version, cipher, group, alpn
        /// The name that the client sent (RFC 6066 §3).
        case serverName = "server-name"
        /// `true` for a resumption.
        case resumed
        /// The profile of the server's certificate.
        case certificate
        /// The finding about the client's certificate.
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

        /// Whether the fact is about the client's offer, which may have several values.
        package var isOffer: Bool { rawValue.hasPrefix("offered.") }
    }

    package enum ClientFact: Sendable, Hashable {
        case status, url, body, bodyLength, mime, suggestedName, expectedLength, error
        /// The charset of the response, as the client's API gives it.
        case textEncodingName
        /// The client's own text for the status code.
        case statusText
        /// `error.message`: the description of the error, for a person.
        case errorMessage
        /// `error.message.length`: its length in bytes.
        case errorMessageLength
        /// `header.NAME`: what the client's look-up of a field gives, with the name in this spelling.
        case header(String)
        /// `stored.cookies`: the names of the cookies that the store has for the step's URL, by name.
        case storedCookies
        /// `stored.cookies.NAME`: the value of one.
        case storedCookie(String)
        /// `stored.PROPERTY.NAME`: a property of one.
        case storedProperty(CookieProperty, name: String)
        /// `cached.…`: of the response that the cache has for the step's request.
        case cached(CachedFact)
        /// `cached.notes.NAME`: what the application has put to it.
        case cachedNote(String)
        /// `willCache.storage`: the storage policy that the client proposes when it asks about storing.
        case proposedStorage
        /// `metrics.protocol`: what the last request was sent by, as the client's metrics name it.
        case measuredProtocol
        /// `redirect[N].…`: of the response of a redirect that the client was told of, counted from 0.
        case redirect(index: Int, RedirectFact)
        /// The name of an NSURLDownload's file, without its folder.
        case file
        /// Whether that file is there after the end.
        case fileExists
        /// How many files are in the folder of NSURLDownloads after the end.
        case files
        /// Whether a file that the client gave for the time of a callback is there after the end.
        case temporaryFileExists
        /// Whether the download left something to resume with.
        case resumeData
    }

    package enum CookieProperty: String, Sendable, Hashable, CaseIterable {
        case domain, path, secure
        case httpOnly = "http-only"
        /// Whether it has no time to expire.
        case sessionOnly = "session-only"
    }

    package enum CachedFact: String, Sendable, Hashable, CaseIterable {
        case status, body, storage
    }

    package enum RedirectFact: Sendable, Hashable {
        case status, url
        /// `header.NAME`, as of the last response.
        case header(String)
    }
}

extension Case {
    /// The demand on all Cookie fields: conforming to RFC 6265 §5.4 or to RFC 6265bis.
    package struct CookieDemand: Sendable, Equatable {
        /// The edition of every request; nil: either one, but the same for all requests.
        package let edition: CookieEdition?
        /// What the order of the cookies weighs.
        package let order: Order

        /// Any edition by default, with a remark about wrong order.
        package init(edition: CookieEdition? = nil, order: Order = .recommended) {
            self.edition = edition
            self.order = order
        }

        /// For messages: `conforming to rfc6265bis, order required`.
        package var text: String {
            let standard = edition.map { " to \($0.rawValue)" } ?? ""
            return "conforming\(standard)" + (order == .recommended ? "" : ", order \(order.rawValue)")
        }

        /// How binding the order of RFC 6265 §5.4 is: longer paths first, then older cookies.
        package enum Order: String, Sendable, CaseIterable {
            /// Wrong order is a failure.
            case required
            /// Wrong order is a remark.
            case recommended
            /// The order is ignored.
            case any
        }

        /// `conforming`: the right cookies by any edition; another order is a remark.
        package static let conforming = CookieDemand()
        /// `conforming-in-any-order`: the order is ignored.
        package static let conformingInAnyOrder = CookieDemand(order: .any)
    }
}
