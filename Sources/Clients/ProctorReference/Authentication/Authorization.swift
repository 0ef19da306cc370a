internal import ProctorBase
internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorHTTPClient
internal import ProctorNegotiate

/// A credential that is sent with the requests of one load to one server or proxy, with its state.
struct Authorization: Sendable {
    let space: LoadChallenge.ProtectionSpace
    let credential: LoadCredential
    let source: Source
    private(set) var scope: ProtectionScope
    private(set) var form: Form
    private(set) var isSent = false
    /// The answer in the current request, for checking the proof in its reply (RFC 7616 §3.5).
    private(set) var answer: SentDigest?
    private(set) var isAccepted = false
    /// The number of consecutive new nonces from a server that neither accepted nor refused the credential.
    private(set) var staleCount = 0

    enum Source: Sendable, Equatable { case answer, url, store }

    enum Form: Sendable, Equatable {
        /// A field value that is the same with every request.
        case fixed([UInt8])
        case digest(DigestSession)
        case messages(MessageSession)
    }

    enum Unusable: Error {
        /// A token for a scheme with passwords, or a password for Bearer.
        case anotherKind
        /// The credential cannot be written; the reason is a sentence.
        case unsendable(String)
    }

    /// Answers `offer`, which came in a reply to a request for `url`.
    init(
        _ credential: LoadCredential, from source: Source, to offer: AuthenticationOffer, of url: ClientURL,
        _ mechanisms: [NegotiateMechanism] = []
    ) throws(Unusable) {
        space = offer.space
        (self.credential, self.source) = (credential, source)
        scope = ProtectionScope(of: offer, to: url)
        form = try Self.form(credential, for: offer, mechanisms)
    }

    /// Uses a stored credential for a space that accepted it before.
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
        _ credential: LoadCredential, for offer: AuthenticationOffer, _ mechanisms: [NegotiateMechanism]
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
        case .messages(let message):
            guard credential.token == nil else { throw .anotherKind }
            return .messages(MessageSession(answering: message, by: mechanisms))
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

    func covers(_ url: ClientURL, at origin: Origin) -> Bool { space.origin == origin && scope.fit(of: url) != nil }

    /// The field value for the next request; nil where none can be made for this request.
    mutating func fieldValue(
        for request: ClientRequest, method: String, target: [UInt8], by memory: AuthenticationMemory
    ) -> [UInt8]? {
        switch form {
        case .fixed(let value):
            isSent = true
            return value
        case .digest(var session):
            answer = session.makeResponse(
                credential, method: method, target: target, body: request.body, by: memory)
            form = .digest(session)
            isSent = answer != nil
            return answer?.answer.fieldValue(by: memory.hasher)
        case .messages(var session):
            let value = session.fieldValue(
                user: credential.user, password: credential.password, host: space.origin.host)
            form = .messages(session)
            isSent = value != nil
            return value
        }
    }

    var messages: MessageSession? { if case .messages(let session) = form { session } else { nil } }

    /// Begins again, since the connection of the messages is lost.
    mutating func loseConnection() {
        if let messages { form = .messages(messages.restarted) }
    }

    /// Why the last token of the server proves nothing; nil: it does, or there is none.
    func contradiction(in challenges: [ArraySlice<UInt8>]) -> String? {
        guard let messages, !challenges.isEmpty else { return nil }
        let last = ChallengeReader(challenges.map { Array($0) }).challenges
            .compactMap { ServerMessage(scheme: $0.scheme, token68: $0.token68) }.first
        return messages.contradiction(in: last, password: credential.password)
    }

    /// Whether the server wants no other credential: the nonce was too old, or its message is due.
    func isContinued(by offer: AuthenticationOffer) -> Bool {
        guard case .messages(let message) = offer.scheme else { return offer.isStale }
        return messages?.goesOn(by: message) == true
    }

    mutating func leaveOut() {
        isSent = false
        answer = nil
    }

    /// Uses the nonce that another load received.
    mutating func follow(_ known: AuthenticationMemory.KnownSpace) {
        if case .digest = form, let session = known.digest { form = .digest(session) }
    }

    var digest: DigestSession? { if case .digest(let session) = form { session } else { nil } }

    // MARK: Replies of the server

    /// Whether the offer is for the same space and algorithm; another algorithm could be weaker.
    func goesOn(by offer: AuthenticationOffer) -> Bool {
        guard offer.space == space else { return false }
        guard case .digest(let session) = form, case .digest(let challenge) = offer.scheme else { return true }
        return session.challenge.algorithm == challenge.algorithm
    }

    /// Repeats the same credential with the new nonce, as only the nonce was too old (R17).
    mutating func renew(by offer: AuthenticationOffer, of url: ClientURL) {
        staleCount += 1
        extend(by: offer, of: url)
    }

