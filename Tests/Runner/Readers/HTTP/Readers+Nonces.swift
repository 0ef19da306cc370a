import ProctorHTTP

@testable import ProctorReplies

extension ReaderRunner {
    /// What a guard keeps of the nonces that it has issued.
    static let nonces: [String: DataReader] = [
        // Steps between `; `: `issue a scheme 1 realm 1 in b kept uses 2`, `issue 0 to 2499`, `use a 1 as CNONCE gapless`, `use a`,
        // `a` alone for what is kept of it, `count` for how many there are.
        "nonces": .whole { input, block in
            var story = NonceStory()
            return try input.steps.compactMap {
                try story.take(Block(info: Parts.text($0), text: "", line: block.line))
            }
        },
        // Counts of one nonce, between blanks.
        "nonce-counts": .line { text in
            var counts = NonceCounts()
            let used = text.split(separator: " ").map { word in
                let count = UInt32(word) ?? 0
                let isKnown = counts.hasSeen(count)
                let isFirst = counts.use(count)
                return isFirst == isKnown ? "differs" : isFirst ? "first" : "seen"
            }
            return used.joined(separator: " ") + ", highest \(counts.highest)"
        },
    ]
}

private struct NonceStory {
    private var nonces = IssuedNonces()

    /// What comes of one step; nil where nothing is told.
    mutating func take(_ step: Block) throws -> String? {
        switch step.name {
        case "count": return "\(nonces.count)"
        case "issue": return try issue(step)
        case "use":
            let fault = nonces.use(
                name(step.words.first), count: step.words.dropFirst().first.flatMap { UInt32($0) },
                clientNonce: step.value(of: "as").map { Array($0.utf8) }, isGapless: step.has("gapless"))
            return fault?.kind.rawValue ?? "right"
        default:
            guard let kept = nonces[name(step.name)] else { return "unknown" }
            let session = nonces.session(of: name(step.name))
            return "schemes \(kept.grants.map { "\($0.scheme)" }.joined(separator: " "))"
                + ", session \(ByteText.optional(session?.nonce)), cnonce \(ByteText.optional(session?.clientNonce))"
        }
    }

    private mutating func issue(_ step: Block) throws -> String? {
        let first = step.words.first ?? ""
        let last = try step.number(of: "to")
        for number in 0...((last ?? 0) - (last == nil ? 0 : Int(first) ?? 0)) {
            nonces.issue(
                last == nil ? name(first) : name("\((Int(first) ?? 0) + number)"),
                for: IssuedNonces.Grant(
                    scheme: try step.number(of: "scheme") ?? 0, realm: try step.number(of: "realm") ?? 0),
                at: 1, in: step.value(of: "in").flatMap { nonces.session(of: name($0)) },
                useLimit: try step.number(of: "uses"), isKept: step.has("kept"))
        }
        return nil
    }

    private func name(_ text: String?) -> [UInt8] { Array((text ?? "").utf8) }
}
