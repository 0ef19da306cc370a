internal import ProctorBase
internal import ProctorCrypto

/// The client's side of one negotiation, which belongs to one connection (MS-NTHT §1.3); makes no I/O.
package struct NTLMSession: Sendable, Equatable {
    private var state = State.idle

    private enum State: Sendable, Equatable {
        /// Next: `negotiating`.
        case idle
        /// The first message was sent. Next: `challenged`, or again `negotiating` on another connection.
        case negotiating([UInt8])
        /// Next: `finished`.
        case challenged(by: NTLMServerToken, negotiate: [UInt8])
        /// The last message was sent; the connection needs no other. Next: `idle`.
        case finished
    }

    package init() {}

    /// Whether OpenSSL has the hashes.
    package static var isPossible: Bool { LegacyHash.refusal == nil }

    /// Whether the first message was sent and its answer is due.
    package var awaitsChallenge: Bool { if case .negotiating = state { true } else { false } }

    /// Whether the next message must go over the connection of the one before it.
    package var isBound: Bool { if case .challenged = state { true } else { false } }

    /// Receives the challenge; nil: the server asks to begin.
    package mutating func receive(_ token: NTLMServerToken?) {
        if let token, case .negotiating(let first) = state {
            state = .challenged(by: token, negotiate: first)
        } else {
            state = .idle
        }
    }

    /// The next message, in base64 behind the scheme's name; nil: none is to be sent, or no hash can be computed.
    ///
    /// `time` is in tenths of a microsecond since 1601, and `clientNonce` has eight bytes.
    package mutating func fieldValue(
        user: String, password: String, clientNonce: [UInt8] = Self.randomNonce(), time: UInt64 = NTLMTime.now
    ) -> [UInt8]? {
        nextMessage(user: user, password: password, clientNonce: clientNonce, time: time)
            .map { Array("NTLM \(Base64Text.encode($0))".utf8) }
    }

    /// The next message, without base64, as ``fieldValue(user:password:clientNonce:time:)`` has it.
    package mutating func nextMessage(
        user: String, password: String, clientNonce: [UInt8] = Self.randomNonce(), time: UInt64 = NTLMTime.now
    ) -> [UInt8]? {
        let message: [UInt8]
        switch state {
        case .idle, .negotiating:
            message = NTLMWriter.bytes(of: .negotiate(NTLMNegotiate(flags: Self.flags)))
            state = .negotiating(message)
        case .challenged(let token, let first):
            state = .finished
            let answer = token.makeAnswer(
                user: user, password: password, negotiate: first, clientNonce: clientNonce, time: time)
            guard let answer else { return nil }
            message = answer
        case .finished: return nil
        }
        return message
    }

    private static let flags: NTLMFlags = [
        .unicode, .oem, .requestTarget, .ntlm, .alwaysSign, .extendedSessionSecurity,
    ]

    package static func randomNonce() -> [UInt8] { (0..<8).map { _ in UInt8.random(in: 0...255) } }
}

/// The challenge of a server that a client can answer.
package struct NTLMServerToken: Sendable, Equatable {
    private let challenge: NTLMChallenge
    private let bytes: [UInt8]

    /// nil: what follows the scheme is no challenge of NTLM that keeps every rule, or it asks for version 1.
    package init?(_ token68: String) {
        guard let bytes = try? Base64Text.decode(Array(token68.utf8)) else { return nil }
        self.init(message: bytes)
    }

    /// nil: the message is no challenge that keeps every rule, or it asks for version 1.
    package init?(message bytes: [UInt8]) {
        let reading = NTLMReader.read(bytes)
        guard reading.violations.isEmpty, case .challenge(let challenge)? = reading.message,
            challenge.flags.contains(.targetInfo)
        else { return nil }
        (self.challenge, self.bytes) = (challenge, bytes)
    }

    fileprivate func makeAnswer(
        user name: String, password: String, negotiate: [UInt8], clientNonce: [UInt8], time: UInt64
    ) -> [UInt8]? {
        let name = NTLMName(name)
        var pairs = challenge.targetInfo
        let stated = pairs[.time].map(NTLMTime.number)
        // A challenge with a time asks for a MIC, and for no LM response (MS-NLMP §3.1.5.1.2).
        if stated != nil { pairs.append(NTLMPair(.flags, NTLMPair.hasMIC)) }
        let input = NTLMProof.input(time: stated ?? time, clientNonce: clientNonce, pairs: pairs)
        let domain = name.domain ?? ""
        guard let key = NTLMProof.key(user: name.user, domain: domain, password: password),
            let proof = NTLMProof.proof(nonce: challenge.nonce, input: input, key: key),
            let lm = NTLMProof.lmResponse(nonce: challenge.nonce, clientNonce: clientNonce, key: key)
        else { return nil }
        let zeros = [UInt8](repeating: 0, count: 24)
        let response = NTLMNewResponse(
            proof: proof, input: input, time: stated ?? time, clientNonce: clientNonce, pairs: pairs)
        let message = NTLMWriter.bytes(
            of: .authenticate(
                NTLMAuthenticate(
                    flags: challenge.flags, domain: domain, user: name.user,
                    lmResponse: stated == nil ? lm : zeros, response: .new(response),
                    mic: stated == nil ? nil : Array(zeros.prefix(16)))))
        guard stated != nil else { return message }
        guard let sessionKey = NTLMProof.sessionKey(proof: proof, key: key),
            let mic = NTLMProof.mic(
                negotiate: negotiate, challenge: bytes, authenticate: message, sessionKey: sessionKey)
        else { return nil }
        var signed = message
        signed.replaceSubrange(NTLMAuthenticate.micRange, with: mic)
        return signed
    }
}
