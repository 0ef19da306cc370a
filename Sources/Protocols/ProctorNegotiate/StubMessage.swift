import ProctorBase

/// A message of the stub mechanism, which stands where Kerberos would (Docs/format/guards.md).
///
/// `PRSTUB1`, a zero, and the number of the leg; then what the leg says, lengths in two bytes, the higher one first.
package enum StubMessage: Sendable, Equatable {
    case first(StubFirst)
    /// The server's challenge: 16 bytes.
    case challenge(nonce: [UInt8])
    /// The client's answer to the challenge: 32 bytes.
    case answer(proof: [UInt8])
    /// The server's proof that it knows the password: 32 bytes.
    case last(proof: [UInt8])

    static let signature = Array("PRSTUB1".utf8) + [0]
    package static let nonceByteCount = 16
    package static let proofByteCount = 32

    /// 1 to 4; those of the client are odd.
    package var leg: UInt8 {
        switch self {
        case .first: 1
        case .challenge: 2
        case .answer: 3
        case .last: 4
        }
    }

    package var bytes: [UInt8] {
        let start = Self.signature + [leg]
        return switch self {
        case .first(let message): start + message.said + message.proof
        case .challenge(let nonce): start + nonce
        case .answer(let proof), .last(let proof): start + proof
        }
    }

    /// Throws with an offset within the message; the whole message is read.
    package init(_ bytes: [UInt8]) throws(SPNEGOViolation) {
        var reader = Reader(bytes: bytes)
        let start = try reader.read(Self.signature.count + 1, "signature and leg")
        for (index, byte) in Self.signature.enumerated() where start[index] != byte {
            throw SPNEGOViolation(.badStub, at: index, "the message does not begin with PRSTUB1 and a zero")
        }
        switch start.last {
        case 1:
            let nonce = try reader.read(Self.nonceByteCount, "the nonce")
            let (user, target) = (try reader.readText("the user"), try reader.readText("the target"))
            let proof = try reader.read(Self.proofByteCount, "the proof")
            self = .first(StubFirst(nonce: nonce, user: user, target: target, proof: proof))
        case 2: self = .challenge(nonce: try reader.read(Self.nonceByteCount, "the nonce"))
        case 3: self = .answer(proof: try reader.read(Self.proofByteCount, "the proof"))
        case 4: self = .last(proof: try reader.read(Self.proofByteCount, "the proof"))
        case let leg:
            throw SPNEGOViolation(
                .badStub, at: Self.signature.count, "the message is of leg \(leg ?? 0); there are 1 to 4")
        }
        guard reader.offset == bytes.count else {
            throw SPNEGOViolation(
                .badStub, at: reader.offset, "\(bytes.count - reader.offset) bytes follow behind the message")
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var offset = 0

        mutating func read(_ count: Int, _ name: String) throws(SPNEGOViolation) -> [UInt8] {
            guard bytes.count - offset >= count else {
                throw SPNEGOViolation(
                    .badStub, at: bytes.count,
                    "the message ends after \(bytes.count) bytes, within \(name) of \(count) bytes")
            }
            defer { offset += count }
            return Array(bytes[offset..<offset + count])
        }

        mutating func readText(_ name: String) throws(SPNEGOViolation) -> String {
            let length = try read(2, "the length of \(name)").reduce(0) { $0 << 8 | Int($1) }
            let start = offset
            guard let text = String(validating: try read(length, name), as: UTF8.self) else {
                throw SPNEGOViolation(.badStub, at: start, "\(name) is not UTF-8")
            }
            return text
        }
    }
}

/// The client's first message.
package struct StubFirst: Sendable, Equatable {
    /// 16 bytes.
    package var nonce: [UInt8]
    package var user: String
    /// `HTTP@` and the host of the URL, as the name of a service (RFC 4559 §4.1, RFC 2743 §4.1).
    package var target: String
    /// 32 bytes.
    package var proof: [UInt8]

    package init(nonce: [UInt8], user: String, target: String, proof: [UInt8] = []) {
        (self.nonce, self.user, self.target, self.proof) = (nonce, user, target, proof)
    }

    /// What the proof is over; a text that does not fit its length is cut there.
    var said: [UInt8] { nonce + Self.written(user) + Self.written(target) }

    private static func written(_ text: String) -> [UInt8] {
        let bytes = text.utf8.prefix(0xFFFF)
        return [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }
}
