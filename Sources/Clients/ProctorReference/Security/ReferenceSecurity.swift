internal import ProctorBase
internal import ProctorHTTP
internal import ProctorQUICLink
internal import ProctorTLS
public import ProctorTLSWire

/// The TLS settings of a client.
public struct ReferenceSecurity: Sendable, Hashable {
    /// Trusted root certificates, each as DER, or several as PEM.
    ///
    /// The system's anchors are not trusted, since servers on loopback have no certificate that they sign.
    public var anchors: [[UInt8]] = []
    /// The identity for servers that request a certificate, in default handling; nil: no certificate.
    public var identity: LoadIdentity?
    /// The permitted TLS versions, from the lowest to the highest.
    public var versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    /// The number of sessions kept for resumption (RFC 8446 §2.2), one for each origin; 0: none.
    public var keptSessions = 64

    /// Whether the delegate is asked about each server; otherwise the anchors alone decide.
    package var asksTrust = true

    /// A deliberate fault in TLS.
    package var fault: Fault?

    /// A deliberate fault in TLS, by the label of its breakage; `faults.tsv` says what each does.
    package enum Fault: String, Sendable, CaseIterable {
        case trustsEverybody = "every-server-is-trusted"
        case showsNoCertificate = "no-client-certificate"
        case offersOldVersions = "old-tls-alone"
        case keepsNoSessions = "no-session-is-resumed"
    }

    /// Makes settings that trust no server and have no identity.
    public init() {}

    var setup: TLSClientSetup {
        // RSA key transport has no forward secrecy (RFC 9325 §4.1).
        var setup = TLSClientSetup(versions: versions, ciphers: "DEFAULT:!kRSA", anchors: anchors)
        if fault == .offersOldVersions {
            setup.versions = .tls10 ... .tls11
            setup.securityLevel = 0
        }
        return setup
    }
}

/// A server's certificate chain and the verdict about it (RFC 8446 §4.4.2).
public struct ServerTrust: Sendable, Equatable {
    /// Whether the chain leads to a trusted anchor, is valid now, and is for this host.
    public var isTrusted: Bool
    /// The verdict in OpenSSL's words; `ok` when the server is trusted.
    public var reason: String
    /// The error of the load unless a delegate trusts the server; nil when the server is trusted.
    package var errorKind: LoadError.Kind?
    /// The certificates in DER, as the server sent them, its own certificate first; not verified.
    package var chain: [[UInt8]]
    /// The name or address that the certificate must be for.
    package var host: String

    /// Makes a value without checking its parts.
    package init(
        isTrusted: Bool, reason: String = "ok", errorKind: LoadError.Kind? = nil, chain: [[UInt8]] = [], host: String
    ) {
        (self.isTrusted, self.reason, self.errorKind, self.chain) = (isTrusted, reason, errorKind, chain)
        self.host = host
    }

    init(_ trust: TLSTrust, host: String) {
        self.init(
            isTrusted: trust.isTrusted, reason: trust.reason, errorKind: Self.kind(of: trust.verdict),
            chain: trust.chain, host: host)
    }

    /// The errors of CFNetwork, which has separate ones only for the dates.
    static func kind(of verdict: TLSTrust.Verdict) -> LoadError.Kind? {
        switch verdict {
        case .trusted: nil
        case .expired: .serverCertificateHasBadDate
        case .notYetValid: .serverCertificateNotYetValid
        case .unknownRoot, .selfSigned, .wrongHost, .revoked, .other: .serverCertificateUntrusted
        }
    }
}

/// The TLS settings of one client, with its tickets and identities; only its own loads use its connections.
final class ConnectionSecurity: Sendable {
    let settings: ReferenceSecurity
    private let state = Locked(State())

    private struct State {
        var context: Result<TLSClientContext, TLSSetupError>?
        var contextOfHTTP2: Result<TLSClientContext, TLSSetupError>?
        var contextOfQUIC: Result<QUICClientContext, TLSSetupError>?
        /// Tickets of servers that the anchors trust.
        var tickets: [Origin: TLSTicket] = [:]
        var ticketOrder: [Origin] = []
        var identities: [Origin: LoadIdentity] = [:]
    }

    private static let identityBound = 256

    init(_ settings: ReferenceSecurity) { self.settings = settings }

