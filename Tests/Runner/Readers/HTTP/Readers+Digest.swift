import ProctorBase
import ProctorCrypto
import ProctorHTTP

extension ReaderRunner {
    static let digest: [String: DataReader] = [
        // Accounts such as `user|password` in a line each, and behind an empty line a value of Authorization.
        "digest": .whole { input, block in
            let parts = try Parts.exactly(2, input, by: "\r\n\r\n", block)
            let accounts = parts[0].split(separator: [0x0D, 0x0A]).map { line in
                let halves = line.split(separator: UInt8(ascii: "|"), maxSplits: 1, omittingEmptySubsequences: false)
                return CredentialAccount(user: Parts.text(halves[0]), password: Parts.text(halves.last ?? []))
            }
            return try DigestLines(block, accounts).lines(of: parts[1])
        }
    ]
}

/// A judge as words say: `algorithm MD5`, `qualities auth`, `opaque TEXT`, `userhash true`, `method M`, `target T`, `content
/// BYTES`, `content-limit N`, `nonce FINDING`; a minus sign is nothing.
private struct DigestLines {
    let block: Block
    let accounts: [CredentialAccount]

    init(_ block: Block, _ accounts: [CredentialAccount]) {
        self.block = block
        self.accounts = accounts
    }

    func lines(of value: [UInt8]) throws -> [String] {
        let judgement = try judgement(of: value, tolerated: [])
        var lines = [
            judgement.isAdmitted ? "admitted" : judgement.isStale ? "refused as stale" : "refused",
            "user \(ByteText.optional(judgement.user))",
        ]
        if judgement.isAdmitted, judgement.proof == nil || judgement.accountIndex == nil {
            lines.append("without a proof")
        }
        lines += judgement.faults.map { "\($0.kind.rawValue) (\($0.section)): \($0.sentence)" }
        lines += judgement.remarks.map { "remark \($0.kind.rawValue) (\($0.section)): \($0.sentence)" }
        // Of one kind and section, what has one meaning alone is tolerated.
        if judgement.faults.count == 1, let departure = Departure(judgement.faults[0]) {
            let other = try self.judgement(of: value, tolerated: [departure])
            let isRemarked = other.remarks.map(\.kind) == judgement.faults.map(\.kind) && other.isAdmitted
            lines.append("where \(departure.rawValue) is tolerated: \(isRemarked ? "remarked" : "refused")")
            if other.isAdmitted, other.proof != nil { lines.append("then with a proof") }
            if other.isAdmitted != isRemarked { lines.append("then something else") }
        }
        return lines
    }

    private func judgement(of value: [UInt8], tolerated: Set<Departure>) throws -> DigestJudgement {
        func word(_ name: String, _ standard: String) -> String? {
            let value = block.value(of: name) ?? standard
            return value == "-" ? nil : value
        }
        let hasher = OpenSSLHasher()
        let qualities = (word("qualities", "auth") ?? "").split(separator: ",")
            .compactMap { QualityOfProtection(rawValue: String($0)) }
        let judge = DigestJudge(
            algorithm: word("algorithm", "MD5").flatMap { DigestAlgorithm(rawValue: $0) }, qualities: qualities,
            opaque: word("opaque", "sealed").map { Array($0.utf8) },
            userhash: word("userhash", "-").map { $0 == "true" },
            realms: ["lab", "second"], accounts: accounts, tolerated: tolerated, by: hasher)
        let content =
            try block.has("content") ? word("content", "").map { try ByteText.bytes(inLine: $0, line: block.line) } : []
        return judge.judge(
            DigestCredential(Credentials(value)),
            of: DigestRequest(
                method: Array((word("method", "GET") ?? "").utf8),
                target: Array((word("target", "/a%20b?c=d") ?? "").utf8),
                content: content, contentLimit: try block.number(of: "content-limit")),
            nonce: try finding(), by: hasher)
    }

    /// `unknown`, `realm:far`, `algorithm:SHA-256`, `used-up:1`, `too-old:5`, `seen`, `too-low:2048`, `skipped:2`,
    /// `skipped-but-allowed:2`, `second-realm`, `session:first`, `session:first:n0`.
    private func finding() throws -> NonceFinding {
        let words = (block.value(of: "nonce") ?? "fresh").split(separator: ":").map(String.init)
        let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
        switch words[0] {
        case "fresh": return .known(KnownNonce())
        case "unknown": return .unknown
        case "realm": return .ofAnotherRealm(words[1])
        case "algorithm": return .ofAnotherAlgorithm(DigestAlgorithm(rawValue: words[1]) ?? .md5)
        case "used-up": return .known(KnownNonce(age: .usedUp(uses: number)))
        case "too-old": return .known(KnownNonce(age: .tooOld(lifetime: .seconds(number))))
        case "seen": return .known(KnownNonce(count: .seen))
        case "too-low": return .known(KnownNonce(count: .tooLow(highest: UInt32(number))))
        case "skipped": return .known(KnownNonce(count: .skipped(expected: UInt32(number), isRefused: true)))
        case "skipped-but-allowed":
            return .known(KnownNonce(count: .skipped(expected: UInt32(number), isRefused: false)))
        case "second-realm": return .known(KnownNonce(realm: 1))
        case "session":
            return .known(
                KnownNonce(
                    sessionNonce: words.count > 2 ? Array(words[2].utf8) : nil,
                    sessionClientNonce: Array(words[1].utf8)))
        default: throw RowError(block.line, "unknown finding about the nonce \"\(words[0])\"")
        }
    }
}
