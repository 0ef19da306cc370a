import ProctorBase
package import ProctorEvents

/// How the session of a client program is configured, and how it ends.
public struct SessionSetup: Sendable, Equatable {
    /// Which objects are delegates.
    public var delegates = Delegates.session
    /// The methods that the delegate does not implement; with `both`, the task's delegate.
    package var without: [DelegateMethod] = []
    /// Which methods for challenges an old delegate implements; nil: the new method for a connection, the old methods
    /// for a download.
    package var challengeMethods: ChallengeMethods?
    /// The queue on which callbacks run.
    public var queue = Queue.serial
    /// How the session ends; nil: finished after all steps.
    public var end: End?
    /// A moment of the first step at which the session ends; nil: after the last step.
    public var endAt: Assignment.Moment?
    /// Which cookies the session accepts and sends.
    public var cookies = Cookies.always
    /// The memory capacity of a URLCache in bytes; nil: no cache.
    public var cache: Int?
    /// The timeout of requests in milliseconds; nil: the client's default.
    public var requestTimeout: Int?
    /// The timeout of resources in milliseconds; nil: the client's default.
    public var resourceTimeout: Int?
    /// The most connections to one host at a time; nil: the client's default.
    public var connectionsPerHost: Int?
    /// The most redirects of one load; nil: the client's default.
    package var redirectLimit: Int?
    /// Whether a redirect may lead to a URL that the load has asked before; nil: the client's default.
    package var redirectCycles: Bool?
    /// The statuses, of 301 and 302, whose redirects keep the method and the content; nil: the client's default.
    package var methodKept: [Int]?
    /// The most bytes of decoded content; nil: the client's default.
    package var decodedLimit: Int?
    /// The most bytes of decoded content for each coded byte; nil: the client's default.
    package var decodedRatio: Int?
    /// The time for making a connection, in milliseconds, the handshake of TLS included; nil: the client's default.
    package var connectTimeout: Int?
    /// How long a connection may be kept unused, in milliseconds; nil: the client's default.
    package var idleTime: Int?
    /// The most requests on one connection; nil: the client's default.
    package var connectionUses: Int?
    /// Authority of a proxy for http and https to every host; nil: none.
    public var proxy: String?
    /// Authority of a proxy for https to every host, in place of ``proxy``; nil: that is for https too.
    package var httpsProxy: String?
    /// The protocol between client and ``proxy``; nil: HTTP/1.1.
    public var proxyProtocol: ProxyProtocol?
    /// The user for a proxy of SOCKS: of RFC 1929, or the user of SOCKS 4; nil: none is said.
    public var proxyUser: String?
    /// The password for ``proxyUser``.
    public var proxyPassword: String?
    /// The hosts that are reached without ``proxy``, each as an entry of `no_proxy` is written; nil: none.
    package var noProxy: [String]?
    /// The content of a .netrc file, by which the client finds the credential of a host; nil: none.
    package var netrc: String?
    /// Absolute URL against which the client resolves the ``Assignment/Step/reference`` of a step; nil: none.
    package var baseURL: String?
    /// URL of a proxy auto-configuration file, which says the proxies of each URL; nil: none, and ``proxy`` decides.
    package var pac: String?
    /// The host names in URLs of this assignment and its redirects, with their addresses; nil: none.
    ///
    /// A client connects to the address instead of resolving the name, or uses ``namesProxy``. A client with a
    /// ``proxy`` uses that one for all hosts.
    public var names: [Assignment.NamedHost]?
    /// Authority of a proxy for all of ``names``, for clients that can't be given addresses.
    public var namesProxy: String?
    /// Address of a server of DNS, over UDP and TCP, that is asked for every name; nil: no name is looked up.
    ///
    /// An entry of ``names`` then says the port alone, to which a client connects in place of that of the URL.
    package var resolver: String?
    /// The scheme that stands in place of `http` in URLs of this assignment; nil: `http`.
    public var ownScheme: String?
    /// The URLProtocol classes, in the order in which they are registered or listed in the configuration.
    package var protocols: [ProtocolClass] = []
    /// Whether the steps use the shared session, which the application does not configure and which has no delegate.
    package var isShared = false
    /// Whether the loading system keeps URLProtocol objects for 1.5 seconds after they were stopped.
    package var keepsObjects = false
    /// Whether two threads call the protocol classes at the same time before each load.
    package var callsAtOnce = false
    /// Path of a PEM file with the only authority to trust; nil: the client's own authorities.
    public var trust: String?
    /// Whether the client judges servers by ``trust`` without a question to its delegate, since the case knows no TLS.
    package var evaluatesTrust = false
    /// The identity that the client may present without being asked; nil: none.
    public var identity: Assignment.Identity?
    /// Unknown words in the JSON that was read; their properties have the default value, and the words are not written
    /// again.
    package var unknownWords: [Assignment.UnknownWord] = []