    /// Made with the first connection that needs the context.
    func context(offeringHTTP2: Bool = false) throws(TLSSetupError) -> TLSClientContext {
        let place = offeringHTTP2 ? \State.contextOfHTTP2 : \State.context
        return try state.withLock { state throws(TLSSetupError) in
            if let context = state[keyPath: place] { return try context.get() }
            var setup = settings.setup
            setup.applicationProtocols = Self.offer(ofHTTP2: offeringHTTP2)
            let result = Result { () throws(TLSSetupError) in try TLSClientContext(setup) }
            state[keyPath: place] = result
            return try result.get()
        }
    }

    /// Made with the first connection over QUIC.
    func quicContext() throws(TLSSetupError) -> QUICClientContext {
        try state.withLock { state throws(TLSSetupError) in
            if let context = state.contextOfQUIC { return try context.get() }
            var setup = settings.setup
            setup.applicationProtocols = ["h3"]
            let result = Result { () throws(TLSSetupError) in try QUICClientContext(setup) }
            state.contextOfQUIC = result
            return try result.get()
        }
    }

    /// The names for ALPN, in order of preference (RFC 7301 §3.1).
    static func offer(ofHTTP2 speaksHTTP2: Bool) -> [String] { speaksHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"] }

    // MARK: Sessions

    /// Removes and returns a ticket, since one of TLS 1.3 is for a single connection (RFC 8446 §C.4).
    func takeTicket(for origin: Origin) -> TLSTicket? {
        guard settings.fault != .keepsNoSessions else { return nil }
        return state.withLock { state in
            guard let ticket = state.tickets.removeValue(forKey: origin) else { return nil }
            state.ticketOrder.removeAll { $0 == origin }
            return ticket
        }
    }

    func store(_ ticket: TLSTicket, of origin: Origin) {
        guard settings.keptSessions > 0 else { return }
        state.withLock { state in
            state.ticketOrder.removeAll { $0 == origin }
            state.ticketOrder.append(origin)
            state.tickets[origin] = ticket
            while state.ticketOrder.count > settings.keptSessions {
                state.tickets[state.ticketOrder.removeFirst()] = nil
            }
        }
    }

    // MARK: Identities

    /// The identity for default handling.
    func identity(for origin: Origin) -> LoadIdentity? {
        state.withLock { $0.identities[origin] } ?? settings.identity
    }

    func remember(_ identity: LoadIdentity, for origin: Origin) {
        state.withLock { state in
            if state.identities.count >= Self.identityBound, state.identities[origin] == nil { state.identities = [:] }
            state.identities[origin] = identity
        }
    }
}

/// The certificate and private key of a client (RFC 8446 §4.3.2).
public struct LoadIdentity: Sendable, Hashable {
    /// The certificates in DER, the client's own first, then the intermediate ones.
    public var chain: [[UInt8]]
    /// The private key in DER, PKCS #8 or traditional, without a passphrase.
    public var key: [UInt8]

    /// Makes an identity without checking it; one that OpenSSL rejects fails the load with `clientCertificateRejected`.
    public init(chain: [[UInt8]], key: [UInt8]) {
        (self.chain, self.key) = (chain, key)
    }

    /// Reads two PEM texts (RFC 7468): one or more certificates, and a key without a passphrase.
    ///
    /// Throws `clientCertificateRejected` where a text has no such block.
    public init(certificatePEM: String, keyPEM: String) throws(LoadError) {
        let chain = PEMBlocks.list(of: ["CERTIFICATE"], in: certificatePEM)
        guard !chain.isEmpty else { throw Self.lacks("certificate", "-----BEGIN CERTIFICATE-----") }
        let keys = PEMBlocks.list(of: ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"], in: keyPEM)
        guard let key = keys.first else { throw Self.lacks("key", "-----BEGIN PRIVATE KEY-----") }
        self.init(chain: chain, key: key)
    }

    private static func lacks(_ part: String, _ label: String) -> LoadError {
        LoadError(
            .clientCertificateRejected, "the identity's \(part) holds no readable PEM block; expected \"\(label)\"")
    }

    var clientIdentity: ClientIdentity { ClientIdentity(name: "", chain: chain, key: key) }
}

// A printed identity never contains the private key, not even inside other values.
extension LoadIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of certificates, without the key.
    public var description: String { "identity, \(chain.count) certificates" }
    /// The number of certificates, without the key, as in ``description``.
    public var debugDescription: String { description }
    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: ["chain": chain]) }
}
