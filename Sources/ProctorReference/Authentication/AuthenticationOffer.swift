internal import ProctorHTTP

/// A challenge of a reply that this client can answer (RFC 9110 §11.3), and the space that it is for.
struct AuthenticationOffer: Sendable, Equatable {
    let space: LoadChallenge.ProtectionSpace
    let scheme: Scheme

    /// What an answer is made from.
    enum Scheme: Sendable, Equatable {
        case basic
        case bearer
        case digest(DigestChallenge)
    }

    /// nil where it can't be answered: another scheme, one that lacks what its scheme requires, or one to hash what
    /// can't be read twice.
    init?(_ challenge: AuthenticationChallenge, by asker: Challenger, for body: RequestBody) {
        if challenge.isScheme("Basic") {
            // RFC 7617 §2 requires a realm.
            guard let realm = challenge.realm else { return nil }
            self.init(asker.isProxy ? "proxyBasic" : "basic", realm, by: asker, .basic)
        } else if challenge.isScheme("Digest") {
            guard let realm = challenge.realm, let digest = DigestChallenge(challenge) else { return nil }
            guard DigestSession.canAnswer(digest, for: body, readFile: asker.readFile, by: asker.hasher) else {
                return nil
            }
            self.init(asker.isProxy ? "proxyDigest" : "digest", realm, by: asker, .digest(digest))
        } else if challenge.isScheme("Bearer"), asker.mayAskForTokens {
            self.init("bearer", challenge.realm ?? "", by: asker, .bearer)
        } else {
            return nil
        }
    }

    private init(_ kind: String, _ realm: String, by asker: Challenger, _ scheme: Scheme) {
        space = LoadChallenge.ProtectionSpace(
            kind: kind, origin: asker.origin, realm: realm, isProxy: asker.isProxy)
        self.scheme = scheme
    }

    /// Says that the credential was right and its nonce too old (RFC 7616 §3.3).
    var isStale: Bool {
        if case .digest(let challenge) = scheme { challenge.isStale } else { false }
    }

    /// What stands before what; a token has no place among passwords.
    private var strength: Int {
        switch scheme {
        case .basic, .bearer: 0
        case .digest(let challenge):
            switch challenge.algorithm.hash {
            case .md5: 1
            case .sha256: 2
            case .sha512t256: 3
            }
        }
    }

    /// The server or proxy that asks.
    struct Challenger: Sendable {
        let origin: Origin
        let isProxy: Bool
        /// Whether the API has a way to give a token.
        let asksForTokens: Bool
        /// All of a file, for the integrity of content.
        let readFile: @Sendable (_ path: String) -> [UInt8]?
        /// What it can't compute is not answered.
        let hasher: any DigestHasher

        /// RFC 6750 has tokens for servers alone.
        var mayAskForTokens: Bool { asksForTokens && !isProxy }
    }

    /// The offers of a reply, the strongest first, each space once; Bearer first only where the server puts it first.
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

/// How far a load is with those who ask it for credentials.
struct AuthenticationState: Sendable {
    /// What goes to the server.
    var server: Authorization?
    /// What goes to the proxy (RFC 9110 §11.7.2).
    var proxy: Authorization?
    /// Credentials refused so far, by space (R17).
    private(set) var failures: [LoadChallenge.ProtectionSpace: Failure] = [:]
    /// By the client, which is asked about each once (R15).
    var rejected: Set<LoadChallenge.ProtectionSpace> = []
    /// Servers that the credential in the URL was tried at.
    var triedURLs: Set<Origin> = []
    var usesStored = true

    /// What became of the credentials for one space.
    struct Failure: Sendable {
        var count = 0
        /// The last one.
        var credential: LoadCredential?
    }

    subscript(isProxy isProxy: Bool) -> Authorization? {
        get { isProxy ? proxy : server }
        set { if isProxy { proxy = newValue } else { server = newValue } }
    }

    /// The one that is in use was refused and is in use no more.
    mutating func fail(isProxy: Bool) {
        guard let refused = self[isProxy: isProxy] else { return }
        failures[refused.space, default: Failure()].count += 1
        failures[refused.space]?.credential = refused.credential
        self[isProxy: isProxy] = nil
    }
}