    /// What client and proxy speak: HTTP/2 with prior knowledge (RFC 9113 §3.3), over TLS HTTP/1.1 or HTTP/2, or SOCKS.
    ///
    /// With `socks5` and `socks4` the client looks names up; with `socks5h` and `socks4a` the proxy does.
    public enum ProxyProtocol: String, Sendable, CaseIterable, AssignmentWord {
        case h2, https
        case httpsH2 = "https-h2"
        case socks5, socks5h, socks4, socks4a

        /// Whether TLS is spoken to the proxy.
        package var isSecured: Bool { self == .https || self == .httpsH2 }

        package var isSOCKS: Bool { Self.ofSOCKS.contains(self) }

        /// Whether the client looks names up, and asks the proxy for addresses.
        package var asksForAddresses: Bool { self == .socks5 || self == .socks4 }

        package static let ofSOCKS: [ProxyProtocol] = [.socks5, .socks5h, .socks4, .socks4a]

        /// The scheme of the proxy's URL, as curl and others have it.
        package var urlScheme: String { isSOCKS ? rawValue : isSecured ? "https" : "http" }
    }
    /// Which objects implement delegate methods.
    public enum Delegates: String, Sendable, CaseIterable, AssignmentWord { case session, task, both, none }
    /// The delegate queue; `default` gives the session none.
    public enum Queue: String, Sendable, CaseIterable, AssignmentWord { case serial, `default`, main, concurrent }
    /// How a session ends: after its tasks have ended (`finishTasksAndInvalidate`), or by cancelling them
    /// (`invalidateAndCancel`).
    public enum End: String, Sendable, CaseIterable, AssignmentWord { case finish, invalidate }
    /// When cookies are accepted.
    public enum Cookies: String, Sendable, CaseIterable, AssignmentWord {
        case always, never
        case mainDocument = "main-document"
    }

    /// Makes a session with one delegate on a serial queue, without a cache.
    public init() {}
}

extension SessionSetup: AssignmentObject, KeyedProgram {
    package static let tellingKeys = keys.filter { $0.traits != KeyTraits() }

    private static let ofOneConnection = "the client is to give up connections, and HTTP/2 shares one"

