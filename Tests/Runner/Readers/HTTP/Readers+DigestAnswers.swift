import Foundation
import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorHTTPClient

extension ReaderRunner {
    static let digestAnswers: [String: DataReader] = [
        // `CHALLENGE | USER | PASSWORD | METHOD TARGET`: what a client writes, and what a judge of that challenge says. Words: `quality
        // Q`, `cnonce C`, `count N`, `content TEXT`, `session NONCE CNONCE` (with which the session began).
        "digest-answer": .whole { input, block in
            try DigestAnswerLines(try Parts.exactly(4, input, by: " | ", block).map { Parts.text($0) }, block).lines()
        },
        // `FUNCTION TEXT`, in hexadecimal.
        "hash": .line { text in
            let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard let function = HashFunction.allCases.first(where: { "\($0)" == words[0] }) else {
                throw TextError("no function of \(HashFunction.allCases)")
            }
            var hash: [UInt8] = []
            OpenSSLHasher().appendHash(function, of: Array((words.count > 1 ? words[1] : "").utf8).span, to: &hash)
            return hash.hexadecimal + (hash.count == function.byteCount ? "" : " of another length")
        },
    ]
}

private struct DigestAnswerLines {
    private let parts: [String]
    private let block: Block

    init(_ parts: [String], _ block: Block) {
        self.parts = parts
        self.block = block
    }

    func lines() throws -> [String] {
        let hasher = OpenSSLHasher()
        let line = parts[3].split(separator: " ").map(String.init)
        guard let offered = ChallengeReader([Array(parts[0].utf8)]).challenges.first,
            let challenge = DigestChallenge(offered), line.count == 2
        else { throw TextError("expected a challenge, a user, a password, and a method with its target") }
        let session = block.words.firstIndex(of: "session").map { (block.words[$0 + 1], block.words[$0 + 2]) }
        let clientNonce = block.value(of: "cnonce") ?? "client"
        let content = Array((block.value(of: "content") ?? "").utf8)
        let quality = block.value(of: "quality").flatMap { QualityOfProtection(rawValue: $0) }
        let answer = DigestAnswer(
            to: challenge, user: parts[1], password: parts[2], method: line[0], target: Array(line[1].utf8),
            quality: quality,
            nonceCount: UInt32(try block.number(of: "count") ?? 1), clientNonce: clientNonce, content: content,
            sessionNonces: session.map { (Array($0.0.utf8), $0.1) })
        let written = Credentials(answer.fieldValue(by: hasher))
        let known = KnownNonce(
            sessionNonce: session.map { Array($0.0.utf8) }, sessionClientNonce: session.map { Array($0.1.utf8) })
        let judge = DigestJudge(
            algorithm: challenge.algorithmName == nil ? nil : challenge.algorithm, qualities: challenge.qualities,
            opaque: challenge.opaque, userhash: challenge.wantsUserhash, realms: [offered.realm ?? ""],
            accounts: [CredentialAccount(user: parts[1], password: parts[2])], by: hasher)
        let judgement = judge.judge(
            DigestCredential(written),
            of: DigestRequest(method: Array(line[0].utf8), target: Array(line[1].utf8), content: content),
            nonce: .known(known), by: hasher)
        var lines = ["response \(written["response"] ?? "none")", "username \(written["username"] ?? "none")"]
        if let count = written["nc"] { lines.append("nc \(count)") }
        lines += written.violations.map { "violation \($0)" }
        lines.append(judgement.isAdmitted ? "admitted \(ByteText.optional(judgement.user))" : "refused")
        lines += (judgement.faults + judgement.remarks).map { "\($0.kind.rawValue): \($0.sentence)" }
        guard let proof = judgement.proof else { return lines + ["without a proof"] }
        let info = AuthenticationInfo([proof.info(content: [1, 2], by: hasher).bytes])
        let wanted = answer.responseAuthentication(content: [1, 2], by: hasher)
        lines.append(info.rspauth == wanted ? "proved \(Parts.text(wanted))" : "proved otherwise")
        let shown = info.clientNonce.map { Parts.text($0) }
        if shown != (quality == nil ? nil : clientNonce) || !info.violations.isEmpty {
            lines.append("another cnonce in the proof")
        }
        return lines
    }
}
