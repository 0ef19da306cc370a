internal import ProctorBase
package import ProctorNTLM

/// The client's side of a scheme whose messages belong to one connection: NTLM, or Negotiate.
package enum MessageSession: Sendable, Equatable {
    case ntlm(NTLMSession)
    case negotiate(NegotiateSession)

    /// Answers the scheme of a challenge; `mechanisms` are for Negotiate, the preferred one first.
    package init(answering message: ServerMessage, by mechanisms: [NegotiateMechanism]) {
        switch message {
        case .ntlm: self = .ntlm(NTLMSession())
        case .negotiate: self = .negotiate(NegotiateSession(mechanisms: mechanisms))
        }
    }

    /// nil for NTLM.
    private var negotiate: NegotiateSession? { if case .negotiate(let session) = self { session } else { nil } }

    /// Whether a message was sent and the server's is due.
    package var awaitsMessage: Bool {
        switch self {
        case .ntlm(let session): session.awaitsChallenge
        case .negotiate(let session): session.awaitsToken
        }
    }

    /// Whether the server's message is the one that is due, and can be answered.
    package func goesOn(by message: ServerMessage) -> Bool {
        var next = self
        next.receive(message)
        return awaitsMessage && next.isBound
    }

    /// Whether the next message must go over the connection of the one before it.
    package var isBound: Bool {
        switch self {
        case .ntlm(let session): session.isBound
        case .negotiate(let session): session.isBound
        }
    }

    /// The session from its beginning, for another connection.
    package var restarted: MessageSession {
        switch self {
        case .ntlm: .ntlm(NTLMSession())
        case .negotiate(let session): .negotiate(session.restarted)
        }
    }

    package mutating func receive(_ message: ServerMessage) {
        switch (self, message) {
        case (.ntlm(var session), .ntlm(let token)):
            session.receive(token)
            self = .ntlm(session)
        case (.negotiate(var session), .negotiate(let token)):
            session.receive(token)
            self = .negotiate(session)
        case (.ntlm, .negotiate), (.negotiate, .ntlm): break
        }
    }

    /// The value of the field with the next message; nil: none is to be sent.
    ///
    /// `host` is that of the URL.
    package mutating func fieldValue(user: String, password: String, host: String) -> [UInt8]? {
        switch self {
        case .ntlm(var session):
            defer { self = .ntlm(session) }
            return session.fieldValue(user: user, password: password)
        case .negotiate(var session):
            defer { self = .negotiate(session) }
            return session.nextToken(user: user, password: password, host: host)
                .map { Array("Negotiate \(Base64Text.encode($0))".utf8) }
        }
    }

    /// Why the challenges of the reply that admits the client prove nothing of the server; nil: they do, or say nothing.
    package func contradiction(in last: ServerMessage?, password: String) -> String? {
        guard case .negotiate(let token?)? = last else { return nil }
        return negotiate?.contradiction(in: token, password: password)
    }
}

/// The server's message within a challenge; nil within it: the server asks to begin.
package enum ServerMessage: Sendable, Equatable {
    case ntlm(NTLMServerToken?)
    case negotiate(NegTokenResp?)

    /// nil: another scheme, or a message that breaks a rule and is not answered.
    package init?(scheme: String, token68: String?) {
        switch (scheme.lowercased(), token68) {
        case ("ntlm", nil): self = .ntlm(nil)
        case ("negotiate", nil): self = .negotiate(nil)
        case ("ntlm", let text?):
            guard let token = NTLMServerToken(text) else { return nil }
            self = .ntlm(token)
        case ("negotiate", let text?):
            guard let bytes = try? Base64Text.decode(Array(text.utf8)) else { return nil }
            let reading = SPNEGOReader.read(bytes)
            guard reading.violations.isEmpty, case .response(let token)? = reading.message else { return nil }
            self = .negotiate(token)
        default: return nil
        }
    }
}
