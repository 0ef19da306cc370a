internal import ProctorBase
internal import ProctorNTLM

/// The client's side of one negotiation, which belongs to one connection (RFC 4559); makes no I/O.
package struct NegotiateSession: Sendable, Equatable {
    /// In the client's order of preference; never empty.
    private let mechanisms: [NegotiateMechanism]
    private var state = State.idle
    private var selected: NegotiateMechanism
    /// Whether the server asked for a MIC over the list of mechanisms.
    private var owesMIC = false
    private var ntlm = NTLMSession()
    private var transcript = StubTranscript()

    private enum State: Sendable, Equatable {
        /// Next: `waiting`.
        case idle
        /// A token was sent. Next: `due`, or `idle` on another connection.
        case waiting
        /// The server's token was read, and the next one is due. Next: `waiting`.
        case due
        /// The server refuses, or broke a rule. Next: `idle`.
        case failed
    }

    /// `mechanisms` is not empty; the first is the one that the client prefers.
    package init(mechanisms: [NegotiateMechanism]) {
        self.mechanisms = mechanisms.isEmpty ? [.ntlm] : mechanisms
        selected = self.mechanisms[0]
    }

    package static func isPossible(_ mechanisms: [NegotiateMechanism]) -> Bool {
        !mechanisms.contains(.ntlm) || NTLMSession.isPossible
    }

    /// Whether a token was sent and its answer is due.
    package var awaitsToken: Bool { state == .waiting }

    /// Whether the next token must go over the connection of the one before it.
    package var isBound: Bool { state == .due }

    /// The negotiation from its beginning, for another connection.
    package var restarted: NegotiateSession { NegotiateSession(mechanisms: mechanisms) }

    /// Receives the server's token; nil: the server asks to begin.
    package mutating func receive(_ token: NegTokenResp?) {
        guard let token, state == .waiting else {
            self = restarted
            return
        }
        state = .failed
        if let mechanism = token.mechanism {
            guard let known = mechanisms.first(where: { $0.identifier == mechanism }) else { return }
            selected = known
        }
        owesMIC = owesMIC || token.state == .requestMIC
        guard token.state == .incomplete || token.state == .requestMIC else { return }
        switch (selected, token.token) {
        // The server selected another mechanism than the first, whose message it dropped.
        case (_, nil): (ntlm, transcript) = (NTLMSession(), StubTranscript())
        case (.ntlm, let bytes?):
            guard let challenge = NTLMServerToken(message: bytes) else { return }
            ntlm.receive(challenge)
        case (.stub, let bytes?):
            guard let message = try? StubMessage(bytes), case .challenge = message else { return }
            transcript.append(message)
        }
        state = .due
    }

    /// The next token; nil: none is to be sent.
    ///
    /// `host` is that of the URL.
    package mutating func nextToken(user: String, password: String, host: String) -> [UInt8]? {
        switch state {
        case .idle, .waiting:
            self = restarted
            state = .waiting
            guard let message = nextMessage(user: user, password: password, host: host) else { return nil }
            return SPNEGOWriter.bytes(
                of: .initial(NegTokenInit(mechanisms: mechanisms.map(\.identifier), token: message)))
        case .due:
            state = .waiting
            guard let message = nextMessage(user: user, password: password, host: host) else { return nil }
            return SPNEGOWriter.bytes(
                of: .response(NegTokenResp(token: message, mic: owesMIC ? mic(password, ofServer: false) : nil)))
        case .failed: return nil
        }
    }

    private mutating func nextMessage(user: String, password: String, host: String) -> [UInt8]? {
        switch selected {
        case .ntlm: return ntlm.nextMessage(user: user, password: password)
        case .stub where transcript.messages.isEmpty:
            var first = StubFirst(
                nonce: (0..<StubMessage.nonceByteCount).map { _ in UInt8.random(in: 0...255) }, user: user,
                target: "HTTP@\(host)")
            guard let proof = StubProof.first(first, password: password) else { return nil }
            first.proof = proof
            transcript.append(.first(first))
            return StubMessage.first(first).bytes
        case .stub:
            guard let proof = StubProof.answerProof(to: transcript, password: password) else { return nil }
            transcript.append(.answer(proof: proof))
            return StubMessage.answer(proof: proof).bytes
        }
    }

    private func mic(_ password: String, ofServer isServer: Bool) -> [UInt8]? {
        guard selected == .stub else { return nil }
        let list = SPNEGOWriter.list(mechanisms.map(\.identifier))
        return StubProof.mic(over: list, ofServer: isServer, behind: transcript, password: password)
    }

    /// Why the last token of the server, in the reply that admits the client, proves nothing; nil where it does, or
    /// where the mechanism has no proof of the server.
    package func contradiction(in token: NegTokenResp, password: String) -> String? {
        if let state = token.state, state != .completed { return "its last token says \(state.name)" }
        if let mechanism = token.mechanism, mechanism != selected.identifier {
            return "its last token selects \(mechanism.name), expected \(selected.rawValue)"
        }
        guard selected == .stub else { return nil }
        if let mic = token.mic, mic != self.mic(password, ofServer: true) {
            return "its MIC over the list of mechanisms is wrong"
        }
        guard let bytes = token.token else { return nil }
        guard case .last(let proof)? = try? StubMessage(bytes),
            proof == StubProof.last(behind: transcript, password: password)
        else { return "its last token does not prove that the server knows the password" }
        return nil
    }
}
