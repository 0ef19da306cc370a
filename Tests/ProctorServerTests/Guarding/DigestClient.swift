import Foundation
import ProctorCrypto
import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// A client that answers challenges rightly, with one thing changed where a test wants it.
struct DigestClient {
    var user = "user"
    var password = "pass"
    var quality: QualityOfProtection? = .authentication
    var clientNonce = "0a4f113b"
    var field = "Authorization"
    /// Of the challenge and the first answer to it, for a nonce that was no challenge.
    var session: (nonce: [UInt8], clientNonce: String)?

    /// The field line that answers the challenge of a reply, for a request like `GET /a`.
    ///
    /// `offer` is which of the reply's Digest challenges is answered.
    func answer(
        _ reply: String, _ line: String, count: UInt32 = 1, content: String = "", offer: Int = 0, nonce: String? = nil,
        realm: String? = nil
    ) throws -> String {
        let digests = Self.challenges(of: reply).filter { $0.isScheme("Digest") }
        try #require(digests.indices.contains(offer), "\(reply)")
        var given = digests[offer]
        if let realm { given = given.with("realm", realm) }
        if let nonce { given = given.with("nonce", nonce) }
        let challenge = try #require(DigestChallenge(given))
        let words = line.split(separator: " ")
        let answer = DigestAnswer(
            to: challenge, user: user, password: password, method: String(words[0]), target: Array(words[1].utf8),
            quality: quality, nonceCount: count, clientNonce: clientNonce, content: Array(content.utf8),
            sessionNonces: session)
        return "\(field): " + String(decoding: answer.fieldValue(by: OpenSSLHasher()), as: UTF8.self)
    }

    /// Of WWW-Authenticate and Proxy-Authenticate, in order.
    static func challenges(of reply: String) -> [AuthenticationChallenge] {
        ChallengeReader((reply.values("WWW-Authenticate") + reply.values("Proxy-Authenticate")).map { Array($0.utf8) })
            .challenges
    }
}

extension AuthenticationChallenge {
    fileprivate func with(_ name: String, _ value: String) -> AuthenticationChallenge {
        var changed = self
        for index in changed.parameters.indices where changed.parameters[index].name == name {
            changed.parameters[index].bytes = Array(value.utf8)
        }
        return changed
    }
}

extension String {
    /// The values of a reply's fields of that name, in order.
    func values(_ name: String) -> [String] {
        let head = components(separatedBy: "\r\n\r\n")[0]
        return head.components(separatedBy: "\r\n").dropFirst().compactMap { line in
            line.lowercased().hasPrefix("\(name.lowercased()): ") ? String(line.dropFirst(name.utf8.count + 2)) : nil
        }
    }

    /// The status of a reply.
    var status: Int? { split(separator: " ").dropFirst().first.flatMap { Int($0) } }
}

extension Wire {
    /// Sends a request and reads its reply.
    func ask(_ line: String, _ fields: String..., body: String = "") throws -> String {
        try send(([line + " HTTP/1.1", "Host: a"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body)
        return try readReply()
    }
}

extension Journal {
    /// What the guards said, in order.
    var verdicts: [GuardVerdict] {
        snapshot().entries.compactMap { entry in
            guard case .guarded(let verdict) = entry.event else { return nil }
            return verdict
        }
    }
}
