internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

/// Where a guard stands; changed as a whole under the lock of its desk.
struct GuardProgress {
    /// Credentials that were judged.
    var attemptCount = 0
    /// Credentials that were wrong, not counting those that were only too old.
    var failureCount = 0
    /// Credentials that were refused, or only too old, since one was admitted.
    var refusalsInRow = 0
    /// Replies that asked for a credential.
    private(set) var challengeCount = 0
    private(set) var nonces = NonceBook()
    /// By scheme; nil where one has no nonces.
    private var sources: [NonceSource?]
    /// By scheme; how many were given out.
    private var issuedCounts: [Int]

    init(_ compiled: CompiledGuard) {
        issuedCounts = compiled.rules.schemes.map { _ in 0 }
        sources = compiled.rules.schemes.enumerated().map { index, scheme in
            guard case .digest(let offer) = scheme else { return nil }
            return NonceSource(offer.nonces.source, scheme: index)
        }
        // A fixed one is known to whoever has read the fixture, so it may come before any challenge.
        for case (let index, .digest(let offer)) in compiled.rules.schemes.enumerated() {
            guard case .fixed(let text) = offer.nonces.source else { continue }
            nonces.issue(
                Array(text.utf8), for: NonceBook.Grant(scheme: index, realm: 0), at: MonotonicClock.nanoseconds,
                isKept: true)
        }
    }

    /// What the next challenge says.
    struct Asking {
        let turn: Int
        let realm: Int
        /// By scheme; empty where it has none.
        let nonces: [[UInt8]]
    }

    /// Takes the next turn of the challenges and gives out their nonces.
    mutating func ask(_ compiled: CompiledGuard, at instant: UInt64) -> Asking {
        let turn = challengeCount
        challengeCount += 1
        let realm = min(turn, compiled.rules.realms.count - 1)
        var issued: [[UInt8]] = []
        for scheme in sources.indices {
            issued.append(issue(NonceBook.Grant(scheme: scheme, realm: realm), compiled, instant))
        }
        return Asking(turn: turn, realm: realm, nonces: issued)
    }

    private mutating func issue(
        _ grant: NonceBook.Grant, _ compiled: CompiledGuard, _ instant: UInt64, in session: NonceBook.Session? = nil
    ) -> [UInt8] {
        guard let nonce = sources[grant.scheme]?.next(), case .digest(let offer) = compiled.rules.schemes[grant.scheme]
        else { return [] }
        let uses = offer.nonces.uses
        let useLimit = uses.isEmpty ? nil : uses[min(issuedCounts[grant.scheme], uses.count - 1)]
        issuedCounts[grant.scheme] += 1
        nonces.issue(nonce, for: grant, at: instant, in: session, useLimit: useLimit)
        return nonce
    }

    /// Notes a right request; what is wrong with it when another was faster.
    mutating func use(_ use: Finding.NonceUse, count: UInt32?, in compiled: CompiledGuard) -> CredentialFault? {
        guard case .digest(let offer) = compiled.rules.schemes[use.grant.scheme] else { return nil }
        let policy = offer.nonces
        let outcome = nonces.use(
            use.nonce, count: count, clientNonce: use.clientNonce, isGapless: policy.isGapless)
        switch outcome {
        case .taken: return nil
        case .replayed:
            return CredentialFault(
                .replayedNonceCount, "nc has come with this nonce before; every request counts one further",
                section: "RFC 7616 §3.4")
        case .over:
            return CredentialFault(
                .staleNonce, "another request was the last that might use this nonce", section: "RFC 7616 §3.3")
        case .unknown:
            return CredentialFault(
                .unknownNonce, "the nonce was forgotten while the request was judged; use that of the last challenge",
                section: "RFC 7616 §3.4")
        case .ofAnotherSession:
            return CredentialFault(
                .changedClientNonce,
                "another request of the same moment began the session with another cnonce, which A1 keeps",
                section: "RFC 7616 §3.4.2")
        case .skipped(let expected):
            return CredentialFault(
                .skippedNonceCount, "nc leaves out \(expected), the next one; it counts each request once",
                section: "RFC 7616 §3.4")
        }
    }

    /// A fresh nonce for the request after this one, where the guard gives one; the old one stays good.
    mutating func nextNonce(after use: Finding.NonceUse, at instant: UInt64, in compiled: CompiledGuard) -> [UInt8]? {
        guard case .digest(let offer) = compiled.rules.schemes[use.grant.scheme], offer.info.givesNextNonce else {
            return nil
        }
        // It is no new challenge, so a session goes on with what it began with.
        let session = (offer.algorithm ?? .md5).isSession ? nonces.session(of: use.nonce) : nil
        return issue(use.grant, compiled, instant, in: session)
    }

    /// The next request meets the first turns; what was counted and given out stays.
    mutating func startOver() {
        failureCount = 0
        challengeCount = 0
        for scheme in issuedCounts.indices { issuedCounts[scheme] = 0 }
    }
}
