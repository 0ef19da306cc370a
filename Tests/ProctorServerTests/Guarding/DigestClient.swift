import Foundation
import ProctorCrypto
import ProctorHTTP
import ProctorHTTPClient
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// A client that answers challenges rightly.
struct DigestClient {
    /// The field line that answers the challenge of a reply, for a request like `GET /a`.
    func answer(_ reply: String, _ line: String, count: UInt32) throws -> String {
        let reader = ChallengeReader(reply.values("WWW-Authenticate").map { Array($0.utf8) })
        let challenge = try #require(reader.challenges.first { $0.isScheme("Digest") }.flatMap { DigestChallenge($0) })
        let words = line.split(separator: " ")
        let answer = DigestAnswer(
            to: challenge, user: "user", password: "pass", method: String(words[0]), target: Array(words[1].utf8),
            quality: .authentication, nonceCount: count, clientNonce: "0a4f113b", content: [], sessionNonces: nil)
        return "Authorization: " + String(decoding: answer.fieldValue(by: OpenSSLHasher()), as: UTF8.self)
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
