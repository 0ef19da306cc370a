import ProctorServer
import Testing

/// A conversation that leads up to one mutated answer, with one connection for all of it.
struct MutationTalk {
    private let wire: Wire
    private let authority: String
    private let mutation: Mutation

    /// What was sent, and what would have been right.
    struct Result: Sendable {
        let right: WrittenAnswer
        let sent: WrittenAnswer
        let status: Int
        /// Of a right answer to the challenge that the refusal brought; nil where none was sent.
        let statusAfterwards: Int?
    }

    init(_ wire: Wire, base: String, _ mutation: Mutation) {
        self.wire = wire
        authority = String(base.dropFirst("http://".count))
        self.mutation = mutation
    }

    /// Asks without a credential, then rightly as often as the row says, then as the mutation has it.
    func run() throws -> Result {
        let offer = mutation.offer
        let challenges = ChallengeText.challenges(in: try ask(mutation.target, []))
        let first = try #require(challenges.first, "no challenge came")
        var material = DigestMaterial(
            first, method: offer.method, target: mutation.target, content: Array(offer.content.utf8))
        if offer == .quotedRealm { material.realm = #"the "lab" \ cellar"# }
        material.otherNonce = challenges.last?["nonce"] ?? ""
        material.foreignNonce =
            ChallengeText.challenges(in: try ask("/cellar", [], method: "GET")).first?["nonce"] ?? ""
        for number in 0..<mutation.before {
            let count = DigestMaterial.count(number + 1)
            let status = try status(of: ask(mutation.target, material.changing { $0.nonceCount = count }.answer.lines))
            try #require(status == 200, "the right answer \(count) was not admitted")
        }
        material.nonceCount = DigestMaterial.count(mutation.before + 1)
        let right = material.answer
        let sent = mutation.write(material)
        let reply = try ask(mutation.target, sent.lines)
        return Result(
            right: right, sent: sent, status: try status(of: reply), statusAfterwards: try recover(from: reply))
    }

    /// A right answer to the new challenge: whatever went wrong before must not stand in its way.
    private func recover(from reply: String) throws -> Int? {
        guard let challenge = ChallengeText.challenges(in: reply).first else { return nil }
        var material = DigestMaterial(
            challenge, method: mutation.offer.method, target: mutation.target,
            content: Array(mutation.offer.content.utf8))
        if mutation.offer == .quotedRealm { material.realm = #"the "lab" \ cellar"# }
        return try status(of: ask(mutation.target, material.answer.lines))
    }

    private func ask(_ target: String, _ lines: [String], method: String? = nil) throws -> String {
        let content = method == nil ? mutation.offer.content : ""
        var head = ["\(method ?? mutation.offer.method) \(target) HTTP/1.1", "Host: \(authority)"] + lines
        if !content.isEmpty { head.append("Content-Length: \(content.utf8.count)") }
        try wire.send(head.joined(separator: "\r\n") + "\r\n\r\n" + content)
        return try wire.readReply()
    }

    private func status(of reply: String) throws -> Int {
        try #require(Int(reply.dropFirst("HTTP/1.1 ".count).prefix(3)), "no status: \(reply.prefix(40))")
    }
}

/// Challenges read by a few lines of the tests' own.
enum ChallengeText {
    /// The parameters of every Digest challenge that has a field line of its own.
    static func challenges(in head: String) -> [[String: String]] {
        head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("www-authenticate: digest ") }.map { line in
            var parameters: [String: String] = [:]
            for part in parts(of: line.dropFirst("www-authenticate: digest ".count)) {
                guard let sign = part.firstIndex(of: "=") else { continue }
                let value = part[part.index(after: sign)...].filter { $0 != "\"" }
                parameters[part[..<sign].lowercased().filter { $0 != " " }] = String(value)
            }
            return parameters
        }
    }

    /// At the commas that stand outside of quotes.
    private static func parts(of text: Substring) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }
}

extension DigestMaterial {
    /// As the parameter nc wants it.
    static func count(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }
}
