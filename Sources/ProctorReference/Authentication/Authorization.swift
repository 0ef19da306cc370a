internal import ProctorHTTP

/// A credential that goes with the requests of one load to one server or proxy, and what became of it.
struct Authorization: Sendable {
    let space: LoadChallenge.ProtectionSpace
    let credential: LoadCredential
    let source: Source
    private(set) var scope: ProtectionScope
    private(set) var form: Form
    /// The request under way has it.
    private(set) var isSent = false
    /// What the request under way has, for the proof in its reply (RFC 7616 §3.5).
    private(set) var answer: SentDigest?
    /// A server accepted the credential.
    private(set) var isAccepted = false
    /// New nonces in a row that came without a word about the credential.
    private(set) var staleCount = 0

    /// How it came to be tried.
    enum Source: Sendable, Equatable { case answer, url, store }

    /// How it is sent.
    enum Form: Sendable, Equatable {
        /// The same field value with every request.
        case fixed([UInt8])
        case digest(DigestSession)
    }

    /// Why a credential can't be sent with a scheme.
    enum Unusable: Error {
        /// The credential is of another kind: a token for a scheme with passwords, or the reverse.
        case anotherKind
        /// The credential can't be written; the reason is for a person.
        case unsendable(String)
    }

    /// An answer to `offer`, which came in a reply to a request for `url`.
    init(
        _ credential: LoadCredential, from source: Source, to offer: AuthenticationOffer, of url: ClientURL
    ) throws(Unusable) {
        space = offer.space
        self.credential = credential
        self.source = source
        scope = ProtectionScope(of: offer, to: url)
        form = try Self.form(credential, for: offer)
    }

    /// A stored credential, for a space that accepted it before.
    init(_ credential: LoadCredential, recalling known: AuthenticationMemory.KnownSpace) throws(Unusable) {
        space = known.space
        self.credential = credential
        source = .store
        scope = known.scope
        if let session = known.digest {
            guard credential.token == nil else { throw .anotherKind }
            form = .digest(session)
        } else if let text = credential.token {
            guard known.space.kind == "bearer" else { throw .anotherKind }
            form = .fixed(try Self.token(text))
        } else {
            form = .fixed(try Self.password(credential))
        }
    }

    private static func form(
        _ credential: LoadCredential, for offer: AuthenticationOffer
    ) throws(Unusable) -> Form {
        switch offer.scheme {
        case .bearer:
            guard let token = credential.token else { throw .anotherKind }
            return .fixed(try Self.token(token))
        case .basic:
            guard credential.token == nil else { throw .anotherKind }
            return .fixed(try Self.password(credential))
        case .digest(let challenge):
            guard credential.token == nil else { throw .anotherKind }
            return .digest(DigestSession(challenge))
        }
    }

    private static func token(_ token: String) throws(Unusable) -> [UInt8] {
        do throws(BearerCredentialError) {
            return Array(try BearerCredential(token: token).fieldValue.utf8)
        } catch {
            throw .unsendable("\(error)")
        }
    }

    private static func password(_ credential: LoadCredential) throws(Unusable) -> [UInt8] {
        do throws(BasicCredentialError) {
            return Array(try BasicCredential(user: credential.user, password: credential.password).fieldValue.utf8)
        } catch {
            throw .unsendable("\(error)")
        }
    }

    // MARK: Sending

    /// Whether it may go with a request to there.
    func covers(_ url: ClientURL, at origin: Origin) -> Bool { space.origin == origin && scope.fit(of: url) != nil }

    /// The field's value for a request that is sent now; nil where it can't be made for this one.
    mutating func fieldValue(
        for request: ClientRequest, target: [UInt8], by memory: AuthenticationMemory
    ) -> [UInt8]? {
        switch form {
        case .fixed(let value):
            isSent = true
            return value
        case .digest(var session):
            answer = session.answer(
                credential, method: request.method, target: target, body: request.body,
                by: memory)
            form = .digest(session)
            isSent = answer != nil
            return answer?.answer.fieldValue(by: memory.hasher)
        }
    }

