internal import ProctorHTTP
internal import ProctorHTTPClient
internal import ProctorNegotiate

/// A challenge of a reply that this client can answer (RFC 9110 §11.3), and its space.
struct AuthenticationOffer: Sendable, Equatable {
    let space: LoadChallenge.ProtectionSpace
    let scheme: Scheme

    enum Scheme: Sendable, Equatable {
        case basic
        case bearer
        case digest(DigestChallenge)
        /// NTLM or Negotiate.
        case messages(ServerMessage)
    }

    /// nil when the client can't answer: an unknown scheme, a missing parameter, or content that must be hashed but can
    /// be read only once.
    init?(_ challenge: AuthenticationChallenge, by asker: Challenger, for body: RequestBody) {
        if challenge.isScheme("Basic") {
            // RFC 7617 §2 requires a realm.
            guard let realm = challenge.realm else { return nil }
            self.init(.basic, kind: asker.isProxy ? "proxyBasic" : "basic", realm: realm, by: asker)
        } else if challenge.isScheme("Digest") {
            guard let realm = challenge.realm, let digest = DigestChallenge(challenge) else { return nil }
            guard DigestSession.canAnswer(digest, for: body, readFile: asker.readFile, by: asker.hasher) else {
                return nil
            }
            self.init(.digest(digest), kind: asker.isProxy ? "proxyDigest" : "digest", realm: realm, by: asker)
        } else if let kind = asker.kindOfMessages(challenge), let isKept = asker.keepsConnection,
            isKept || challenge.token68 == nil
        {
            // A challenge that breaks a rule is not answered.
            guard let message = ServerMessage(scheme: challenge.scheme, token68: challenge.token68) else { return nil }
            self.init(.messages(message), kind: kind, realm: "", by: asker)
        } else if challenge.isScheme("Bearer"), asker.asksForTokens {
            self.init(.bearer, kind: "bearer", realm: challenge.realm ?? "", by: asker)
        } else {
            return nil
        }
    }

    private init(_ scheme: Scheme, kind: String, realm: String, by asker: Challenger) {
        space = LoadChallenge.ProtectionSpace(kind: kind, origin: asker.origin, realm: realm, isProxy: asker.isProxy)
        self.scheme = scheme
    }

    /// Whether the server says that the credential was right but the nonce is stale (RFC 7616 §3.3).
    var isStale: Bool {
        if case .digest(let challenge) = scheme { challenge.isStale } else { false }
    }

    private var strength: Int {
        switch scheme {
        case .basic, .bearer: 0
        case .messages(.ntlm): 1
        // It tells by itself which of its mechanisms is the best.
        case .messages(.negotiate): 5
        case .digest(let challenge):
            switch challenge.algorithm.hash {
            case .md5: 2
            case .sha256: 3
            case .sha512t256: 4
            }
        }
    }

    struct Challenger: Sendable {
        let origin: Origin
        let isProxy: Bool
        /// Whether the client can be asked for a token; RFC 6750 defines Bearer for servers only.
        let asksForTokens: Bool
        let readFile: @Sendable (_ path: String) -> [UInt8]?
        /// Computes hashes; a challenge with an algorithm that it lacks is not answered.
        let hasher: any DigestHasher
        /// Whether the next message of NTLM can follow on the connection of the reply; nil: no NTLM, as by R20.
        let keepsConnection: Bool?
        let mechanisms: [NegotiateMechanism]

        /// The kind of a challenge of NTLM or Negotiate; nil: another scheme, or no hash for it.
        fileprivate func kindOfMessages(_ challenge: AuthenticationChallenge) -> String? {
            if challenge.isScheme("NTLM"), NegotiateSession.isPossible([.ntlm]) {
                return isProxy ? "proxyNtlm" : "ntlm"
            }
            guard challenge.isScheme("Negotiate"), NegotiateSession.isPossible(mechanisms) else { return nil }
            return isProxy ? "proxyNegotiate" : "negotiate"
        }
    }

    /// The offers of a reply, the strongest first, each space once; Bearer is first only when the server lists it
    /// first.
    static func list(in values: [ArraySlice<UInt8>], by asker: Challenger, for body: RequestBody)
        -> [AuthenticationOffer]
    {
        let offers = ChallengeReader(values.map { Array($0) }).challenges.compactMap {
            AuthenticationOffer($0, by: asker, for: body)
        }
        let tokens = offers.filter { $0.scheme == .bearer }
        let passwords = offers.filter { $0.scheme != .bearer }.enumerated().sorted { left, right in
            let (first, second) = (left.element.strength, right.element.strength)
            return first == second ? left.offset < right.offset : first > second
        }.map(\.element)
        let ordered = offers.first?.scheme == .bearer ? tokens + passwords : passwords + tokens
        var seen: Set<LoadChallenge.ProtectionSpace> = []
        return ordered.filter { seen.insert($0.space).inserted }
    }
}

/// The state of the authentication of one load, for the server and for the proxy.
struct AuthenticationState: Sendable {
    var server: Authorization?
    /// The credential for the proxy (RFC 9110 §11.7.2).
    var proxy: Authorization?
    /// Credentials refused so far, by space (R17).
    private(set) var failures: [LoadChallenge.ProtectionSpace: Failure] = [:]
    /// Spaces that the client rejected; it is asked about each space once (R15).
    var rejected: Set<LoadChallenge.ProtectionSpace> = []
    /// Servers at which the credential in the URL was tried.
    var triedURLs: Set<Origin> = []
    var usesStored = true

    struct Failure: Sendable {
        var count = 0
        var credential: LoadCredential?
    }

    subscript(isProxy isProxy: Bool) -> Authorization? {
        get { isProxy ? proxy : server }
        set { if isProxy { proxy = newValue } else { server = newValue } }
    }

    /// Whether the next request belongs to the connection of the reply before it.
    var isBound: Bool { server?.messages?.isBound == true || proxy?.messages?.isBound == true }

    /// The offers that the client did not reject; without Negotiate where that failed and another scheme is left.
    func left(of offers: [AuthenticationOffer]) -> [AuthenticationOffer] {
        let open = offers.filter { !rejected.contains($0.space) }
        let others = open.filter { failures[$0.space] == nil || !$0.space.kind.lowercased().hasSuffix("negotiate") }
        return others.isEmpty ? open : others
    }

    mutating func loseConnection() {
        server?.loseConnection()
        proxy?.loseConnection()
    }

    /// Records that the credential in use was refused, and stops using it.
    mutating func fail(isProxy: Bool) {
        guard let refused = self[isProxy: isProxy] else { return }
        failures[refused.space, default: Failure()].count += 1
        failures[refused.space]?.credential = refused.credential
        self[isProxy: isProxy] = nil
    }
}
