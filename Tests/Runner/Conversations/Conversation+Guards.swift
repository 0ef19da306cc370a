import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire

extension Conversation {
    /// What the guards said, a line each: `lab refused wrong-password, attempt 2`; the words `sentences` and `messages` add those.
    func guardText(_ block: Block) -> String {
        Self.verdicts(of: run).map { verdict in
            var text = "\(verdict.guardName) \(verdict.outcome)"
            for fault in verdict.faults { text += " \(fault.kind.rawValue)" }
            if !verdict.remarks.isEmpty { text += " (\(verdict.remarks.map(\.kind.rawValue).joined(separator: " ")))" }
            text += ", attempt \(verdict.attempt)"
            if verdict.field != "Authorization" { text += ", \(verdict.field)" }
            if block.has("messages"), let user = verdict.user { text += ", user \"\(user)\"" }
            if block.has("messages"), let message = verdict.message { text += ", \(message)" }
            if block.has("sentences") { text += verdict.faults.map { ": \($0)" }.joined() }
            return ByteText.inLine(credentials.hide(text).utf8) + "\n"
        }.joined()
    }

    /// What a server that counts has counted of its clients.
    func faultText() -> String {
        guard let tally = server.configuration.faults?.tally else { return "nothing is counted\n" }
        return "violations \(tally.violationCount), faults \(tally.faultCount)\n"
            + tally.examples.map { "\($0)\n" }.joined()
    }

    private static func verdicts(of run: Run) -> [GuardVerdict] {
        run.journal.snapshot().entries.compactMap { if case .guarded(let verdict) = $0.event { verdict } else { nil } }
    }

    /// Digest answers that are a little wrong, or only look so; each line begins the run anew.
    ///
    /// `NAME | WORDS => STATUS OUTCOME KINDS | SENTENCES | then STATUS`: a request without a credential, right ones where `before=N`
    /// stands, the one that counts, and a right one to the challenge that it brought.
    mutating func answers(_ block: Block, _ check: inout Check) async throws {
        let base = run.base
        for (index, line) in block.lines.enumerated() where !line.isEmpty {
            let number = block.line + index + 1
            let (given, wanted) = line.cut(at: " => ")
            guard let words = given.cut(at: " | ").1 else { throw RowError(number, "expected NAME | WORDS => …") }
            run.reset()
            let (text, count, talk) = try await onThread {
                let wire = try Wire(to: base)
                defer { wire.close() }
                return try DigestTalk(wire, base, block).run(words.split(separator: " ").map(String.init), number)
            }
            var got = text[0]
            let verdicts = Self.verdicts(of: run)
            if verdicts.indices.contains(count) {
                let verdict = verdicts[count]
                // What follows from the first fault may be told of several parameters.
                let kinds = verdict.faults.map(\.kind.rawValue).reduce(into: [String]()) {
                    if !$0.contains($1) { $0.append($1) }
                }
                got += " " + (["\(verdict.outcome)"] + kinds).joined(separator: " ")
                if !verdict.faults.isEmpty {
                    got += " | " + talk.hide(verdict.faults.map(\.description).joined(separator: "; "))
                }
            }
            if text.count > 1 { got += " | then \(text[1])" }
            check.expect(block, line: index, given: given, wanted: wanted ?? "", got: ByteText.inLine(got.utf8))
        }
    }
}

/// A conversation that leads up to one answer, on one connection.
private struct DigestTalk {
    private let wire: Wire
    private let host: String
    private let method: String
    private let content: String
    private var hidden: [(String, String)] = []

    init(_ wire: Wire, _ base: String, _ block: Block) {
        self.wire = wire
        host = String(base.dropFirst("http://".count))
        content = block.value(of: "POST") ?? ""
        method = content.isEmpty ? "GET" : "POST"
    }

    /// The statuses of the answer and of a right one behind it, and how many verdicts come before that of the answer.
    func run(_ all: [String], _ line: Int) throws -> (statuses: [String], verdictCount: Int, talk: DigestTalk) {
        var talk = self
        var words = all
        func take(_ name: String) -> String? {
            guard let index = words.firstIndex(where: { $0.hasPrefix("\(name)=") }) else { return nil }
            return String(words.remove(at: index).dropFirst(name.count + 1))
        }
        let target = take("target") ?? "/a%20b/c?d=e%2Ff&g=1"
        let before = take("before").flatMap { Int($0) } ?? 0
        let offer = take("offer").flatMap { Int($0) } ?? 1
        words.removeAll { $0 == "right" }
        let challenges = try ask(target, []).challenges
        guard challenges.count >= offer else { throw RowError(line, "no such challenge came") }
        var material = DigestMaterial(challenges[0], method: method, target: target, content: Array(content.utf8))
        let foreign = try ask("/cellar", [], isBare: true).challenges.first?["nonce"] ?? ""
        for number in 0..<before {
            material.nonceCount = DigestMaterial.count(number + 1)
            let status = try ask(target, [material.answer(with: material.response).line]).status
            guard status == "200" else { throw RowError(line, "the right answer before it got \(status)") }
        }
        material.nonceCount = DigestMaterial.count(before + 1)
        let nonces = ["foreign": foreign, "other": challenges.last?["nonce"] ?? ""]
        let made = try DigestWords(words, material, nonces: nonces, line: line)
        let reply = try ask(target, made.lines)
        talk.hidden = [
            (made.right.value("response"), "<right response>"), (made.sent.value("response"), "<sent response>"),
            (made.right.value("response").uppercased(), "<RIGHT RESPONSE>"), (challenges[0]["nonce"] ?? "", "<nonce>"),
            (foreign, "<foreign nonce>"), (nonces["other"] ?? "", "<other nonce>"),
        ].filter { $0.0.count > 16 }
        var statuses = [reply.status]
        if let challenge = reply.challenges.first {
            // Whatever went wrong before must not stand in the way of a right answer to the new challenge.
            let next = DigestMaterial(challenge, method: method, target: target, content: Array(content.utf8))
            statuses.append(try ask(target, [next.answer(with: next.response).line]).status)
        }
        return (statuses, before + 2, talk)
    }

    func hide(_ text: String) -> String { hidden.reduce(text) { $0.replacing($1.0, with: $1.1) } }

    private func ask(
        _ target: String, _ lines: [String], isBare: Bool = false
    ) throws -> (status: String, challenges: [[String: String]]) {
        let content = isBare ? "" : content
        var head = ["\(isBare ? "GET" : method) \(target) HTTP/1.1", "Host: \(host)"] + lines
        if !content.isEmpty { head.append("Content-Length: \(content.utf8.count)") }
        try wire.send(head.joined(separator: "\r\n") + "\r\n\r\n" + content)
        var reply = AskedReply()
        try reply.readHead(wire)
        try reply.readContent(wire, method: method, toEnd: false)
        return (reply.status, ChallengeText.digests(in: reply.values("WWW-Authenticate")))
    }
}