    /// The next request goes without it, as far as is known.
    mutating func leaveOut() {
        isSent = false
        answer = nil
    }

    /// Goes on where another load has brought the nonce.
    mutating func follow(_ known: AuthenticationMemory.KnownSpace) {
        if case .digest = form, let session = known.digest { form = .digest(session) }
    }

    /// Of Digest.
    var digest: DigestSession? { if case .digest(let session) = form { session } else { nil } }

    // MARK: What the server says

    /// Whether that offer is of the same space and algorithm; another algorithm could be a weaker one.
    func goesOn(by offer: AuthenticationOffer) -> Bool {
        guard offer.space == space else { return false }
        guard case .digest(let session) = form, case .digest(let challenge) = offer.scheme else { return true }
        return session.challenge.algorithm == challenge.algorithm
    }

    /// The nonce was too old and nothing else wrong: the same credential goes with the new one (R17).
    mutating func renew(by offer: AuthenticationOffer, of url: ClientURL) {
        staleCount += 1
        extend(by: offer, of: url)
    }

    /// The same space was asked for at another place.
    mutating func extend(by offer: AuthenticationOffer, of url: ClientURL) {
        scope.formUnion(ProtectionScope(of: offer, to: url))
        if case .digest(let challenge) = offer.scheme { form = .digest(DigestSession(challenge)) }
    }

    mutating func accept() {
        isAccepted = true
        staleCount = 0
    }

    mutating func goOn(with nonce: [UInt8]) {
        guard case .digest(var session) = form else { return }
        session.goOn(with: nonce)
        form = .digest(session)
    }
}

/// The requests that a credential may be sent with unasked.
struct ProtectionScope: Sendable, Equatable {
    /// Paths, and what is below them.
    private var prefixes: [[UInt8]]
    /// Targets that were challenged themselves.
    private var targets: Set<[UInt8]>
    private var isWhole = false

    /// What the challenge of a reply to a request for `url` says of it.
    ///
    /// Basic: whatever is as deep in the path as what was asked for, or deeper (RFC 7617 §2.2); Bearer, which says
    /// nothing, the same. Digest: what its domain names, or the whole origin (RFC 7616 §3.3), and never another origin,
    /// which has not asked. A proxy: everything.
    init(of offer: AuthenticationOffer, to url: ClientURL) {
        prefixes = []
        targets = [url.target]
        guard !offer.space.isProxy else {
            isWhole = true
            return
        }
        switch offer.scheme {
        case .basic, .bearer:
            let path = url.reference.path
            prefixes = [Array(path[...(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)])]
        case .digest(let challenge):
            isWhole = challenge.domain.isEmpty
            prefixes = challenge.domain.compactMap { text in
                guard let named = try? url.resolving(location: text), named.origin == url.origin else { return nil }
                return Array(named.reference.path)
            }
        }
    }

    /// Adds what another challenge of the same space has said.
    mutating func formUnion(_ other: ProtectionScope) {
        isWhole = isWhole || other.isWhole
        prefixes += other.prefixes.filter { !prefixes.contains($0) }
        if prefixes.count > Self.bound { prefixes.removeFirst(prefixes.count - Self.bound) }
        targets = targets.count < Self.bound ? targets.union(other.targets) : other.targets
    }

    /// How well it fits, to choose among several spaces of an origin: the longer the better; nil: not at all.
    func fit(of url: ClientURL) -> Int? {
        if targets.contains(url.target) { return .max }
        let path = url.reference.path
        let longest = prefixes.filter { Self.isPrefix($0, of: path) }.map(\.count).max()
        return longest ?? (isWhole ? 0 : nil)
    }

    /// Paths and targets of one space that are kept.
    private static let bound = 100

    /// By whole segments: `/a` is no prefix of `/ab`.
    private static func isPrefix(_ prefix: [UInt8], of path: ArraySlice<UInt8>) -> Bool {
        guard path.starts(with: prefix) else { return false }
        let slash = UInt8(ascii: "/")
        return prefix.count == path.count || prefix.last == slash || path[path.startIndex + prefix.count] == slash
    }
}
