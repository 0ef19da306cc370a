internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

/// The state of a guard; read and changed under the lock of its ``StageGuard``.
struct GuardProgress {
    var attemptCount = 0
    /// Credentials that were wrong, without those whose only fault is a stale nonce.
    var failureCount = 0
    /// Consecutive credentials that were refused or stale.
    var refusalsInRow = 0
    private(set) var challengeCount = 0
    private(set) var nonces = IssuedNonces()
    /// The sources of nonces, by scheme; nil for a scheme without nonces.
    private var sources: [NonceSource?]
    /// How many nonces were issued, by scheme.
    private var issuedCounts: [Int]

    /// When it began, by the clock of the run.
    let begun: UInt64

    init(_ compiled: CompiledGuard, at begun: UInt64) {
        self.begun = begun
        let offers = compiled.digests.map { $0?.offer }
        issuedCounts = offers.map { _ in 0 }
        sources = offers.enumerated().map { index, offer in
            offer.map { NonceSource($0.nonces.source, scheme: index) }
        }
        // A client may use a fixed nonce of the fixture before any challenge.
        for (index, offer) in offers.enumerated() {
            guard case .fixed(let text)? = offer?.nonces.source else { continue }
            nonces.issue(
                Array(text.utf8), for: IssuedNonces.Grant(scheme: index, realm: 0), at: begun,
                isKept: true)
        }
    }

    mutating func admit(startsOver: Bool) -> Int {
        attemptCount += 1
        refusalsInRow = 0
        if startsOver { startOver() }
        return attemptCount
    }

    struct Asking {
        let turn: Int
        let realm: Int
        /// The nonces of the challenges, by scheme; empty for a scheme without nonces.
        let nonces: [[UInt8]]
    }

    /// Takes the next turn of the challenges and issues their nonces.
    mutating func ask(_ compiled: CompiledGuard, at instant: UInt64) -> Asking {
        let turn = challengeCount
        challengeCount += 1
        let realm = min(turn, compiled.rules.realms.count - 1)
        let nonces = sources.indices.map {
            issue(IssuedNonces.Grant(scheme: $0, realm: realm), of: compiled, at: instant)
        }
        return Asking(turn: turn, realm: realm, nonces: nonces)
    }

    private mutating func issue(
        _ grant: IssuedNonces.Grant, of compiled: CompiledGuard, at instant: UInt64,
        in session: IssuedNonces.Session? = nil
    ) -> [UInt8] {
        guard let nonce = sources[grant.scheme]?.next(), let offer = compiled.digests[grant.scheme]?.offer
        else { return [] }
        let uses = offer.nonces.uses
        let useLimit = uses.isEmpty ? nil : uses[min(issuedCounts[grant.scheme], uses.count - 1)]
        issuedCounts[grant.scheme] += 1
        nonces.issue(nonce, for: grant, at: instant, in: session, useLimit: useLimit)
        return nonce
    }

    /// Notes an admitted request; returns a fault when a concurrent request took the nonce count first.
    mutating func use(
        _ use: CredentialFinding.NonceUse, count: UInt32?, in compiled: CompiledGuard
    ) -> CredentialFault? {
        guard let offer = compiled.digests[use.grant.scheme]?.offer else { return nil }
        return nonces.use(
            use.nonce, count: count, clientNonce: use.clientNonce, isGapless: offer.nonces.isGapless)
    }

    /// A fresh nonce for the next request, where the guard sends one; the old nonce stays valid.
    mutating func nextNonce(after use: CredentialFinding.NonceUse, at instant: UInt64, in compiled: CompiledGuard)
        -> [UInt8]?
    {
        guard let offer = compiled.digests[use.grant.scheme]?.offer, offer.info.givesNextNonce else {
            return nil
        }
        // The nonce is no new challenge, so the session keeps its first nonces.
        let session = (offer.algorithm ?? .md5).isSession ? nonces.session(of: use.nonce) : nil
        return issue(use.grant, of: compiled, at: instant, in: session)
    }

    /// Restarts the turns; counts and issued nonces stay.
    mutating func startOver() {
        failureCount = 0
        challengeCount = 0
        for scheme in issuedCounts.indices { issuedCounts[scheme] = 0 }
    }
}