    /// Adds the place of `url` to the scope, as its challenge named the same space.
    mutating func extend(by offer: AuthenticationOffer, of url: ClientURL) {
        scope.formUnion(ProtectionScope(of: offer, to: url))
        if case .digest(let challenge) = offer.scheme { form = .digest(DigestSession(challenge)) }
        if case .messages(let message) = offer.scheme, var session = messages {
            session.receive(message)
            form = .messages(session)
        }
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

/// The requests with which a credential may be sent before a challenge.
struct ProtectionScope: Sendable, Equatable {
    /// The path prefixes; the scope includes all paths below them.
    private var prefixes: [[UInt8]]
    private var targets: Set<[UInt8]>
    private var isWhole = false

    /// Reads the scope from the challenge in a reply to a request for `url`.
    ///
    /// Basic: every path as deep as the challenged one or deeper (RFC 7617 §2.2); Bearer the same. Digest: the URIs in
    /// `domain`, or the whole origin (RFC 7616 §3.3), and never another origin. A proxy: every request.
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
        case .messages: isWhole = true
        case .digest(let challenge):
            isWhole = challenge.domain.isEmpty
            prefixes = challenge.domain.compactMap { text in
                guard let named = try? url.resolving(location: text), named.origin == url.origin else { return nil }
                return Array(named.reference.path)
            }
        }
    }

    mutating func formUnion(_ other: ProtectionScope) {
        isWhole = isWhole || other.isWhole
        prefixes += other.prefixes.filter { !prefixes.contains($0) }
        if prefixes.count > Self.bound { prefixes.removeFirst(prefixes.count - Self.bound) }
        targets = targets.count < Self.bound ? targets.union(other.targets) : other.targets
    }

    /// The length of the longest match, to choose among spaces of an origin; nil: no match.
    func fit(of url: ClientURL) -> Int? {
        if targets.contains(url.target) { return .max }
        let path = url.reference.path
        let longest = prefixes.filter { Self.isPrefix($0, of: path) }.map(\.count).max()
        return longest ?? (isWhole ? 0 : nil)
    }

    private static let bound = 100

    /// Whether all segments of the prefix are equal: `/a` is no prefix of `/ab`.
    private static func isPrefix(_ prefix: [UInt8], of path: ArraySlice<UInt8>) -> Bool {
        guard path.starts(with: prefix) else { return false }
        let slash = UInt8(ascii: "/")
        return prefix.count == path.count || prefix.last == slash || path[path.startIndex + prefix.count] == slash
    }
}

/// A nonce and its count (RFC 7616 §3.4), from a challenge until the next one or until another nonce.
struct DigestSession: Sendable, Equatable {
    private(set) var challenge: DigestChallenge
    /// The count in the last request with this nonce.
    private(set) var nonceCount: UInt32 = 0
    /// For a session algorithm: the nonces in its secret, from the first answer to the next challenge (§3.4.2).
    private var kept: SessionNonces?

    private struct SessionNonces: Sendable, Equatable {
        let nonce: [UInt8]
        let clientNonce: String
    }

    init(_ challenge: DigestChallenge) { self.challenge = challenge }

    /// Whether the client can protect a request with that content as the challenge requires.
    static func canAnswer(
        _ challenge: DigestChallenge, for body: RequestBody, readFile: (_ path: String) -> [UInt8]?,
        by hasher: some DigestHasher
    ) -> Bool {
        // A system in FIPS mode has no MD5.
        guard hasher.computes(challenge.algorithm.hash) else { return false }
        return quality(of: challenge) != .integrity || body.hashedContent(readFile) != nil
    }

    /// `auth` when the server leaves a choice, since it is possible for every content; nil is the form of RFC 2069.
    private static func quality(of challenge: DigestChallenge) -> QualityOfProtection? {
        challenge.qualities.contains(.authentication) ? .authentication : challenge.qualities.first
    }

    /// The answer for one request, which raises the count; nil where the content cannot be hashed as required.
    mutating func makeResponse(
        _ credential: LoadCredential, method: String, target: [UInt8], body: RequestBody,
        by memory: AuthenticationMemory
    ) -> SentDigest? {
        let quality = Self.quality(of: challenge)
        var content: [UInt8] = []
        if quality == .integrity {
            guard let hashed = body.hashedContent(memory.readFile) else { return nil }
            content = hashed
        }
        // When the count of eight hexadecimal digits is used up, the server answers with a new nonce.
        guard nonceCount < .max else { return nil }
        nonceCount += 1
        let clientNonce = kept?.clientNonce ?? memory.makeClientNonce()
        if challenge.algorithm.isSession, kept == nil {
            kept = SessionNonces(nonce: challenge.nonce, clientNonce: clientNonce)
        }
        let answer = DigestAnswer(
            to: challenge, user: credential.user, password: credential.password, method: method, target: target,
            quality: quality, nonceCount: nonceCount, clientNonce: clientNonce, content: content,
            sessionNonces: kept.map { ($0.nonce, $0.clientNonce) })
        return SentDigest(answer: answer, quality: quality, clientNonce: clientNonce)
    }

    /// Uses another nonce of the server (§3.5), with a count from 1; a session keeps its secret (§3.6).
    mutating func goOn(with nonce: [UInt8]) {
        guard nonce != challenge.nonce else { return }
        challenge.nonce = nonce
        nonceCount = 0
    }
}

extension RequestBody {
    /// The bytes to hash for the integrity of content; nil where the content can be read at most once.
    fileprivate func hashedContent(_ readFile: (_ path: String) -> [UInt8]?) -> [UInt8]? {
        switch self {
        case .none: []
        case .bytes(let bytes): bytes
        case .file(let path): readFile(path)
        case .stream, .streamOnDemand: nil
        }
    }
}
