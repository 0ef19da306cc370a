import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// A client that is wrong on purpose: each of its answers differs from a right one in one thing, and the guard has to say
/// which.
struct `Mutated Digest answers` {
    @Test(arguments: Mutation.wrong)
    func `a wrong answer is refused for the reason that it is wrong`(mutation: Mutation) async throws {
        let (result, verdict) = try await Self.judge(mutation)
        let sentences = verdict.faults.map(\.description).joined(separator: "\n")
        #expect(result.status == 401, "\(sentences)")
        #expect(verdict.outcome == mutation.outcome, "\(sentences)")
        // What follows from the first fault may be told for several parameters.
        let kinds = verdict.faults.map(\.kind).reduce(into: [CredentialFault.Kind]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        #expect(kinds == mutation.kinds, "\(sentences)")
        for word in mutation.words(result.right, result.sent) {
            #expect(sentences.contains(word), "the sentence should speak of '\(word)': \(sentences)")
        }
        #expect(mutation.kinds.isEmpty || sentences.contains(mutation.section), "\(sentences)")
        #expect(result.statusAfterwards == 200, "a right answer to the new challenge is not admitted")
    }

    @Test(arguments: Mutation.legal)
    func `an answer that only looks odd is admitted`(mutation: Mutation) async throws {
        let (result, verdict) = try await Self.judge(mutation)
        let sentences = verdict.faults.map(\.description).joined(separator: "\n")
        #expect(result.status == 200, "\(sentences)")
        #expect(verdict.outcome == .admitted, "\(sentences)")
        #expect(verdict.faults.isEmpty, "\(sentences)")
    }

    @Test func `every kind of fault that Digest has is brought about by a mutation`() {
        let kinds = Set(Mutation.wrong.flatMap(\.kinds))
        let ofDigest = CredentialFault.Kind.allCases.drop { $0 != .missingParameter }
            .filter { $0 != .wrongConnection && $0 != .proofLeftOut }
        let missing = ofDigest.filter { !kinds.contains($0) }
        #expect(missing.isEmpty)
        #expect(Mutation.wrong.count >= 60)
        #expect(Mutation.legal.count >= 30)
        let names = (Mutation.wrong + Mutation.legal).map(\.testDescription)
        #expect(Set(names).count == names.count)
    }

    private static func judge(_ mutation: Mutation) async throws -> (MutationTalk.Result, GuardVerdict) {
        try await withRun(mutation.offer.scenario) { run in
            let base = run.base
            let result = try await talk(to: base) { try MutationTalk($0, base: base, mutation).run() }
            let verdicts = run.journal.snapshot().entries.compactMap { entry -> GuardVerdict? in
                if case .guarded(let verdict) = entry.event { verdict } else { nil }
            }
            // One without a credential, one of the other guard, the right ones, then the one that counts.
            let position = mutation.before + 2
            return (result, try #require(verdicts.indices.contains(position) ? verdicts[position] : nil))
        }
    }
}

/// A conversation that leads up to one mutated answer, with one connection for all of it.
struct MutationTalk {
    private let wire: Wire
    private let authority: String
    private let mutation: Mutation

    /// The sent answer and the right one.
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
