internal import ProctorCrypto

/// What the stub mechanism computes by HMAC-SHA-256, with the password as key; nil where OpenSSL refuses the hash.
package enum StubProof {
    /// The proof of the client's first message, whose own proof is left out.
    package static func first(_ message: StubFirst, password: String) -> [UInt8]? {
        proof("client 1", of: [message.said], password: password)
    }

    /// The proof of the client's answer.
    package static func answerProof(to transcript: StubTranscript, password: String) -> [UInt8]? {
        proof("client 3", of: transcript.messages, password: password)
    }

    /// The proof of the server.
    package static func last(behind transcript: StubTranscript, password: String) -> [UInt8]? {
        proof("server", of: transcript.messages, password: password)
    }

    /// The MIC over the list of mechanisms (RFC 4178 §5), of client or server.
    package static func mic(
        over list: [UInt8], ofServer isServer: Bool, behind transcript: StubTranscript, password: String
    ) -> [UInt8]? {
        let end = isServer ? "server" : "client"
        return proof("\(end) mechanisms", of: transcript.messages + [list], password: password)
    }

    private static func proof(_ label: String, of parts: [[UInt8]], password: String) -> [UInt8]? {
        // Each part is preceded by its length, so that none can be read as another.
        let input =
            Array(label.utf8) + [0]
            + parts.flatMap { part in
                (0..<4).map { UInt8(truncatingIfNeeded: part.count >> (24 - 8 * $0)) } + part
            }
        return KeyedHash.hmacSHA256(input, key: Array("proctor stub \(password)".utf8))
    }
}

/// The messages that both ends have of one exchange, in order.
package struct StubTranscript: Sendable, Equatable {
    var messages: [[UInt8]] = []

    package init(_ messages: [[UInt8]] = []) { self.messages = messages }

    package mutating func append(_ message: StubMessage) { messages.append(message.bytes) }
}
