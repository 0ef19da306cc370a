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
    /// It was let in.
    private(set) var isAccepted = false
    /// New nonces in a row that came without a word about the credential.
    private(set) var staleCount = 0

    /// How it came to be tried.
    enum Source: Sendable, Equatable { case answer, url, store }

    /// How it is sent.
    enum Form: Sendable, Equatable {
        /// The same with every request.
        case fixed([UInt8])
        case digest(DigestSession)
    }

    /// Why a credential can't be sent with a scheme.
    enum Refusal: Error {
        /// It is none for this scheme: a token for one with passwords, or the reverse.
        case anotherKind
        /// It can't be written; for a person.
        case unsendable(String)
    }

    /// An answer to `offer`, which came in a reply to a request for `url`.
    init(
        _ credential: LoadCredential, from source: Source, to offer: AuthenticationOffer, of url: ClientURL
    ) throws(Refusal) {
        space = offer.space
        self.credential = credential
        self.source = source
        scope = ProtectionScope(of: offer, to: url)
        form = try Self.form(credential, for: offer)
    }

    /// A stored one, for a space that has let it in before.
    init(_ credential: LoadCredential, recalling known: AuthenticationMemory.KnownSpace) throws(Refusal) {
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
    ) throws(Refusal) -> Form {
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

    private static func token(_ token: String) throws(Refusal) -> [UInt8] {
        do throws(BearerCredential.Refusal) {
            return Array(try BearerCredential(token: token).fieldValue.utf8)
        } catch {
            throw .unsendable("\(error)")
        }
    }

    private static func password(_ credential: LoadCredential) throws(Refusal) -> [UInt8] {
        do throws(BasicCredential.Refusal) {
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
    mutating func rest() {
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

    /// Whether that offer is of its space and no other algorithm, which whoever asks could have weakened unseen.
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
