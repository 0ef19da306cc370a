internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS

/// Hands a handshake's questions to whoever wants the connection, as challenges (R18); loop thread only.
final class HandshakeAsker: TLSClientQuestions, @unchecked Sendable {
    private let request: ConnectionRequest
    private let security: ConnectionSecurity
    private let socket: Socket
    /// A question is open, so that no time of the handshake runs.
    private(set) var isAsking = false
    /// What the server was shown.
    private(set) var identity: LoadIdentity?
    /// What the anchors say of the server; nil where it showed no certificate.
    private(set) var verdict: TLSTrust?

    init(_ request: ConnectionRequest, _ security: ConnectionSecurity, on socket: Socket) {
        self.request = request
        self.security = security
        self.socket = socket
    }

    func trust(_ verdict: TLSTrust) async -> Bool {
        self.verdict = verdict
        guard security.settings.fault != .trustsEverybody else { return true }
        let trust = ServerTrust(verdict, host: request.origin.undottedHost)
        return await ask(LoadChallenge(trust, at: request.origin)) == .trust
    }

    func identity(authorities: [[UInt8]]) async -> ClientIdentity? {
        guard security.settings.fault != .showsNoCertificate else { return nil }
        switch await ask(LoadChallenge(acceptableIssuers: authorities, at: request.origin)) {
        case .identify(let identity): self.identity = identity
        case .identifyByDefault: identity = security.identity(for: request.origin)
        case .trust, .distrust, .stayAnonymous, nil: identity = nil
        }
        return identity?.clientIdentity
    }

    /// nil where nobody wants the connection any more; then the handshake ends without a word.
    private func ask(_ challenge: LoadChallenge) async -> HandshakeAnswer? {
        isAsking = true
        defer { isAsking = false }
        let answer = await request.asker?.answer(to: challenge)
        if answer == nil { socket.cancel() }
        return answer
    }
}

/// Whoever wants a connection, and is asked while it is secured; loop thread only.
protocol HandshakeHost: AnyObject {
    /// Waits for the answer; nil when the connection is not wanted any more.
    func answer(to challenge: LoadChallenge) async -> HandshakeAnswer?
}