    package static let keys: [AssignmentKey<SessionSetup>] = [
        .always("delegates", \.delegates),
        .unless([], "without", \.without),
        .optional("challengeMethods", \.challengeMethods),
        .always("queue", \.queue),
        .optional("end", \.end),
        .optional("endAt", \.endAt, KeyTraits(endsLoad: true, isMoment: true)),
        .always("cookies", \.cookies),
        .optional("cache", \.cache),
        .optional(
            "requestTimeout", \.requestTimeout, KeyTraits(limits: .timeLimitSilence, endsLoad: true, delays: true)),
        .optional(
            "resourceTimeout", \.resourceTimeout, KeyTraits(limits: .timeLimitTotal, endsLoad: true, delays: true)),
        .optional(
            "connectionsPerHost", \.connectionsPerHost,
            KeyTraits(
                obstacles: [.http2: "the client is to limit its connections, of which HTTP/2 needs one"])),
        .optional("redirectLimit", \.redirectLimit),
        .optional("redirectCycles", \.redirectCycles),
        .optional("redirectKeeps", \.methodKept),
        .optional("decodedLimit", \.decodedLimit),
        .optional("decodedRatio", \.decodedRatio),
        .optional("connectTimeout", \.connectTimeout, KeyTraits(delays: true)),
        .optional("idleTime", \.idleTime, KeyTraits(obstacles: [.http2: Self.ofOneConnection])),
        .optional("connectionUses", \.connectionUses, KeyTraits(obstacles: [.http2: Self.ofOneConnection])),
        .optional("proxy", \.proxy, KeyTraits(isOfStep: true)),
        .optional("httpsProxy", \.httpsProxy, KeyTraits(isOfStep: true)),
        .optional("proxyProtocol", \.proxyProtocol, KeyTraits(isOfStep: true)),
        .optional("proxyUser", \.proxyUser, KeyTraits(isOfStep: true)),
        .optional("proxyPassword", \.proxyPassword, KeyTraits(isOfStep: true)),
        .optional("noProxy", \.noProxy, KeyTraits(isOfStep: true)),
        .optional("netrc", \.netrc),
        .optional("baseURL", \.baseURL, KeyTraits(isOfStep: true)),
        .optional("pac", \.pac),
        .optional("names", \.names),
        .optional("namesProxy", \.namesProxy),
        .optional("resolver", \.resolver),
        .optional("ownScheme", \.ownScheme),
        .unless([], "protocols", \.protocols),
        .unless(false, "shared", \.isShared),
        .unless(false, "keepsObjects", \.keepsObjects),
        .unless(false, "callsAtOnce", \.callsAtOnce),
        .optional("trust", \.trust, KeyTraits(isOfStep: true)),
        .unless(false, "evaluatesTrust", \.evaluatesTrust),
        .optional("identity", \.identity, KeyTraits(isOfStep: true)),
    ]

    /// What a client must be able to do by these keys alone, as ``Assignment/Step/neededAbilities``.
    package var neededAbilities: Set<Ability> {
        var needs: Set<Ability> = []
        if !without.isEmpty || challengeMethods != nil { needs.insert(.callbacks) }
        if endAt != nil { needs.insert(.sessionEnd) }
        if cache != nil { needs.insert(.cache) }
        if requestTimeout != nil { needs.insert(.timeLimitSilence) }
        if resourceTimeout != nil { needs.insert(.timeLimitTotal) }
        if connectionsPerHost != nil { needs.insert(.connectionLimit) }
        if redirectLimit != nil { needs.insert(.redirectLimit) }
        if redirectCycles != nil { needs.insert(.redirectCycles) }
        if methodKept != nil { needs.insert(.redirectKeepsMethod) }
        if decodedLimit != nil { needs.insert(.decodedLimit) }
        if decodedRatio != nil { needs.insert(.decodedRatio) }
        if connectTimeout != nil { needs.insert(.timeLimitConnect) }
        if idleTime != nil { needs.insert(.connectionIdleTime) }
        if connectionUses != nil { needs.insert(.connectionUses) }
        if ownScheme != nil { needs.insert(.ownScheme) }
        if !protocols.isEmpty || keepsObjects || callsAtOnce { needs.insert(.urlProtocol) }
        return needs
    }

    static func read(from decoder: any Decoder, key _: String, _: inout [Assignment.UnknownWord]) throws -> Self? {
        var unknown: [Assignment.UnknownWord] = []
        var setup = try object(from: decoder, &unknown)
        setup.unknownWords = unknown
        return setup
    }
}

extension SessionSetup {
    /// The setup with the ways and the trust of a step; nil: the same setup.
    package func changed(by change: Assignment.SessionChange?) -> SessionSetup {
        change.map { Assignment.SessionChange.keys.copy(from: $0.setup, to: self) } ?? self
    }
}

extension Assignment {
    /// What a step says in place of the same keys of the session; nil: none, whatever the session says.
    package struct SessionChange: Sendable, Equatable {
        fileprivate var setup: SessionSetup

        package static let keys = SessionSetup.keys.filter(\.traits.isOfStep)

        package init(_ setup: SessionSetup) { self.setup = Self.keys.copy(from: setup, to: SessionSetup()) }
    }
}

extension Assignment.SessionChange: AssignmentValue {
    func write(to json: inout JSONText, in session: SessionSetup) { Self.keys.write(setup, to: &json, in: session) }

    static func read(
        from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self? {
        Self(try keys.read(SessionSetup(), from: decoder, key: key, &unknown))
    }
}
